"""Balanced tables: a given number of tables of k at which every bot plays equally often (within one) and pairs meet
evenly.

Deterministic: greedy filling, then swaps while they lower the sum of squared meetings. The tables are filled with
roles; the bots take other roles in each round, so that a whole tournament is as even as one round.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from functools import lru_cache
from itertools import combinations, permutations
from math import comb, gcd
from typing import TypeVar

Bot = TypeVar("Bot")
MOST_SWEEPS = 8
MOST_LOOKS = 1_500_000
"""Pairs of tables examined in all sweeps: about two seconds. In a large field, greedy filling is even enough."""


class MeetingCounts:
    """How often each pair meets, and how a change would affect the evenness."""

    def __init__(self, count: int) -> None:
        self.pairs = [[0] * count for _ in range(count)]

    def add(self, table: Sequence[int], by: int) -> None:
        for a, b in combinations(table, 2):
            self.pairs[a][b] += by
            self.pairs[b][a] += by

    def cost(self, one: int, others: Sequence[int]) -> int:
        """The cost of seating a bot at a table: its earlier meetings with the others there."""
        row = self.pairs[one]
        return sum(row[other] for other in others if other != one)


def balanced_tables(bots: Sequence[Bot], seats: int, tables: int, number: int = 1) -> list[tuple[Bot, ...]]:
    """`tables` tables of `seats` of these bots for round `number`, or all possible tables; no two with the same bots.
    Each table is in the order of `bots`."""
    count = len(bots)
    tables = min(tables, comb(count, seats))
    if not tables:
        return []
    shift = (number - 1) * (tables * seats % count or 1)
    roles = balanced_roles(count, seats, tables)
    return [tuple(bots[n] for n in sorted((role - shift) % count for role in table)) for table in roles]


@lru_cache(maxsize=16)
def balanced_roles(count: int, seats: int, tables: int) -> tuple[tuple[int, ...], ...]:
    """The roles at each table. Roles that sit at one table more come first: shifted by their number in each round, they
    rotate through the field, and nobody is ever more than one table ahead."""
    filled = all_but(count, seats, tables) if 2 * tables > comb(count, seats) else few_tables(count, seats, tables)
    sits = Counter(n for table in filled for n in table)
    role = {n: place for place, n in enumerate(sorted(range(count), key=lambda n: -sits[n]))}
    return tuple(tuple(role[n] for n in table) for table in filled)


def few_tables(count: int, seats: int, tables: int) -> list[list[int]]:
    meetings = MeetingCounts(count)
    filled = fill(count, seats, tables, meetings)
    fair = max(1, tables * seats * (seats - 1) // (count * (count - 1)))
    for _ in range(min(MOST_SWEEPS, MOST_LOOKS // max(1, len(filled)) ** 2)):
        if not improve(filled, meetings, fair):
            break
    part(filled, meetings)
    return filled


def all_but(count: int, seats: int, tables: int) -> list[list[int]]:
    """More than half of all tables: the complement of a balanced choice is also balanced."""
    every = list(combinations(range(count), seats))
    left_out = {tuple(sorted(table)) for table in few_tables(count, seats, max(0, len(every) - tables))}
    return [list(table) for table in every if table not in left_out]


def part(tables: list[list[int]], meetings: MeetingCounts) -> None:
    """Two tables with the same bots would play the same games twice in a round: one of them swaps a bot with another
    table, choosing the swap that keeps meetings most even."""
    seen = Counter(map(frozenset, tables))
    for one in tables:
        if seen[frozenset(one)] > 1:
            found = min(partings(one, tables, seen, meetings.pairs), default=None)
            if found is None:
                continue
            _, place, number, other = found
            two = tables[number]
            for table in (one, two):
                seen[frozenset(table)] -= 1
                meetings.add(table, -1)
            one[place], two[other] = two[other], one[place]
            for table in (one, two):
                seen[frozenset(table)] += 1
                meetings.add(table, 1)


def partings(
    one: list[int], tables: list[list[int]], seen: Counter[frozenset[int]], pairs: list[list[int]]
) -> Iterator[tuple[int, int, int, int]]:
    """Swaps after which neither table equals any other: the cost, the seat, the other table, the seat there."""
    for number, two in enumerate(tables):
        for place, a in enumerate(one):
            for other, b in enumerate(two):
                mine, theirs = frozenset(one) - {a} | {b}, frozenset(two) - {b} | {a}
                if a in two or b in one or mine == theirs or seen[mine] or seen[theirs]:
                    continue
                cost = sum(pairs[b][n] - pairs[a][n] for n in one if n != a)
                yield cost + sum(pairs[a][n] - pairs[b][n] for n in two if n != b), place, number, other


def fill(bots: int, seats: int, tables: int, meetings: MeetingCounts) -> list[list[int]]:
    """Table by table: bots that played least come first; among them, those that met the table least."""
    played = [0] * bots
    filled: list[list[int]] = []
    for _ in range(tables):
        table: list[int] = []
        while len(table) < seats:
            free = [n for n in range(bots) if n not in table]
            least = min(played[n] for n in free)
            step = mixing_step(bots, least)
            chosen = min(
                (n for n in free if played[n] == least), key=lambda n: (meetings.cost(n, table), n * step % bots)
            )
            table.append(chosen)
            played[chosen] += 1
        meetings.add(table, 1)
        filled.append(table)
    return filled


def mixing_step(bots: int, turn: int) -> int:
    """Vary the order among equals on each pass through the field, so that the same bots are not left over together."""
    step = turn + 1
    while gcd(step, bots) > 1:
        step += 1
    return step


def improve(tables: list[list[int]], meetings: MeetingCounts, fair: int) -> bool:
    """One sweep: bots that meet someone more often than is fair look for a swap that makes meetings more even."""
    better = False
    for one, two in permutations(tables, 2):
        for place, bot in enumerate(one):
            if max(meetings.pairs[bot][other] for other in one) > fair:
                better |= exchange(one, place, two, meetings)
    return better


def exchange(one: list[int], place: int, two: list[int], meetings: MeetingCounts) -> bool:
    """The first swap with a bot of the other table that makes meetings more even."""
    for other in range(len(two)):
        if saves(one, place, two, other, meetings.pairs):
            for table in (one, two):
                meetings.add(table, -1)
            one[place], two[other] = two[other], one[place]
            for table in (one, two):
                meetings.add(table, 1)
            return True
    return False


def saves(one: list[int], place: int, two: list[int], other: int, pairs: list[list[int]]) -> bool:
    """Whether a swap lowers the sum of squared meetings.

    A pair that has met m times costs m², one more meeting costs 2m + 1: comparing the meetings elsewhere is enough.
    """
    a, b = one[place], two[other]
    if a in two or b in one:
        return False
    row_a, row_b = pairs[a], pairs[b]
    gain = -2 * (len(one) - 1)  # meetings at these two tables do not count
    for n in one:
        gain += row_a[n] - row_b[n]
    for n in two:
        gain += row_b[n] - row_a[n]
    gain += 2 * row_a[b]  # a and b do not neighbour themselves
    return gain + 2 * len(set(one) & set(two)) > 0
