"""Our bots as real processes: whole games of every kind without a verdict, and the same game again."""

from pathlib import Path

import msgspec
import pytest
import trio

from peloarena.game import make_options
from peloarena.game.registry import DECISION_TEXTS, MODULES
from peloarena.referee.arena import open_arena
from peloarena.referee.job import GameJob, GameReport, SeatJob
from peloarena.referee.record_verification import verify_record
from peloarena.referee.time_control import TimeControl

BOTS = Path(__file__).parents[2] / "bots"
ALL = ",".join(MODULES)
TABLES = [
    ("", ("planner", "greedy"), 0),
    ("", ("greedy", "planner", "random", "greedy", "planner"), 0),
    ("hellas,sea,trade", ("greedy", "planner", "greedy"), 0),
    ("goats,athens", ("planner", "greedy", "random"), 0),
    ("sacrum,promos", ("greedy", "planner"), 0),
    ("heroes-and-colonies", ("planner", "greedy", "greedy", "planner"), 0),
    (ALL, ("greedy", "planner", "random"), 0),
    ("", ("greedy",), 3),
    ("hellas,sea", ("planner",), 5),
]
HEROES = {"heroes": ("Ariadne", "Odysseus", "Daedalus", "Tantalus")}
"""At the table of four: those who bring decisions of their own."""
MORE = (ALL, ("greedy", "random", "planner", "random"), 0)
"""Random neighbours make offers that they refuse themselves, and lose to the Persians."""
MARGIN = 2.0
"""Seconds of CPU time: for the start of a Python with the engine, and for playouts that begin when time is over."""
MOST_GAMES = 40
"""One of them was enough for all kinds when this was written."""


def play(tables: list[tuple[str, tuple[str, ...], int]], seed: str) -> list[GameReport]:
    """The games of these tables, one after the other, the bots living through all of them."""

    async def run() -> list[GameReport]:
        async with open_arena() as arena:
            return [await arena.play(job(*table, seed=seed)) for table in tables]

    return trio.run(run)


def job(modules: str, bots: tuple[str, ...], level: int, seed: str) -> GameJob:
    draft = HEROES if modules == "heroes-and-colonies" else {}
    options = make_options(len(bots), [name for name in modules.split(",") if name], level, draft)
    seats = tuple(SeatJob(str(BOTS / bot), f"{bot}#{seat}") for seat, bot in enumerate(bots))
    return GameJob(game="test", options=options, seed=seed, seats=seats)


def lines(report: GameReport) -> list[dict[str, object]]:
    return [msgspec.json.decode(line) for line in report.record.splitlines()]


@pytest.fixture(scope="module")
def reports() -> list[GameReport]:
    return play(TABLES, "bots")


def test_greedy_and_planner_finish_every_game_without_a_verdict(reports: list[GameReport]) -> None:
    assert [report.verdicts for report in reports] == [()] * len(TABLES)
    assert all(report.outcome.finished for report in reports)


def test_their_records_verify(reports: list[GameReport]) -> None:
    for report in reports:
        verify_record(report.record)


def test_nothing_is_written_to_stderr(reports: list[GameReport]) -> None:
    assert {text for report in reports for text in report.stderr} == {""}


def asked_of_ours(report: GameReport, bots: tuple[str, ...]) -> set[object]:
    """The kinds of decisions that greedy and planner answered."""
    ours = {seat for seat, bot in enumerate(bots) if bot != "random"}
    return {line["kind"] for line in lines(report) if line["type"] == "decision" and line["seat"] in ours}


def test_they_answer_every_kind_of_decision_of_every_module(reports: list[GameReport]) -> None:
    left = set(DECISION_TEXTS).difference(
        *(asked_of_ours(report, bots) for report, (_, bots, _) in zip(reports, TABLES, strict=True))
    )
    for number in range(MOST_GAMES):
        if not left:
            return
        (report,) = play([MORE], f"more {number}")
        assert report.verdicts == ()
        left -= asked_of_ours(report, MORE[1])
    pytest.fail(f"never asked: {left}")


def test_they_play_the_same_game_again(reports: list[GameReport]) -> None:
    """The digest of the game leaves out the timing alone."""
    again = play(TABLES, "bots")
    assert [lines(report)[-1]["game"] for report in again] == [lines(report)[-1]["game"] for report in reports]


def test_planner_beats_greedy_and_greedy_beats_random_over_a_few_deals() -> None:
    pairs = [("planner", "greedy"), ("greedy", "planner"), ("greedy", "random"), ("random", "greedy")]
    won = {"planner": 0, "greedy": 0, "random": 0}
    for seed in ("one", "two", "three", "four"):
        for report, pair in zip(play([("", pair, 0) for pair in pairs], seed), pairs, strict=True):
            won[pair[report.outcome.ranks.index(1)]] += 1
    assert won["random"] == 0
    assert won["planner"] > 4, "of 8 against greedy"


def test_only_the_planner_reads_the_engines_agenda() -> None:
    """spec/PROTOCOL.md calls it opaque; a bot that is copied from ours should not learn its names."""
    readers = {path.relative_to(BOTS) for path in BOTS.rglob("*.*") if b'"agenda"' in path.read_bytes()}
    assert readers == {Path("planner/forecast.py")}


def test_montecarlo_minds_its_clock_and_plays_every_module() -> None:
    """Told by its CPU time: how long it waits for a core is the machine's affair, hence the grace."""
    name = "../samples/montecarlo"
    tables = [("", (name, "greedy"), 0), (ALL, ("greedy", name, "random"), 0), ("", (name,), 2)]
    clock = TimeControl(bank=3.0, increment=0.02, move=2.0, grace=60.0)

    async def run() -> list[GameReport]:
        async with open_arena() as arena:
            return [await arena.play(msgspec.structs.replace(job(*t, seed="mc"), clock=clock)) for t in tables]

    for report, (_, bots, _) in zip(trio.run(run), tables, strict=True):
        assert report.verdicts == ()
        assert report.outcome.finished
        used = report.stats[bots.index(name)]
        assert used.slowest > 0.09, "it had 3 s / 16 + 0.02 s, less 0.1 s, and used them"
        assert used.cpu < clock.bank + used.decisions * clock.increment + MARGIN


def test_montecarlo_is_as_short_as_it_claims() -> None:
    assert len((BOTS.parent / "samples" / "montecarlo" / "main.py").read_text().splitlines()) <= 60
