"""The live screen: fits its terminal, tells what matters first, and is drawn while it changes."""

from __future__ import annotations

import io
import threading
from pathlib import Path

import pytest
from made_up import crash, fixture_of, made_up, night_of, store_of
from msgspec.structs import replace
from rich.console import Console

from peloarena.cli.live_view import LiveView, share_out
from peloarena.cli.night_view import PlainView, night_view_of
from peloarena.game import make_options
from peloarena.referee.job import GameJob, SeatJob
from peloarena.tournament.night import Ended, Paused, RoundBegun, Started, Voided
from peloarena.tournament.opening import state_of
from peloarena.tournament.rounds import Fixture
from peloarena.tournament.store import Store


def job_of(fixture: Fixture, absent: str = "") -> GameJob:
    seats = tuple(SeatJob(name, name, "benched" if name in absent else "") for name in fixture.seats)
    return GameJob(fixture.game, make_options(2), fixture.seed, seats)


def ended(fixture: Fixture, *falls: str) -> Ended:
    return Ended(fixture, made_up(job_of(fixture), crash(job_of(fixture), *falls)))


def drawn(view: LiveView, height: int, width: int = 80) -> list[str]:
    view.out = Console(file=io.StringIO(), force_terminal=True, color_system=None, width=width, height=height)
    with view.out.capture() as capture:
        view.out.print(view.screen())
    return capture.get().splitlines()


def forty(path: Path) -> tuple[LiveView, Store, list[Fixture]]:
    names = [f"bot-{number:02}" for number in range(40)]
    night = night_of(names, deals=1)
    store = store_of(path / "night.sqlite", names)
    state = state_of(store, night.config, [])
    round = state.next_round()
    assert round is not None
    games = state.fixtures(round)
    for fixture in games[:200]:
        store.add_game(round.id, fixture, made_up(job_of(fixture), ()), played=True)
    view = LiveView(Console(file=io.StringIO()), night, store)
    view.tell(RoundBegun(1, 1560, 1360, "main", 200, 1560))
    return view, store, games


@pytest.mark.parametrize(("height", "width"), [(24, 80), (50, 120), (12, 40)])
def test_forty_bots_fit_any_terminal(tmp_path: Path, height: int, width: int) -> None:
    view, store, games = forty(tmp_path)
    for fixture in games[200:220]:
        view.tell(Started(fixture))
        view.tell(ended(fixture, fixture.seats[0]))
    for fixture in games[220:224]:
        view.tell(Started(fixture))
    lines = drawn(view, height, width)
    assert len(lines) < max(height, 17)  # a line of each at least
    assert max(map(len, lines)) <= width
    for word in ("standings", "being played", "last results", "faults", "220/1560"):
        assert any(word in line for line in lines)
    store.close()


def test_standings_of_a_resumed_night_are_there_from_the_start(tmp_path: Path) -> None:
    view, store, _ = forty(tmp_path)
    lines = drawn(view, 40)
    assert any(" 1  bot-00 " in line for line in lines)
    assert any("more" in line for line in lines)
    store.close()


def test_pause_void_and_what_is_played_are_shown(tmp_path: Path) -> None:
    view, store, games = forty(tmp_path)
    view.tell(Started(games[300]))
    view.tell(Voided(games[300], "the worker was lost", given_up=False))
    view.tell(Paused(True, "pizza\x1b[31m"))
    text = "\n".join(drawn(view, 40))
    assert "round 1" in text
    assert "PAUSED pizza␛[31m" in text
    assert f"{games[300].game} is void and played again" in text
    assert f"{games[300].game}  bot-" in text
    view.tell(Voided(games[300], "the worker was lost", given_up=True))
    view.tell(Paused(False, ""))
    text = "\n".join(drawn(view, 40))
    assert "PAUSED" not in text
    assert f"{games[300].game}  bot-" not in text
    store.close()


def test_screen_is_drawn_by_another_thread_while_games_begin_and_end(tmp_path: Path) -> None:
    view, store, games = forty(tmp_path)
    problems: list[BaseException] = []
    over = threading.Event()

    def draw() -> None:
        try:
            while not over.is_set():
                view.screen()
        except BaseException as error:
            problems.append(error)

    thread = threading.Thread(target=draw)
    thread.start()
    for fixture in games[200:900]:
        view.tell(Started(fixture))
        view.tell(ended(fixture))
    over.set()
    thread.join()
    assert problems == []
    store.close()


def test_count_goes_on_from_what_the_round_says(capsys: pytest.CaptureFixture[str]) -> None:
    """A game that was void is not counted twice: the runner says again how many there are."""
    view = PlainView()
    first, second = fixture_of("ab"), fixture_of("ba", seating=2)
    view.tell(RoundBegun(1, 2, 1, "main", 1, 4))
    view.tell(ended(second))
    view.tell(RoundBegun(1, 2, 1, "main", 1, 4))
    view.tell(ended(first))
    view.tell(RoundBegun(2, 2, 2, "catch-up", 2, 6))
    view.tell(ended(replace(first, game="c02-1.2-d002-s1")))
    said = capsys.readouterr().out.splitlines()
    assert [line.split("  ")[0] for line in said] == [
        "round 1: 1 of 2 games to play",
        "2/4 r01-1.2-d001-s2",
        "round 1: 1 of 2 games to play",
        "2/4 r01-1.2-d001-s1",
        "catch-up of round 2: 2 of 2 games to play",
        "3/6 c02-1.2-d002-s1",
    ]


def test_forfeit_is_told_in_the_result_and_is_no_fault(capsys: pytest.CaptureFixture[str]) -> None:
    view = PlainView()
    game = fixture_of("ab")
    view.tell(Ended(game, made_up(job_of(game, absent="b"), ())))
    assert capsys.readouterr().out == "1/0 r01-1.2-d001-s1  1. a 10, 2. b forfeit\n"


@pytest.mark.parametrize(
    ("wanted", "lines", "shares"),
    [
        ({"a": 40, "b": 2, "c": 8}, 12, {"a": 7, "b": 2, "c": 3}),
        ({"a": 40, "b": 8, "c": 8}, 20, {"a": 14, "b": 3, "c": 3}),
        ({"a": 40, "b": 2, "c": 8}, 100, {"a": 40, "b": 2, "c": 8}),
        ({"a": 40, "b": 2, "c": 8}, 2, {"a": 1, "b": 1, "c": 1}),
        ({"a": 0, "b": 0}, 10, {"a": 1, "b": 1}),
    ],
)
def test_lines_are_shared_out(wanted: dict[str, int], lines: int, shares: dict[str, int]) -> None:
    assert share_out(wanted, lines) == shares


def test_terminal_that_can_do_nothing_gets_plain_lines(tmp_path: Path) -> None:
    out = Console(file=io.StringIO(), force_terminal=True, _environ={"TERM": "dumb"})
    night = night_of("ab", deals=1)
    with store_of(tmp_path / "night.sqlite", "ab") as store:
        assert type(night_view_of(out, night, store)) is PlainView
