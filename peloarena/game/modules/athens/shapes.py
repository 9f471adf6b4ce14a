"""The Aid of Athens (H): what it keeps, and its move and events."""

from __future__ import annotations

from msgspec import Struct

from ...kinds import Event, Move, Part


class Aid(Part, Struct, frozen=True, tag="aid", omit_defaults=True, gc=False):
    """H2: who holds the chit, and the tile it brought until it is placed."""

    holder: int | None = None
    tile: str = ""


class TakeAid(Move, Struct, frozen=True, tag="take_aid", gc=False):
    """H1: this tile, without a bid; a building is paid in full."""

    tile: str


class AidTaken(Event, Struct, frozen=True, tag="aid_taken", gc=False):
    """H1: the tile left the display for this seat."""

    seat: int
    tile: str


class AidReturned(Event, Struct, frozen=True, tag="aid_returned", gc=False):
    """H2."""

    seat: int
