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
from .cup import BracketPairing, Cup

POINTS_WIDTH = 5
CONNECTOR_WIDTH = 6
THIRD_PLACE_HEADING = "Third place"
STAR_EXPLANATION = "*: tied after all extra deals; the sum of score differences decided, or the seed"
Cells = list[str]
"""One string per column of a line; a wide character is followed by an empty one."""
FitToWidth = Callable[[str, int], Cells]
"""Truncates or pads a text to exactly the given number of columns."""


def bracket_lines(
    cup: Cup, names: Mapping[int, str], fit: FitToWidth, width: int = 120, measure: Callable[[str], int] = len
) -> list[str]:
    """At most `width` wide, if names can be cut far enough; a column for each round. `measure`: the width of a name."""
    depth = len(cup.rounds)
    longest = max(map(measure, names.values()), default=1)
    name_width = max(6, min(longest, width // depth - POINTS_WIDTH - CONNECTOR_WIDTH - 1))
    column = name_width + POINTS_WIDTH + CONNECTOR_WIDTH
    height = 4 * len(cup.rounds[0]) - 2
    grid = [[" "] * (column * depth) for _ in range(height)]
    for number, ties in enumerate(cup.rounds):
        for place, tie in enumerate(ties):
            _draw_pairing(
                grid,
                number,
                place,
                _pairing_cells(tie, names, fit, name_width, is_first_round=number == 0),
                column,
                depth,
            )
    heads = [cell for number in range(depth) for cell in fit(round_name(depth - number), column)]
    lines = ["".join(row).rstrip() for row in (heads, *grid)]
    return [*lines, *_third_place_lines(cup, names, fit, name_width), *_asterisk_notes(cup)]


def _asterisk_notes(cup: Cup) -> list[str]:
    ties = [tie for ties in (*cup.rounds, (cup.third_place,)) for tie in ties if tie is not None]
    return ["", STAR_EXPLANATION] if any(tie.tie_break for tie in ties) else []


def _third_place_lines(cup: Cup, names: Mapping[int, str], fit: FitToWidth, width: int) -> list[str]:
    if cup.third_place is None:
        return []
    return [
        "",
        THIRD_PLACE_HEADING,
        *("".join(side).rstrip() for side in _pairing_cells(cup.third_place, names, fit, width, is_first_round=False)),
    ]


def _pairing_cells(
    pairing: BracketPairing, names: Mapping[int, str], fit: FitToWidth, width: int, *, is_first_round: bool
) -> tuple[Cells, Cells]:
    one, two = (_side_cells(pairing, side, names, fit, width, is_first_round) for side in (0, 1))
    return one, two


def _side_cells(
    pairing: BracketPairing, side: int, names: Mapping[int, str], fit: FitToWidth, width: int, is_first_round: bool
) -> Cells:
    entry = pairing.sides[side]
    if entry is None:
        return fit("bye" if is_first_round else "", width + POINTS_WIDTH)
    points = "" if pairing.match is None else f"{pairing.match.half_points_of(entry) / 2:g}"
    star = "*" if pairing.winner == entry and pairing.tie_break else ""
    return [*fit(names[entry], width), *f"{points}{star}".rjust(POINTS_WIDTH)]


def _draw_pairing(
    grid: list[list[str]], round_index: int, position: int, sides: tuple[Cells, Cells], column: int, depth: int
) -> None:
    """The two sides of a match are drawn one below the other, between the two matches that lead to it."""
    x, lower = round_index * column, (4 << round_index) * position + (2 << round_index) - 1
    for row, cells in zip((lower - 1, lower), sides, strict=True):
        grid[row][x : x + len(cells)] = cells
    if round_index + 1 == depth:
        return
    reach, x = (2 << round_index) - 1, x + column - CONNECTOR_WIDTH + 1
    if position % 2 == 0:
        _draw_connector(grid, x, lower, lower + reach, "┐", "└")
    else:
        _draw_connector(grid, x, lower - 1, lower - 1 - reach, "┘", "┌")


def _draw_connector(grid: list[list[str]], x: int, start: int, end: int, first_corner: str, second_corner: str) -> None:
    """From a match to the side of the next one that its winner takes."""
    grid[start][x : x + 3] = f"──{first_corner}"
    for row in range(min(start, end) + 1, max(start, end)):
        grid[row][x + 2] = "│"
    grid[end][x + 2 : x + 4] = f"{second_corner}─"
