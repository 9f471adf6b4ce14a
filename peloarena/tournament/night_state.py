"""A night at one moment: what began, what is missing, what comes next. Pure: built from rows, changed by the runner.

Everything is computed from what is stored, so that a night that was cut off decides as one that was not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from .config import NightConfig
from .course import Facts, next_round
from .deals import Deal, DealSource
from .entries import Bench, BotVersion, Entry, Version, withdrawal
from .forecast import games_to_come
from .gate import Gate
from .host_orders import Order, removed, withdrawn
from .rounds import Fixture, PlayedGame, Redraws, Round, fixtures_of


class NightState:
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

    def benched(self) -> dict[BotVersion, str]:
        bench = Bench(self.config.bench_after, self.names)
        for round in self.rounds:
            seen = [appearance for game in self.games(round) for appearance in game.appearances()]
            bench.add(round.number, round.orders, seen, self.orders)
        return bench.now(self.orders)

    def facts(self) -> Facts:
        return Facts(self.config, self.entries, self.versions, self.orders, self.rounds, self.history(), self.benched())

    def next_round(self) -> Round | None:
        """When all that began is over."""
        return next_round(self.facts())

    def to_come(self) -> int:
        """How many games are still to be played, as far as can be told now."""
        return sum(len(self.missing(round)) for round in self.rounds) + games_to_come(self.facts())

    def is_over(self) -> bool:
        return not any(self.missing(round) for round in self.rounds) and self.next_round() is None

    def absent(self, round: Round) -> dict[int, str]:
        """Who forfeits games of a round from now on: the round's own roster, and whoever was withdrawn since."""
        out = withdrawn(self.orders)
        found = {entry.number: withdrawal(out[entry.name]) for entry in self.entries if entry.name in out}
        return found | {row.entry: row.absent for row in round.roster if row.absent}

    def removed(self) -> set[str]:
        return set(removed(self.orders))

    def gate(self, closed: bool) -> Gate:
        return Gate(self.scheduled(), self.played, closed=closed)
