"""Persians (C1-C5): their chits, what table and seats keep, the decisions they bring, and what happens."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from ...kinds import Ask, Component, Event, Move, Part, Step
from ...pieces import Source

CLOVERLEAVES = 3
"""C1: for each seat."""


class StrengthSeat(Part, Struct, frozen=True, tag="strength_seat", gc=False):
    """C1: what a seat has for and from its fights."""

    strength: int = 0
    cloverleaves: int = CLOVERLEAVES
    mercenaries: int = 0


class PersianChit(Component, Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    id: str
    value: Annotated[int, Meta(ge=0, le=99)]
    source: Source = "text"
    set: str = ""
    reconstructed: tuple[str, ...] = ()


class PersiansTable(Part, Struct, frozen=True, tag="persians_table", gc=False):
    last: str = ""
    """The kind of the chit accepted last this round (C1)."""
    repelled: tuple[bool, ...] = ()
    """The attacks so far (C3)."""


class AskStrength(Ask, Struct, frozen=True, tag=True, gc=False):
    """C2: pay for strength with the tile just taken."""

    seat: int
    tile: str


class AskHire(Ask, Struct, frozen=True, tag=True, gc=False):
    """C3, C6: hire mercenaries, `most` at most."""

    seat: int
    most: int


class Attack(Step, Struct, frozen=True, tag=True, gc=False):
    """C3."""

    consequence: str


class AskSurrender(Ask, Struct, frozen=True, tag=True, gc=False):
    """C3: which of the best tiles to lose."""

    seat: int


class Strengthen(Move, Struct, frozen=True, tag="strengthen", gc=False):
    """C2: pay more for this tile, for strength."""

    tile: str


class Hire(Move, Struct, frozen=True, tag="hire", gc=False):
    """C3: how many mercenaries are hired, for a coin each."""

    mercenaries: int


class Surrender(Move, Struct, frozen=True, tag="surrender", gc=False):
    """C3: lose this tile to the Persians."""

    tile: str


class StrengthChanged(Event, Struct, frozen=True, tag="strength", gc=False):
    """What the strength of a seat is now."""

    seat: int
    why: str
    strength: int


class Attacked(Event, Struct, frozen=True, tag="attack", gc=False):
    """C3: the Persians' strength against that of all seats together."""

    persians: int
    defence: int
    repelled: bool


class ConflictWon(Event, Struct, frozen=True, tag="conflict", gc=False):
    """C4: what the strong seat took from the weak one: one cloverleaf or none, one inhabitant or none."""

    strong: int
    weak: int
    cloverleaves: int
    inhabitants: int
