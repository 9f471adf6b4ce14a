"""The bracket as text: for terminals and paper."""

from __future__ import annotations

from test_cup import played, seeds

from peloarena.cli.terminal_standings import cup_texts, terminal_cells
from peloarena.tournament.bracket_text import bracket_lines
from peloarena.tournament.cup import build_cup


def names(count: int) -> dict[int, str]:
    return {seed: f"bot-{seed}" for seed in seeds(count)}


def test_bracket_of_five_with_byes_a_broken_tie_and_the_third_place() -> None:
    """4 and 5 are tied in all, so that the seed decides."""
    cup, _ = played(5, lambda one, two: "WL" if {one, two} == {4, 5} else "WW" if one < two else "LL")
    assert cup_texts(cup, names(5)) == [
        "Quarter-finals   Semi-finals      Final",
        "bot-1",
        "bye         ──┐",
        "              └─ bot-1     2",
        "              ┌─ bot-4     0 ──┐",
        "bot-4    1* ──┘                │",
        "bot-5     1                    │",
        "                               └─ bot-1     2",
        "                               ┌─ bot-2     0",
        "bot-2                          │",
        "bye         ──┐                │",
        "              └─ bot-2     2 ──┘",
        "              ┌─ bot-3     0",
        "bot-3       ──┘",
        "bye",
        "",
        "Third place",
        "bot-4     0",
        "bot-3     2",
        "",
        "*: tied after all extra deals; the sum of score differences decided, or the seed",
    ]


def test_what_is_not_known_yet_is_left_open() -> None:
    lines = bracket_lines(build_cup(seeds(4), {}), names(4), terminal_cells)
    assert lines[:3] == ["Semi-finals      Final", "bot-1", "bot-4       ──┐"]
    assert lines[3].strip() == "└─"
    assert "Third place" not in lines


def test_wide_letters_and_long_names_keep_their_column() -> None:
    lines = bracket_lines(played(2)[0], {1: "日本" * 20, 2: "a\x1b[2Jb"}, terminal_cells, 28)
    assert lines[1] == "日本日本日本日…     2"
    assert "\x1b" not in lines[2]


def test_names_are_whole_where_there_is_room_for_them() -> None:
    """They were cut at 16 letters, however wide the terminal was."""
    lines = bracket_lines(played(4)[0], dict.fromkeys(seeds(4), "a-name-of-twenty-six-chars"), terminal_cells, 120)
    assert not any("…" in line for line in lines)
    assert max(map(len, lines)) <= 120


def test_large_bracket_fits_the_width_that_is_asked_for() -> None:
    lines = bracket_lines(played(16)[0], dict.fromkeys(seeds(16), "a-name-of-some-length"), terminal_cells, 80)
    assert max(map(len, lines)) <= 80
