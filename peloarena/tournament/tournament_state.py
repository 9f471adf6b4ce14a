"""A tournament at one moment: what began, what is missing, what comes next. Pure: built from rows, changed by the
runner.

Everything is computed from the stored rows, so that an interrupted tournament decides as any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property

from msgspec.structs import replace

from .config import PAIRED_BY_RESULTS, TournamentConfig
from .cup import Cup, build_cup
from .deals import Deal, DealSource
from .entries import (
    BenchTracker,
    BotVersion,
    Entry,
    Roster,
    Version,
    build_roster,
    newest_ready_numbers,
    withdrawal_text,
)
from .fixtures import Fixture, PlayedGame, Redraws, Round, fixtures_of
from .forecast import count_remaining_games
from .gate import Gate
from .host_actions import HostAction, is_finish_requested, removed_entries, withdrawn_entries
from .ladder.ladder_scheduler import next_ladder_round
from .ladder.tallies import Tallies
from .matches import Match, match_rules, matches_of_round
from .pairing import rounds_in
from .ranking import RankingFacts
from .scheduler import SchedulingFacts, next_round


class TournamentState:
    """Games and rounds are only ever added; after a void it is rebuilt."""

    def __init__(
        self,
        config: TournamentConfig,
        source: DealSource,
        entries: Sequence[Entry],
        versions: Sequence[Version],
        rounds: Sequence[Round],
        played: Iterable[PlayedGame] = (),
        actions: Sequence[HostAction] = (),
        redraws: Redraws | None = None,
        *,
        scores_count: bool = True,
    ) -> None:
        """`scores_count`: whether scores decide tied matches of a cup."""
        self.config = config
        self.source = source
        self.entries = list(entries)
        self.versions = list(versions)
        self.actions = list(actions)
        self.rounds = list(rounds)
        self.played = {game.fixture.game: game for game in played}
        self.redraws: dict[Deal, int] = dict(redraws or {})
        self.match_rules = replace(match_rules(config), scores_count=scores_count)
        self.abandoned_games: set[str] = set()
        """Games that a round does not wait for. The runner waits for all."""
        self._fixtures: dict[int, list[Fixture]] = {}
        self._main_rounds: list[Round] = []
        self._searched_rounds = 0
        """How many rounds were searched for main ones."""
        self._finished_rounds = self._tallied_rounds = 0
        """The number of leading rounds without missing games, and of those already included in the fields below."""
        self._bench = BenchTracker(config.bench_after)
        self._tallies = Tallies()
        self._has_forfeits = False
        self._present_sets: set[frozenset[int]] = set()
        """The entries present at the beginning of each round."""

    @property
    def names(self) -> dict[int, str]:
        return {entry.number: entry.name for entry in self.entries}

    @cached_property
    def is_solo(self) -> bool:
        return self.config.format == "solo"

    @cached_property
    def is_best_of(self) -> bool:
        """Whether the games of a round depend on each other's results."""
        return self.config.format == "knockout"

    @property
    def main_rounds(self) -> list[Round]:
        """The main rounds; read-only. Cached, because there may be thousands, and every new one needs those before
        it."""
        self._main_rounds += [round for round in self.rounds[self._searched_rounds :] if round.stage == "main"]
        self._searched_rounds = len(self.rounds)
        return self._main_rounds

    def fixtures(self, round: Round) -> list[Fixture]:
        """All possible games of a round that began; they only change if a deal is redrawn."""
        if round.id not in self._fixtures:
            self._fixtures[round.id] = fixtures_of(
                round,
                self.config.seatings,
                self.is_solo,
                self.names,
                self.source,
                self.redraws,
                shared=self.config.same_deals,
            )
        return self._fixtures[round.id]

    def scheduled_fixtures(self) -> list[Fixture]:
        """For all rounds that began: games that are played, or may be."""
        return [fixture for round in self.rounds for fixture in self.possible_fixtures(round)]

    def possible_fixtures(self, round: Round) -> list[Fixture]:
        """Games that are played, or may be; a match of a cup ends when it is decided."""
        if not self.is_best_of:
            return self.fixtures(round)
        open_deals = [set(match.possible_deals) for match in self.matches(round)]
        return [
            fixture
            for fixture in self.fixtures(round)
            if fixture.deal in open_deals[fixture.table - 1] or fixture.game in self.played
        ]

    def due_fixtures(self, round: Round) -> list[Fixture]:
        """The games that can be played now."""
        missing = [fixture for fixture in self.fixtures(round) if fixture.game not in self.played]
        if not self.is_best_of or not missing:
            return missing
        due = [set(match.due_deals) for match in self.matches(round)]
        return [fixture for fixture in missing if fixture.deal in due[fixture.table - 1]]

    def matches(self, round: Round) -> list[Match]:
        """For a Swiss or a knockout."""
        return matches_of_round(self.match_rules, round, self.finished_games(round))

    def cup(self) -> Cup:
        """For a knockout that has begun."""
        return build_cup(
            [row.entry for row in self.main_rounds[0].roster],
            {round.number: self.matches(round) for round in self.main_rounds},
        )

    def finished_games(self, round: Round) -> list[PlayedGame]:
        """Finished games, in the order of the schedule."""
        return [self.played[fixture.game] for fixture in self.fixtures(round) if fixture.game in self.played]

    def all_finished_games(self) -> list[PlayedGame]:
        return [game for round in self.rounds for game in self.finished_games(round)]

    def open_rounds(self) -> list[Round]:
        """All rounds from the first with a game to play. A tournament may have thousands without one."""
        while self._finished_rounds < len(self.rounds) and self._is_round_over(self.rounds[self._finished_rounds]):
            self._finished_rounds += 1
        return self.rounds[self._finished_rounds :]

    def _is_round_over(self, round: Round) -> bool:
        return all(fixture.game in self.abandoned_games for fixture in self.due_fixtures(round))

    def benched_versions(self) -> dict[BotVersion, str]:
        return self._bench_and_tallies()[0].benched_versions(self.actions, self.names)

    def _bench_and_tallies(self) -> tuple[BenchTracker, Tallies]:
        """Bench and tallies over all rounds; finished rounds are processed once."""
        left = self.open_rounds()
        for round in self.rounds[self._tallied_rounds : self._finished_rounds]:
            self._add_round(self._bench, self._tallies, round)
        self._tallied_rounds = self._finished_rounds
        bench, tallies = self._bench.copy(), self._tallies.copy()
        for round in left:
            self._add_round(bench, tallies, round)
        return bench, tallies

    def _add_round(self, bench: BenchTracker, tallies: Tallies, round: Round) -> None:
        games = self.finished_games(round)
        appearances = [appearance for game in games for appearance in game.appearances()]
        bench.add_round(round.number, round.orders, appearances, self.actions, self.names)
        self._has_forfeits = self._has_forfeits or any(game.absent for game in games)
        self._present_sets.add(_present_entries(round.roster))
        if self.config.format == "ladder" and round.stage == "main":
            tallies.add(round, games, self.due_fixtures(round))

    def scheduling_facts(self, *, for_forecast: bool = False) -> SchedulingFacts:
        """Omits the games if nothing depends on them: there may be a hundred thousand. A forecast of catch-up depends
        on them, but the next round only if it is a catch-up."""
        bench, tallies = self._bench_and_tallies()
        benched = bench.benched_versions(self.actions, self.names)
        if self.config.format == "ladder":
            return SchedulingFacts(
                self.config, self.entries, self.versions, self.actions, self.rounds, (), [], benched, False, tallies
            )
        now = _present_entries(build_roster(self.entries, self.versions, self.actions, benched))
        missed = self._has_forfeits or len(self._present_sets | {now}) > 1
        main = self.main_rounds
        over = bool(main) and len(main) >= rounds_in(self.config, len(main[0].roster))
        needed = (missed and for_forecast) or over or self.config.format in PAIRED_BY_RESULTS
        games = self.all_finished_games() if needed else []
        return SchedulingFacts(
            self.config, self.entries, self.versions, self.actions, self.rounds, main, games, benched, missed
        )

    def next_round(self) -> Round | None:
        """When all rounds that began are over; on a ladder at any time."""
        facts = self.scheduling_facts()
        return next_ladder_round(facts) if self.config.format == "ladder" else next_round(facts)

    def is_endless(self) -> bool:
        """A ladder continues until its host ends it."""
        return self.config.format == "ladder" and not is_finish_requested(self.actions)

    def remaining_games(self) -> int:
        """How many games remain, as far as can be forecast: a cup's matches count at full length."""
        return sum(map(self._remaining_in_round, self.open_rounds())) + count_remaining_games(
            self.scheduling_facts(for_forecast=True)
        )

    def _remaining_in_round(self, round: Round) -> int:
        """Games of a round that are due, or will be if its matches stay open; extra deals count only when due."""
        if not self.is_best_of:
            return len(self.due_fixtures(round))
        due = {fixture.game for fixture in self.due_fixtures(round)}
        left = [fixture for fixture in self.possible_fixtures(round) if fixture.game not in self.played]
        return sum(fixture.deal <= self.config.deals or fixture.game in due for fixture in left)

    def is_over(self) -> bool:
        return not self.is_endless() and not self.open_rounds() and self.next_round() is None

    def absent_entries(self, round: Round) -> dict[int, str]:
        """Entries that forfeit games of a round from now on: those absent from its roster, and those withdrawn
        since."""
        out = withdrawn_entries(self.actions)
        withdrawn = {entry.number: withdrawal_text(out[entry.name]) for entry in self.entries if entry.name in out}
        return withdrawn | {row.entry: row.absent for row in round.roster if row.absent}

    def rank_facts(self) -> RankingFacts:
        return RankingFacts(
            self.config.format, self.match_rules, tuple(self.main_rounds), self.names, self._unranked_reasons()
        )

    def _unranked_reasons(self) -> dict[int, str]:
        """Entries that no longer play, each with the reason in a word."""
        playing = newest_ready_numbers(self.versions)
        reasons = {entry: "benched" for entry, edition in self.benched_versions() if playing.get(entry) == edition}
        for entry in self.entries:
            if entry.house:
                reasons[entry.number] = "the house's"
            elif entry.name in withdrawn_entries(self.actions):
                reasons[entry.number] = "withdrawn"
            elif entry.name in removed_entries(self.actions):
                reasons[entry.number] = "removed"
        return reasons

    def removed_names(self) -> set[str]:
        return set(removed_entries(self.actions))

    def gate(self, closed: bool) -> Gate:
        return Gate(self.scheduled_fixtures(), self.played, closed=closed)


def _present_entries(roster: Roster) -> frozenset[int]:
    return frozenset(row.entry for row in roster if not row.absent)
