"""Sacrum (U): the chits, what table and seats keep, and how inhabitants are given up."""

from __future__ import annotations

from msgspec import Struct

from ...kinds import Ask, Component, Event, Move, Part, Step
from ...pieces import SmallCount, Source

Groups = tuple[tuple[str, ...], ...]


class SacrumChit(Component, Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    id: str
    count: SmallCount
    source: Source = "printed"
    set: str = ""


class SacrumTable(Part, Struct, frozen=True, tag="sacrum_table", gc=False):
    """U1: the face-down chits from top to bottom, in groups: which chits a group holds is known, their order is not.

    In a view each group is sorted.
    """

    groups: Groups
    shuffles: int = 1


class SacrumSeat(Part, Struct, frozen=True, tag="sacrum_seat", gc=False):
    """U1: the inhabitants that a seat has given up."""

    given: int = 0


class ShowSacrum(Step, Struct, frozen=True, tag=True, gc=False):
    """U1: before the disaster chits."""


class AskSacrifice(Ask, Struct, frozen=True, tag=True, gc=False):
    """U1."""

    seat: int


class Sacrifice(Move, Struct, frozen=True, tag="sacrifice", gc=False):
    """U1: how many inhabitants are given up, for 1 coin each."""

    inhabitants: int


class SacrumShown(Event, Struct, frozen=True, tag="sacrum", gc=False):
    """U1: these chits were turned up and went to the bottom."""

    chits: tuple[str, ...]


class Sacrificed(Event, Struct, frozen=True, tag="sacrificed", gc=False):
    """U1: how many inhabitants a seat has given up in all."""

    seat: int
    given: int
