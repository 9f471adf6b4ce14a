"""Tegea (Y): when a stone may be sold, and what it brings. Knows its civilization by the ability only."""

from __future__ import annotations

from ...flow import Flow
from ...goods import Goods
from ...kinds import Move, Step
from ...moves import Skip
from ...stock import gain
from .shapes import AskSale, SellStone

ABILITY = "sells_stone"
COINS = 2
"""Y1: for a stone."""


def offer(flow: Flow) -> list[Step]:
    """Y1: after income, in turn order."""
    return [AskSale(number, COINS) for number in flow.state.order if ABILITY in flow.seat(number).abilities]


def options(flow: Flow, step: AskSale) -> list[Move]:
    """Y1: a stone of one's own; luxury does not stand in."""
    return [SellStone(), Skip()] if flow.seat(step.seat).stone else [Skip()]


def sell(flow: Flow, step: AskSale, move: SellStone) -> None:
    gain(flow, step.seat, Goods(stone=-1, coin=step.coins), "sale")
