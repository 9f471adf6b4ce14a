"""The bracket of a knockout as SVG: a column for each round, a line from each match to the next."""

from __future__ import annotations

from ..brackets import round_name
from .markup import Html, element
from .report_data import Bracket, NamedMatch
from .svg import BLUE, FAINT, GREY, INK, LINE_COLOR, drawing, label, line, name_label, number_text, rect

BOX_WIDTH, COLUMN_GAP, BOX_HEIGHT, ROW_GAP = 230, 46, 60, 18
NAME_COLUMNS = 22
THIRD_PLACE_LABEL = "Third place"


def draw_bracket(bracket: Bracket) -> Html:
    """The winner of a match is bold and marked; a bye has no match. The match for third place is below the final."""
    rounds, third = bracket.rounds, bracket.third
    depth = len(rounds)
    height = len(rounds[0]) * (BOX_HEIGHT + ROW_GAP) + 40 + (0 if third is None else BOX_HEIGHT + 2 * ROW_GAP)
    width = max(700, depth * (BOX_WIDTH + COLUMN_GAP))
    parts: list[Html] = []
    for column, matches in enumerate(rounds):
        x = column * (BOX_WIDTH + COLUMN_GAP)
        parts.append(label(x, 18, round_name(depth - column), fill=FAINT, font_weight=600))
        for number, match in enumerate(matches):
            y = match_center_y(column, number)
            if column:
                parts += [joint(x, y, match_center_y(column - 1, 2 * number + side)) for side in (0, 1)]
            parts += box(x, y - BOX_HEIGHT / 2, match, column)
    if third is not None:
        x, y = (depth - 1) * (BOX_WIDTH + COLUMN_GAP), height - BOX_HEIGHT - ROW_GAP / 2
        parts += [label(x, y - 8, THIRD_PLACE_LABEL, fill=FAINT, font_weight=600), *box(x, y, third, depth - 1)]
    return drawing("bracket", "The bracket", describe_bracket(bracket), width, height, *parts)


def match_center_y(column: int, row: int) -> float:
    """A match is drawn halfway between the two that lead to it."""
    return 32 + (BOX_HEIGHT + ROW_GAP) * float(1 << column) * (row + 0.5)


def joint(x: float, y: float, before: float) -> Html:
    """From the right edge of the earlier match to the left edge of this one."""
    half = x - COLUMN_GAP / 2
    path = (
        f"M{number_text(x - COLUMN_GAP)} {number_text(before)} H{number_text(half)} V{number_text(y)} H{number_text(x)}"
    )
    return element("path", d=path, fill="none", stroke=GREY, stroke_width=1.5)


def box(x: float, y: float, match: NamedMatch, column: int) -> list[Html]:
    parts = [
        rect(x, y, BOX_WIDTH, BOX_HEIGHT, "#fff", stroke=LINE_COLOR, rx=4),
        line(x, y + BOX_HEIGHT / 2, x + BOX_WIDTH, y + BOX_HEIGHT / 2),
    ]
    for side, name in enumerate(match.names):
        base = y + BOX_HEIGHT / 2 * side + 21
        if name is None:
            parts.append(label(x + 24, base, "bye" if column == 0 else "open", fill=FAINT))
            continue
        won = name == match.winner
        parts.append(name_label(x + 24, base, name, NAME_COLUMNS, font_weight=700 if won else 400, fill=INK))
        if won:
            parts.append(label(x + 8, base, "▸", fill=BLUE))
        if match.points is not None and match.winner is not None:
            star = "*" if won and match.decided_by else ""
            points = f"{match.points[side]:g}{star}"
            parts.append(label(x + BOX_WIDTH - 10, base, points, "end", font_weight=700 if won else 400))
    return parts


def describe_bracket(bracket: Bracket) -> str:
    depth = len(bracket.rounds)
    rounds = [
        f"{round_name(depth - column)}: {describe_results(*ties) or 'open'}"
        for column, ties in enumerate(bracket.rounds)
    ]
    return "; ".join(
        rounds
        if bracket.third is None
        else [*rounds, f"{THIRD_PLACE_LABEL}: {describe_results(bracket.third) or 'open'}"]
    )


def describe_results(*matches: NamedMatch) -> str:
    over = [match for match in matches if match.winner and match.points]
    return ", ".join(f"{m.winner} beats {next(n for n in m.names if n != m.winner)}" for m in over)
