"""A series and its tally: deals, rotations, sums, and a sequential test that --jobs cannot change."""

from __future__ import annotations

import random
from itertools import count

from peloarena.game import make_options
from peloarena.referee.job import GameJob, GameReport, SeatJob
from peloarena.referee.rotation import deal_seed, rotated, series
from peloarena.referee.verdict import Evidence, Outcome, Verdict
from peloarena.tournament.ratings import Conclusion, sprt
from peloarena.tournament.series import share_beaten
from peloarena.tournament.series_score import SeriesScore

A, B, C = SeatJob("a", "a"), SeatJob("b", "b"), SeatJob("c", "c")


def report(seats: tuple[str, ...], ranks: tuple[int, ...], scores: tuple[int | None, ...] = ()) -> GameReport:
    outcome = Outcome(ranks, scores or (None,) * len(seats), (False,) * len(seats), True, None)
    return GameReport("game", "seed", seats, outcome, (), (), (), (), b"")


def wins(*won: bool) -> list[tuple[int, GameReport]]:
    """Games of two bots in turn, as `SeriesScore.add` takes them; True where the first bot wins."""
    found = []
    for place, first_wins in enumerate(won):
        seats = ("a", "b") if place % 2 == 0 else ("b", "a")
        winner = "a" if first_wins else "b"
        found.append((place, report(seats, tuple(1 if name == winner else 2 for name in seats))))
    return found


def test_first_deal_has_the_seed_itself() -> None:
    assert [deal_seed("s", deal) for deal in range(3)] == ["s", "s.2", "s.3"]


def test_rotation_moves_every_bot_one_seat() -> None:
    assert [rotated((A, B, C), turn) for turn in range(4)] == [(A, B, C), (B, C, A), (C, A, B), (A, B, C)]


def test_series_plays_each_deal_in_every_rotation() -> None:
    jobs = list(series(GameJob("g", make_options(3), "s", (A, B, C)), 7))
    assert [job.game for job in jobs] == [f"g-{n}" for n in range(1, 8)]
    assert [job.seed for job in jobs] == ["s"] * 3 + ["s.2"] * 3 + ["s.3"]
    assert [job.seating for job in jobs] == [0, 1, 2, 0, 1, 2, 0]
    for deal in (jobs[:3], jobs[3:6]):
        assert {job.seats.index(A) for job in deal} == {0, 1, 2}


def test_single_game_keeps_its_name() -> None:
    assert [job.game for job in series(GameJob("g", make_options(2), "s", (A, B)), 1)] == ["g"]


def test_share_beaten_counts_ties_half() -> None:
    assert [share_beaten((1, 2, 2), seat) for seat in range(3)] == [1.0, 0.25, 0.25]
    assert share_beaten((1,), 0) == 1.0


def test_standings_sum_up_games_scores_and_faults() -> None:
    tally = SeriesScore(["a", "b"])
    tally.add(1, report(("b", "a"), (1, 2), (20, 10)))
    late = Verdict(1, "late", "slow", 3)
    out = report(("a", "b"), (1, 2), (30, None))
    tally.add(0, GameReport("g", "s", out.seats, out.outcome, (late,), (Evidence(),), (), (), b""))
    first, second = tally.standings()
    assert (first.name, first.points, first.firsts, first.mean_score, first.faults) == ("a", 1.0, 1, 20.0, 0)
    assert (second.name, second.games, second.mean_score, second.faults) == ("b", 2, 20.0, 1)


def test_reports_stand_in_the_order_of_the_schedule() -> None:
    tally = SeriesScore(["a", "b"])
    games = wins(True, False, True, True)
    for place in (2, 0, 3, 1):
        tally.add(*games[place])
    assert tally.reports == [game for _, game in games]
    assert tally.first_bot_scores() == [0.5, 1.0]


def test_deals_count_only_when_all_before_them_are_complete() -> None:
    tally = SeriesScore(["a", "b"])
    games = wins(True, True, False, False)
    seen = []
    for place in (2, 3, 1, 0):
        tally.add(*games[place])
        seen.append(list(tally.first_bot_scores()))
    assert seen == [[], [], [], [1.0, 0.0]]


def test_sequential_test_says_the_same_whatever_the_order() -> None:
    """It is decided at the same deal however the games of several workers interleave, and stays so."""
    chance = random.Random(7)
    won = [chance.random() < 0.7 for _ in range(800)]
    orders = [list(range(800)), sorted(range(800), key=lambda n: n + chance.random() * 8), list(range(799, -1, -1))]
    verdicts = []
    for order in orders:
        tally = SeriesScore(["a", "b"], (0.0, 50.0))
        games = wins(*won)
        for place in order:
            tally.add(*games[place])
        verdicts.append(tally.test_state)
    assert verdicts[0] == verdicts[1] == verdicts[2]
    assert verdicts[0] is not None
    assert verdicts[0].decision is Conclusion.ACCEPT_H1
    scores = SeriesScore(["a", "b"])
    for game in wins(*won):
        scores.add(*game)
    deals = next(n for n in count(1) if sprt(scores.first_bot_scores()[:n], 0, 50).decision is not Conclusion.CONTINUE)
    assert verdicts[0].deals == deals
