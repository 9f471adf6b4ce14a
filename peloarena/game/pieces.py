"""The printed pieces: tiles, civilizations and mats with their values, and the catalogue of all of them.

Knows the fields of every piece, not what it does. Modules add further kinds of cards by their Struct.
"""

from __future__ import annotations

from typing import Annotated, Literal, TypeVar

from msgspec import Meta, Struct

from .goods import NOTHING, Goods
from .kinds import Component

Source = Literal["printed", "text", "reconstructed", "override"]
SmallCount = Annotated[int, Meta(ge=0, le=99)]
PieceName = Annotated[str, Meta(max_length=60)]
C = TypeVar("C", bound=Component)


class Tile(Component, Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A land, building or sea tile."""

    id: str
    kind: Literal["land", "building", "sea"]
    points: SmallCount
    stack: str = ""
    """The letter on its back; the first letter of its id unless given."""
    name: PieceName = ""
    min: SmallCount = 0
    """The minimum bid."""
    cost: Goods = NOTHING
    once: Goods = NOTHING
    income: Goods = NOTHING
    any: SmallCount = 0
    """How many "any" icons are in its income."""
    counters: dict[str, SmallCount] = {}
    """Other icons in its income, for modules."""
    protects: tuple[str, ...] = ()
    abilities: tuple[str, ...] = ()
    supply: bool = False
    """R1: revealing it starts a supply round."""
    terrain: PieceName = ""
    source: Source = "printed"
    set: str = ""
    with_set: str = ""
    """Also needs this set in play (X1: a ninth-round tile of another set)."""
    reconstructed: tuple[str, ...] = ()
    """The keys whose values no source prints, where the others are known."""

    @property
    def title(self) -> str:
        return self.name or self.terrain.replace("+", " and ") or f"{self.kind} tile {self.id[1:]}"


class Civilization(Component, Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    id: str
    order: SmallCount
    start: Goods
    income: Goods = NOTHING
    any: SmallCount = 0
    protects: tuple[str, ...] = ()
    abilities: tuple[str, ...] = ()
    source: Source = "printed"
    set: str = ""
    reconstructed: tuple[str, ...] = ()


class Storage(Struct, frozen=True, forbid_unknown_fields=True):
    wood: SmallCount
    stone: SmallCount
    food: SmallCount


class Mat(Component, Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A player mat or what stands in its place."""

    id: str
    storage: Storage
    income: Annotated[tuple[tuple[SmallCount, SmallCount, SmallCount], ...], Meta(min_length=1)]
    """Rows of (population from, coins, luxury), rising."""
    coins_per_point: Annotated[int, Meta(ge=1, le=99)]
    points_per_inhabitant: SmallCount
    abilities: tuple[str, ...] = ()
    note: str = ""
    source: Source = "printed"
    set: str = ""
    reconstructed: tuple[str, ...] = ()


class Catalogue(Struct, frozen=True):
    """The pieces of a choice of sets."""

    mats: dict[str, Mat]
    civilizations: dict[str, Civilization]
    tiles: dict[str, Tile]
    cards: dict[str, dict[str, Component]]
    """Cards that only modules know, by table."""
    abilities: dict[str, str]
    """One sentence for each ability that a piece names."""
    chits: dict[str, dict[str, int]]
    """Chits by set and kind; those of `one+other` are there when both sets are in play. Bots read these keys."""

    def chit_counts(self) -> dict[str, int]:
        total: dict[str, int] = {}
        for counts in self.chits.values():
            for kind, count in counts.items():
                total[kind] = total.get(kind, 0) + count
        return total

    def card(self, table: str, name: str, kind: type[C]) -> C:
        """One of a module's cards, typed."""
        found = self.cards[table][name]
        assert isinstance(found, kind)
        return found

    def deck(self, table: str, kind: type[C]) -> dict[str, C]:
        """A module's cards, typed."""
        return {name: card for name, card in self.cards.get(table, {}).items() if isinstance(card, kind)}
