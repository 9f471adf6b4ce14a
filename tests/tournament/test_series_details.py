"""Where points come from: sums over reports made by hand."""

from __future__ import annotations

from peloarena.referee.job import GameReport, SeatStats
from peloarena.referee.verdict import Outcome
from peloarena.tournament.series_details import details_of, worst_losses


def report(game: str, seats: tuple[str, ...], scores: tuple[int | None, ...], ranks: tuple[int, ...]) -> GameReport:
    outcome = Outcome(ranks, scores, tuple(score is None for score in scores), True, None)
    stats = tuple(SeatStats(4, 2.0, 0.9, 0.0, 0.1 * (1 + number)) for number in range(len(seats)))
    names = ("Argos", "Patras", "Pylos")[: len(seats)]
    return GameReport(game, f"seed {game}", seats, outcome, (), (), stats, (), b"", (), names)


REPORTS = [
    report("1", ("mine", "a", "b"), (10, 12, 8), (2, 1, 3)),
    report("2", ("a", "mine", "b"), (20, 5, 6), (1, 3, 2)),
    report("3", ("mine", "b", "a"), (None, 9, 9), (3, 1, 1)),
]


def test_points_by_seat_civilization_and_opponent() -> None:
    found = details_of(REPORTS, "mine")
    assert {seat: (share.games, share.points) for seat, share in found.by_seat.items()} == {0: (2, 0.5), 1: (1, 0.0)}
    assert {name: share.points for name, share in found.by_civilization.items()} == {"Argos": 0.5, "Patras": 0.0}
    assert {name: (share.games, share.points) for name, share in found.by_opponent.items()} == {
        "a": (3, 0.0),
        "b": (3, 1.0),
    }


def test_times() -> None:
    found = details_of(REPORTS, "mine")
    assert (found.decisions, found.seconds_per_decision, found.slowest, found.startup) == (12, 0.5, 0.9, 0.2)


def test_worst_losses_come_first_and_faults_are_none() -> None:
    losses = worst_losses(REPORTS, "mine")
    assert [(loss.game, loss.seed, loss.margin) for loss in losses] == [("2", "seed 2", 15), ("1", "seed 1", 2)]
    assert worst_losses(REPORTS[:1], "a") == []
