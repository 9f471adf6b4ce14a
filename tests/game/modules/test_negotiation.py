"""Negotiation (C7): coins first, then offers for colonies, then for heroes, then everything else."""

from __future__ import annotations

import pytest

from peloarena.game import ConfigError, Game, make_options
from peloarena.game.events import Ordered, Stock
from peloarena.game.goods import Goods
from peloarena.game.kinds import Event, Move
from peloarena.game.modules.heroes.shapes import HeroSeat
from peloarena.game.modules.negotiation.shapes import Accept, OfferSwap, Refuse, Swapped
from peloarena.game.modules.persians.shapes import StrengthSeat
from peloarena.game.moves import Skip
from peloarena.game.parts import part
from peloarena.testing.states import goods_of, happened

DRAFT = {
    "civilizations": ("Messene", "Korinth", "Pylos"),
    "heroes": ("Achilles", "Helen", "Hector"),
    "colonies": ("Apollonia", "Naxos", "Miletus"),
}
"""In turn order 0, 1, 2 with 6, 7 and 8 coins."""


def begun() -> Game:
    modules = ["heroes-and-colonies", "negotiation"]
    return Game(make_options(3, modules, draft=DRAFT), "a")


def heroes(game: Game) -> list[str]:
    return [part(s, HeroSeat).hero for s in game.state.seats]


def colonies(game: Game) -> list[str]:
    return [s.mat for s in game.state.seats]


def asked(game: Game) -> tuple[int, str]:
    return game.decision.seat, game.decision.kind


def play(game: Game, *moves: Move) -> list[Event]:
    events = []
    for move in moves:
        events += game.choose(move)
    return events


def test_negotiation_needs_heroes_and_colonies() -> None:
    """M."""
    with pytest.raises(ConfigError, match="module 'negotiation' needs colonies"):
        make_options(2, ["negotiation", "heroes", "persians"])


def test_only_the_coins_of_the_civilizations_are_given_first() -> None:
    """C7: no food for Korinth, no coins for Helen."""
    game = begun()
    assert [goods_of(game, n) for n in range(3)] == [Goods(coin=6), Goods(coin=7), Goods(coin=8)]
    assert [part(s, StrengthSeat).strength for s in game.state.seats] == [0, 0, 0]


def test_an_offer_is_none_to_all_coins_to_one_other_player_or_no_offer() -> None:
    """C7."""
    game = begun()
    assert asked(game) == (0, "offer_swap")
    offers = [OfferSwap("colonies", other, coins) for other in (1, 2) for coins in range(7)]
    assert game.decision.legal == [*offers, Skip()]


def test_the_other_player_accepts_or_refuses() -> None:
    """C7."""
    game = begun()
    game.choose(OfferSwap("colonies", 2, 4))
    assert asked(game) == (2, "accept_swap")
    assert game.decision.legal == [Accept(), Refuse()]


def test_an_accepted_offer_moves_the_coins_and_exchanges_the_colonies() -> None:
    """C7."""
    game = begun()
    events = play(game, OfferSwap("colonies", 2, 4), Accept())
    assert happened(events, Swapped) == [Swapped("colonies", 0, 2, 4)]
    assert colonies(game) == ["Miletus", "Naxos", "Apollonia"]
    assert [s.coin for s in game.state.seats] == [2, 7, 12]
    assert heroes(game) == ["Achilles", "Helen", "Hector"]


def test_an_exchanged_colony_takes_its_abilities_along() -> None:
    """C7: Miletus."""
    game = begun()
    play(game, OfferSwap("colonies", 2, 4), Accept())
    assert [s.abilities[:1] for s in game.state.seats] == [("always_first",), (), ("always_last",)]


def test_a_refused_offer_changes_nothing_and_the_next_player_may_offer() -> None:
    """C7."""
    game = begun()
    play(game, OfferSwap("colonies", 2, 4), Refuse())
    assert colonies(game) == list(DRAFT["colonies"])
    assert [s.coin for s in game.state.seats] == [6, 7, 8]
    assert asked(game) == (1, "offer_swap")


def test_coins_received_may_be_offered_again() -> None:
    """C7."""
    game = begun()
    play(game, OfferSwap("colonies", 1, 6), Accept())
    assert max(move.coins for move in game.decision.legal if isinstance(move, OfferSwap)) == 13


def test_without_coins_an_exchange_for_nothing_may_be_offered() -> None:
    """C7: 0 … all of his coins."""
    game = begun()
    play(game, OfferSwap("colonies", 1, 6), Accept(), Skip(), Skip())
    assert asked(game) == (0, "offer_swap")
    assert game.decision.legal == [OfferSwap("heroes", 1, 0), OfferSwap("heroes", 2, 0), Skip()]


def test_after_the_colonies_offers_are_made_for_heroes() -> None:
    """C7."""
    game = begun()
    play(game, Skip(), Skip(), Skip())
    assert {move.deck for move in game.decision.legal if isinstance(move, OfferSwap)} == {"heroes"}
    play(game, OfferSwap("heroes", 1, 0), Accept())
    assert heroes(game) == ["Helen", "Achilles", "Hector"]
    assert colonies(game) == list(DRAFT["colonies"])


def test_then_all_other_starting_goods_are_given_to_who_has_the_hero_now() -> None:
    """C7: Helen's 5 coins and 2 inhabitants with Messene's 2."""
    game = begun()
    play(game, *[Skip()] * 3, OfferSwap("heroes", 1, 1), Accept(), Skip(), Skip())
    assert game.decision.kind == "bid"
    assert goods_of(game, 0) == Goods(coin=6 - 1 + 5, pop=4)
    assert goods_of(game, 1) == Goods(coin=7 + 1 + 1, food=3, pop=5)
    assert goods_of(game, 2) == Goods(coin=8, stone=3, pop=2)
    assert [part(s, StrengthSeat).strength for s in game.state.seats] == [1, 5, 4]


def test_starting_goods_overflow_by_the_colony_held_now() -> None:
    """C7, P6: Sikyon's 9 food fit Apollonia, Andromeda's 5 more do not."""
    draft = {
        "civilizations": ("Sikyon", "Argos"),
        "heroes": ("Andromeda", "Hector"),
        "colonies": ("Naxos", "Apollonia"),
    }
    game = Game(make_options(2, ["heroes-and-colonies", "negotiation"], draft=draft), "a")
    assert asked(game) == (1, "offer_swap")
    play(game, OfferSwap("colonies", 0, 0), Accept(), *[Skip()] * 3)
    assert goods_of(game, 0) == Goods(food=9, lux=5, coin=9, pop=5)


def test_miletus_and_apollonia_take_their_places_afterwards() -> None:
    """C7: offers went in the order of the civilizations."""
    game = begun()
    assert game.state.order == (0, 1, 2)
    events = play(game, *[Skip()] * 6)
    assert happened(events, Ordered)[0] == Ordered((2, 1, 0))


def test_a_swapped_miletus_is_first() -> None:
    """C7."""
    game = begun()
    play(game, OfferSwap("colonies", 2, 0), Accept(), *[Skip()] * 5)
    assert game.state.order == (0, 1, 2)


def test_coins_that_change_hands_are_reported() -> None:
    """C7."""
    events = play(begun(), OfferSwap("colonies", 2, 4), Accept())
    assert happened(events, Stock) == [Stock(0, "exchange", Goods(coin=-4)), Stock(2, "exchange", Goods(coin=4))]
