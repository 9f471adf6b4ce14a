"""The path of a tuning run: a drawing with a strip for each parameter, and a line of text for a terminal."""

from __future__ import annotations

from collections.abc import Sequence

from ..report.markup import Html, element
from ..report.svg import (
    BLUE,
    FAINT,
    GREY,
    ORANGE,
    diamond,
    drawing,
    label,
    line,
    linear,
    name_label,
    rect,
    ticks,
    upright_grid,
)
from .run import SEATS, TuningRun
from .spsa import start_positions

DRAWING_WIDTH, STRIP_HEIGHT, LEFT_MARGIN, RIGHT_MARGIN, TOP_MARGIN = 1000.0, 130.0, 250.0, 110.0, 16.0
STRIP_GAP = 24.0
BARS = "▁▂▃▄▅▆▇█"
SPARKLINE_COLUMNS = 40
"""Width of a line in the terminal."""


def path_svg(run: TuningRun) -> str:
    """Values over games: the start dashed, the result as a diamond at the end."""
    parameters, games = run.plan.parameters, SEATS * run.plan.deals * max(1, len(run.path))
    bottom = TOP_MARGIN + len(parameters) * (STRIP_HEIGHT + STRIP_GAP)
    across = linear(0, games, LEFT_MARGIN, DRAWING_WIDTH - RIGHT_MARGIN)
    parts = upright_grid(across, ticks(0, games), TOP_MARGIN, bottom - STRIP_GAP, lambda value: f"{value:.0f}")
    for number in range(len(parameters)):
        parts += strip(run, number, TOP_MARGIN + number * (STRIP_HEIGHT + STRIP_GAP))
    parts.append(label((LEFT_MARGIN + DRAWING_WIDTH - RIGHT_MARGIN) / 2, bottom + 24, "games", "middle", FAINT))
    description = "; ".join(
        f"{p.name} from {p.text(start)} to {p.text(end)}"
        for p, start, end in zip(parameters, start_positions(parameters), run.tuned, strict=True)
    )
    page = element("g", rect(0, 0, DRAWING_WIDTH, bottom + 36, "#fff"), *parts, font_family="sans-serif")
    return str(drawing("path", f"Tuning {run.plan.bot}", description, DRAWING_WIDTH, bottom + 36, page)) + "\n"


def strip(run: TuningRun, number: int, top: float) -> list[Html]:
    parameter, start = run.plan.parameters[number], start_positions(run.plan.parameters)[number]
    up = linear(0, 1, top + STRIP_HEIGHT, top)
    across = linear(0, max(1, len(run.path)), LEFT_MARGIN, DRAWING_WIDTH - RIGHT_MARGIN)
    values = [start, *(step.places[number] for step in run.path)]
    points = " ".join(f"{across(at):.1f},{up(value):.1f}" for at, value in enumerate(values))
    end = run.tuned[number]
    return [
        name_label(LEFT_MARGIN - 60, top + STRIP_HEIGHT / 2, parameter.name, 20, "end"),
        label(LEFT_MARGIN - 8, top + 10, f"{parameter.high:g}", "end", FAINT, font_size=13),
        label(LEFT_MARGIN - 8, top + STRIP_HEIGHT, f"{parameter.low:g}", "end", FAINT, font_size=13),
        line(LEFT_MARGIN, top, DRAWING_WIDTH - RIGHT_MARGIN, top),
        line(LEFT_MARGIN, top + STRIP_HEIGHT, DRAWING_WIDTH - RIGHT_MARGIN, top + STRIP_HEIGHT),
        line(LEFT_MARGIN, up(start), DRAWING_WIDTH - RIGHT_MARGIN, up(start), GREY, 1.5, "6 5"),
        element("polyline", points=points, fill="none", stroke=BLUE, stroke_width=2),
        diamond(DRAWING_WIDTH - RIGHT_MARGIN, up(end), ORANGE),
        label(DRAWING_WIDTH - RIGHT_MARGIN + 14, up(end) + 5, parameter.text(end)),
    ]


def path_text(positions: Sequence[float]) -> str:
    """`▂▃▅▆▆▇`: from the lower to the upper bound, in at most SPARKLINE_COLUMNS characters."""
    shown = (
        [positions[at * len(positions) // SPARKLINE_COLUMNS] for at in range(SPARKLINE_COLUMNS)]
        if len(positions) > SPARKLINE_COLUMNS
        else positions
    )
    return "".join(BARS[min(len(BARS) - 1, int(position * len(BARS)))] for position in shown)
