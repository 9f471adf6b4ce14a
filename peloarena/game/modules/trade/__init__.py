"""Trade (T): a tile turned up each round says what the seat last in turn order may trade after income."""

from __future__ import annotations

from ...hooks import Hooks
from ...module import Explained, Module, asks, hides, plays, says
from ...moves import Skip
from ...texts import Names
from . import rules
from .shapes import AskTrade, Trade, TradeTable, TradeTile, TradeTurnedUp


def terms_text(tile: TradeTile) -> str:
    """`wood or stone for food`, `2 coin for 1 pop`."""
    give, get = " or ".join(tile.give), " or ".join(tile.get)
    return f"{give} for {get}" if tile.rate == 1 else f"{tile.rate} {give} for 1 {get}"


def turned_up_text(event: TradeTurnedUp, names: Names) -> str:
    tile = names.catalogue.card(rules.DECK, event.tile, TradeTile)
    return f"trade tile {event.tile}: {terms_text(tile)}{' (all were shuffled)' if event.shuffled else ''}"


def trade_table_text(table: TradeTable, names: Names) -> str:
    if not table.tile:
        return ""
    return f"trade tile {table.tile}: {terms_text(names.catalogue.card(rules.DECK, table.tile, TradeTile))}"


TRADE = Module(
    name="trade",
    summary="the last in turn order may trade after income",
    brings="in solo the only player is the last",
    sets=("trade",),
    cards={rules.DECK: TradeTile},
    questions=asks(
        AskTrade,
        "trade",
        rules.trade_options,
        Explained(
            text="Trade goods of your own as the trade tile says, or not",
            when="after income, last seat",
            rule="T2",
            examples=(Trade("wood", 2, "food", 2), Skip()),
            about={"done": "The pairs traded this round, each as [given, got]."},
        ),
    ),
    moves=plays(Trade, rules.trade),
    events=(TradeTurnedUp,),
    parts=(TradeTable,),
    hidden=hides(TradeTable, rules.visible_table, rules.guess_table),
    texts={
        **says(Trade, lambda m, n: f"trade {m.given} {m.give} for {m.got} {m.get}"),
        **says(TradeTurnedUp, turned_up_text),
        **says(TradeTable, trade_table_text),
    },
    hooks=Hooks(setup=(rules.setup,), round_start=(rules.turn_up_trade_tile,), after_income=(rules.ask_last_seat,)),
)
