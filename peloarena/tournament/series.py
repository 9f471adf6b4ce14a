"""The results of a series: the same bots over many deals (referee/rotation.py). Pure sums."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ..referee.job import GameReport
from ..referee.verdict import Outcome
from .ratings import GameResult, share_beaten


class SeriesRow(Struct):
    """A bot's results in a series."""

    name: str
    games: int = 0
    points: float = 0.0
    """For each game the share of the others beaten, with a tie as half: 0 to 1."""
    firsts: int = 0
    score: int = 0
    scored: int = 0
    faults: int = 0

    @property
    def mean_score(self) -> float | None:
        return self.score / self.scored if self.scored else None


def add_to_series(table: dict[str, SeriesRow], report: GameReport) -> None:
    """Add a game to the sums of its players."""
    outcome = report.outcome
    for number, name in enumerate(report.seats):
        row = table[name]
        row.games += 1
        row.points += share_beaten(outcome.ranks, number)
        row.firsts += outcome.ranks[number] == 1
        score = outcome.scores[number]
        if score is not None:
            row.score += score
            row.scored += 1
    for verdict in report.verdicts:
        table[report.seats[verdict.seat]].faults += 1


def has_passed_level(outcome: Outcome) -> bool:
    """Solo: the bot reached the goal of its level without going out."""
    return outcome.result is not None and outcome.result.passed and not outcome.out[0]


def series_results(reports: Sequence[GameReport]) -> list[GameResult]:
    """For the ratings: all seatings of one deal are one cluster."""
    return [GameResult(r.game, r.seats, r.outcome.ranks, r.seed) for r in reports]
