"""What a host sees while a roster is built: who is done and how long it took, and in a terminal who is at it."""

from __future__ import annotations

import pytest

from peloarena.cli import build_progress
from peloarena.cli.build_progress import ERASE_LINE
from peloarena.referee.bot_builder import BuildFinished, BuildNews, BuildPlanned, BuildProgress

BUILD_NEWS: list[BuildNews] = [
    BuildPlanned("build", ("candy", "rusty", "sloppy"), 2),
    BuildProgress((("candy", 0.5), ("rusty", 0.5))),
    BuildFinished("build", "candy", 0.84),
    BuildFinished("build", "sloppy", 0.3, "sloppy: its build failed (cc)"),
    BuildProgress((("rusty", 31.2),)),
    BuildFinished("build", "rusty", 32.0),
]


def shown(capsys: pytest.CaptureFixture[str], *told: BuildNews, quiet: bool = False) -> str:
    with build_progress.show_build_progress(quiet) as tell:
        for news in told:
            tell(news)
    printed = capsys.readouterr()
    assert printed.out == "", "stdout is for what was asked for"
    return printed.err


def test_a_line_for_each_that_is_done(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, *BUILD_NEWS).splitlines() == [
        "Building 3 bots, 2 at a time.",
        "  candy: built in 0.8 s (1 of 3)",
        "  sloppy: its build failed after 0.3 s (2 of 3)",
        "  rusty: built in 32 s (3 of 3)",
    ]


def test_who_is_at_it_is_told_where_nothing_was_said_for_long(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(build_progress, "REMINDER_SECONDS", 0.0)
    assert "  building candy 0.5 s, rusty 0.5 s (0 of 3 done)\n" in shown(capsys, *BUILD_NEWS)


def test_in_a_terminal_the_last_line_tells_who_is_at_it_and_goes(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stderr.isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", "40")
    told = shown(capsys, *BUILD_NEWS[:3])
    assert told.endswith(
        f"{ERASE_LINE}building candy 0.5 s, rusty 0.5 s (0 of{ERASE_LINE}  candy: built in 0.8 s (1 of 3)\n"
    )
    assert shown(capsys, *BUILD_NEWS[:2]).endswith(ERASE_LINE), "also when it is interrupted"


def test_one_bot_is_named_and_not_counted(capsys: pytest.CaptureFixture[str]) -> None:
    told = shown(capsys, BuildPlanned("build", ("a\x1b[2J",), 2), BuildFinished("build", "a\x1b[2J", 1.0))
    assert "\x1b" not in told
    assert [line.count("of") for line in told.splitlines()] == [0, 0]


def test_a_build_that_gets_another_chance_is_not_done(capsys: pytest.CaptureFixture[str]) -> None:
    late = BuildFinished("build", "rusty", 120.0, "rusty: its build took longer than 120 s", again=True)
    told = shown(capsys, BUILD_NEWS[0], late, BuildFinished("build", "candy", 1.0)).splitlines()
    assert told[1:] == [
        "  rusty: not built after 120 s in parallel with others; trying again alone",
        "  candy: built in 1.0 s (1 of 3)",
    ]


@pytest.mark.parametrize(("copies", "lines"), [(3, 0), (4, 1)])
def test_python_bots_are_told_of_when_they_are_many(
    capsys: pytest.CaptureFixture[str], copies: int, lines: int
) -> None:
    told = shown(capsys, BuildPlanned("compile", ("a",) * copies, 1), BuildFinished("compile", "a", 0.5))
    assert told == "Compiling the copies of 4 bots in Python.\n" * lines


def test_a_bot_without_bytecode_is_named_with_the_reason(capsys: pytest.CaptureFixture[str]) -> None:
    told = shown(
        capsys,
        BuildPlanned("compile", ("a",), 1),
        BuildFinished("compile", "a", 20.0, "compiling takes longer than 20 s"),
    )
    assert told == "  a: plays from source, because it could not be compiled: compiling takes longer than 20 s\n"


def test_quiet_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert shown(capsys, *BUILD_NEWS, quiet=True) == ""
