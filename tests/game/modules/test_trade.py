"""Trade (T): the tile of the round, and what the seat last in turn order may do with it."""

from __future__ import annotations

import random
from random import Random
from typing import Any

import pytest

from peloarena.game import Game, RulesError, Seat, determinize, encode, make_options
from peloarena.game.chance import shuffled
from peloarena.game.events import Chose
from peloarena.game.modules.trade.shapes import Trade, TradeTable, TradeTurnedUp
from peloarena.game.moves import Skip
from peloarena.game.parts import part
from peloarena.game.steps import AfterIncome
from peloarena.testing.states import seat, table

TILES = ("K1", "K2", "K3", "K4", "K5")


def trading(tile: str, *seats: Seat, **more: Any) -> Game:
    return table(*seats, modules=["trade"], parts=[TradeTable(tile)], agenda=[AfterIncome()], **more)


def last(**goods: Any) -> tuple[Seat, Seat]:
    """A table of two whose second seat is last in turn order."""
    return seat(wood=5, stone=5, food=5, coin=5, lux=5, pop=5), seat(**goods)


def turned_up(game: Game, random: Random) -> list[TradeTurnedUp]:
    events = list(game.opening)
    while game.decision:
        events += game.choose(random.choice(game.decision.legal))
    return [event for event in events if isinstance(event, TradeTurnedUp)]


def test_a_trade_tile_is_turned_up_before_each_round() -> None:
    """T1."""
    game = Game(make_options(2, ["trade"]), "turned up")
    tile = part(game.state, TradeTable)
    assert TradeTurnedUp(tile.tile, True) in game.opening
    assert sorted((tile.tile, *tile.deck)) == list(TILES)
    assert len(turned_up(game, random.Random(1))) == 8


def test_all_five_are_shuffled_again_when_they_run_out() -> None:
    """T1: the sixth round begins with the second shuffle of the deck."""
    seen = turned_up(Game(make_options(2, ["trade"]), "again"), random.Random(2))
    first, second = (shuffled("again", "trade", TILES, n) for n in (1, 2))
    assert [event.tile for event in seen] == [*first, *second[:3]]
    assert [number for number, event in enumerate(seen, 1) if event.shuffled] == [1, 6]


def test_the_order_of_the_face_down_trade_tiles_is_hidden() -> None:
    """T1, P1: a view sorts them, whatever their order."""
    views = []
    for deck in (("K5", "K2", "K4"), ("K4", "K5", "K2")):
        game = table(*last(wood=1), modules=["trade"], parts=[TradeTable("K1", deck, 1)], agenda=[AfterIncome()])
        views.append(encode(game.view(0)))
    assert views[0] == views[1]
    assert b'"deck":["K2","K4","K5"]' in views[0]


@pytest.mark.parametrize(
    ("tile", "pairs"),
    [
        ("K1", [("wood", 2, "food"), ("stone", 1, "food")]),
        ("K2", [("coin", 3, "wood"), ("coin", 3, "stone"), ("coin", 3, "food")]),
        ("K3", [("wood", 2, "coin"), ("stone", 1, "coin")]),
        ("K4", [("lux", 2, "coin"), ("lux", 2, "food")]),
    ],
)
def test_a_tile_offers_every_pair_and_every_amount_one_for_one(tile: str, pairs: list[tuple[str, int, str]]) -> None:
    """T2."""
    game = trading(tile, *last(wood=2, stone=1, coin=3, lux=2))
    assert game.decision.kind == "trade"
    expected = [Trade(give, n, get, n) for give, most, get in pairs for n in range(1, most + 1)]
    assert game.decision.legal == [*expected, Skip()]


def test_two_coins_buy_one_inhabitant() -> None:
    """T2, K5: an odd coin is left over."""
    game = trading("K5", *last(coin=5, pop=1))
    assert game.decision.legal == [Trade("coin", 2, "pop", 1), Trade("coin", 4, "pop", 2), Skip()]
    game.choose(Trade("coin", 4, "pop", 2))
    assert (game.state.seats[1].coin, game.state.seats[1].pop) == (1, 3)


def test_only_the_seat_last_in_turn_order_is_asked() -> None:
    """T2: the order of the round now played, not the seats' numbers."""
    game = trading("K1", seat(wood=3), seat(wood=3), seat(wood=3), order=(2, 0, 1))
    assert game.decision.seat == 1
    game.choose(Skip())
    assert game.decision is None


def test_alone_the_only_seat_is_the_last() -> None:
    """T2, M: solo."""
    game = trading("K3", seat(stone=1), level=1)
    assert game.decision.legal == [Trade("stone", 1, "coin", 1), Skip()]


def test_luxury_does_not_stand_in_for_goods_traded_away() -> None:
    """T2: own goods only; with none there is nothing to decide (P4)."""
    game = trading("K2", *last(lux=20))
    assert game.decision is None
    assert game.events == [Chose(1, "trade", Skip(), forced=True)]


def test_what_the_storehouse_cannot_hold_becomes_luxury() -> None:
    """T2, P6: food holds 13."""
    game = trading("K1", *last(wood=4, food=12))
    game.choose(Trade("wood", 3, "food", 3))
    own = game.state.seats[1]
    assert (own.wood, own.food, own.lux) == (1, 13, 2)


def test_the_same_pair_is_offered_once_a_round() -> None:
    """T2: the other pairs go on being offered."""
    game = trading("K1", *last(wood=4, stone=2))
    game.choose(Trade("wood", 1, "food", 1))
    assert game.decision.legal == [Trade("stone", 1, "food", 1), Trade("stone", 2, "food", 2), Skip()]
    game.choose(Trade("stone", 2, "food", 2))
    assert game.decision is None
    own = game.state.seats[1]
    assert (own.wood, own.stone, own.food) == (3, 0, 3)


def test_an_amount_beyond_the_stock_is_refused() -> None:
    """T2."""
    game = trading("K1", *last(wood=2))
    with pytest.raises(RulesError, match="trade 3 wood for 3 food: not among the moves of this trade decision"):
        game.choose(Trade("wood", 3, "food", 3))


def test_a_guess_holds_the_same_tiles_in_some_order() -> None:
    """T1, P1."""
    game = Game(make_options(3, ["trade"]), "guess")
    guesses = {
        part(determinize(game.options, game.view(0), random.Random(n)).state, TradeTable).deck for n in range(60)
    }
    assert len(guesses) > 10
    assert {tuple(sorted(deck)) for deck in guesses} == {tuple(sorted(part(game.state, TradeTable).deck))}


def test_trades_and_trade_tiles_in_words() -> None:
    """T1, T2."""
    names = trading("K5", *last(coin=5)).names()
    assert names.text(Trade("coin", 4, "pop", 2)) == "trade 4 coin for 2 pop"
    assert names.text(TradeTurnedUp("K5", False)) == "trade tile K5: 2 coin for 1 pop"
    assert names.text(TradeTurnedUp("K1", True)) == "trade tile K1: wood or stone for food (all were shuffled)"
