"""A tournament at one moment: what began, what is missing, what comes next. Pure: built from rows, changed by the
runner.

Everything is computed from the stored rows, so that an interrupted tournament decides as any other.
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
    """Games and rounds are only ever added; after a void it is rebuilt."""

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
        """`scores_count`: whether scores decide tied matches of a cup."""
        self.config = config
        self.source = source
        self.entries = list(entries)
        self.versions = list(versions)
        self.orders = list(orders)
        self.rounds = list(rounds)
        self.played = {game.fixture.game: game for game in played}
        self.redraws: dict[Deal, int] = dict(redraws or {})
        self.rules = replace(rules_of(config), scores_count=scores_count)
        self.given_up: set[str] = set()
        """Games that a round does not wait for. The runner waits for all."""
        self._fixtures: dict[int, list[Fixture]] = {}
        self._main: list[Round] = []
        self._sorted = 0
        """How many rounds were searched for main ones."""
        self._over = self._folded = 0
        """The number of leading rounds without missing games, and of those already included in the fields below."""
        self._bench = Bench(config.bench_after)
        self._tallies = Tallies()
        self._forfeits = False
        self._fields: set[frozenset[int]] = set()
        """The entries present at the beginning of each round."""

    @property
    def names(self) -> dict[int, str]:
        return {entry.number: entry.name for entry in self.entries}

    @cached_property
    def solo(self) -> bool:
        return self.config.format == "solo"

    @cached_property
    def best_of(self) -> bool:
        """Whether the games of a round depend on each other's results."""
        return self.config.format == "knockout"

    @property
    def main(self) -> list[Round]:
        """The main rounds; read-only. Cached, because there may be thousands, and every new one needs those before
        it."""
        self._main += [round for round in self.rounds[self._sorted :] if round.stage == "main"]
        self._sorted = len(self.rounds)
        return self._main

    def fixtures(self, round: Round) -> list[Fixture]:
        """All possible games of a round that began; they only change if a deal is redrawn."""
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
        """For all rounds that began: games that are played, or may be."""
        return [fixture for round in self.rounds for fixture in self.possible(round)]

    def possible(self, round: Round) -> list[Fixture]:
        """Games that are played, or may be; a match of a cup ends when it is decided."""
        if not self.best_of:
            return self.fixtures(round)
        open_deals = [set(match.possible) for match in self.matches(round)]
        return [
            fixture
            for fixture in self.fixtures(round)
            if fixture.deal in open_deals[fixture.table - 1] or fixture.game in self.played
        ]

    def missing(self, round: Round) -> list[Fixture]:
        """The games that can be played now."""
        missing = [fixture for fixture in self.fixtures(round) if fixture.game not in self.played]
        if not self.best_of or not missing:
            return missing
        due = [set(match.due) for match in self.matches(round)]
        return [fixture for fixture in missing if fixture.deal in due[fixture.table - 1]]

    def matches(self, round: Round) -> list[Match]:
        """For a Swiss or a knockout."""
        return matches_of(self.rules, round, self.games(round))

    def cup(self) -> Cup:
        """For a knockout that has begun."""
        return cup_of(
            [row.entry for row in self.main[0].roster], {round.number: self.matches(round) for round in self.main}
        )

    def games(self, round: Round) -> list[PlayedGame]:
        """Finished games, in the order of the schedule."""
        return [self.played[fixture.game] for fixture in self.fixtures(round) if fixture.game in self.played]

    def history(self) -> list[PlayedGame]:
        return [game for round in self.rounds for game in self.games(round)]

    def open_rounds(self) -> list[Round]:
        """All rounds from the first with a game to play. A tournament may have thousands without one."""
        while self._over < len(self.rounds) and self._is_over(self.rounds[self._over]):
            self._over += 1
        return self.rounds[self._over :]

    def _is_over(self, round: Round) -> bool:
        return all(fixture.game in self.given_up for fixture in self.missing(round))

    def benched(self) -> dict[BotVersion, str]:
        return self._folded_up()[0].now(self.orders, self.names)

    def _folded_up(self) -> tuple[Bench, Tallies]:
        """Bench and tallies over all rounds; finished rounds are processed once."""
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

    def facts(self, *, to_forecast: bool = False) -> Facts:
        """Omits the games if nothing depends on them: there may be a hundred thousand. A forecast of catch-up depends
        on them, but the next round only if it is a catch-up."""
        bench, tallies = self._folded_up()
        benched = bench.now(self.orders, self.names)
        if self.config.format == "ladder":
            return Facts(
                self.config, self.entries, self.versions, self.orders, self.rounds, (), [], benched, False, tallies
            )
        now = _field(roster_of(self.entries, self.versions, self.orders, benched))
        missed = self._forfeits or len(self._fields | {now}) > 1
        main = self.main
        over = bool(main) and len(main) >= rounds_in(self.config, len(main[0].roster))
        needed = (missed and to_forecast) or over or self.config.format in PAIRED_BY_RESULTS
        games = self.history() if needed else []
        return Facts(self.config, self.entries, self.versions, self.orders, self.rounds, main, games, benched, missed)

    def next_round(self) -> Round | None:
        """When all rounds that began are over; on a ladder at any time."""
        facts = self.facts()
        return next_on_ladder(facts) if self.config.format == "ladder" else next_round(facts)

    def is_endless(self) -> bool:
        """A ladder continues until its host ends it."""
        return self.config.format == "ladder" and not is_finishing(self.orders)

    def to_come(self) -> int:
        """How many games remain, as far as can be forecast: a cup's matches count at full length."""
        return sum(map(self._left, self.open_rounds())) + games_to_come(self.facts(to_forecast=True))

    def _left(self, round: Round) -> int:
        """Games of a round that are due, or will be if its matches stay open; extra deals count only when due."""
        if not self.best_of:
            return len(self.missing(round))
        due = {fixture.game for fixture in self.missing(round)}
        left = [fixture for fixture in self.possible(round) if fixture.game not in self.played]
        return sum(fixture.deal <= self.config.deals or fixture.game in due for fixture in left)

    def is_over(self) -> bool:
        return not self.is_endless() and not self.open_rounds() and self.next_round() is None

    def absent(self, round: Round) -> dict[int, str]:
        """Entries that forfeit games of a round from now on: those absent from its roster, and those withdrawn
        since."""
        out = withdrawn(self.orders)
        found = {entry.number: withdrawal(out[entry.name]) for entry in self.entries if entry.name in out}
        return found | {row.entry: row.absent for row in round.roster if row.absent}

    def place_facts(self) -> PlaceFacts:
        return PlaceFacts(self.config.format, self.rules, tuple(self.main), self.names, self._out())

    def _out(self) -> dict[int, str]:
        """Entries that no longer play, each with the reason in a word."""
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
