"""Tegea (Y): the question, and the move that answers it."""

from __future__ import annotations

from msgspec import Struct

from ...kinds import Ask, Move


class AskSale(Ask, Struct, frozen=True, tag=True, gc=False):
    """Y1; `coins` are what a stone brings."""

    seat: int
    coins: int


class SellStone(Move, Struct, frozen=True, tag="sell_stone", gc=False):
    """Y1: a stone for coins."""
