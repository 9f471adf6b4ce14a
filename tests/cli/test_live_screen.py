"""How a tournament is drawn: fits every terminal, tells what matters first, uses a wide one."""

from __future__ import annotations

import pytest
from msgspec.structs import replace
from rich.cells import cell_len

from peloarena.cli.live_screen import MIN_PART_LINES, ScreenContent, Section, divide_lines, draw_screen
from peloarena.cli.live_standings import LIVE_RATING_COLUMNS, StandingsGrid


def row(number: int, name: str = "", moved: str = "", note: str = "", version: str = "") -> tuple[str, ...]:
    shown = name or f"bot-{number:02}"
    return (str(number), moved, shown, "1500", "34", "120", "60.5", "60", "1", "59", "71 %", "", version, note)


def picture(bots: int = 8, results: int = 60) -> ScreenContent:
    return ScreenContent(
        title="Friday",
        progress_text="round-robin, round 3 of 10",
        alarm="",
        done=220,
        total=1560,
        time_left="0:12:03 left",
        standings=StandingsGrid(LIVE_RATING_COLUMNS, tuple(row(number) for number in range(1, bots + 1))),
        moves_note=", ▲▼ since the round started",
        sections=(
            Section(
                "being played", ("r03-1.2-d003-s1  a, b  1 s", "r03-1.3-d003-s1  a, c  0 s"), is_beside_standings=True
            ),
            Section("not playing", ("d: withdrawn: tired",), "yellow"),
            Section(
                "last results", tuple(f"result {n}" for n in range(results)), is_beside_standings=True, newest_only=True
            ),
            Section("faults", ("a: crashed in r01: " + "x" * 300, "b: late in r02"), "red", newest_only=True),
        ),
    )


def lines_of(shown: ScreenContent, width: int, height: int) -> list[str]:
    return draw_screen(shown, width, height).plain.split("\n")


SIZES = [(80, 24), (120, 40), (200, 60), (40, 12), (250, 20), (110, 24), (100, 50)]


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("bots", [0, 1, 8, 40, 200])
def test_every_part_is_on_every_terminal(width: int, height: int, bots: int) -> None:
    lines = lines_of(picture(bots), width, height)
    assert len(lines) <= height
    assert max(map(cell_len, lines)) <= width
    text = "\n".join(lines)
    for word in ("Friday", "220/1560", "standings", "being played", "not playing", "last results", "faults"):
        assert word in text


def test_small_terminal_shows_most_of_the_standings_and_a_few_of_each() -> None:
    lines = lines_of(picture(40), 80, 24)
    assert sum("bot-" in line for line in lines) == 7
    assert any("... and 33 more" in line for line in lines)
    assert sum("result " in line for line in lines) == MIN_PART_LINES
    assert sum("r03-" in line for line in lines) == 2


def test_wide_terminal_has_the_games_beside_the_standings() -> None:
    lines = lines_of(picture(), 200, 60)
    title = next(line for line in lines if "standings" in line)
    assert "being played" in title
    assert sum("result " in line for line in lines) > 40
    heading = next(line for line in lines if "Elo" in line)
    for word in ("± 95 %", "games", "points", "won", "drawn", "lost", "ahead of next"):
        assert word in heading


def test_long_standings_go_on_in_a_second_column() -> None:
    lines = lines_of(picture(60), 250, 50)
    assert not any("more" in line for line in lines)
    assert any("bot-01" in line and "bot-31" in line for line in lines)
    assert sum(line.count("bot-") for line in lines) == 60


def test_narrow_terminal_drops_the_least_important_columns() -> None:
    def heading(width: int) -> str:
        return next(line for line in lines_of(picture(), width, 24) if "Elo" in line)

    assert "ahead of next" in heading(100)
    assert "ahead of next" not in heading(60)
    assert "points" in heading(60)
    assert "points" not in heading(36)
    assert "Elo" in heading(20)


def test_long_name_is_shortened_only_where_it_must_be() -> None:
    name = "a-name-of-" + "x" * 24
    shown = replace(picture(), standings=StandingsGrid(LIVE_RATING_COLUMNS, (row(1, name), row(2, "漢字" * 8))))
    assert any(name in line for line in lines_of(shown, 200, 24))
    narrow = lines_of(shown, 60, 24)
    assert not any(name in line for line in narrow)
    assert any("a-name-of-" in line and "…" in line for line in narrow)
    assert max(map(cell_len, narrow)) <= 60


def test_movement_notes_and_versions_stand_in_the_table() -> None:
    rows = (row(1, moved="▲2"), row(2, moved="▼1", note="benched"), row(3, version="v3 (1.4)"))
    text = draw_screen(replace(picture(), standings=StandingsGrid(LIVE_RATING_COLUMNS, rows)), 120, 40)
    lines = text.plain.split("\n")
    assert any("▲2  bot-01" in line for line in lines)
    assert any("▼1  bot-02" in line and "benched" in line for line in lines)
    assert any("bot-03" in line and "v3 (1.4)" in line for line in lines)
    styles = {text.plain[span.start : span.end].strip(): span.style for span in text.spans}
    assert (styles["▲2"], styles["▼1"]) == ("green", "red")


def test_alarm_is_shown_in_the_first_line() -> None:
    assert "PAUSED pizza" in lines_of(replace(picture(), alarm="PAUSED pizza"), 80, 24)[0]


def test_tournament_without_anything_yet_is_two_lines() -> None:
    nothing = ScreenContent("friday", "the tournament has not started yet", "", 0, 0, "", StandingsGrid(), "", ())
    assert len(lines_of(nothing, 200, 60)) == 2


@pytest.mark.parametrize(
    ("wanted", "lines", "first", "shares"),
    [
        ([40, 2, 8], 12, 6, [7, 2, 3]),
        ([40, 8, 8], 20, 10, [14, 3, 3]),
        ([4, 8, 8], 20, 10, [4, 8, 8]),
        ([40, 2, 8], 100, 50, [40, 2, 8]),
        ([40, 2, 8], 2, 1, [1, 1, 1]),
        ([0, 0], 10, 5, [1, 1]),
        ([], 10, 5, []),
    ],
)
def test_lines_are_shared_out(wanted: list[int], lines: int, first: int, shares: list[int]) -> None:
    assert divide_lines(wanted, lines, first) == shares
