"""The parts of a plot: canvas, scales, ticks, labels. Real SVG, dark on light, no style attributes (the page's policy
forbids them). Blue and orange are always combined with shapes and numbers, so that nothing depends on colour alone."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable

from .markup import Html, element, text

INK, FAINT, LINE_COLOR = "#1b1f24", "#57606a", "#d0d7de"
BLUE, ORANGE, GREY = "#0072b2", "#d55e00", "#8c959f"
"""Okabe and Ito's blue and vermilion: everybody can distinguish them, in greyscale prints by their lightness."""
FONT_SIZE = 15
ROW_HEIGHT = 34

PlotScale = Callable[[float], float]


def drawing(key: str, title: str, description: str, width: float, height: float, *parts: Html) -> Html:
    """An image with a title and a description for readers who cannot see it."""
    return element(
        "svg",
        element("title", title, id=f"{key}-title"),
        element("desc", description, id=f"{key}-desc"),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number_text(width)} {number_text(height)}",
        role="img",
        aria_labelledby=f"{key}-title {key}-desc",
        font_size=FONT_SIZE,
    )


def number_text(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def linear(low: float, high: float, start: float, end: float) -> PlotScale:
    span = (high - low) or 1.0
    return lambda value: start + (value - low) / span * (end - start)


def logarithmic(low: float, high: float, start: float, end: float) -> PlotScale:
    inner = linear(math.log10(low), math.log10(high), start, end)
    return lambda value: inner(math.log10(max(value, low)))


def ticks(low: float, high: float, max_count: int = 7) -> list[float]:
    """Round numbers within the range: steps of 1, 2 or 5 times a power of ten."""
    rough = max((high - low) / max_count, 1e-9)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    return [step * n for n in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def line(
    x1: float, y1: float, x2: float, y2: float, stroke: str = LINE_COLOR, width: float = 1, dash: str = ""
) -> Html:
    return element(
        "line",
        x1=number_text(x1),
        y1=number_text(y1),
        x2=number_text(x2),
        y2=number_text(y2),
        stroke=stroke,
        stroke_width=number_text(width),
        stroke_dasharray=dash or None,
    )


def rect(x: float, y: float, width: float, height: float, fill: str, **attributes: object) -> Html:
    return element(
        "rect",
        x=number_text(x),
        y=number_text(y),
        width=number_text(max(0, width)),
        height=number_text(height),
        fill=fill,
        **attributes,
    )


def dot(x: float, y: float, fill: str = BLUE, radius: float = 6) -> Html:
    return element(
        "circle",
        cx=number_text(x),
        cy=number_text(y),
        r=number_text(radius),
        fill=fill,
        stroke="#fff",
        stroke_width=1.5,
    )


def diamond(x: float, y: float, fill: str = ORANGE, size: float = 7) -> Html:
    points = " ".join(
        f"{number_text(x + dx)},{number_text(y + dy)}" for dx, dy in ((0, -size), (size, 0), (0, size), (-size, 0))
    )
    return element("polygon", points=points, fill=fill, stroke="#fff", stroke_width=1.5)


def label(x: float, y: float, content: object, anchor: str = "start", fill: str = INK, **attributes: object) -> Html:
    """`y` is the baseline."""
    return element("text", content, x=number_text(x), y=number_text(y), text_anchor=anchor, fill=fill, **attributes)


def name_label(
    x: float, y: float, name: str, max_columns: int, anchor: str = "start", fill: str = INK, **attributes: object
) -> Html:
    """A name cut to `max_columns`; hovering shows the whole name."""
    cut = shorten_name(name, max_columns)
    content = text(cut) if cut == name else element("title", name) + text(cut)
    return label(x, y, Html(content), anchor, fill, **attributes)


def shorten_name(name: str, max_columns: int) -> str:
    if text_width(name) <= max_columns:
        return name
    shortened = name
    while shortened and text_width(shortened) > max_columns - 1:
        shortened = shortened[:-1]
    return f"{shortened}…"


def text_width(content: str) -> int:
    """Roughly the width in a terminal: Chinese and Japanese characters take two columns."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in content)


def upright_grid(
    scale: PlotScale, values: list[float], top: float, bottom: float, format_value: Callable[[float], str]
) -> list[Html]:
    """Vertical grid lines with their numbers below."""
    return [
        part
        for value in values
        for part in (
            line(scale(value), top, scale(value), bottom),
            label(scale(value), bottom + 20, format_value(value), "middle", FAINT, font_size=13),
        )
    ]
