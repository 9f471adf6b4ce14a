"""Sea (O): sea tiles, bought before the bidding; each is a food in every supply round."""

from __future__ import annotations

from ...hooks import Hooks
from ...module import Explained, Module, asks, plays, says
from ...moves import Skip
from . import rules
from .shapes import AskSea, BuySea, SeaLaid, SeaSeat, SeaTable

SEA = Module(
    name="sea",
    summary="sea tiles, bought before the bidding",
    brings="one sea tile per player",
    sets=("sea",),
    decks={rules.DECK: rules.sea_tiles},
    questions=asks(
        AskSea,
        "buy_sea",
        rules.sea_options,
        Explained(
            text="Buy a sea tile before the bidding, or not",
            when="before the bidding",
            rule="O2",
            examples=(BuySea("S4"), Skip()),
        ),
    ),
    moves=plays(BuySea, rules.buy_sea_tile),
    events=(SeaLaid,),
    parts=(SeaTable, SeaSeat),
    texts={
        **says(BuySea, lambda m, n: f"buy {n.tile(m.tile)}"),
        **says(SeaLaid, lambda e, n: "sea tiles on offer: " + ", ".join(n.tile(t) for t in e.tiles)),
    },
    hooks=Hooks(
        setup=(rules.setup,),
        bidding_start=(rules.ask_all_seats,),
        fed_for_free=(rules.fed_for_free,),
        power_points=(rules.power_points,),
    ),
)
