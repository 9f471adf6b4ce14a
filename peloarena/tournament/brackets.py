"""Knockout brackets: seeded in order of entry, so that the first two can meet in the final only. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence


def first_bracket(seeds: Sequence[int]) -> list[int | None]:
    """Seats of the bracket from top to bottom; None where there is nobody."""
    order = [0]
    while len(order) < max(2, len(seeds)):  # one alone has a final without an opponent
        size = 2 * len(order)
        order = [place for seed in order for place in (seed, size - 1 - seed)]
    return [seeds[seed] if seed < len(seeds) else None for seed in order]


def depth_of(field: int) -> int:
    """Rounds of a bracket, the final being the last."""
    return max(1, math.ceil(math.log2(max(2, field))))


def both(alive: Sequence[int | None]) -> list[tuple[int | None, int | None]]:
    return list(zip(alive[::2], alive[1::2], strict=True))


def round_name(left: int) -> str:
    """`left`: how many rounds there are from this one on."""
    names = {1: "Final", 2: "Semi-finals", 3: "Quarter-finals"}
    return names.get(left, f"Last {2**left}")
