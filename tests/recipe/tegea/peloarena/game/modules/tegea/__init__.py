"""Tegea (Y): a civilization that may sell a stone after each income."""

from __future__ import annotations

from ...hooks import Hooks
from ...module import Explained, Module, asks, plays, says
from ...moves import Skip
from . import rules
from .shapes import AskSale, SellStone

TEGEA = Module(
    name="tegea",
    summary="one more civilization, which may sell stones",
    brings="Tegea",
    sets=("tegea",),
    questions=asks(
        AskSale,
        "sell_stone",
        rules.options,
        Explained(
            text="Sell a stone for 2 coins, or not",
            when="after income, the owner of Tegea",
            rule="Y1",
            examples=(SellStone(), Skip()),
            about={"coins": "What the stone brings."},
        ),
    ),
    moves=plays(SellStone, rules.sell),
    texts=says(SellStone, lambda m, n: "sell a stone"),
    hooks=Hooks(after_income=(rules.offer,)),
)
