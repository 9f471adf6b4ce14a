"""Heroes (C6): the hero tile, what a seat keeps of it, and the two decisions that heroes bring."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct

from ...goods import NOTHING, Goods
from ...kinds import Ask, Component, Event, Move, Part
from ...pieces import Source


class Hero(Component, Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """A hero tile: red side up it has points, turned it has none and may cost goods each round."""

    id: str
    points: Annotated[int, Meta(ge=0, le=99)]
    start: Goods = NOTHING
    strength: Annotated[int, Meta(ge=0, le=29)] = 0
    turned: Goods = NOTHING
    """Added to the income of each round once turned."""
    abilities: tuple[str, ...] = ()
    source: Source = "text"
    set: str = ""
    reconstructed: tuple[str, ...] = ()


class HeroSeat(Part, Struct, frozen=True, tag="hero_seat", gc=False):
    """A seat's hero."""

    hero: str
    turned: bool = False
    spent: bool = False
    """Whether it has used its ability that works once a game."""
    used_in: int = 0
    """The round in which it last used its ability that works once a round."""


class AskReplaceChit(Ask, Struct, frozen=True, tag=True, gc=False):
    """Ariadne: have the chit turned up replaced."""

    seat: int


class AskWardOff(Ask, Struct, frozen=True, tag=True, gc=False):
    """Odysseus: be spared this disaster."""

    seat: int
    kind: str


class ReplaceChit(Move, Struct, frozen=True, tag="replace_chit", gc=False):
    """Ariadne: this chit goes under the pile, another is drawn."""

    chit: str


class WardOff(Move, Struct, frozen=True, tag="ward_off", gc=False):
    """Odysseus: pay a coin, once a game, and be spared."""

    kind: str


class HeroDealt(Event, Struct, frozen=True, tag="hero", gc=False):
    """C1: a seat's hero; again when it is exchanged."""

    seat: int
    hero: str


class HeroTurned(Event, Struct, frozen=True, tag="hero_turned", gc=False):
    """C3: the orange side is up."""

    seat: int
    hero: str
