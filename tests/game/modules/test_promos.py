"""The promo civilizations (M): Mycenae, Rhodes, Antioch."""

from __future__ import annotations

import pytest

from peloarena.game import Game, Seat, make_options
from peloarena.game.events import Protected
from peloarena.game.income import net_income
from peloarena.game.moves import TakeAny
from peloarena.game.rulebook import full_catalogue, rules_for
from peloarena.game.steps import GiveIncomes, StrikeSeat
from peloarena.testing.states import seat, table

PROMO = ("Antioch", "Mycenae", "Rhodes")


def dealt(civilization: str) -> Seat:
    options = make_options(1, ["promos"], draft={"civilizations": (civilization,)})
    return Game(options, "dealt").state.seats[0]


def test_the_three_join_the_draw_with_the_module_only() -> None:
    """M, S1."""
    assert set(PROMO) <= set(rules_for(make_options(2, ["promos"])).civilizations)
    assert not set(PROMO) & set(rules_for(make_options(2)).civilizations)


def test_their_values_are_printed_ones() -> None:
    """M."""
    assert [full_catalogue().civilizations[name].source for name in PROMO] == ["printed"] * 3


@pytest.mark.parametrize(("name", "coin", "pop"), [("Mycenae", 4, 2), ("Rhodes", 3, 1), ("Antioch", 9, 3)])
def test_each_starts_with_its_goods(name: str, coin: int, pop: int) -> None:
    """S1."""
    own = dealt(name)
    assert (own.coin, own.pop, own.wood, own.stone, own.food, own.lux) == (coin, pop, 0, 0, 0, 0)


def test_their_order_numbers_follow_those_of_the_others() -> None:
    """S1."""
    game = Game(make_options(4, ["promos"], draft={"civilizations": ("Rhodes", "Argos", "Antioch", "Mycenae")}), "o")
    assert game.state.order == (1, 3, 2, 0)


def test_mycenae_gains_two_inhabitants_before_its_coins_are_counted() -> None:
    """R6: three and four inhabitants give two coins."""
    game = table(seat("Mycenae", pop=1), modules=["promos"], agenda=[GiveIncomes()])
    assert (game.state.seats[0].pop, game.state.seats[0].coin) == (3, 2)


def test_rhodes_chooses_three_times_what_it_gains() -> None:
    """R6: one choice for each icon."""
    game = table(seat("Rhodes", pop=1), modules=["promos"], agenda=[GiveIncomes()])
    for resource in ("stone", "coin", "stone"):
        assert game.decision.kind == "any_income"
        game.choose(TakeAny(resource))
    assert (game.state.seats[0].stone, game.state.seats[0].coin) == (2, 2)


def test_antioch_loses_an_inhabitant_each_round_but_never_below_none() -> None:
    """R6, P6."""
    game = table(seat("Antioch", pop=3), modules=["promos"], agenda=[GiveIncomes()])
    assert (game.state.seats[0].pop, game.state.seats[0].coin) == (2, 1)
    empty = table(seat("Antioch"), modules=["promos"], agenda=[GiveIncomes()])
    assert (empty.state.seats[0].pop, net_income(empty, 0).coin) == (0, 1)


@pytest.mark.parametrize("kind", ["earthquake", "drought", "plague", "tempest", "decline"])
def test_antioch_is_protected_from_every_disaster(kind: str) -> None:
    """D."""
    own = seat("Antioch", food=6, pop=6, lux=6, lands=["A05"], buildings=["A14"])
    game = table(own, modules=["promos"], agenda=[StrikeSeat(kind, 0)])
    assert game.events == [Protected(0, kind)]
    assert game.decision is None
