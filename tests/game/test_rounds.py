"""The frame of a round (R1, R3, R5, R6, R7): reveal, order, one-time income, income, chits."""

import pytest

from peloarena.game import Game, make_options
from peloarena.game.events import ChitDrawn, Chose, Ordered, Revealed, RoundStarted, Stock, Struck
from peloarena.game.goods import Goods
from peloarena.game.moves import Feed, Mark, TakeAny
from peloarena.game.state import Offer
from peloarena.game.steps import DrawChits, EndBidding, GiveIncomes, Reveal, TakeTiles
from peloarena.testing.states import goods_of, happened, seat, table


def test_three_players_see_three_open_tiles_and_two_to_conquer() -> None:
    """R1: the example of the rules."""
    game = table(seat(), seat(), seat(), deck=["A05", "A04", "A03", "A02", "A01", "A06"], agenda=[Reveal()])
    assert game.state.open == ("A05", "A04", "A03")
    assert game.state.conquest == ("A02", "A01")
    assert game.state.deck == ("A06",)
    assert game.events == [Revealed(("A05", "A04", "A03"), ("A02", "A01"))]


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_as_many_open_tiles_as_players_and_five_in_all(players: int) -> None:
    """R1"""
    state = Game(make_options(players), "x").state
    assert (len(state.open), len(state.conquest)) == (players, 5 - players)


def test_a_supply_tile_starts_a_supply_round_before_the_next_tile_is_drawn() -> None:
    """R1"""
    game = table(seat(pop=1, lux=2), seat(pop=1, lux=2), deck=["B01", "B05", "B02", "B03", "B04"], agenda=[Reveal()])
    for number in (0, 1):
        assert game.decision is not None
        assert (game.decision.seat, game.decision.kind) == (number, "feed")
        assert (game.state.open, game.state.conquest) == (("B01", "B05"), ())
        game.choose(Feed(0))
    assert game.state.open == ("B01", "B05")
    assert game.state.conquest == ("B02", "B03", "B04")


def test_a_supply_tile_may_fall_into_the_conquest_row() -> None:
    """R1"""
    game = table(seat(food=1, pop=1), seat(), deck=["B01", "B02", "B03", "B04", "B05"], agenda=[Reveal()])
    assert goods_of(game, 0) == Goods(pop=1)
    assert game.state.conquest == ("B03", "B04", "B05")
    assert happened(game.events, Revealed) == [Revealed(("B01", "B02"), ("B03", "B04", "B05"))]


def test_three_rounds_are_played_with_a_three_with_b_and_two_with_c() -> None:
    """R1"""
    game = Game(make_options(4), "stacks")
    events = list(game.opening)
    while game.decision:
        events += game.choose(game.decision.legal[-1])
    letters: list[str] = []
    for event in events:
        if isinstance(event, RoundStarted):
            letters.append("")
        elif isinstance(event, Revealed):
            letters[-1] += "".join(tile[0] for tile in event.open + event.conquest)
    assert letters == ["AAAAA"] * 3 + ["BBBBB"] * 3 + ["CCCCC"] * 2


def test_the_highest_bid_goes_first_and_who_passed_or_withdrew_keeps_his_place_behind() -> None:
    """R3"""
    game = table(
        seat(bidding="passed"),
        seat(bidding="bid"),
        seat(bidding="withdrew"),
        seat(bidding="bid"),
        order=[2, 1, 0, 3],
        open=["A01", "A02"],
        offers=[Offer("A01", 1, 3), Offer("A02", 3, 5)],
        agenda=[EndBidding()],
    )
    assert game.state.order == (3, 1, 2, 0)
    assert game.events == [Ordered((3, 1, 2, 0))]


def test_equal_bids_keep_their_previous_order() -> None:
    """R3"""
    game = table(
        seat(),
        seat(),
        seat(),
        order=[2, 0, 1],
        open=["A01", "A02", "A05"],
        offers=[Offer("A01", 0, 4), Offer("A02", 1, 4), Offer("A05", 2, 4)],
        agenda=[EndBidding()],
    )
    assert game.state.order == (2, 0, 1)


def test_half_coins_do_not_count_for_the_order() -> None:
    """R3"""
    game = table(
        seat(),
        seat(buildings=["A13", "B02"]),
        open=["A01", "A02"],
        offers=[Offer("A01", 0, 4), Offer("A02", 1, 4)],
        agenda=[EndBidding()],
    )
    assert game.state.order == (0, 1)


def test_a_conquest_counts_for_the_order_with_all_its_coins() -> None:
    """R3, R2b"""
    game = table(
        seat(),
        seat(),
        open=["A01"],
        conquest=["A02"],
        offers=[Offer("A01", 0, 5), Offer("A02", 1, 6)],
        agenda=[EndBidding()],
    )
    assert game.state.order == (1, 0)


def test_a_new_tile_gives_its_one_time_income() -> None:
    """R5: A03 gives 5 coins and an inhabitant."""
    game = table(seat(), seat(), open=["A03"], offers=[Offer("A03", 0, 4)], agenda=[TakeTiles()])
    assert goods_of(game, 0) == Goods(coin=5, pop=1)
    assert happened(game.events, Stock) == [Stock(0, "once", Goods(coin=5, pop=1))]


def test_a_marked_building_gives_its_one_time_income_too() -> None:
    """R5"""
    game = table(seat(coin=1), seat(), open=["B03"], offers=[Offer("B03", 0, 6)], agenda=[TakeTiles()])
    assert happened(game.events, Chose) == [Chose(0, "build", Mark("B03"), forced=True)]
    assert goods_of(game, 0) == Goods(pop=3, lux=3)


def test_a_tile_that_costs_inhabitants_takes_them() -> None:
    """R5"""
    game = table(seat(coin=1, pop=3), seat(), open=["A11"], offers=[Offer("A11", 0, 2)], agenda=[TakeTiles()])
    assert goods_of(game, 0) == Goods(coin=4, pop=1)


def test_inhabitants_given_for_a_building_do_not_return_when_it_is_lost() -> None:
    """R5, D1"""
    game = table(
        seat(pop=3, buildings=["A11"]),
        seat(),
        pile=["earthquake", "blank"],
        chits={"earthquake": 2},
        agenda=[DrawChits()],
    )
    assert game.state.box == ("A11",)
    assert goods_of(game, 0) == Goods(pop=3)


def test_income_comes_from_the_civilization_all_tiles_and_the_population() -> None:
    """R6: Argos 1 wood 1 stone; A06 2 food 1 wood; Bridge 1 food; 10 inhabitants 4 coins."""
    game = table(seat("Argos", pop=10, lands=["A06"], buildings=["A12"]), seat(), agenda=[GiveIncomes()])
    assert goods_of(game, 0) == Goods(wood=2, stone=1, food=3, coin=4, pop=10)


COINS = {0: 1, 2: 1, 3: 2, 4: 2, 5: 3, 7: 3, 8: 4, 10: 4, 11: 5, 13: 5, 14: 5, 16: 5, 17: 5, 19: 5, 20: 5, 33: 5}
LUXURY = {14: 2, 16: 2, 17: 4, 19: 4, 20: 6, 33: 6}


@pytest.mark.parametrize("pop", COINS)
def test_coins_and_luxury_follow_the_population(pop: int) -> None:
    """R6"""
    game = table(seat("Sparta", pop=pop), seat(), agenda=[GiveIncomes()])
    assert goods_of(game, 0) == Goods(wood=1, pop=pop, coin=COINS[pop], lux=LUXURY.get(pop, 0))


def test_inhabitants_from_income_count_before_the_coins() -> None:
    """R6: Arkadia's fifth inhabitant earns a third coin."""
    game = table(seat("Arkadia", pop=4), seat(), agenda=[GiveIncomes()])
    assert goods_of(game, 0) == Goods(coin=3, pop=5)


@pytest.mark.parametrize("resource", ["wood", "stone", "food", "coin"])
def test_an_any_icon_gives_what_its_owner_chooses(resource: str) -> None:
    """R6"""
    game = table(seat("Arkadia", buildings=["A15"]), seat(), agenda=[GiveIncomes()])
    assert goods_of(game, 0) == Goods()
    game.choose(TakeAny(resource))
    assert goods_of(game, 0) == Goods(coin=1, pop=1) + Goods(**{resource: 1})
    assert game.state.seats[0].chosen == ()


def test_an_any_icon_is_asked_anew_each_round() -> None:
    """R6"""
    game = table(seat("Arkadia", buildings=["A15"]), seat(), agenda=[GiveIncomes(), GiveIncomes()])
    game.choose(TakeAny("wood"))
    game.choose(TakeAny("stone"))
    assert game.decision is None
    assert goods_of(game, 0) == Goods(wood=1, stone=1, coin=2, pop=2)


def test_the_net_sum_is_applied_so_that_production_offsets_a_loss() -> None:
    """R6: a civilization that loses a wood each round, with a forest of three."""
    loss = "[civilizations.Sparta]\nincome = { wood = -1, stone = -1 }"
    game = table(seat("Sparta", lands=["A07"]), seat(), components=loss, agenda=[GiveIncomes()])
    assert goods_of(game, 0) == Goods(wood=2, coin=1)


def test_a_marked_building_yields_its_income() -> None:
    """R6, R4a"""
    game = table(seat("Arkadia", buildings=["A12"], marked=["A12"]), seat(), agenda=[GiveIncomes()])
    assert goods_of(game, 0) == Goods(food=1, coin=1, pop=1)


def test_two_chits_are_drawn_and_a_blank_does_nothing() -> None:
    """R7"""
    game = table(seat(food=6), seat(), pile=["blank", "drought", "plague"], agenda=[DrawChits()])
    assert game.state.pile == ("plague",)
    assert game.state.chits == {"blank": 1, "drought": 1}
    assert game.events == [ChitDrawn("blank"), ChitDrawn("drought")]


def test_the_third_chit_of_a_kind_strikes_at_once_before_the_next_chit() -> None:
    """R7"""
    game = table(
        seat(food=6), seat(), pile=["drought", "plague"], chits={"drought": 2, "plague": 1}, agenda=[DrawChits()]
    )
    assert game.events == [
        ChitDrawn("drought"),
        Struck("drought"),
        Stock(0, "drought", Goods(food=-2)),
        ChitDrawn("plague"),
    ]


def test_the_second_chit_waits_until_the_disaster_of_the_first_is_resolved() -> None:
    """R7, P3"""
    game = table(
        seat(wood=1, stone=1, buildings=["A12"]),
        seat(),
        pile=["earthquake", "blank"],
        chits={"earthquake": 2},
        agenda=[DrawChits()],
    )
    assert game.decision is not None
    assert game.decision.kind == "keep"
    assert game.state.pile == ("blank",)


def test_blanks_never_strike() -> None:
    """R7, L1: Hellas has three of them."""
    game = table(seat(food=6, pop=6, lux=6), seat(), pile=["blank", "blank"], chits={"blank": 1}, agenda=[DrawChits()])
    assert happened(game.events, Struck) == []
    assert goods_of(game, 0) == Goods(food=6, pop=6, lux=6)


def test_both_chits_of_a_round_can_strike() -> None:
    """R7"""
    game = table(
        seat(food=7, pop=7),
        seat(),
        pile=["drought", "plague"],
        chits={"drought": 2, "plague": 2},
        agenda=[DrawChits()],
    )
    assert goods_of(game, 0) == Goods(food=4, pop=4)
