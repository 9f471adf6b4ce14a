"""Trade (T): the trade tile, what the table keeps, and how goods are traded."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from ...kinds import Ask, Component, Event, Move, Part
from ...pieces import Source

Resource = Literal["wood", "stone", "food", "coin", "pop", "lux"]
TradePair = tuple[str, str]
"""The resource given and the resource received."""


class TradeTile(Component, Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """T2: any of `give` for any of `get`."""

    id: str
    give: tuple[Resource, ...]
    get: tuple[Resource, ...]
    rate: Annotated[int, Meta(ge=1, le=99)] = 1
    """How many are given for each one received."""
    source: Source = "printed"
    set: str = ""


class TradeTable(Part, Struct, frozen=True, tag="trade_table", gc=False):
    """T1: the tile of this round; the face-down ones in drawing order, sorted in a view."""

    tile: str = ""
    deck: tuple[str, ...] = ()
    shuffles: int = 0


class AskTrade(Ask, Struct, frozen=True, tag=True, gc=False):
    """T2; `done` are the pairs traded this round."""

    seat: int
    done: tuple[TradePair, ...] = ()


class Trade(Move, Struct, frozen=True, tag="trade", gc=False):
    """T2: what is given and what is got, with their amounts."""

    give: str
    given: int
    get: str
    got: int


class TradeTurnedUp(Event, Struct, frozen=True, tag="trade_tile", gc=False):
    """T1: the tile of the round; `shuffled` when all were shuffled before it."""

    tile: str
    shuffled: bool
