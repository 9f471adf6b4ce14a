"""Sea (O): sea tiles, bought before the bidding; each is a food in every supply round."""

from __future__ import annotations

from ...hooks import Hooks
from ...module import Module, asks, plays, says
from . import rules
from .shapes import AskSea, BuySea, SeaLaid, SeaSeat, SeaTable

SEA = Module(
    name="sea",
    summary="sea tiles, bought before the bidding",
    sets=("sea",),
    decks={rules.DECK: rules.sea_tiles},
    questions=asks(AskSea, "buy_sea", rules.options),
    moves=plays(BuySea, rules.buy),
    events=(SeaLaid,),
    parts=(SeaTable, SeaSeat),
    texts={
        **says(BuySea, lambda m, n: f"buy {n.tile(m.tile)}"),
        **says(SeaLaid, lambda e, n: "sea tiles on offer: " + ", ".join(n.tile(t) for t in e.tiles)),
    },
    kinds={"buy_sea": "Buy a sea tile before the bidding, or not"},
    hooks=Hooks(
        setup=(rules.setup,),
        bidding_start=(rules.offer_all,),
        fed_free=(rules.fed_free,),
        power_points=(rules.power_points,),
    ),
)
