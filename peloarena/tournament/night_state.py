"""A night at one moment: what began, what is missing, what comes next. Pure: built from rows, changed by the runner.

Everything is computed from what is stored, so that a night that was cut off decides as one that was not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from .config import NightConfig
from .course import Facts, next_round
from .deals import Deal, DealSource
from .entries import Bench, BotVersion, Entry, Roster, Version, roster_of, withdrawal
from .forecast import games_to_come
from .gate import Gate
from .host_orders import Order, removed, withdrawn
from .rounds import Fixture, PlayedGame, Redraws, Round, fixtures_of
from .tables import rounds_in


class NightState:
    """Games and rounds are only ever added to it; after a void it is made anew."""

    def __init__(
        self,
        config: NightConfig,
        source: DealSource,
        entries: Sequence[Entry],
        versions: Sequence[Version],
        rounds: Sequence[Round],
        played: Iterable[PlayedGame] = (),
        orders: Sequence[Order] = (),
        redraws: Redraws | None = None,
    ) -> None:
        self.config = config
        self.source = source
        self.entries = list(entries)
        self.versions = list(versions)
        self.orders = list(orders)
        self.rounds = list(rounds)
        self.played = {game.fixture.game: game for game in played}
        self.redraws: dict[Deal, int] = dict(redraws or {})
        self._fixtures: dict[int, list[Fixture]] = {}
        self._over = self._folded = 0
        """Rounds from the first on that have nothing missing, and that are counted in what follows."""
        self._bench = Bench(config.bench_after)
        self._forfeits = False
        self._fields: set[frozenset[int]] = set()
        """Who was there at the beginning of a round."""

    @property
    def names(self) -> dict[int, str]:
        return {entry.number: entry.name for entry in self.entries}

    @cached_property
    def solo(self) -> bool:
        return self.config.format == "solo"

    def fixtures(self, round: Round) -> list[Fixture]:
        """Of a round that began; they never change but for deals that are drawn anew."""
        if round.id not in self._fixtures:
            self._fixtures[round.id] = fixtures_of(
                round, self.config.seatings, self.solo, self.names, self.source, self.redraws
            )
        return self._fixtures[round.id]

    def scheduled(self) -> list[Fixture]:
        return [fixture for round in self.rounds for fixture in self.fixtures(round)]

    def missing(self, round: Round) -> list[Fixture]:
        return [fixture for fixture in self.fixtures(round) if fixture.game not in self.played]

    def games(self, round: Round) -> list[PlayedGame]:
        """Finished ones, in the order of the schedule."""
        return [self.played[fixture.game] for fixture in self.fixtures(round) if fixture.game in self.played]

    def history(self) -> list[PlayedGame]:
        return [game for round in self.rounds for game in self.games(round)]

    def open_rounds(self) -> list[Round]:
        """From the first that has a game to play on. A night may have thousands that have none."""
        while self._over < len(self.rounds) and not self.missing(self.rounds[self._over]):
            self._over += 1
        return self.rounds[self._over :]

    def benched(self) -> dict[BotVersion, str]:
        left = self.open_rounds()
        for round in self.rounds[self._folded : self._over]:
            self._fold(self._bench, round)
        self._folded = self._over
        bench = self._bench.copy()
        for round in left:
            self._fold(bench, round)
        return bench.now(self.orders, self.names)

    def _fold(self, bench: Bench, round: Round) -> None:
        games = self.games(round)
        seen = [appearance for game in games for appearance in game.appearances()]
        bench.add(round.number, round.orders, seen, self.orders, self.names)
        self._forfeits = self._forfeits or any(game.absent for game in games)
        self._fields.add(_field(round.roster))

    def facts(self) -> Facts:
        """Without the games where nothing depends on them: there may be a hundred thousand."""
        benched = self.benched()
        now = _field(roster_of(self.entries, self.versions, self.orders, benched))
        missed = self._forfeits or len(self._fields | {now}) > 1
        main = [round for round in self.rounds if round.stage == "main"]
        over = bool(main) and len(main) >= rounds_in(self.config, len(main[0].roster))
        needed = missed or over or self.config.format in ("swiss", "knockout")
        games = self.history() if needed else []
        return Facts(self.config, self.entries, self.versions, self.orders, self.rounds, games, benched, missed)

    def next_round(self) -> Round | None:
        """When all that began is over."""
        return next_round(self.facts())

    def to_come(self) -> int:
        """How many games are still to be played, as far as can be told now."""
        return sum(len(self.missing(round)) for round in self.open_rounds()) + games_to_come(self.facts())

    def is_over(self) -> bool:
        return not self.open_rounds() and self.next_round() is None

    def absent(self, round: Round) -> dict[int, str]:
        """Who forfeits games of a round from now on: the round's own roster, and whoever was withdrawn since."""
        out = withdrawn(self.orders)
        found = {entry.number: withdrawal(out[entry.name]) for entry in self.entries if entry.name in out}
        return found | {row.entry: row.absent for row in round.roster if row.absent}

    def removed(self) -> set[str]:
        return set(removed(self.orders))

    def gate(self, closed: bool) -> Gate:
        return Gate(self.scheduled(), self.played, closed=closed)


def _field(roster: Roster) -> frozenset[int]:
    return frozenset(row.entry for row in roster if not row.absent)
