"""The bracket of a knockout as SVG: a column for each round, a line from each match to the next."""

from __future__ import annotations

from collections.abc import Sequence

from .data import Match
from .markup import Html, element
from .svg import BLUE, FAINT, GREY, INK, LINE, drawing, label, line, name_label, number, rect

BOX, GAP, HEIGHT, SPACE = 230, 46, 60, 18
NAME_COLUMNS = 22


def bracket(rounds: Sequence[Sequence[Match]]) -> Html:
    """The winner of a match is bold and marked; a bye has no match."""
    depth = len(rounds)
    height = len(rounds[0]) * (HEIGHT + SPACE) + 40
    width = max(700, depth * (BOX + GAP))
    parts: list[Html] = []
    for column, matches in enumerate(rounds):
        x = column * (BOX + GAP)
        parts.append(label(x, 18, round_name(depth - column), fill=FAINT, font_weight=600))
        for place, match in enumerate(matches):
            y = middle(column, place)
            if column:
                parts += [joint(x, y, middle(column - 1, 2 * place + side)) for side in (0, 1)]
            parts += box(x, y - HEIGHT / 2, match, column)
    return drawing("bracket", "The bracket", in_words(rounds), width, height, *parts)


def middle(column: int, place: int) -> float:
    """A match stands between the two that lead to it."""
    return 32 + (HEIGHT + SPACE) * float(1 << column) * (place + 0.5)


def joint(x: float, y: float, before: float) -> Html:
    """From the right edge of the earlier match to the left edge of this one."""
    half = x - GAP / 2
    path = f"M{number(x - GAP)} {number(before)} H{number(half)} V{number(y)} H{number(x)}"
    return element("path", d=path, fill="none", stroke=GREY, stroke_width=1.5)


def box(x: float, y: float, match: Match, column: int) -> list[Html]:
    parts = [rect(x, y, BOX, HEIGHT, "#fff", stroke=LINE, rx=4), line(x, y + HEIGHT / 2, x + BOX, y + HEIGHT / 2)]
    for side, name in enumerate(match.names):
        base = y + HEIGHT / 2 * side + 21
        if name is None:
            parts.append(label(x + 24, base, "bye" if column == 0 else "open", fill=FAINT))
            continue
        won = name == match.winner
        parts.append(name_label(x + 24, base, name, NAME_COLUMNS, font_weight=700 if won else 400, fill=INK))
        if won:
            parts.append(label(x + 8, base, "▸", fill=BLUE))
        if match.points is not None and match.winner is not None:
            parts.append(label(x + BOX - 10, base, f"{match.points[side]:g}", "end", font_weight=700 if won else 400))
    return parts


def round_name(left: int) -> str:
    names = {1: "Final", 2: "Semi-finals", 3: "Quarter-finals"}
    return names.get(left, f"Last {2**left}")


def in_words(rounds: Sequence[Sequence[Match]]) -> str:
    told = []
    for column, matches in enumerate(rounds):
        played = [
            f"{m.winner} beats {next(n for n in m.names if n != m.winner)}" for m in matches if m.winner and m.points
        ]
        told.append(f"{round_name(len(rounds) - column)}: {', '.join(played) or 'open'}")
    return "; ".join(told)
