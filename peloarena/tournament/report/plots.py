"""The plots of a report: values in, SVG out. Each also describes its content in words and numbers."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Sequence
from statistics import mean, median

from msgspec import Struct

from ...game.texts import plural
from ..rating_text import error_text, percent
from .markup import Html, element
from .svg import (
    BLUE,
    FAINT,
    GREY,
    INK,
    ORANGE,
    ROW_HEIGHT,
    diamond,
    dot,
    drawing,
    label,
    line,
    linear,
    logarithmic,
    name_label,
    rect,
    ticks,
    upright_grid,
)

PLOT_WIDTH = 1000
NAMES_WIDTH = 250
"""Width of the names on the left."""
NUMBERS_WIDTH = 150
"""Width of the numbers on the right."""
NAME_COLUMNS = 28
MAX_BINS = 18
FASTEST_SECONDS = 0.0001
"""The time axis starts here at the latest: a tenth of a millisecond."""


class Bar(Struct, frozen=True):
    """A value with its error; None if unknown."""

    name: str
    value: float
    error: float | None
    open_end: str = ""
    """Where nothing bounds it: `above` or `below`."""

    @property
    def ends(self) -> tuple[float, float]:
        """The ends of the interval, as far as they are known."""
        error = self.error or 0.0
        below, above = error * (self.open_end != "below"), error * (self.open_end != "above")
        return self.value - below, self.value + above


def error_bars(bars: Sequence[Bar]) -> Html:
    """Ratings with 95 % intervals, the best on top."""
    low = min(bar.ends[0] for bar in bars)
    high = max(bar.ends[1] for bar in bars)
    margin = max(20.0, (high - low) * 0.04)
    scale = linear(low - margin, high + margin, NAMES_WIDTH, PLOT_WIDTH - NUMBERS_WIDTH)
    bottom = 12 + ROW_HEIGHT * len(bars)
    parts = upright_grid(scale, ticks(low - margin, high + margin), 8, bottom, lambda value: f"{value:.0f}")
    for number, bar in enumerate(bars):
        y = 12 + ROW_HEIGHT * (number + 0.5)
        parts += [
            name_label(NAMES_WIDTH - 16, y + 5, bar.name, NAME_COLUMNS, "end"),
            *whisker(scale(bar.value), y, [scale(end) for end in bar.ends]),
            dot(scale(bar.value), y) if bar.error is not None else open_dot(scale(bar.value), y),
            label(PLOT_WIDTH - NUMBERS_WIDTH + 24, y + 5, bar_text(bar), class_="figures"),
        ]
    parts.append(label((NAMES_WIDTH + PLOT_WIDTH - NUMBERS_WIDTH) / 2, bottom + 42, "Elo, mean 1500", "middle", FAINT))
    description = "; ".join(f"{bar.name} {bar_text(bar)}" for bar in bars)
    return drawing("ratings", "Ratings with 95 % intervals", description, PLOT_WIDTH, bottom + 50, *parts)


def bar_text(bar: Bar) -> str:
    error = error_text(bar.error, bar.value, bar.open_end)
    return f"{bar.value:.0f} ± n/a" if bar.error is None else f"{bar.value:.0f} {'± ' * error.isdigit()}{error}"


def whisker(x: float, y: float, ends: Sequence[float]) -> list[Html]:
    """No stroke where the interval is open."""
    left, right = ends
    strokes = [line(end, y - 7, end, y + 7, BLUE, 2.5) for end in ends if end != x]
    return [line(left, y, right, y, BLUE, 2.5), *strokes] if strokes else []


def open_dot(x: float, y: float) -> Html:
    """Means that no interval is known."""
    return element("circle", cx=f"{x:.1f}", cy=f"{y:.1f}", r=6, fill="#fff", stroke=BLUE, stroke_width=2.5)


def mean_bars(bars: Sequence[Bar]) -> Html:
    """Solo: mean scores from zero."""
    high = max(1.0, *(bar.value for bar in bars))
    low = min(0.0, *(bar.value for bar in bars))
    scale = linear(low, high * 1.02, NAMES_WIDTH, PLOT_WIDTH - NUMBERS_WIDTH)
    bottom = 12 + ROW_HEIGHT * len(bars)
    parts = upright_grid(scale, ticks(low, high), 8, bottom, lambda value: f"{value:g}")
    for number, bar in enumerate(bars):
        y = 12 + ROW_HEIGHT * (number + 0.5)
        left, right = sorted((scale(0), scale(bar.value)))
        parts += [
            name_label(NAMES_WIDTH - 16, y + 5, bar.name, NAME_COLUMNS, "end"),
            rect(left, y - 10, right - left, 20, BLUE),
            label(PLOT_WIDTH - NUMBERS_WIDTH + 24, y + 5, f"{bar.value:.2f}", class_="figures"),
        ]
    parts.append(label((NAMES_WIDTH + PLOT_WIDTH - NUMBERS_WIDTH) / 2, bottom + 42, "mean score", "middle", FAINT))
    description = "; ".join(f"{bar.name} {bar.value:.2f}" for bar in bars)
    return drawing("means", "Mean scores", description, PLOT_WIDTH, bottom + 50, *parts)


class Share(Struct, frozen=True):
    """A share of all games and its look; it has a pattern in addition to the colour."""

    name: str
    count: int
    fill: str


def share_bar(parts: Sequence[Share]) -> Html:
    """One bar divided by how games ended, with a legend that has the numbers."""
    total = sum(part.count for part in parts) or 1
    scale = linear(0, total, 0, PLOT_WIDTH)
    drawn: list[Html] = [hatch()]
    counted = 0
    for number, part in enumerate(parts):
        x, width = scale(counted), scale(part.count) - scale(0)
        drawn.append(rect(x, 4, width, 34, part.fill, stroke="#fff", stroke_width=2))
        drawn += [rect(x, 4, width, 34, "url(#hatch)")] if number % 2 else []
        counted += part.count
        slot = PLOT_WIDTH / len(parts) * number
        drawn += [rect(slot, 56, 18, 18, part.fill), *([rect(slot, 56, 18, 18, "url(#hatch)")] if number % 2 else [])]
        drawn.append(label(slot + 26, 71, f"{part.count} {part.name} ({percent(part.count / total)})"))
    description = ", ".join(f"{part.count} {part.name}" for part in parts)
    return drawing("verdicts", "Games by how they were played", description, PLOT_WIDTH, 80, *drawn)


def hatch() -> Html:
    stripe = element("path", d="M0 8 L8 0 M-2 2 L2 -2 M6 10 L10 6", stroke="#fff", stroke_width=2, stroke_opacity=0.6)
    return element("defs", element("pattern", stripe, id="hatch", width=8, height=8, patternUnits="userSpaceOnUse"))


# ---- scores


class HistogramBins(Struct, frozen=True):
    """The histograms of a tournament share their bins, so that they can be compared."""

    low: int
    high: int
    bin: int

    @property
    def bins(self) -> int:
        return (self.high - self.low) // self.bin + 1


def common_bins(samples: Sequence[Sequence[int]]) -> HistogramBins | None:
    scores = [score for sample in samples for score in sample]
    if not scores:
        return None
    low, high = min(scores), max(scores)
    width = next(w for w in (1, 2, 5, 10, 20, 50, 100, 1000, 10**9) if (high - low // w * w) // w < MAX_BINS)
    return HistogramBins(low // width * width, high, width)


def bin_shares(sample: Sequence[int], bins: HistogramBins) -> list[float]:
    counts = Counter((score - bins.low) // bins.bin for score in sample)
    return [counts.get(n, 0) / len(sample) for n in range(bins.bins)]


def histogram(key: str, name: str, sample: Sequence[int], bins: HistogramBins) -> Html:
    """One bot's scores; the line is the mean."""
    width, top, bottom = 320, 58, 170
    x = linear(bins.low, bins.low + bins.bins * bins.bin, 12, width - 12)
    shares = bin_shares(sample, bins) if sample else [1.0]
    y = linear(0, max(shares), bottom, top)
    count = plural(len(sample), "game")
    numbers = f"mean {mean(sample):.1f} · median {median(sample):g} · {count}" if sample else "no score"
    parts = [name_label(12, 20, name, 34, font_weight=600), label(12, 42, numbers, "start", FAINT, font_size=14)]
    parts += [
        rect(x(bins.low + n * bins.bin) + 1, y(share), x(bins.bin) - x(0) - 2, bottom - y(share), BLUE)
        for n, share in enumerate(shares)
        if share and sample
    ]
    parts.append(line(12, bottom, width - 12, bottom, GREY))
    for value in ticks(bins.low, bins.low + bins.bins * bins.bin, 5):
        middle = value + (0.5 if bins.bin == 1 else 0)
        parts.append(label(x(middle), bottom + 18, f"{value:g}", "middle", FAINT, font_size=13))
    if sample:
        at = x(mean(sample) + (0.5 if bins.bin == 1 else 0))
        parts.append(line(at, top - 6, at, bottom, ORANGE, 3, "6 3"))
    return drawing(key, f"Scores of {name}", numbers, width, bottom + 26, *parts)


# ---- time


class DecisionTimes(Struct, frozen=True):
    """Seconds for a decision."""

    name: str
    mean: float
    slowest: float


def decision_times_plot(rows: Sequence[DecisionTimes]) -> Html:
    """Mean and slowest decision on a logarithmic axis."""
    low = 10.0 ** math.floor(math.log10(max(FASTEST_SECONDS, min(row.mean for row in rows))))
    high = 10.0 ** math.ceil(math.log10(max(low * 10, *(row.slowest for row in rows))))
    scale = logarithmic(low, high, NAMES_WIDTH, PLOT_WIDTH - NUMBERS_WIDTH - 60)
    decades = [10.0**n for n in range(round(math.log10(low)), round(math.log10(high)) + 1)]
    top, bottom = 40.0, 40 + ROW_HEIGHT * len(rows)
    parts = upright_grid(scale, decades, top, bottom, short_duration)
    parts += [dot(NAMES_WIDTH + 6, 18), label(NAMES_WIDTH + 20, 23, "mean decision"), diamond(NAMES_WIDTH + 176, 18)]
    parts.append(label(NAMES_WIDTH + 190, 23, "slowest decision"))
    for number, row in enumerate(rows):
        y = top + ROW_HEIGHT * (number + 0.5)
        parts += [
            name_label(NAMES_WIDTH - 16, y + 5, row.name, NAME_COLUMNS, "end"),
            line(scale(row.mean), y, scale(row.slowest), y, GREY, 2),
            dot(scale(row.mean), y),
            diamond(scale(row.slowest), y),
            label(
                PLOT_WIDTH - NUMBERS_WIDTH - 36,
                y + 5,
                f"{short_duration(row.mean)} · {short_duration(row.slowest)}",
                fill=INK,
            ),
        ]
    description = "; ".join(
        f"{row.name}: mean {short_duration(row.mean)}, slowest {short_duration(row.slowest)}" for row in rows
    )
    return drawing("paces", "Time for a decision", description, PLOT_WIDTH, bottom + 30, *parts)


def short_duration(seconds: float) -> str:
    """`0.3 ms`, `42 ms`, `1.4 s`, `12 min`."""
    if seconds < 0.9995:
        return f"{brief_number(seconds * 1000)} ms"
    if seconds < 90:
        return f"{brief_number(seconds)} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"


def brief_number(value: float) -> str:
    """One decimal below ten, unless it is 0."""
    return f"{value:.1f}".removesuffix(".0") if value < 9.95 else f"{value:.0f}"
