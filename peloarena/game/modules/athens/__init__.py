"""Aid of Athens (H): once a round a seat may take a tile instead of a bid; then it is last, and must pass next round.

A tile taken with the Aid leaves the display at once, so no seat can bid on it or move to it.
"""

from __future__ import annotations

from ...hooks import Hooks
from ...module import AddedMoves, Module, plays, says
from . import rules
from .shapes import Aid, AidReturned, AidTaken, TakeAid

ATHENS = Module(
    name="athens",
    summary="once a round a tile without a bid, and a pass in the next",
    players=range(2, 9),
    added_moves=(AddedMoves("bid", "one more kind of move", "H1", (TakeAid("A02"),)),),
    moves=plays(TakeAid, rules.take_aid),
    events=(AidTaken, AidReturned),
    parts=(Aid,),
    texts={
        **says(TakeAid, lambda m, n: f"take {n.tile(m.tile)} with the Aid of Athens"),
        **says(AidTaken, lambda e, n: f"{n.seat(e.seat)} has the Aid of Athens for {n.tile(e.tile)}"),
        **says(AidReturned, lambda e, n: f"{n.seat(e.seat)} returns the Aid of Athens"),
    },
    hooks=Hooks(
        setup=(rules.setup,),
        bid_options=(rules.bid_options,),
        after_pass=(rules.after_pass,),
        order_final=(rules.final_turn_order,),
        tiles_won=(rules.tiles_won,),
        build_options=(rules.build_options,),
        tile_taken=(rules.tile_taken,),
    ),
)
