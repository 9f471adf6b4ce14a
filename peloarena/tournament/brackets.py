"""Knockout brackets: seeded in the order of the file, so that the first two can meet in the final only. Pure."""

from __future__ import annotations

from collections.abc import Hashable, Mapping, Sequence
from typing import TypeVar

Bot = TypeVar("Bot", bound=Hashable)
"""A name or a number."""
PairResults = Mapping[tuple[int, int], Mapping[Bot, float]]
"""(round, match) → points of each of the two."""


def knockout_pairs(bots: Sequence[Bot], number: int, results: PairResults[Bot]) -> list[tuple[Bot, ...]]:
    """The matches of a round. A bot without an opponent goes on by itself and has no match."""
    alive: list[Bot | None] = first_bracket(bots)
    for done in range(1, number):
        alive = winners(bots, alive, done, results)
    return [pair for pair in both(alive) if None not in pair]  # type: ignore[misc]


def first_bracket(bots: Sequence[Bot]) -> list[Bot | None]:
    """Seats of the bracket from top to bottom; None where there is no bot."""
    order = [0]
    while len(order) < len(bots):
        size = 2 * len(order)
        order = [place for seed in order for place in (seed, size - 1 - seed)]
    return [bots[seed] if seed < len(bots) else None for seed in order]


def both(alive: Sequence[Bot | None]) -> list[tuple[Bot | None, Bot | None]]:
    return list(zip(alive[::2], alive[1::2], strict=True))


def winners(
    bots: Sequence[Bot], alive: Sequence[Bot | None], number: int, results: PairResults[Bot]
) -> list[Bot | None]:
    """Who goes on after a round: more points; equal points: the better seed."""
    found: list[Bot | None] = []
    match = 0
    for first, second in both(alive):
        if first is None or second is None:
            found.append(first or second)
            continue
        match += 1
        points = results.get((number, match), {})
        found.append(min((first, second), key=lambda bot: (-points.get(bot, 0.0), bots.index(bot))))
    return found


def champion(bots: Sequence[Bot], rounds: int, results: PairResults[Bot]) -> Bot | None:
    alive: list[Bot | None] = first_bracket(bots)
    for number in range(1, rounds + 1):
        alive = winners(bots, alive, number, results)
    return alive[0] if alive else None
