"""What the host of `tournament run --serve` reads about the pages: all that they report, and never that they are up
when they are down."""

from __future__ import annotations

import contextlib
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from little_tournament import made
from patience import PATIENCE

from peloarena.cli.live_view import LiveTournament
from peloarena.cli.pages_process import PagesProcess
from peloarena.cli.serve import READY_LINE
from peloarena.game import ConfigError

UP = f"print('Page: http://here/', flush=True); print({READY_LINE!r}, flush=True); "
REPORTS = "print('web process: KeyError: 3', file=sys.stderr, flush=True); "
STORE = Path("night.sqlite")
TOURNAMENT = 'name = "Early"\nbots = ["a", "b"]\ndeals = 2\nsandbox = "off"\n'


@contextlib.contextmanager
def pages_of(program: str) -> Iterator[tuple[PagesProcess, subprocess.Popen[bytes]]]:
    process = subprocess.Popen(
        [sys.executable, "-c", f"import sys; {program}"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdin is not None
    pages = PagesProcess(STORE, process)
    try:
        yield pages, process
    finally:
        process.stdin.close()
        pages.stop()


def ended(pages: PagesProcess, process: subprocess.Popen[bytes]) -> None:
    process.wait(PATIENCE)
    assert pages._stderr_lines is not None
    pages._stderr_lines.wait(PATIENCE)


def test_what_the_pages_report_is_printed_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    with pages_of(UP + REPORTS) as (pages, process):
        pages.show_addresses()
        ended(pages, process)
        told = capsys.readouterr()
    assert told.out == "Page: http://here/\n"
    assert told.err == "web process: KeyError: 3\n"


def test_while_a_live_view_has_the_screen_it_waits(capsys: pytest.CaptureFixture[str]) -> None:
    with pages_of(UP + "sys.stdin.read(1); " + REPORTS) as (pages, process):
        pages.show_addresses()
        with pages.hold_lines(True):
            assert process.stdin is not None
            process.stdin.close()
            ended(pages, process)
            assert capsys.readouterr().err == ""
            assert list(pages.lines) == ["web process: KeyError: 3"], "for the live view"
        assert capsys.readouterr().err == "web process: KeyError: 3\n"


def test_a_process_that_fills_its_pipe_is_not_held_up() -> None:
    with pages_of(UP + "sys.stderr.write('x' * 1_000_000); sys.exit(7)") as (pages, process):
        pages.show_addresses()
        assert process.wait(PATIENCE) == 7


@pytest.mark.parametrize("looked", ["before their end", "after their end"])
def test_pages_that_never_came_end_the_run_with_their_last_line(
    capsys: pytest.CaptureFixture[str], looked: str
) -> None:
    with pages_of(REPORTS + "sys.exit('peloarena: the pages are down: because')") as (pages, process):
        if looked == "after their end":
            ended(pages, process)
        with pytest.raises(ConfigError, match=r"^the pages are down: because$"):
            pages.show_addresses()
    assert capsys.readouterr().err == "web process: KeyError: 3\n", "the reason is printed once, by the command"


def test_pages_that_ended_are_not_said_to_be_up(capsys: pytest.CaptureFixture[str]) -> None:
    with pages_of(UP + "sys.exit(1)") as (pages, process):
        pages.show_addresses()
        ended(pages, process)
        pages.wait_for_ctrl_c()
    told = capsys.readouterr()
    assert "stay up" not in told.out
    assert told.err == "The pages are down; `peloarena serve night.sqlite` shows them again.\n"


def test_pages_that_end_while_people_read_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    with pages_of(UP + "sys.stdin.read(1)") as (pages, process):
        pages.show_addresses()
        assert process.stdin is not None
        wait = process.wait
        process.wait = lambda timeout=None: (process.stdin.close(), wait(timeout))[1]  # type: ignore[method-assign,union-attr]
        pages.wait_for_ctrl_c()
    told = capsys.readouterr()
    assert told.out.endswith("The pages stay up until Ctrl-C.\n")
    assert told.err.startswith("The pages are down;")


def test_the_live_view_shows_what_the_pages_report(tmp_path: Path) -> None:
    tournament = LiveTournament(
        made(tmp_path / "night.sqlite", TOURNAMENT, ["a", "b"], most=1), page_lines=["first", "\x1b[2Jlast"]
    )
    try:
        tournament.poll()
        drawn = tournament.draw(100, 40).plain
    finally:
        tournament.follower.close()
    assert "the pages report" in drawn
    assert drawn.index("␛[2Jlast") < drawn.index("first"), "the newest first"
