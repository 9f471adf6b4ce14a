"""Colonies (C6): the event of their dealing."""

from __future__ import annotations

from msgspec import Struct

from ...kinds import Event


class ColonyDealt(Event, Struct, frozen=True, tag="colony", gc=False):
    """C1: a seat's colony; again when it is exchanged."""

    seat: int
    colony: str
