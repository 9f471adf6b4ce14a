"""Matches: two entries over the deals of a round. Which games count or remain, and when it is decided. Pure.

In a cup a match ends as soon as it is decided ("best of"), and a tied one gets extra deals, one at a time. Which games
are played follows from the results alone, regardless of parallel games and interruptions.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from msgspec import Struct

from .config import TournamentConfig
from .fixtures import PlayedGame, Round, TableEntries, seatings_of
from .ratings import half_points


class Match(Struct, frozen=True):
    """The current state. Points are game points in halves, so that nothing is rounded."""

    entries: TableEntries
    """In seating order."""
    half_points: tuple[int, int]
    score_difference: int
    """The first one's scores minus the other's, over the games that count."""
    is_over: bool
    walkover: bool
    """No game of it was played: one or both were absent."""
    due_deals: tuple[int, ...]
    """Deals that are played whatever the result of earlier ones."""
    possible_deals: tuple[int, ...]
    """Deals that count, or still may."""

    @property
    def points(self) -> tuple[float, float]:
        return self.half_points[0] / 2, self.half_points[1] / 2

    def half_points_of(self, entry: int) -> int:
        return self.half_points[self.entries.index(entry)]

    def opponent_of(self, entry: int) -> int:
        return self.entries[1 - self.entries.index(entry)]


class MatchRules(Struct, frozen=True):
    deals: int
    """For a match that is not tied."""
    seatings: int
    """Games per deal."""
    best_of: bool
    """It ends when it is decided."""
    scores_count: bool = True
    """As the tie-break for equal points."""


def match_rules(config: TournamentConfig) -> MatchRules:
    return MatchRules(config.deals, len(seatings_of(config.seatings, (1, 2))), config.format == "knockout")


def matches_of_round(rules: MatchRules, round: Round, games: Iterable[PlayedGame]) -> list[Match]:
    """For all tables of a round, from its finished games."""
    by_table: dict[int, list[PlayedGame]] = {}
    for game in games:
        by_table.setdefault(game.fixture.table, []).append(game)
    return [
        build_match(rules, table, round.deals, by_table.get(table_number, []))
        for table_number, table in enumerate(round.tables, 1)
    ]


def matches_by_round(rules: MatchRules, rounds: Iterable[Round], games: Iterable[PlayedGame]) -> dict[int, list[Match]]:
    """The matches of each main round, by its number."""
    played: dict[int, list[PlayedGame]] = {}
    for game in games:
        if game.fixture.stage == "main":
            played.setdefault(game.fixture.round, []).append(game)
    return {
        round.number: matches_of_round(rules, round, played.get(round.number, []))
        for round in rounds
        if round.stage == "main"
    }


def build_match(rules: MatchRules, entries: TableEntries, deals: Sequence[int], games: Sequence[PlayedGame]) -> Match:
    """Deal by deal. Games played after a match was decided (because an earlier game was voided) do not count."""
    by_deal: dict[int, list[PlayedGame]] = {deal: [] for deal in deals}
    for game in games:
        if game.fixture.deal in by_deal and set(game.fixture.entries) == set(entries):
            by_deal[game.fixture.deal].append(game)
    halves, margin, unfinished, counted = [0, 0], 0, 0, 0
    due, possible = [], []
    for deal in deals:
        lead, left = abs(halves[0] - halves[1]), _half_points_left(rules, deals, deal)
        if rules.best_of and lead - unfinished > left:
            break
        if not rules.best_of or (lead + unfinished <= left):
            due.append(deal)
        possible.append(deal)
        unfinished += 2 * (rules.seatings - len(by_deal[deal]))
        for game in by_deal[deal]:
            one, two = (half_points_in(game, entry) for entry in entries)
            halves = [halves[0] + one, halves[1] + two]
            margin += _score_difference(game, entries) if rules.scores_count else 0
            counted += not game.absent
    return Match(entries, (halves[0], halves[1]), margin, not unfinished, not counted, tuple(due), tuple(possible))


def _half_points_left(rules: MatchRules, deals: Sequence[int], deal: int) -> int:
    """Half points still available from this deal on. Extra deals are only for ties."""
    return 2 * rules.seatings * sum(deal <= other <= rules.deals for other in deals)


def half_points_in(game: PlayedGame, entry: int) -> int:
    """An entry that forfeits has none, even if the other is absent as well."""
    if entry in game.absent:
        return 0
    mine, other = game.ranks if game.fixture.entries[0] == entry else game.ranks[::-1]
    return half_points(mine, other)


def _score_difference(game: PlayedGame, entries: TableEntries) -> int:
    """The first one's score minus the other's. A bot that went out of a game has no score."""
    scores = dict(zip(game.fixture.entries, game.scores, strict=False))
    return (scores.get(entries[0]) or 0) - (scores.get(entries[1]) or 0)
