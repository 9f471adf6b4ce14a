"""A night at one moment: what began, what is missing, what comes next. Pure: built from rows, changed by the runner.

Everything is computed from what is stored, so that a night that was cut off decides as one that was not.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from msgspec.structs import replace

from .config import PAIRED_BY_RESULTS, NightConfig
from .course import Facts, next_round
from .cup import Cup, cup_of
from .deals import Deal, DealSource
from .entries import Bench, BotVersion, Entry, Roster, Version, newest_ready, roster_of, withdrawal
from .forecast import games_to_come
from .gate import Gate
from .host_orders import Order, is_finishing, removed, withdrawn
from .ladder.course import next_on_ladder
from .ladder.tallies import Tallies
from .matches import Match, matches_of, rules_of
from .places import PlaceFacts
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
        *,
        scores_count: bool = True,
    ) -> None:
        """`scores_count`: whether they decide tied matches of a cup."""
        self.config = config
        self.source = source
        self.entries = list(entries)
        self.versions = list(versions)
        self.orders = list(orders)
        self.rounds = list(rounds)
        self.played = {game.fixture.game: game for game in played}
        self.redraws: dict[Deal, int] = dict(redraws or {})
        self.rules = replace(rules_of(config), scores_count=scores_count)
        self._fixtures: dict[int, list[Fixture]] = {}
        self._over = self._folded = 0
        """Rounds from the first on that have nothing missing, and that are counted in what follows."""
        self._bench = Bench(config.bench_after)
        self._tallies = Tallies()
        self._forfeits = False
        self._fields: set[frozenset[int]] = set()
        """Who was there at the beginning of a round."""

    @property
    def names(self) -> dict[int, str]:
        return {entry.number: entry.name for entry in self.entries}

    @cached_property
    def solo(self) -> bool:
        return self.config.format == "solo"

    @cached_property
    def best_of(self) -> bool:
        """Which games of a round are played depends on the others."""
        return self.config.format == "knockout"

    def fixtures(self, round: Round) -> list[Fixture]:
        """Of a round that began, as far as they can be needed; they never change but for deals that are drawn anew."""
        if round.id not in self._fixtures:
            self._fixtures[round.id] = fixtures_of(
                round,
                self.config.seatings,
                self.solo,
                self.names,
                self.source,
                self.redraws,
                shared=self.config.same_deals,
            )
        return self._fixtures[round.id]

    def scheduled(self) -> list[Fixture]:
        """Of all rounds that began: what is played, or may still be."""
        return [fixture for round in self.rounds for fixture in self.possible(round)]

    def possible(self, round: Round) -> list[Fixture]:
        """Those that are played, or may still be; a match of a cup ends when it is decided."""
        if not self.best_of:
            return self.fixtures(round)
        open_deals = [set(match.possible) for match in self.matches(round)]
        return [
            fixture
            for fixture in self.fixtures(round)
            if fixture.deal in open_deals[fixture.table - 1] or fixture.game in self.played
        ]

    def missing(self, round: Round) -> list[Fixture]:
        """What can be played now."""
        missing = [fixture for fixture in self.fixtures(round) if fixture.game not in self.played]
        if not self.best_of or not missing:
            return missing
        due = [set(match.due) for match in self.matches(round)]
        return [fixture for fixture in missing if fixture.deal in due[fixture.table - 1]]

    def matches(self, round: Round) -> list[Match]:
        """Of a Swiss or a knockout."""
        return matches_of(self.rules, round, self.games(round))

    def cup(self) -> Cup:
        """Of a knockout that has begun."""
        main = [round for round in self.rounds if round.stage == "main"]
        return cup_of([row.entry for row in main[0].roster], {round.number: self.matches(round) for round in main})

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
        return self._folded_up()[0].now(self.orders, self.names)

    def _folded_up(self) -> tuple[Bench, Tallies]:
        """What follows from all rounds; those that are over are looked at once."""
        left = self.open_rounds()
        for round in self.rounds[self._folded : self._over]:
            self._fold(self._bench, self._tallies, round)
        self._folded = self._over
        bench, tallies = self._bench.copy(), self._tallies.copy()
        for round in left:
            self._fold(bench, tallies, round)
        return bench, tallies

    def _fold(self, bench: Bench, tallies: Tallies, round: Round) -> None:
        games = self.games(round)
        seen = [appearance for game in games for appearance in game.appearances()]
        bench.add(round.number, round.orders, seen, self.orders, self.names)
        self._forfeits = self._forfeits or any(game.absent for game in games)
        self._fields.add(_field(round.roster))
        if self.config.format == "ladder" and round.stage == "main":
            tallies.add(round, games, self.missing(round))

    def facts(self) -> Facts:
        """Without the games where nothing depends on them: there may be a hundred thousand."""
        bench, tallies = self._folded_up()
        benched = bench.now(self.orders, self.names)
        if self.config.format == "ladder":
            return Facts(
                self.config, self.entries, self.versions, self.orders, self.rounds, [], benched, False, tallies
            )
        now = _field(roster_of(self.entries, self.versions, self.orders, benched))
        missed = self._forfeits or len(self._fields | {now}) > 1
        main = [round for round in self.rounds if round.stage == "main"]
        over = bool(main) and len(main) >= rounds_in(self.config, len(main[0].roster))
        needed = missed or over or self.config.format in PAIRED_BY_RESULTS
        games = self.history() if needed else []
        return Facts(self.config, self.entries, self.versions, self.orders, self.rounds, games, benched, missed)

    def next_round(self) -> Round | None:
        """When all that began is over; of a ladder at any time."""
        facts = self.facts()
        return next_on_ladder(facts) if self.config.format == "ladder" else next_round(facts)

    def is_endless(self) -> bool:
        """A ladder goes on until its host ends it."""
        return self.config.format == "ladder" and not is_finishing(self.orders)

    def to_come(self) -> int:
        """How many games are still to be played, as far as can be told now: a cup's matches in full length."""
        return sum(map(self._left, self.open_rounds())) + games_to_come(self.facts())

    def _left(self, round: Round) -> int:
        """Games of a round that are due, or will be if its matches stay open; further deals only when they are due."""
        if not self.best_of:
            return len(self.missing(round))
        due = {fixture.game for fixture in self.missing(round)}
        left = [fixture for fixture in self.possible(round) if fixture.game not in self.played]
        return sum(fixture.deal <= self.config.deals or fixture.game in due for fixture in left)

    def is_over(self) -> bool:
        return not self.is_endless() and not self.open_rounds() and self.next_round() is None

    def absent(self, round: Round) -> dict[int, str]:
        """Who forfeits games of a round from now on: the round's own roster, and whoever was withdrawn since."""
        out = withdrawn(self.orders)
        found = {entry.number: withdrawal(out[entry.name]) for entry in self.entries if entry.name in out}
        return found | {row.entry: row.absent for row in round.roster if row.absent}

    def place_facts(self) -> PlaceFacts:
        main = tuple(round for round in self.rounds if round.stage == "main")
        return PlaceFacts(self.config.format, self.rules, main, self.names, self._out())

    def _out(self) -> dict[int, str]:
        """Who plays no more as things are now: in a word, why."""
        playing = newest_ready(self.versions)
        words = {entry: "benched" for entry, edition in self.benched() if playing.get(entry) == edition}
        for entry in self.entries:
            if entry.house:
                words[entry.number] = "the house's"
            elif entry.name in withdrawn(self.orders):
                words[entry.number] = "withdrawn"
            elif entry.name in removed(self.orders):
                words[entry.number] = "removed"
        return words

    def removed(self) -> set[str]:
        return set(removed(self.orders))

    def gate(self, closed: bool) -> Gate:
        return Gate(self.scheduled(), self.played, closed=closed)


def _field(roster: Roster) -> frozenset[int]:
    return frozenset(row.entry for row in roster if not row.absent)
