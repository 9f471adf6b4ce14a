"""Knockout brackets: seeded in the order of the file, so that the first two can meet in the final only. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

PairResults = Mapping[tuple[int, int], Mapping[str, float]]


def knockout_pairs(bots: Sequence[str], number: int, results: PairResults) -> list[tuple[str, ...]]:
    """The matches of a round. A bot without an opponent goes on by itself and has no match."""
    alive: list[str | None] = first_bracket(bots)
    for done in range(1, number):
        alive = winners(bots, alive, done, results)
    return [pair for pair in both(alive) if None not in pair]  # type: ignore[misc]


def first_bracket(bots: Sequence[str]) -> list[str | None]:
    """Seats of the bracket from top to bottom; None where there is no bot."""
    order = [0]
    while len(order) < len(bots):
        size = 2 * len(order)
        order = [place for seed in order for place in (seed, size - 1 - seed)]
    return [bots[seed] if seed < len(bots) else None for seed in order]


def both(alive: Sequence[str | None]) -> list[tuple[str | None, str | None]]:
    return list(zip(alive[::2], alive[1::2], strict=True))


def winners(bots: Sequence[str], alive: Sequence[str | None], number: int, results: PairResults) -> list[str | None]:
    """Who goes on after a round: more points; equal points: the better seed."""
    found: list[str | None] = []
    match = 0
    for first, second in both(alive):
        if first is None or second is None:
            found.append(first or second)
            continue
        match += 1
        points = results.get((number, match), {})
        found.append(min((first, second), key=lambda bot: (-points.get(bot, 0.0), bots.index(bot))))
    return found


def champion(bots: Sequence[str], rounds: int, results: PairResults) -> str | None:
    alive: list[str | None] = first_bracket(bots)
    for number in range(1, rounds + 1):
        alive = winners(bots, alive, number, results)
    return alive[0] if alive else None
