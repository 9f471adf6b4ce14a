"""The supply round (V): feeding, completing, and in which order."""

import pytest

from peloarena.game import Game, Seat
from peloarena.game.events import Chose, Completed, Lost, Stock, SupplyStarted
from peloarena.game.goods import Goods
from peloarena.game.moves import Complete, Feed, Lose
from peloarena.game.steps import SupplyRound
from peloarena.testing.states import goods_of, happened, seat, table


def supply(*seats: Seat, order: tuple[int, ...] = (), final: bool = False) -> Game:
    seats = seats if len(seats) > 1 else (*seats, seat())
    return table(*seats, order=order, agenda=[SupplyRound(final)])


@pytest.mark.parametrize("final", [False, True])
def test_each_inhabitant_eats_one_food(final: bool) -> None:
    """V1"""
    game = supply(seat(food=7, pop=5), final=final)
    assert goods_of(game, 0) == Goods(food=2, pop=5)
    assert game.events == [SupplyStarted(final), Stock(0, "feed", Goods(food=-5))]


def test_those_for_whom_no_food_is_left_are_lost() -> None:
    """V1"""
    game = supply(seat(food=3, pop=5))
    assert goods_of(game, 0) == Goods(pop=3)
    assert happened(game.events, Chose) == [Chose(0, "feed", Feed(0), forced=True)]


def test_the_player_chooses_how_many_of_the_hungry_luxury_feeds() -> None:
    """V1: two luxury each; 5 luxury feed up to 2 of 3."""
    game = supply(seat(food=2, pop=5, lux=5))
    assert game.decision is not None
    assert game.decision.legal == [Feed(0), Feed(1), Feed(2)]
    game.choose(Feed(1))
    assert goods_of(game, 0) == Goods(pop=3, lux=3)


def test_food_is_compulsory_and_luxury_only_for_those_left_over() -> None:
    """V1, P5: at the question the food is gone already."""
    game = supply(seat(food=4, pop=5, lux=20))
    assert goods_of(game, 0) == Goods(pop=5, lux=20)
    assert game.decision is not None
    assert game.decision.legal == [Feed(0), Feed(1)]


def test_nobody_is_asked_when_the_food_suffices() -> None:
    """V1"""
    game = supply(seat(food=5, pop=5, lux=20))
    assert game.decision is None
    assert goods_of(game, 0) == Goods(pop=5, lux=20)


def test_a_marked_building_is_completed_and_its_coin_returns() -> None:
    """V2: Bridge costs 2 wood."""
    game = supply(seat(wood=3, buildings=["A12"], marked=["A12"]))
    assert game.decision is not None
    assert (game.decision.kind, game.decision.legal) == ("complete", [Complete("A12"), Lose("A12")])
    events = game.choose(Complete("A12"))
    assert events[1:] == [
        Stock(0, "complete", Goods(wood=-2)),
        Completed(0, "A12"),
        Stock(0, "mark returned", Goods(coin=1)),
    ]
    assert goods_of(game, 0) == Goods(wood=1, coin=1)
    assert (game.state.seats[0].buildings, game.state.seats[0].marks) == (("A12",), ())


def test_who_does_not_pay_loses_the_building_and_still_gets_the_coin() -> None:
    """V2"""
    game = supply(seat(wood=3, buildings=["A12"], marked=["A12"]))
    events = game.choose(Lose("A12"))
    assert happened(events, Lost) == [Lost(0, "A12", "supply")]
    assert goods_of(game, 0) == Goods(wood=3, coin=1)
    assert game.state.box == ("A12",)


def test_who_cannot_pay_loses_the_building_unasked() -> None:
    """V2, P4"""
    game = supply(seat(wood=1, lux=1, buildings=["A12"], marked=["A12"]))
    assert game.decision is None
    assert goods_of(game, 0) == Goods(wood=1, lux=1, coin=1)
    assert game.state.seats[0].buildings == ()


def test_all_marking_coins_return() -> None:
    """V2, C6: should a mat ask for three."""
    game = supply(seat(buildings=["A12"], marked={"A12": 3}))
    assert goods_of(game, 0) == Goods(coin=3)


def test_luxury_helps_to_complete() -> None:
    """V2, P5"""
    game = supply(seat(wood=1, lux=2, buildings=["A12"], marked=["A12"]))
    game.choose(Complete("A12"))
    assert goods_of(game, 0) == Goods(coin=1)


def test_marked_buildings_are_completed_one_by_one_oldest_first() -> None:
    """V2 [ruling]: wood for one of the two."""
    game = supply(seat(wood=3, buildings=["A14", "A13", "A12"], marked=["A13", "A12"]))
    assert game.decision is not None
    assert game.decision.legal == [Complete("A13"), Lose("A13")]
    game.choose(Complete("A13"))
    assert game.decision is None
    assert game.state.seats[0].buildings == ("A14", "A13")
    assert goods_of(game, 0) == Goods(coin=2)


def test_a_complete_building_costs_nothing_more() -> None:
    """V2"""
    game = supply(seat(wood=9, stone=9, buildings=["A12"]))
    assert game.decision is None
    assert goods_of(game, 0) == Goods(wood=9, stone=9)


def test_a_player_feeds_first_so_that_luxury_spent_there_is_not_there_to_complete() -> None:
    """V1, V2"""
    game = supply(seat(pop=1, lux=4, buildings=["A12"], marked=["A12"]))
    assert game.decision is not None
    assert game.decision.kind == "feed"
    game.choose(Feed(1))
    assert game.state.box == ("A12",)
    assert goods_of(game, 0) == Goods(pop=1, lux=2, coin=1)


def test_a_player_feeds_and_completes_before_the_next_acts() -> None:
    """V3 [ruling]"""
    one = seat(pop=1, lux=2, wood=3, buildings=["A13"], marked=["A13"])
    other = seat(pop=1, lux=2, wood=2, buildings=["A12"], marked=["A12"])
    game = supply(one, other, order=(1, 0))
    asked = []
    while game.decision:
        asked.append((game.decision.seat, game.decision.kind))
        game.choose(game.decision.legal[0])
    assert asked == [(1, "feed"), (1, "complete"), (0, "feed"), (0, "complete")]
