"""Disasters (D): who is hit, what it costs to keep a tile, what is lost."""

import pytest

from peloarena.game import Game, Seat
from peloarena.game.events import Chose, Lost, Protected, Stock
from peloarena.game.goods import Goods
from peloarena.game.moves import Keep, Lose
from peloarena.game.state import Offer
from peloarena.game.steps import DrawChits, TakeTiles
from peloarena.testing.states import goods_of, happened, seat, table


def strike(kind: str, *seats: Seat, order: tuple[int, ...] = (), modules: tuple[str, ...] = ()) -> Game:
    """The third chit of this kind has just been drawn."""
    seats = seats if len(seats) > 1 else (*seats, seat())
    return table(*seats, order=order, modules=modules, pile=[kind, "blank"], chits={kind: 2}, agenda=[DrawChits()])


def play(game: Game, *moves: Keep | Lose) -> None:
    for move in moves:
        game.choose(move)


def test_each_building_kept_costs_a_wood_and_a_stone() -> None:
    """D1"""
    game = strike("earthquake", seat(wood=3, stone=4, buildings=["A12", "A14"]))
    play(game, Keep("A12"), Keep("A14"))
    assert goods_of(game, 0) == Goods(wood=1, stone=2)
    assert game.state.seats[0].buildings == ("A12", "A14")


def test_two_missing_stones_cost_two_buildings() -> None:
    """D1: the example of the rules; 4 buildings, 4 wood, 2 stone."""
    game = strike("earthquake", seat(wood=4, stone=2, buildings=["A12", "A13", "A14", "A15"]))
    play(game, Keep("A12"), Keep("A13"))
    assert game.state.seats[0].buildings == ("A12", "A13")
    assert game.state.box == ("A14", "A15")
    assert goods_of(game, 0) == Goods(wood=2)


def test_a_missing_wood_and_a_missing_stone_cost_one_building() -> None:
    """D1: the example of the rules; 3 buildings, 2 wood, 2 stone."""
    game = strike("earthquake", seat(wood=2, stone=2, buildings=["A12", "A13", "A14"]))
    play(game, Keep("A12"), Lose("A13"), Keep("A14"))
    assert game.state.seats[0].buildings == ("A12", "A14")
    assert goods_of(game, 0) == Goods()


def test_a_player_may_decline_to_pay_and_pays_nothing_for_what_he_loses() -> None:
    """D1"""
    game = strike("earthquake", seat(wood=9, stone=9, buildings=["A12"]))
    play(game, Lose("A12"))
    assert goods_of(game, 0) == Goods(wood=9, stone=9)
    assert game.state.box == ("A12",)
    assert game.state.seats[0].income == Goods(food=2)


def test_buildings_are_asked_for_one_by_one_oldest_first() -> None:
    """D1, P4 [ruling]"""
    game = strike("earthquake", seat(wood=9, stone=9, buildings=["B13", "A12"]))
    assert game.decision is not None
    assert (game.decision.kind, game.decision.legal) == ("keep", [Keep("B13"), Lose("B13")])
    game.choose(Keep("B13"))
    assert game.decision.legal == [Keep("A12"), Lose("A12")]


def test_marked_buildings_shake_too() -> None:
    """D1"""
    game = strike("earthquake", seat(wood=1, stone=1, buildings=["A12"], marked=["A12"]))
    play(game, Keep("A12"))
    assert goods_of(game, 0) == Goods()
    assert game.state.seats[0].marked("A12") == 1


def test_luxury_keeps_a_building() -> None:
    """D1, P5"""
    game = strike("earthquake", seat(wood=1, lux=2, buildings=["A12"]))
    play(game, Keep("A12"))
    assert goods_of(game, 0) == Goods()


def test_what_cannot_be_paid_is_lost_unasked() -> None:
    """D1, P4"""
    game = strike("earthquake", seat(wood=5, lux=1, buildings=["A12"]))
    assert happened(game.events, Chose) == [Chose(0, "keep", Lose("A12"), forced=True)]
    assert happened(game.events, Lost) == [Lost(0, "A12", "earthquake")]


def test_lands_do_not_shake() -> None:
    """D1"""
    game = strike("earthquake", seat(wood=1, stone=1, lands=["A01"]))
    assert game.decision is None
    assert goods_of(game, 0) == Goods(wood=1, stone=1)


def test_each_land_kept_in_a_tempest_costs_a_food_and_a_coin() -> None:
    """D2"""
    game = strike("tempest", seat(food=3, coin=3, lands=["A01", "A02"], buildings=["A12"]))
    play(game, Keep("A01"), Keep("A02"))
    assert goods_of(game, 0) == Goods(food=1, coin=1)


def test_two_missing_food_cost_two_lands() -> None:
    """D2: the example of the rules."""
    game = strike("tempest", seat(food=1, coin=3, lands=["A01", "A02", "A04"]))
    play(game, Lose("A01"), Lose("A02"), Keep("A04"))
    assert game.state.seats[0].lands == ("A04",)
    assert game.state.box == ("A01", "A02")
    assert goods_of(game, 0) == Goods(coin=2)


def test_a_player_may_let_a_land_go() -> None:
    """D2"""
    game = strike("tempest", seat(food=3, coin=3, lands=["A01"]))
    play(game, Lose("A01"))
    assert goods_of(game, 0) == Goods(food=3, coin=3)


def test_luxury_keeps_a_land() -> None:
    """D2, P5"""
    game = strike("tempest", seat(lux=4, lands=["A01"]))
    play(game, Keep("A01"))
    assert goods_of(game, 0) == Goods()


def test_lands_slide_together_and_the_neighbour_rule_is_not_checked_again() -> None:
    """D2: food beside stone remains when the land between is gone."""
    game = strike("tempest", seat(food=9, coin=9, lands=["A05", "A02", "A01"]))
    play(game, Keep("A05"), Lose("A02"), Keep("A01"))
    assert game.state.seats[0].lands == ("A05", "A01")


@pytest.mark.parametrize(("new", "fits"), [("A06", True), ("A01", False)])
def test_the_last_land_that_remains_is_the_neighbour_for_the_next(new: str, fits: bool) -> None:
    """D2, R4b: the stone is gone, the field is last."""
    game = table(
        seat(food=9, coin=9, lands=["A05", "A03"]),
        seat(),
        pile=["tempest", "blank"],
        chits={"tempest": 2},
        open=[new],
        offers=[Offer(new, 0, 3)],
        agenda=[DrawChits(), TakeTiles()],
    )
    play(game, Keep("A05"), Lose("A03"))
    assert game.state.seats[0].lands == (("A05", new) if fits else ("A05",))


@pytest.mark.parametrize(("food", "left"), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 2), (6, 4), (7, 4), (13, 8)])
def test_drought_takes_a_third_of_the_food_rounded_up(food: int, left: int) -> None:
    """D3"""
    game = strike("drought", seat(food=food, pop=5))
    assert goods_of(game, 0) == Goods(food=left, pop=5)


@pytest.mark.parametrize(("pop", "left"), [(0, 0), (1, 0), (2, 1), (3, 2), (4, 2), (9, 6), (10, 6), (25, 16)])
def test_plague_takes_a_third_of_the_inhabitants_rounded_up(pop: int, left: int) -> None:
    """D4"""
    game = strike("plague", seat(food=5, pop=pop))
    assert goods_of(game, 0) == Goods(food=5, pop=left)


@pytest.mark.parametrize(("luxury", "left"), [(0, 0), (4, 0), (10, 0), (11, 1), (25, 15)])
def test_decline_takes_ten_luxury_or_all(luxury: int, left: int) -> None:
    """D5"""
    game = strike("decline", seat(lux=luxury))
    assert goods_of(game, 0) == Goods(lux=left)


def test_the_coin_on_a_building_lost_in_an_earthquake_goes_back_to_its_owner() -> None:
    """D6 [ruling]"""
    game = strike("earthquake", seat(buildings=["A12", "A14"], marked=["A12"]))
    assert goods_of(game, 0) == Goods(coin=1)
    assert game.state.seats[0].marks == ()
    assert happened(game.events, Stock) == [Stock(0, "mark returned", Goods(coin=1))]


PROTECTION = [
    ("earthquake", "C01"),
    ("drought", "B15"),
    ("drought", "C09"),
    ("plague", "B01"),
    ("plague", "B14"),
    ("tempest", "C06"),
    ("decline", "A15"),
    ("decline", "C07"),
]


@pytest.mark.parametrize("marked", [False, True])
@pytest.mark.parametrize(("kind", "building"), PROTECTION)
def test_the_owner_of_a_protecting_building_is_not_affected(kind: str, building: str, marked: bool) -> None:
    """D1, D2, D3, D4, D5: marked or not; the other player is hit."""
    things = Goods(wood=9, stone=9, food=9, coin=9, pop=9, lux=19)
    amounts = dict(things.items())
    game = strike(
        kind,
        seat(lands=["A01"], buildings=[building], marked=[building] if marked else [], **amounts),  # type: ignore[arg-type]
        seat(lux=19, food=9, pop=9),
    )
    assert game.decision is None
    assert happened(game.events, Protected) == [Protected(0, kind)]
    assert goods_of(game, 0) == things
    assert game.state.box == ()


def test_a_protecting_building_does_not_protect_from_other_disasters() -> None:
    """D4"""
    game = strike("plague", seat(pop=9, buildings=["C01", "B15", "C06", "C07"]))
    assert goods_of(game, 0) == Goods(pop=6)


def test_protection_goes_with_the_building() -> None:
    """D1, D4"""
    game = strike("earthquake", seat(buildings=["B01"]))
    assert game.state.seats[0].protects == ()


@pytest.mark.parametrize(
    ("civilization", "kind"), [("Syrakus", "plague"), ("Delphi", "earthquake"), ("Delphi", "drought")]
)
def test_a_civilization_can_protect(civilization: str, kind: str) -> None:
    """D1, D3, D4, L1"""
    game = strike(kind, seat(civilization, food=9, pop=9, buildings=["A12"]), modules=("hellas",))
    assert happened(game.events, Protected) == [Protected(0, kind)]
    assert goods_of(game, 0) == Goods(food=9, pop=9)
    assert game.state.seats[0].buildings == ("A12",)


def test_players_resolve_in_turn_order_one_after_the_other() -> None:
    """D1, P3"""
    game = strike(
        "earthquake",
        seat(wood=9, stone=9, buildings=["A12", "A13"]),
        seat(wood=9, stone=9, buildings=["A14", "A15"]),
        order=(1, 0),
    )
    asked = []
    while game.decision:
        asked.append((game.decision.seat, game.decision.legal[0]))
        game.choose(game.decision.legal[0])
    assert asked == [(1, Keep("A14")), (1, Keep("A15")), (0, Keep("A12")), (0, Keep("A13"))]
