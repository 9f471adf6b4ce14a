"""The parts of a plot: canvas, scales, ticks, labels. Real SVG, dark on light, no style attributes (the page's policy
forbids them). Blue and orange are always combined with shapes and numbers, so that nothing depends on colour alone."""

from __future__ import annotations

import math
import unicodedata
from collections.abc import Callable

from .markup import Html, element, text

INK, FAINT, LINE = "#1b1f24", "#57606a", "#d0d7de"
BLUE, ORANGE, GREY = "#0072b2", "#d55e00", "#8c959f"
"""Okabe and Ito's blue and vermilion: everybody can distinguish them, in greyscale prints by their lightness."""
FONT = 15
ROW = 34

Scale = Callable[[float], float]


def drawing(key: str, title: str, told: str, width: float, height: float, *parts: Html) -> Html:
    """An image with a title and a description for readers who cannot see it."""
    return element(
        "svg",
        element("title", title, id=f"{key}-title"),
        element("desc", told, id=f"{key}-desc"),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {number(width)} {number(height)}",
        role="img",
        aria_labelledby=f"{key}-title {key}-desc",
        font_size=FONT,
    )


def number(value: float) -> str:
    return f"{value:.1f}".removesuffix(".0")


def linear(low: float, high: float, start: float, end: float) -> Scale:
    span = (high - low) or 1.0
    return lambda value: start + (value - low) / span * (end - start)


def logarithmic(low: float, high: float, start: float, end: float) -> Scale:
    inner = linear(math.log10(low), math.log10(high), start, end)
    return lambda value: inner(math.log10(max(value, low)))


def ticks(low: float, high: float, most: int = 7) -> list[float]:
    """Round numbers within the range: steps of 1, 2 or 5 times a power of ten."""
    rough = max((high - low) / most, 1e-9)
    power = 10.0 ** math.floor(math.log10(rough))
    step = next(power * factor for factor in (1, 2, 5, 10) if power * factor >= rough)
    return [step * n for n in range(math.ceil(low / step - 1e-9), math.floor(high / step + 1e-9) + 1)]


def line(x1: float, y1: float, x2: float, y2: float, stroke: str = LINE, width: float = 1, dash: str = "") -> Html:
    return element(
        "line",
        x1=number(x1),
        y1=number(y1),
        x2=number(x2),
        y2=number(y2),
        stroke=stroke,
        stroke_width=number(width),
        stroke_dasharray=dash or None,
    )


def rect(x: float, y: float, width: float, height: float, fill: str, **more: object) -> Html:
    return element(
        "rect", x=number(x), y=number(y), width=number(max(0, width)), height=number(height), fill=fill, **more
    )


def dot(x: float, y: float, fill: str = BLUE, radius: float = 6) -> Html:
    return element("circle", cx=number(x), cy=number(y), r=number(radius), fill=fill, stroke="#fff", stroke_width=1.5)


def diamond(x: float, y: float, fill: str = ORANGE, size: float = 7) -> Html:
    points = " ".join(f"{number(x + dx)},{number(y + dy)}" for dx, dy in ((0, -size), (size, 0), (0, size), (-size, 0)))
    return element("polygon", points=points, fill=fill, stroke="#fff", stroke_width=1.5)


def label(x: float, y: float, said: object, anchor: str = "start", fill: str = INK, **more: object) -> Html:
    """`y` is the baseline."""
    return element("text", said, x=number(x), y=number(y), text_anchor=anchor, fill=fill, **more)


def name_label(
    x: float, y: float, name: str, room: int, anchor: str = "start", fill: str = INK, **more: object
) -> Html:
    """A name cut to `room` columns; hovering shows the whole name."""
    cut = shortened(name, room)
    said = text(cut) if cut == name else element("title", name) + text(cut)
    return label(x, y, Html(said), anchor, fill, **more)


def shortened(name: str, room: int) -> str:
    if columns(name) <= room:
        return name
    kept = name
    while kept and columns(kept) > room - 1:
        kept = kept[:-1]
    return f"{kept}…"


def columns(said: str) -> int:
    """Roughly the width in a terminal: Chinese and Japanese characters take two columns."""
    return sum(2 if unicodedata.east_asian_width(char) in "WF" else 1 for char in said)


def upright_grid(scale: Scale, at: list[float], top: float, bottom: float, form: Callable[[float], str]) -> list[Html]:
    """Vertical grid lines with their numbers below."""
    return [
        part
        for value in at
        for part in (
            line(scale(value), top, scale(value), bottom),
            label(scale(value), bottom + 20, form(value), "middle", FAINT, font_size=13),
        )
    ]
