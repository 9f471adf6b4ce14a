"""Swiss pairing: by the current rating, no rematch while one can be avoided. Pure and deterministic."""

from __future__ import annotations

from collections import Counter
from collections.abc import Hashable, Mapping, Sequence
from itertools import combinations
from typing import TypeVar

from .matching import FREE, complete

MOST_BYES = 8
"""How many bots are tried as the one that sits out."""
MOST_SWEEPS = 20
START_RATING = 1500.0
DIGITS = 6
"""Ratings that differ by less are equal: the last bits depend on the machine."""

Bot = TypeVar("Bot", bound=Hashable)
"""A name or a number."""


def swiss_pairs(
    bots: Sequence[Bot], matches: Sequence[tuple[Bot, ...]], rating: Mapping[Bot, float]
) -> list[tuple[Bot, ...]]:
    """Pairs of the next round, the strongest first; with an odd field one bot alone (a bye) at the end.

    `matches`: who met in the rounds before, once for each match.
    """
    ranking = current_order(bots, rating)
    meetings = Counter(frozenset(pair) for pair in matches)
    tried = [
        [*paired([bot for bot in ranking if bot not in bye], meetings), *([bye] if bye else [])]
        for bye in byes(ranking, matches)
    ]
    return min(tried, key=lambda pairs: sum(meetings[frozenset(pair)] for pair in pairs))


def current_order(bots: Sequence[Bot], rating: Mapping[Bot, float]) -> list[Bot]:
    """By rating; before the first round, and among equals, as in the file."""
    return sorted(bots, key=lambda bot: -round(rating.get(bot, START_RATING), DIGITS))


def byes(ranking: Sequence[Bot], matches: Sequence[tuple[Bot, ...]]) -> list[tuple[Bot, ...]]:
    """Who may sit out, the lowest first, of those who played most: who sat out before has played less."""
    if len(ranking) % 2 == 0:
        return [()]
    played = Counter(bot for pair in matches for bot in pair)
    most = max(played[bot] for bot in ranking)
    candidates: list[tuple[Bot, ...]] = [(bot,) for bot in reversed(ranking) if played[bot] == most]
    return candidates[:MOST_BYES]


def paired(ranking: Sequence[Bot], meetings: Mapping[frozenset[Bot], int]) -> list[tuple[Bot, ...]]:
    """As few rematches as possible; among such pairings near ratings."""
    count = len(ranking)
    met = [[meetings.get(frozenset((one, two)), 0) for two in ranking] for one in ranking]
    fresh = [[two for two in nearest_first(one, count) if not met[one][two]] for one in range(count)]
    mate = nearest_pairs(fresh)
    complete(fresh, mate)
    left = [number for number in range(count) if mate[number] == FREE]  # each of them has met all the others of them
    pairs = [(one, two) for one, two in enumerate(mate) if one < two] + list(zip(left[::2], left[1::2], strict=True))
    for _ in range(MOST_SWEEPS):
        if not polish(pairs, met):
            break
    return [(ranking[one], ranking[two]) for one, two in sorted((min(pair), max(pair)) for pair in pairs)]


def nearest_first(number: int, count: int) -> list[int]:
    return sorted((n for n in range(count) if n != number), key=lambda n: (abs(n - number), -n))


def nearest_pairs(fresh: Sequence[Sequence[int]]) -> list[int]:
    """Everybody from the top with the nearest below that is free and was not met."""
    mate = [FREE] * len(fresh)
    for one, others in enumerate(fresh):
        two = next((n for n in others if n > one and mate[n] == FREE), FREE)
        if mate[one] == FREE and two != FREE:
            mate[one], mate[two] = two, one
    return mate


def polish(pairs: list[tuple[int, int]], met: Sequence[Sequence[int]]) -> bool:
    """One sweep: two pairs exchange partners where that gives fewer rematches, or as few and nearer ratings."""

    def cost(one: int, two: int) -> tuple[int, int]:
        return met[one][two] ** 2, (one - two) ** 2

    def both(first: tuple[int, int], second: tuple[int, int]) -> tuple[int, int]:
        a, b = cost(*first), cost(*second)
        return a[0] + b[0], a[1] + b[1]

    better = False
    for x, y in combinations(range(len(pairs)), 2):
        (a, b), (c, d) = pairs[x], pairs[y]
        ways = [((a, b), (c, d)), ((a, c), (b, d)), ((a, d), (b, c))]
        best = min(ways, key=lambda way: both(*way))
        if best != ways[0]:
            pairs[x], pairs[y] = best
            better = True
    return better
