"""The questions of the base game, explained for people: for the tables of spec/, and for `peloarena play`."""

from __future__ import annotations

from .module import Explained
from .moves import (
    Bid,
    Complete,
    ExtraIncome,
    Feed,
    Keep,
    Lose,
    Mark,
    MoveBid,
    Pass,
    Pay,
    TakeAny,
    Withdraw,
)

EXTRA_INCOME = Explained(
    text="Choose one extra income for the whole game",
    when="solo, before round 1",
    rule="Z2",
    examples=(ExtraIncome("food"),),
)
BID = Explained(
    text="Bid on a tile, or pass for 3 coins",
    when="once a round",
    rule="R2, Z1",
    examples=(Bid("B07", 5), Pass()),
)
MOVE_BID = Explained(
    text="You were outbid: move the bid, or withdraw it for 1 coin more",
    when="your bid was outbid",
    rule="R2d",
    examples=(MoveBid("B09"), Withdraw()),
    about={"coins": "The coins of the displaced bid, which move with it."},
)
BUILD = Explained(
    text="Pay for the building now, or mark it",
    when="you took a building",
    rule="R4a",
    examples=(Pay("B02"), Mark("B02")),
    about={"tile": "The building."},
)
ANY_INCOME = Explained(
    text="Choose what one 'any' icon gives this round",
    when='per "any" icon, each round',
    rule="R6",
    examples=(TakeAny("stone"),),
)
KEEP = Explained(
    text="A disaster: pay to keep the tile, or lose it",
    when="earthquake, tempest",
    rule="D1, D2",
    examples=(Keep("B02"), Lose("B02")),
    about={"kind": 'The disaster: `"earthquake"` or `"tempest"`.', "tile": "The building or land at stake."},
)
FEED = Explained(
    text="Food is out: how many inhabitants to feed with luxury; the others are lost",
    when="food ran out",
    rule="V1",
    examples=(Feed(2),),
    about={"hungry": "How many inhabitants have nothing to eat yet."},
)
COMPLETE = Explained(
    text="Pay for the marked building, or lose it",
    when="a marked building in a supply round",
    rule="V2",
    examples=(Complete("B02"), Lose("B02")),
    about={"tile": "The marked building."},
)
