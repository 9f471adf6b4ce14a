"""A decision put to a person: numbered choices, each with its consequence; trying a move tells no secret."""

from __future__ import annotations

from msgspec import json

from peloarena.game import Game, encode, make_options
from peloarena.game.kinds import Move
from peloarena.game.moves import Bid, Feed, Pass
from peloarena.narration.choices import ChoiceFacts, choice_facts, group_into_choices
from peloarena.narration.consequences import (
    CONSEQUENCES,
    consequence_text,
    immediate_effects,
    winning_requirements,
    would_lose_building,
)


def first_bid(seed: str = "friday-1") -> Game:
    """Patras has bid 3 on A01; Argos, seat 0, with 5 coins is asked."""
    game = Game(make_options(2), seed)
    game.choose(Bid("A01", 3))
    assert game.decision is not None
    assert game.decision.seat == 0
    return game


def facts(game: Game) -> list[ChoiceFacts]:
    return choice_facts(game, game.names(), group_into_choices(legal(game)))


def test_bids_on_a_tile_are_one_choice_with_an_amount() -> None:
    moves: list[Move] = [Bid("A01", 4), Bid("A01", 5), Bid("A10", 5), Pass()]
    choices = group_into_choices(moves)
    assert [choice.first_move for choice in choices] == [Bid("A01", 4), Bid("A10", 5), Pass()]
    assert [choice.amount_field for choice in choices] == ["coins", "", ""]
    assert choices[0].amounts() == [4, 5]


def test_amounts_alone_are_one_choice() -> None:
    choices = group_into_choices([Feed(0), Feed(1), Feed(2)])
    assert [choice.amounts() for choice in choices] == [[0, 1, 2]]


def test_every_move_is_in_exactly_one_choice() -> None:
    game = first_bid()
    assert game.decision is not None
    chosen = [move for choice in group_into_choices(game.decision.legal) for move in choice.moves]
    assert sorted(map(str, chosen)) == sorted(map(str, game.decision.legal))


def test_choices_are_numbered_and_those_of_a_tile_on_display_name_it() -> None:
    shown = facts(first_bid())
    assert [(one.number, one.tile, one.coins) for one in shown] == [
        (1, "A01", "4–5"),
        (2, "A07", "2–5"),
        (3, "A10", "5"),
        (4, "A11", "5"),
        (5, "", ""),
    ]
    assert (shown[4].text, shown[4].consequence) == ("pass", "+3 coins now, no tile this round")
    assert json.decode(json.encode(shown), type=list[ChoiceFacts]) == shown


def test_marking_a_building_tells_what_it_will_cost() -> None:
    game = table_with_building(wood=3)
    told = {type(move).__name__: consequence_text(game, move) for move in legal(game)}
    assert told == {
        "Pay": "−2 wood now; it is yours for good",
        "Mark": "−1 coin now; pay 2 wood in the next supply round or lose it; the coin comes back either way",
    }


def table_with_building(wood: int) -> Game:
    """Solo with the Bridge just bought."""
    for number in range(200):
        game = Game(make_options(1), f"bridge-{number}")
        if Bid("A12", 1) in legal(game):
            game.seat(0).wood = wood
            game.choose(Bid("A12", 1))
            return game
    raise AssertionError("no seed shows the Bridge first")


def legal(game: Game) -> list[Move]:
    assert game.decision is not None
    return game.decision.legal


def test_bid_on_a_building_warns_of_its_cost() -> None:
    game = first_bid()
    assert winning_requirements(game, 0, "A11") == [
        "If you win it you pay 1 wood, 2 stone, which you do not have yet: keep a coin to mark it and pay later."
    ]
    game.seat(0).wood = game.seat(0).stone = 2
    assert winning_requirements(game, 0, "A11") == ["If you win it you pay 1 wood, 2 stone, which you have."]


def test_land_that_would_be_lost_is_warned_of() -> None:
    game = first_bid()
    game.seat(0).lands = ("A05",)
    assert winning_requirements(game, 0, "A07") == ["It does not fit your last land: you would lose it."]
    assert winning_requirements(game, 0, "A06") == []


def test_trying_a_move_changes_nothing_and_tells_no_secret() -> None:
    """P1: two deals that look the same to the seat explain their moves alike."""
    game = first_bid()
    before = encode(game.state)
    told = [consequence_text(game, move) for move in legal(game)]
    assert encode(game.state) == before
    other = game.clone()
    other.state.pile = other.state.pile[::-1]
    other.state.deck = tuple(sorted(other.state.deck, key=lambda tile: (tile[0], tile), reverse=False))
    assert [consequence_text(other, move) for move in legal(other)] == told


def test_consequence_of_every_base_move_is_a_sentence_of_its_own() -> None:
    assert {kind.__name__ for kind in CONSEQUENCES} >= {"Bid", "Pass", "MoveBid", "Withdraw", "Pay", "Mark", "Lose"}


def test_effects_stop_where_others_are_concerned() -> None:
    game = first_bid()
    assert [type(event).__name__ for event in immediate_effects(game, Bid("A01", 4))] == ["Chose", "Stock"]


def test_bid_that_leaves_nothing_to_mark_the_building_is_told() -> None:
    """R4a: with neither the cost nor a coin left the tile would be lost."""
    game = first_bid()
    assert would_lose_building(game, 0, Bid("A11", 5))
    assert not would_lose_building(game, 0, Bid("A11", 4))
    assert not would_lose_building(game, 0, Bid("A10", 5))
