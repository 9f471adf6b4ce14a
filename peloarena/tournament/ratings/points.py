"""Points: for each game the share of the others beaten, a tie counting half. The one place where a tie is shared.

Knows ranks; the absent lose. (pairs.py says the same of whole arrays at once.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

from msgspec import Struct, field

T = TypeVar("T")


def half_points(mine: int, other: int) -> int:
    """Of one seat against another, in halves: 2 for the better rank, 1 for the same, 0 for the worse."""
    return 2 if mine < other else int(mine == other)


def share_beaten(ranks: Sequence[int], seat: int) -> float:
    """1 for beating all others, 0 for beating none, a tie counts half; alone at the table: 1."""
    others = [*ranks[:seat], *ranks[seat + 1 :]]
    return sum(half_points(ranks[seat], rank) for rank in others) / 2 / len(others) if others else 1.0


class Counts(Struct):
    """What a bot did in its games. A win is a first rank alone, a draw a shared first rank, a loss anything else."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    halves: Counter[int] = field(default_factory=Counter)
    """Half points by table size, so that 1/(n-1) is divided by once and thirds do not pile up rounding."""

    def add(self, ranks: Sequence[int], seat: int, *, absent: bool = False) -> None:
        """Who is absent has lost, even if nobody was there."""
        self.games += 1
        if absent:
            return
        others = [*ranks[:seat], *ranks[seat + 1 :]]
        self.halves[len(ranks)] += sum(half_points(ranks[seat], rank) for rank in others)
        self.wins += ranks[seat] == 1 and 1 not in others
        self.draws += ranks[seat] == 1 and 1 in others

    @property
    def points(self) -> float:
        return sum(halves / 2 / (size - 1) for size, halves in self.halves.items() if size > 1)

    @property
    def losses(self) -> int:
        return self.games - self.wins - self.draws


def places(keys: Sequence[T]) -> list[int]:
    """1, 2, 2, 4: equals share a place. The best come first."""
    found: list[int] = []
    for number, key in enumerate(keys):
        found.append(found[-1] if number and key == keys[number - 1] else number + 1)
    return found
