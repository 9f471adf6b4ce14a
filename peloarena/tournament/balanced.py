"""Balanced tables: so many tables of k that every bot plays equally often (within one) and pairs meet evenly.

Deterministic: greedy filling, then swaps while they lower the sum of squared meetings.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

MOST_SWEEPS = 8


class Meetings:
    """How often each pair meets, and what a change would do to the evenness."""

    def __init__(self, count: int) -> None:
        self.pairs = [[0] * count for _ in range(count)]

    def add(self, table: Sequence[int], by: int) -> None:
        for a, b in combinations(table, 2):
            self.pairs[a][b] += by
            self.pairs[b][a] += by

    def cost(self, one: int, others: Sequence[int]) -> int:
        """How unwelcome a bot is at a table: the meetings it has already had with the others there."""
        row = self.pairs[one]
        return sum(row[other] for other in others if other != one)


def balanced_tables(bots: Sequence[str], seats: int, tables: int) -> list[tuple[str, ...]]:
    """`tables` tables of `seats` of these bots; within a table in the order of `bots`."""
    if len(bots) < seats:
        return []
    meetings = Meetings(len(bots))
    filled = fill(len(bots), seats, tables, meetings)
    for _ in range(MOST_SWEEPS):
        if not improve(filled, meetings):
            break
    return [tuple(bots[n] for n in sorted(table)) for table in filled]


def fill(bots: int, seats: int, tables: int, meetings: Meetings) -> list[list[int]]:
    """Table by table: those who played least first; among them who met the table least."""
    played = [0] * bots
    filled: list[list[int]] = []
    for _ in range(tables):
        table: list[int] = []
        while len(table) < seats:
            free = [n for n in range(bots) if n not in table]
            chosen = min(free, key=lambda n: (played[n], meetings.cost(n, table), n))
            table.append(chosen)
            played[chosen] += 1
        meetings.add(table, 1)
        filled.append(table)
    return filled


def improve(tables: list[list[int]], meetings: Meetings) -> bool:
    """One sweep: exchange two bots of two tables wherever pairs then meet more evenly."""
    better = False
    for first, second in combinations(range(len(tables)), 2):
        for place in range(len(tables[first])):
            for other in range(len(tables[second])):
                better |= exchange(tables[first], place, tables[second], other, meetings)
    return better


def exchange(one: list[int], place: int, two: list[int], other: int, meetings: Meetings) -> bool:
    """Exchange if that lowers the sum of squared meetings."""
    a, b = one[place], two[other]
    if a == b or a in two or b in one:
        return False
    rest_one, rest_two = [n for n in one if n != a], [n for n in two if n != b]
    meetings.add(one, -1)
    meetings.add(two, -1)
    # A pair that has met m times costs m²; once more costs 2m + 1: fewer earlier meetings are cheaper.
    stay = meetings.cost(a, rest_one) + meetings.cost(b, rest_two)
    swap = meetings.cost(a, rest_two) + meetings.cost(b, rest_one)
    if swap < stay:
        one[place], two[other] = b, a
    meetings.add(one, 1)
    meetings.add(two, 1)
    return swap < stay
