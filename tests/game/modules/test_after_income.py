"""Table M: after income the goats come first, then trade, then sacrum, then the disaster chits."""

from __future__ import annotations

from peloarena.game.modules.goats.shapes import Exchange, Herd
from peloarena.game.modules.sacrum.shapes import SacrumTable
from peloarena.game.modules.trade.shapes import Trade, TradeTable
from peloarena.game.moves import Skip
from peloarena.game.registry import MODULES
from peloarena.game.steps import AfterIncome, DrawChits
from peloarena.testing.states import seat, table


def test_after_income_goats_then_trade_then_sacrum_then_the_chits() -> None:
    """M: although trade stands before goats in the table."""
    names = list(MODULES)
    assert names.index("trade") < names.index("goats") < names.index("sacrum")
    game = table(
        seat(pop=2, parts=[Herd(2)], lands=["C22"], taken="C22"),
        modules=["trade", "goats", "sacrum"],
        parts=[TradeTable("K3"), SacrumTable((("skull", "blank", "blank", "blank", "blank"),))],
        pile=["blank", "plague"],
        agenda=[AfterIncome(), DrawChits()],
    )
    kinds = []
    for move in (Exchange("wood", 3), Trade("wood", 2, "coin", 2), Skip()):
        kinds.append(game.decision.kind)
        game.choose(move)
    assert kinds == ["exchange", "trade", "sacrifice"]
    assert game.state.chits == {"blank": 1, "plague": 1}


def test_goats_exchanged_for_coins_may_be_traded_and_then_pay_for_a_sacrifice() -> None:
    """M: each moment is over for all before the next begins (P3)."""
    game = table(
        seat(pop=1),
        seat(parts=[Herd(3)], lands=["C22"], taken="C22"),
        modules=["trade", "goats", "sacrum"],
        parts=[TradeTable("K5"), SacrumTable((("skull", "blank", "blank", "blank", "blank"),))],
        agenda=[AfterIncome()],
    )
    for resource in ("wood", "stone", "food"):
        game.choose(Exchange(resource, 0))
    game.choose(Trade("coin", 2, "pop", 1))
    assert (game.decision.seat, game.decision.kind, len(game.decision.legal)) == (1, "sacrifice", 2)
