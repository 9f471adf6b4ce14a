"""Sea (O): the sea tiles of table and seats, and how they are bought."""

from __future__ import annotations

from msgspec import Struct

from ...kinds import Ask, Event, Move, Part


class SeaTable(Part, Struct, frozen=True, tag="sea_table", gc=False):
    """The sea tiles on offer."""

    tiles: tuple[str, ...]


class SeaSeat(Part, Struct, frozen=True, tag="sea_seat", gc=False):
    """The sea tiles of a seat."""

    tiles: tuple[str, ...] = ()


class AskSea(Ask, Struct, frozen=True, tag=True, gc=False):
    """O2."""

    seat: int


class BuySea(Move, Struct, frozen=True, tag="buy_sea", gc=False):
    """O2: buy this sea tile at its full cost."""

    tile: str


class SeaLaid(Event, Struct, frozen=True, tag="sea_laid", gc=False):
    """O1."""

    tiles: tuple[str, ...]
