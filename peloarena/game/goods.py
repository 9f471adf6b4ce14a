"""Goods: an amount of each resource. Used for costs, incomes, starting goods and every change of a stock."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

STORED_RESOURCES = ("wood", "stone", "food")
"""The resources with a storehouse (P6)."""
PAYABLE_RESOURCES = ("wood", "stone", "food", "coin")
"""What luxury can replace (P5), and what an "any" icon gives (R6)."""


class Goods(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True, gc=False):
    wood: int = 0
    stone: int = 0
    food: int = 0
    coin: int = 0
    pop: int = 0
    lux: int = 0

    @staticmethod
    def single(resource: str, amount: int = 1) -> Goods:
        """Goods of a single resource."""
        return Goods(**{resource: amount})

    def __add__(self, other: Goods) -> Goods:
        return Goods(
            self.wood + other.wood,
            self.stone + other.stone,
            self.food + other.food,
            self.coin + other.coin,
            self.pop + other.pop,
            self.lux + other.lux,
        )

    def __sub__(self, other: Goods) -> Goods:
        return Goods(
            self.wood - other.wood,
            self.stone - other.stone,
            self.food - other.food,
            self.coin - other.coin,
            self.pop - other.pop,
            self.lux - other.lux,
        )

    def amounts(self) -> tuple[int, int, int, int, int, int]:
        return self.wood, self.stone, self.food, self.coin, self.pop, self.lux

    def items(self) -> Iterator[tuple[str, int]]:
        yield "wood", self.wood
        yield "stone", self.stone
        yield "food", self.food
        yield "coin", self.coin
        yield "pop", self.pop
        yield "lux", self.lux

    def text(self) -> str:
        """`2 wood, 1 stone`; `nothing` when all are zero."""
        return ", ".join(f"{amount} {name}" for name, amount in self.items() if amount) or "nothing"

    def signed_text(self) -> str:
        """A change as text: `+2 wood, −1 coin`."""
        parts = (f"{'+' if n > 0 else '−'}{abs(n)} {name}" for name, n in self.items() if n)
        return ", ".join(parts) or "nothing"


NOTHING = Goods()
