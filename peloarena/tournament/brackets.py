"""Knockout brackets: seeded in order of entry, so that the first two can only meet in the final. Pure."""

from __future__ import annotations

import math
from collections.abc import Sequence


def seed_bracket(seeds: Sequence[int]) -> list[int | None]:
    """The bracket from top to bottom; None for a bye."""
    order = [0]
    while len(order) < max(2, len(seeds)):  # a single entry has a final without an opponent
        size = 2 * len(order)
        order = [position for seed in order for position in (seed, size - 1 - seed)]
    return [seeds[seed] if seed < len(seeds) else None for seed in order]


def bracket_depth(entry_count: int) -> int:
    """The number of rounds of a bracket, including the final."""
    return max(1, math.ceil(math.log2(max(2, entry_count))))


def adjacent_pairs(alive: Sequence[int | None]) -> list[tuple[int | None, int | None]]:
    return list(zip(alive[::2], alive[1::2], strict=True))


def round_name(rounds_left: int) -> str:
    """`rounds_left`: the number of rounds from this one on."""
    names = {1: "Final", 2: "Semi-finals", 3: "Quarter-finals"}
    return names.get(rounds_left, f"Last {2**rounds_left}")
