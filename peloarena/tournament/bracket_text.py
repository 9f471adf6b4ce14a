"""The bracket of a cup as lines of text, for terminals and paper. Pure.

Semi-finals         Final
planner    4
greedy     2 ──┐
               └─ planner    6
               ┌─ tiny-c     3
tiny-c     4 ──┘
random     0
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from .brackets import round_name
from .cup import Cup, Tie

POINTS = 5
JOINT = 6
THIRD = "Third place"
STAR = "*: tied after all further deals, and decided by the sum of score differences, or by the seed"
Cells = list[str]
"""One string per column of a line; a wide character is followed by an empty one."""
Cut = Callable[[str, int], Cells]
"""Truncates or pads a text to exactly the given number of columns."""


def bracket_lines(
    cup: Cup, names: Mapping[int, str], cut: Cut, width: int = 120, measure: Callable[[str], int] = len
) -> list[str]:
    """At most `width` wide, if names can be cut far enough; a column for each round. `measure`: the width of a name."""
    depth = len(cup.rounds)
    longest = max(map(measure, names.values()), default=1)
    name_width = max(6, min(longest, width // depth - POINTS - JOINT - 1))
    column = name_width + POINTS + JOINT
    height = 4 * len(cup.rounds[0]) - 2
    grid = [[" "] * (column * depth) for _ in range(height)]
    for number, ties in enumerate(cup.rounds):
        for place, tie in enumerate(ties):
            _draw(grid, number, place, _sides(tie, names, cut, name_width, first=number == 0), column, depth)
    heads = [cell for number in range(depth) for cell in cut(round_name(depth - number), column)]
    lines = ["".join(row).rstrip() for row in (heads, *grid)]
    return [*lines, *_third(cup, names, cut, name_width), *_star(cup)]


def _star(cup: Cup) -> list[str]:
    ties = [tie for ties in (*cup.rounds, (cup.third,)) for tie in ties if tie is not None]
    return ["", STAR] if any(tie.broken_by for tie in ties) else []


def _third(cup: Cup, names: Mapping[int, str], cut: Cut, width: int) -> list[str]:
    if cup.third is None:
        return []
    return ["", THIRD, *("".join(side).rstrip() for side in _sides(cup.third, names, cut, width, first=False))]


def _sides(tie: Tie, names: Mapping[int, str], cut: Cut, width: int, *, first: bool) -> tuple[Cells, Cells]:
    one, two = (_side(tie, side, names, cut, width, first) for side in (0, 1))
    return one, two


def _side(tie: Tie, side: int, names: Mapping[int, str], cut: Cut, width: int, first: bool) -> Cells:
    entry = tie.sides[side]
    if entry is None:
        return cut("bye" if first else "", width + POINTS)
    points = "" if tie.match is None else f"{tie.match.halves_of(entry) / 2:g}"
    star = "*" if tie.winner == entry and tie.broken_by else ""
    return [*cut(names[entry], width), *f"{points}{star}".rjust(POINTS)]


def _draw(grid: list[list[str]], number: int, place: int, sides: tuple[Cells, Cells], column: int, depth: int) -> None:
    """The two sides of a match are drawn one below the other, between the two matches that lead to it."""
    x, lower = number * column, (4 << number) * place + (2 << number) - 1
    for row, cells in zip((lower - 1, lower), sides, strict=True):
        grid[row][x : x + len(cells)] = cells
    if number + 1 == depth:
        return
    reach, x = (2 << number) - 1, x + column - JOINT + 1
    if place % 2 == 0:
        _line(grid, x, lower, lower + reach, "┐", "└")
    else:
        _line(grid, x, lower - 1, lower - 1 - reach, "┘", "┌")


def _line(grid: list[list[str]], x: int, start: int, end: int, turn: str, turn_again: str) -> None:
    """From a match to the side of the next one that its winner takes."""
    grid[start][x : x + 3] = f"──{turn}"
    for row in range(min(start, end) + 1, max(start, end)):
        grid[row][x + 2] = "│"
    grid[end][x + 2 : x + 4] = f"{turn_again}─"
