"""Goats (G): the herd, and how it is exchanged."""

from __future__ import annotations

from msgspec import Struct

from ...kinds import Ask, Event, Move, Part


class Herd(Part, Struct, frozen=True, tag="herd", gc=False):
    """G1: a seat's goats."""

    goats: int = 0


class AskExchange(Ask, Struct, frozen=True, tag=True, gc=False):
    """G2: how many goats become this resource; kind by kind, the last takes what is left."""

    seat: int
    resource: str


class Exchange(Move, Struct, frozen=True, tag="exchange", gc=False):
    """G2: how many goats are exchanged, each for one of this resource."""

    resource: str
    goats: int


class HerdChanged(Event, Struct, frozen=True, tag="herd", gc=False):
    """G1, G2: how many goats a seat has now."""

    seat: int
    goats: int
