"""The table of a Swiss: match points, game points, Buchholz, Sonneborn–Berger. Pure: rounds and matches in, rows out.

A won match is 1 point, a drawn one ½. A bye is a won match, with the fewest game points that win one. A round without a
played match (bye, walkover, absent) counts in the tie-breaks as in FIDE's rules from 2012 to 2023: against a virtual
opponent that had the same points before, got the rest of this match, and drew all later ones; and as drawn if it is
part of another entry's tie-break. Computed in halves, which are whole numbers, and halved at the end.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal

from msgspec import Struct

from .fixtures import Round
from .matches import Match, MatchRules

RoundKind = Literal["match", "walkover", "bye", "absent", "open"]
"""A match that was played; one in which one or both were absent; a bye; not paired; still being played."""
MATCH_WON, MATCH_DRAWN = 2, 1
"""In halves."""


class RoundResult(Struct, frozen=True):
    """The result of a round for an entry."""

    round: int
    kind: RoundKind
    opponent: int | None = None
    halves: int = 0
    """Game points, in halves; likewise for the opponent."""
    other_halves: int = 0
    score: int = 0
    """Match points, in halves."""

    @property
    def played(self) -> bool:
        return self.kind == "match"


class SwissRow(Struct, frozen=True):
    entry: int
    match_points: float
    game_points: float
    buchholz: float
    sonneborn_berger: float
    results: tuple[RoundResult, ...]
    """One for each round that began, in order."""

    @property
    def sort_key(self) -> tuple[float, ...]:
        """The sort key, smallest first; the rating comes after it."""
        return -self.match_points, -self.game_points, -self.buchholz, -self.sonneborn_berger


def swiss_rows(
    rules: MatchRules, rounds: Sequence[Round], matches: Mapping[int, Sequence[Match]]
) -> dict[int, SwissRow]:
    """By entry. `rounds`: main ones, in order. An unfinished round counts its finished matches."""
    entries = sorted({row.entry for round in rounds for row in round.roster})
    results = {
        entry: tuple(round_result(entry, rules, round, matches[round.number]) for round in rounds) for entry in entries
    }
    over = {entry: [one for one in mine if one.kind != "open"] for entry, mine in results.items()}
    adjusted = {entry: sum(one.score if one.played else MATCH_DRAWN for one in mine) for entry, mine in over.items()}
    rows = {}
    for entry, mine in over.items():
        against = [_opponents_score(number, mine, adjusted) for number in range(len(mine))]
        rows[entry] = SwissRow(
            entry=entry,
            match_points=sum(one.score for one in mine) / 2,
            game_points=sum(one.halves for one in results[entry]) / 2,
            buchholz=sum(against) / 2,
            sonneborn_berger=sum(one.score * other for one, other in zip(mine, against, strict=True)) / 4,
            results=results[entry],
        )
    return rows


def _opponents_score(number: int, mine: Sequence[RoundResult], adjusted: Mapping[int, int]) -> int:
    """The final score of the opponent of a round, in halves."""
    one = mine[number]
    if one.played:
        assert one.opponent is not None
        return adjusted[one.opponent]
    before = sum(earlier.score for earlier in mine[:number])
    return before + (MATCH_WON - one.score) + MATCH_DRAWN * (len(mine) - 1 - number)


def round_result(entry: int, rules: MatchRules, round: Round, matches: Sequence[Match]) -> RoundResult:
    match = next((match for match in matches if entry in match.entries), None)
    if match is not None:
        return _match_result(entry, round.number, match)
    if entry in byes_of(round):
        return RoundResult(round.number, "bye", halves=bye_halves(rules), score=MATCH_WON)
    return RoundResult(round.number, "absent")


def _match_result(entry: int, number: int, match: Match) -> RoundResult:
    opponent = match.opponent_of(entry)
    mine, other = match.half_points_of(entry), match.half_points_of(opponent)
    kind: RoundKind = "walkover" if match.walkover else "match"
    score = (MATCH_WON if mine > other else MATCH_DRAWN if mine == other and mine else 0) if match.is_over else 0
    return RoundResult(number, kind if match.is_over else "open", opponent, mine, other, score)


def byes_of(round: Round) -> list[int]:
    """Entries that could play but sit at no table."""
    seated = {entry for table in round.tables for entry in table}
    return [row.entry for row in round.roster if not row.absent and row.entry not in seated]


def bye_halves(rules: MatchRules) -> int:
    """The fewest that win a match: half of its points, and half a point more."""
    return rules.deals * rules.seatings + 1
