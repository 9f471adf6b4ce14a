"""Seats can be told apart by their colours, whatever colours an eye can see: at tables of up to four.

Eight colours that all eyes tell apart there are none: with more seats names, dashes and shapes do it, as everywhere.
"""

from __future__ import annotations

import re
from itertools import combinations
from pathlib import Path

import pytest

import peloarena.web

STYLE = Path(peloarena.web.__file__).parent / "static" / "hall.css"
EYES = {
    "all colours": ((1, 0, 0), (0, 1, 0), (0, 0, 1)),
    "no red": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "no green": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "no blue": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}
"""What linear red, green and blue become to such eyes, as browsers simulate it (full severity)."""
CLEAR = 20.0
"""Of CIE 1976 colour difference; 2.3 is just noticeable side by side. Before, the worst pair had 6."""


def linear(byte: int) -> float:
    part = byte / 255
    return part / 12.92 if part <= 0.04045 else float(((part + 0.055) / 1.055) ** 2.4)


def seen(colour: str, eyes: str) -> tuple[float, float, float]:
    """In CIE L*a*b*."""
    red_green_blue = [linear(byte) for byte in bytes.fromhex(colour)]
    r, g, b = (
        min(1.0, max(0.0, sum(part * light for part, light in zip(row, red_green_blue, strict=True))))
        for row in EYES[eyes]
    )
    x, y, z = (
        curved(0.4339 * r + 0.3762 * g + 0.1899 * b),
        curved(0.2126 * r + 0.7152 * g + 0.0722 * b),
        curved(0.0177 * r + 0.1095 * g + 0.8728 * b),
    )
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def curved(share: float) -> float:
    return share ** (1 / 3) if share > 0.008856 else 7.787 * share + 16 / 116


def difference(one: str, other: str, eyes: str) -> float:
    pairs = zip(seen(one, eyes), seen(other, eyes), strict=True)
    return sum((a - b) ** 2 for a, b in pairs) ** 0.5


@pytest.mark.parametrize("eyes", EYES)
def test_four_seats_are_told_apart_by_every_eye_in_light_and_dark(eyes: str) -> None:
    found = re.findall(r"--seat[0-3]: #([0-9a-f]{6});", STYLE.read_text())
    palettes = {tuple(found[at : at + 4]) for at in range(0, len(found), 4)}
    assert len(palettes) == 2
    for palette in palettes:
        for one, other in combinations(palette, 2):
            assert difference(one, other, eyes) >= CLEAR, (one, other)
