"""The bracket of a knockout as SVG: a column for each round, a line from each match to the next."""

from __future__ import annotations

from ..brackets import round_name
from .data import Bracket, NamedMatch
from .markup import Html, element
from .svg import BLUE, FAINT, GREY, INK, LINE, drawing, label, line, name_label, number, rect

BOX, GAP, HEIGHT, SPACE = 230, 46, 60, 18
NAME_COLUMNS = 22
THIRD = "Third place"


def bracket(found: Bracket) -> Html:
    """The winner of a match is bold and marked; a bye has no match. The match for third place is below the final."""
    rounds, third = found.rounds, found.third
    depth = len(rounds)
    height = len(rounds[0]) * (HEIGHT + SPACE) + 40 + (0 if third is None else HEIGHT + 2 * SPACE)
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
    if third is not None:
        x, y = (depth - 1) * (BOX + GAP), height - HEIGHT - SPACE / 2
        parts += [label(x, y - 8, THIRD, fill=FAINT, font_weight=600), *box(x, y, third, depth - 1)]
    return drawing("bracket", "The bracket", in_words(found), width, height, *parts)


def middle(column: int, place: int) -> float:
    """A match is drawn halfway between the two that lead to it."""
    return 32 + (HEIGHT + SPACE) * float(1 << column) * (place + 0.5)


def joint(x: float, y: float, before: float) -> Html:
    """From the right edge of the earlier match to the left edge of this one."""
    half = x - GAP / 2
    path = f"M{number(x - GAP)} {number(before)} H{number(half)} V{number(y)} H{number(x)}"
    return element("path", d=path, fill="none", stroke=GREY, stroke_width=1.5)


def box(x: float, y: float, match: NamedMatch, column: int) -> list[Html]:
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
            star = "*" if won and match.decided_by else ""
            said = f"{match.points[side]:g}{star}"
            parts.append(label(x + BOX - 10, base, said, "end", font_weight=700 if won else 400))
    return parts


def in_words(found: Bracket) -> str:
    depth = len(found.rounds)
    told = [f"{round_name(depth - column)}: {beaten(*ties) or 'open'}" for column, ties in enumerate(found.rounds)]
    return "; ".join(told if found.third is None else [*told, f"{THIRD}: {beaten(found.third) or 'open'}"])


def beaten(*matches: NamedMatch) -> str:
    over = [match for match in matches if match.winner and match.points]
    return ", ".join(f"{m.winner} beats {next(n for n in m.names if n != m.winner)}" for m in over)
