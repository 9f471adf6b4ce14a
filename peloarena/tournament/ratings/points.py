"""Points: for each game the share of the others beaten; a tie counts half. No other code splits ties.

Knows ranks; absent bots lose. (pairs.py does the same on whole arrays.)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import TypeVar

from msgspec import Struct, field

T = TypeVar("T")


def half_points(mine: int, other: int) -> int:
    """For one seat against another, in halves: 2 for the better rank, 1 for the same, 0 for the worse."""
    return 2 if mine < other else int(mine == other)


def share_beaten(ranks: Sequence[int], seat: int) -> float:
    """1 for beating all others, 0 for beating none, and a tie counts half; alone at the table: 1."""
    others = [*ranks[:seat], *ranks[seat + 1 :]]
    return sum(half_points(ranks[seat], rank) for rank in others) / 2 / len(others) if others else 1.0


class Counts(Struct):
    """A bot's results. A win is an unshared first rank, a draw a shared first rank, a loss anything else."""

    games: int = 0
    wins: int = 0
    draws: int = 0
    halves: Counter[int] = field(default_factory=Counter)
    """Half points by table size: dividing by n-1 only once keeps rounding errors of thirds from accumulating."""

    def add(self, ranks: Sequence[int], seat: int, *, absent: bool = False) -> None:
        """An absent bot loses, even if all are absent."""
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


def ranks_with_ties(keys: Sequence[T]) -> list[int]:
    """1, 2, 2, 4: equals share a rank. The best come first."""
    ranks: list[int] = []
    for number, key in enumerate(keys):
        ranks.append(ranks[-1] if number and key == keys[number - 1] else number + 1)
    return ranks
