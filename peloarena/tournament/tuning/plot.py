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
from .spsa import start_places

WIDTH, STRIP, LEFT, RIGHT, TOP = 1000.0, 130.0, 250.0, 110.0, 16.0
GAP = 24.0
BARS = "▁▂▃▄▅▆▇█"
COLUMNS = 40
"""Width of a line in the terminal."""


def path_svg(run: TuningRun) -> str:
    """Values over games: the start dashed, the result as a diamond at the end."""
    parameters, games = run.plan.parameters, SEATS * run.plan.deals * max(1, len(run.path))
    bottom = TOP + len(parameters) * (STRIP + GAP)
    across = linear(0, games, LEFT, WIDTH - RIGHT)
    parts = upright_grid(across, ticks(0, games), TOP, bottom - GAP, lambda value: f"{value:.0f}")
    for number in range(len(parameters)):
        parts += strip(run, number, TOP + number * (STRIP + GAP))
    parts.append(label((LEFT + WIDTH - RIGHT) / 2, bottom + 24, "games", "middle", FAINT))
    told = "; ".join(
        f"{p.name} from {p.text(start)} to {p.text(end)}"
        for p, start, end in zip(parameters, start_places(parameters), run.tuned, strict=True)
    )
    page = element("g", rect(0, 0, WIDTH, bottom + 36, "#fff"), *parts, font_family="sans-serif")
    return str(drawing("path", f"Tuning {run.plan.bot}", told, WIDTH, bottom + 36, page)) + "\n"


def strip(run: TuningRun, number: int, top: float) -> list[Html]:
    parameter, start = run.plan.parameters[number], start_places(run.plan.parameters)[number]
    up = linear(0, 1, top + STRIP, top)
    across = linear(0, max(1, len(run.path)), LEFT, WIDTH - RIGHT)
    values = [start, *(step.places[number] for step in run.path)]
    points = " ".join(f"{across(at):.1f},{up(value):.1f}" for at, value in enumerate(values))
    end = run.tuned[number]
    return [
        name_label(LEFT - 60, top + STRIP / 2, parameter.name, 20, "end"),
        label(LEFT - 8, top + 10, f"{parameter.high:g}", "end", FAINT, font_size=13),
        label(LEFT - 8, top + STRIP, f"{parameter.low:g}", "end", FAINT, font_size=13),
        line(LEFT, top, WIDTH - RIGHT, top),
        line(LEFT, top + STRIP, WIDTH - RIGHT, top + STRIP),
        line(LEFT, up(start), WIDTH - RIGHT, up(start), GREY, 1.5, "6 5"),
        element("polyline", points=points, fill="none", stroke=BLUE, stroke_width=2),
        diamond(WIDTH - RIGHT, up(end), ORANGE),
        label(WIDTH - RIGHT + 14, up(end) + 5, parameter.text(end)),
    ]


def path_text(places: Sequence[float]) -> str:
    """`▂▃▅▆▆▇`: from the lower to the upper bound, in at most COLUMNS characters."""
    shown = [places[at * len(places) // COLUMNS] for at in range(COLUMNS)] if len(places) > COLUMNS else places
    return "".join(BARS[min(len(BARS) - 1, int(place * len(BARS)))] for place in shown)
