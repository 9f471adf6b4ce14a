"""The table as facts: all that is seen and nothing that is hidden, as JSON."""

from __future__ import annotations

import pytest
from msgspec import json

from peloarena.game import Game, make_options
from peloarena.game.goods import Goods
from peloarena.game.modules.persians.shapes import PersiansTable
from peloarena.game.modules.sacrum.shapes import SacrumTable
from peloarena.game.modules.trade.shapes import TradeTable
from peloarena.game.moves import Bid
from peloarena.game.registry import MODULES
from peloarena.narration.piece_texts import part_text
from peloarena.narration.position import BidFacts, Position, QuestionFacts, chit_line, position_of


def first_bid(seed: str = "friday-1") -> Game:
    """Patras has bid 3 on A01; Argos, seat 0, with 5 coins is asked."""
    game = Game(make_options(2), seed)
    game.choose(Bid("A01", 3))
    assert game.decision is not None
    assert game.decision.seat == 0
    return game


def position(game: Game, you: int | None = 0) -> Position:
    return position_of(game, game.names(), you)


def test_seats_have_their_goods_storage_income_and_totals() -> None:
    game = first_bid()
    own = position(game).seats[0]
    assert (own.name, own.stock.coin, own.stock.pop, own.storage.wood) == ("Argos", 5, 2, 10)
    assert (own.prestige, own.population, own.score) == (1, 6, 1)
    assert own.income == Goods(wood=1, stone=1, coin=1)


def test_held_tiles_stand_in_order_and_marks_are_due() -> None:
    game = first_bid()
    seat = game.seat(0)
    seat.lands, seat.buildings = ("A05", "A06"), ("A11",)
    own = position(game).seats[0]
    assert [one.tile for one in own.lands] == ["A05", "A06"]
    assert [(one.tile, one.marked) for one in own.buildings] == [("A11", 0)]
    assert own.marked_building_count == 0


def test_tiles_on_display_have_their_row_and_the_bid_that_lies_there() -> None:
    tiles = {one.tile: one for one in position(first_bid()).tiles}
    assert tiles["A01"].bid == BidFacts(1, "Patras", 3)
    assert (tiles["A01"].row, tiles["A01"].surcharge) == ("open", 0)
    assert (tiles["A11"].row, tiles["A11"].surcharge) == ("conquest", 3)
    assert tiles["A11"].bid is None


def test_why_a_tile_cannot_be_taken_is_told_to_who_is_asked() -> None:
    game = first_bid()
    told = {one.tile: one.why_not for one in position(game).tiles if one.why_not}
    assert told == {"A02": "needs 6 coins: you have 5 to bid"}
    assert not any(one.why_not for one in position(game, 1).tiles)
    assert not any(one.why_not for one in position(game, None).tiles)


def test_tile_to_conquer_that_has_a_bid_is_told_to_be_gone() -> None:
    """R2b."""
    game = Game(make_options(2), "friday-1")
    game.choose(Bid("A10", 5))
    told = {one.tile: one.why_not for one in position(game).tiles}
    assert told["A10"] == "has a bid: a tile to conquer cannot be outbid"


def test_land_that_does_not_fit_is_noted_for_the_seat_that_looks() -> None:
    """R4b."""
    game = first_bid()
    game.seat(0).lands = ("A05",)
    notes = {one.tile: one.notes for one in position(game).tiles}
    assert any("does not fit your last land: you would lose it" in told for told in notes.values())
    assert not any("does not fit" in note for one in position(game, None).tiles for note in one.notes)


def test_pending_decision_is_told_and_none_at_the_end() -> None:
    game = first_bid()
    assert position(game).asked == QuestionFacts(0, "bid", "Bid on a tile, or pass for 3 coins")
    while game.decision is not None:
        game.choose(game.decision.legal[-1])
    assert position(game).asked is None


def test_hidden_order_is_not_told() -> None:
    """P1: two deals that look the same have the same facts."""
    game = first_bid()
    other = game.clone()
    other.state.pile, other.state.deck = other.state.pile[::-1], other.state.deck[::-1]
    assert json.encode(position(game)) == json.encode(position(other))


def test_chits_are_counted_without_blanks() -> None:
    game = first_bid()
    game.state.chits = {"plague": 2, "blank": 3}
    assert chit_line(position(game).chits) == "Chits so far: 2 × plague (3rd of a kind strikes; 16 left)"


@pytest.mark.parametrize("module", sorted(name for name, module in MODULES.items() if not module.needs))
def test_every_position_of_a_module_becomes_json(module: str) -> None:
    players = min(set(MODULES[module].players) - {1} or {1})
    game = Game(make_options(players, (module,)), "json")
    while game.decision is not None:
        told = json.decode(json.encode(position(game, game.decision.seat)))
        assert len(told["seats"]) == players
        game.choose(game.decision.legal[-1])


def test_tile_that_costs_more_inhabitants_than_the_seat_has_is_told_so() -> None:
    """R2e."""
    told = {one.tile: one.why_not for one in position(Game(make_options(2), "friday-1"), 1).tiles}
    assert told["A11"] == "costs 2 inhabitants: you have 1"


def test_what_modules_keep_on_the_table_is_told_in_words_of_their_own() -> None:
    game = Game(make_options(4, list(MODULES)), "words")
    names = game.names()
    assert part_text(TradeTable("K5", ("K1",), 2), names) == "trade tile K5: 2 coin for 1 pop"
    assert part_text(TradeTable(), names) == ""
    assert part_text(PersiansTable("", (True, False)), names) == "attacks of the Persians: repelled, lost"
    assert part_text(SacrumTable((("blank",), ("blank", "skull"))), names) == "sacrum chits face down: 3"
