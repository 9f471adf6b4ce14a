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

BotT = TypeVar("BotT")
MAX_SWEEPS = 8
MAX_TABLE_PAIRS_EXAMINED = 1_500_000
"""Pairs of tables examined in all sweeps: about two seconds. In a large roster, greedy filling is even enough."""


class MeetingCounts:
    """How often each pair meets, and how a change would affect the evenness."""

    def __init__(self, count: int) -> None:
        self.pairs = [[0] * count for _ in range(count)]

    def add(self, table: Sequence[int], change: int) -> None:
        for a, b in combinations(table, 2):
            self.pairs[a][b] += change
            self.pairs[b][a] += change

    def seating_cost(self, bot: int, others: Sequence[int]) -> int:
        """The cost of seating a bot at a table: its earlier meetings with the others there."""
        row = self.pairs[bot]
        return sum(row[other] for other in others if other != bot)


def balanced_tables(
    bots: Sequence[BotT], seats: int, table_count: int, round_number: int = 1
) -> list[tuple[BotT, ...]]:
    """`table_count` tables of `seats` of these bots for a round, or all possible tables; no two with the same bots.
    Each table is in the order of `bots`."""
    count = len(bots)
    table_count = min(table_count, comb(count, seats))
    if not table_count:
        return []
    shift = (round_number - 1) * (table_count * seats % count or 1)
    roles = balanced_roles(count, seats, table_count)
    return [tuple(bots[n] for n in sorted((role - shift) % count for role in table)) for table in roles]


@lru_cache(maxsize=16)
def balanced_roles(bot_count: int, seats: int, table_count: int) -> tuple[tuple[int, ...], ...]:
    """The roles at each table. Roles that sit at one table more come first: shifted by their number in each round, they
    rotate through the roster, and nobody is ever more than one table ahead."""
    filled = (
        choose_by_complement(bot_count, seats, table_count)
        if 2 * table_count > comb(bot_count, seats)
        else choose_by_filling(bot_count, seats, table_count)
    )
    sits = Counter(n for table in filled for n in table)
    role = {n: role_number for role_number, n in enumerate(sorted(range(bot_count), key=lambda n: -sits[n]))}
    return tuple(tuple(role[n] for n in table) for table in filled)


def choose_by_filling(bot_count: int, seats: int, table_count: int) -> list[list[int]]:
    meetings = MeetingCounts(bot_count)
    filled = fill_tables(bot_count, seats, table_count, meetings)
    fair = max(1, table_count * seats * (seats - 1) // (bot_count * (bot_count - 1)))
    for _ in range(min(MAX_SWEEPS, MAX_TABLE_PAIRS_EXAMINED // max(1, len(filled)) ** 2)):
        if not improve_by_swaps(filled, meetings, fair):
            break
    split_duplicate_tables(filled, meetings)
    return filled


def choose_by_complement(bot_count: int, seats: int, table_count: int) -> list[list[int]]:
    """More than half of all tables: the complement of a balanced choice is also balanced."""
    every = list(combinations(range(bot_count), seats))
    left_out = {tuple(sorted(table)) for table in choose_by_filling(bot_count, seats, max(0, len(every) - table_count))}
    return [list(table) for table in every if table not in left_out]


def split_duplicate_tables(tables: list[list[int]], meetings: MeetingCounts) -> None:
    """Two tables with the same bots would play the same games twice in a round: one of them swaps a bot with another
    table, choosing the swap that keeps meetings most even."""
    occurrences = Counter(map(frozenset, tables))
    for one in tables:
        if occurrences[frozenset(one)] > 1:
            swap = min(swaps_that_split(one, tables, occurrences, meetings.pairs), default=None)
            if swap is None:
                continue
            _, seat, number, other = swap
            two = tables[number]
            for table in (one, two):
                occurrences[frozenset(table)] -= 1
                meetings.add(table, -1)
            one[seat], two[other] = two[other], one[seat]
            for table in (one, two):
                occurrences[frozenset(table)] += 1
                meetings.add(table, 1)


def swaps_that_split(
    duplicate: list[int], tables: list[list[int]], occurrences: Counter[frozenset[int]], pairs: list[list[int]]
) -> Iterator[tuple[int, int, int, int]]:
    """Swaps after which neither table equals any other: the cost, the seat, the other table, the seat there."""
    for number, two in enumerate(tables):
        for seat, a in enumerate(duplicate):
            for other, b in enumerate(two):
                mine, theirs = frozenset(duplicate) - {a} | {b}, frozenset(two) - {b} | {a}
                if a in two or b in duplicate or mine == theirs or occurrences[mine] or occurrences[theirs]:
                    continue
                cost = sum(pairs[b][n] - pairs[a][n] for n in duplicate if n != a)
                yield cost + sum(pairs[a][n] - pairs[b][n] for n in two if n != b), seat, number, other


def fill_tables(bot_count: int, seats: int, table_count: int, meetings: MeetingCounts) -> list[list[int]]:
    """Table by table: bots that played least come first; among them, those that met the table least."""
    played = [0] * bot_count
    filled: list[list[int]] = []
    for _ in range(table_count):
        table: list[int] = []
        while len(table) < seats:
            free = [n for n in range(bot_count) if n not in table]
            least = min(played[n] for n in free)
            step = tie_break_step(bot_count, least)
            chosen = min(
                (n for n in free if played[n] == least),
                key=lambda n: (meetings.seating_cost(n, table), n * step % bot_count),
            )
            table.append(chosen)
            played[chosen] += 1
        meetings.add(table, 1)
        filled.append(table)
    return filled


def tie_break_step(bot_count: int, games_played: int) -> int:
    """Vary the order among equals on each pass through the roster, so that the same bots are not left over together."""
    step = games_played + 1
    while gcd(step, bot_count) > 1:
        step += 1
    return step


def improve_by_swaps(tables: list[list[int]], meetings: MeetingCounts, fair_meetings: int) -> bool:
    """One sweep: bots that meet someone more often than is fair look for a swap that makes meetings more even."""
    better = False
    for one, two in permutations(tables, 2):
        for seat, bot in enumerate(one):
            if max(meetings.pairs[bot][other] for other in one) > fair_meetings:
                better |= try_swap(one, seat, two, meetings)
    return better


def try_swap(first: list[int], seat: int, second: list[int], meetings: MeetingCounts) -> bool:
    """The first swap with a bot of the other table that makes meetings more even."""
    for other in range(len(second)):
        if is_better_swap(first, seat, second, other, meetings.pairs):
            for table in (first, second):
                meetings.add(table, -1)
            first[seat], second[other] = second[other], first[seat]
            for table in (first, second):
                meetings.add(table, 1)
            return True
    return False


def is_better_swap(
    first: list[int], first_seat: int, second: list[int], second_seat: int, pairs: list[list[int]]
) -> bool:
    """Whether a swap lowers the sum of squared meetings.

    A pair that has met m times costs m², one more meeting costs 2m + 1: comparing the meetings elsewhere is enough.
    """
    a, b = first[first_seat], second[second_seat]
    if a in second or b in first:
        return False
    row_a, row_b = pairs[a], pairs[b]
    gain = -2 * (len(first) - 1)  # meetings at these two tables do not count
    for n in first:
        gain += row_a[n] - row_b[n]
    for n in second:
        gain += row_b[n] - row_a[n]
    gain += 2 * row_a[b]  # a and b do not neighbour themselves
    return gain + 2 * len(set(first) & set(second)) > 0
