"""Taking tiles (R4): buildings paid, marked or lost; lands with and without a neighbour."""

import pytest

from peloarena.game import Game
from peloarena.game.events import Lost, Placed
from peloarena.game.goods import Goods
from peloarena.game.moves import Mark, Pay
from peloarena.game.state import Marker, Offer
from peloarena.game.steps import EndBidding, TakeTiles
from peloarena.testing.states import goods_of, happened, seat, table


def taking(tile: str, *, modules: tuple[str, ...] = (), civilization: str = "Messene", **things: object) -> Game:
    """Seat 0, with these things, has won this tile."""
    mine = seat(civilization, **things)  # type: ignore[arg-type]
    return table(mine, seat(), modules=modules, open=[tile], offers=[Offer(tile, 0, 9)], agenda=[TakeTiles()])


def test_tiles_are_taken_in_the_new_turn_order() -> None:
    """R4, R3"""
    game = table(
        seat(),
        seat(),
        seat(),
        open=["A05", "A06", "A07"],
        offers=[Offer("A05", 0, 3), Offer("A06", 1, 5), Offer("A07", 2, 4)],
        agenda=[EndBidding(), TakeTiles()],
    )
    assert happened(game.events, Placed) == [Placed(1, "A06"), Placed(2, "A07"), Placed(0, "A05")]


def test_the_coins_of_the_bids_go_to_the_bank() -> None:
    """R4"""
    game = table(
        seat(coin=2),
        seat(coin=1),
        open=["A05"],
        conquest=["A01"],
        offers=[Offer("A05", 0, 3), Offer("A01", 1, 6)],
        agenda=[TakeTiles()],
    )
    assert (game.state.offers, game.state.open, game.state.conquest) == ((), (), ())
    assert (goods_of(game, 0), goods_of(game, 1)) == (Goods(coin=2), Goods(coin=1))
    assert (game.state.seats[0].lands, game.state.seats[1].lands) == (("A05",), ("A01",))


def test_a_choice_of_one_player_holds_up_those_behind_him() -> None:
    """R4, P3"""
    game = table(
        seat(coin=1, wood=2),
        seat(),
        open=["A12", "A06"],
        offers=[Offer("A12", 0, 5), Offer("A06", 1, 3)],
        agenda=[TakeTiles()],
    )
    assert game.decision is not None
    assert (game.decision.seat, game.decision.kind) == (0, "build")
    assert game.state.seats[1].lands == ()
    game.choose(Pay("A12"))
    assert game.state.seats[1].lands == ("A06",)


def test_a_building_is_paid_now_or_marked() -> None:
    """R4a: Port costs 3 stone and 1 wood."""
    game = taking("A15", wood=1, stone=4, coin=1)
    assert game.decision is not None
    assert game.decision.legal == [Pay("A15"), Mark("A15")]


def test_a_building_paid_at_once_is_complete() -> None:
    """R4a"""
    game = taking("A15", wood=1, stone=4, coin=1)
    game.choose(Pay("A15"))
    assert goods_of(game, 0) == Goods(stone=1, coin=1, pop=2)
    assert (game.state.seats[0].buildings, game.state.seats[0].marks) == (("A15",), ())
    assert game.state.seats[0].taken == "A15"


def test_a_building_marked_costs_a_coin_and_works_at_once() -> None:
    """R4a"""
    game = taking("A15", wood=1, stone=4, coin=1)
    events = game.choose(Mark("A15"))
    assert happened(events, Placed) == [Placed(0, "A15", marked=1)]
    assert goods_of(game, 0) == Goods(wood=1, stone=4, pop=2)
    mine = game.state.seats[0]
    assert (mine.buildings, mine.marks, mine.any, mine.protects) == (("A15",), (Marker("A15", 1),), 1, ("decline",))


def test_a_mark_costs_two_luxury_when_no_coin_is_left() -> None:
    """R4a"""
    game = taking("C08", lux=3)
    assert goods_of(game, 0) == Goods(lux=1, pop=2)
    assert game.state.seats[0].marks == (Marker("C08", 1),)


def test_a_mark_takes_the_coin_before_the_luxury() -> None:
    """R4a, P5"""
    game = taking("C08", coin=1, lux=3)
    assert goods_of(game, 0) == Goods(lux=3, pop=2)


def test_a_building_that_can_neither_be_paid_nor_marked_is_lost() -> None:
    """R4a: nothing gained, out of the game."""
    game = taking("A12", wood=1, lux=1)
    assert game.events == [Lost(0, "A12", "not payable")]
    assert goods_of(game, 0) == Goods(wood=1, lux=1)
    assert game.state.box == ("A12",)
    assert (game.state.seats[0].buildings, game.state.seats[0].taken) == ((), "")


def test_who_can_pay_but_not_mark_must_pay() -> None:
    """R4a: it is lost only if neither is possible."""
    game = taking("A12", wood=2)
    assert goods_of(game, 0) == Goods(pop=2)
    assert game.state.seats[0].buildings == ("A12",)


def test_luxury_may_be_spent_on_the_building_or_on_the_mark() -> None:
    """R4a, P5"""
    game = taking("A12", lux=4)
    assert game.decision is not None
    assert game.decision.legal == [Pay("A12"), Mark("A12")]
    game.choose(Mark("A12"))
    assert goods_of(game, 0) == Goods(lux=2, pop=2)


def test_the_first_land_is_free() -> None:
    """R4b"""
    game = taking("A01")
    assert game.state.seats[0].lands == ("A01",)


@pytest.mark.parametrize(
    ("last", "new", "fits"),
    [
        ("A07", "A10", True),  # wood, wood
        ("A07", "A01", False),  # wood, stone
        ("A05", "A01", False),  # food, stone
        ("A05", "A06", True),  # food, food and wood
        ("A02", "A01", True),  # wood and stone, stone
        ("A02", "A05", False),  # wood and stone, food
        ("A01", "A03", True),  # stone, stone
    ],
)
def test_a_land_must_share_a_resource_with_the_last_one(last: str, new: str, fits: bool) -> None:
    """R4b"""
    game = taking(new, lands=[last])
    assert game.state.seats[0].lands == ((last, new) if fits else (last,))
    assert game.state.box == (() if fits else (new,))


def test_only_the_last_land_is_the_neighbour() -> None:
    """R4b: A01 would fit A02, but A07 lies between."""
    game = taking("A01", lands=["A02", "A07"])
    assert game.events == [Lost(0, "A01", "no neighbour")]
    assert game.state.box == ("A01",)


def test_a_land_that_cannot_be_placed_gives_nothing() -> None:
    """R4b: A03 would bring 5 coins and an inhabitant; its bid is spent."""
    game = taking("A03", lands=["A05"], coin=2)
    assert goods_of(game, 0) == Goods(coin=2)
    assert game.state.seats[0].taken == ""
    assert game.state.offers == ()


def test_buildings_are_no_neighbours() -> None:
    """R4b: Quarry makes stone."""
    game = taking("A01", lands=["A05"], buildings=["B13"])
    assert game.state.box == ("A01",)


@pytest.mark.parametrize("marked", [[], ["A11"]])
def test_barracks_lift_the_neighbour_rule_marked_or_not(marked: list[str]) -> None:
    """R4b, R4a"""
    game = taking("A01", lands=["A05"], buildings=["A11"], marked=marked)
    assert game.state.seats[0].lands == ("A05", "A01")


def test_thebes_lifts_the_neighbour_rule() -> None:
    """R4b, L1"""
    game = taking("A01", modules=("hellas",), civilization="Thebes", lands=["A05"])
    assert game.state.seats[0].lands == ("A05", "A01")


def test_nobody_wins_nothing_when_all_pass() -> None:
    """R4"""
    game = table(seat(), seat(), open=["A01"], agenda=[EndBidding(), TakeTiles()])
    assert game.state.box == ("A01",)
    assert goods_of(game, 0) == Goods()
