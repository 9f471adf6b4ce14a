"""Colonies (C6): every board, as its card reads."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from peloarena.game import ConfigError, Game, Seat, make_options
from peloarena.game.events import Lost, Ordered
from peloarena.game.goods import Goods
from peloarena.game.kinds import Move
from peloarena.game.modules.athens.shapes import TakeAid
from peloarena.game.modules.colonies.shapes import ColonyDealt
from peloarena.game.moves import Bid, Complete, Feed, Keep, Lose, Mark, Pass, Pay
from peloarena.game.rulebook import full_catalogue
from peloarena.game.state import Marker, Offer
from peloarena.game.steps import (
    AskBid,
    DrawChit,
    EndBidding,
    GiveIncomes,
    Score,
    SettleOrder,
    StartBidding,
    SupplyRound,
    TakeTiles,
)
from peloarena.testing.states import goods_of, happened, seat, table

COLONIES = (
    "Apollonia",
    "Byzantium",
    "Leptis Magna",
    "Massilia",
    "Miletus",
    "Naukratis",
    "Naxos",
    "Salamis",
    "Taras",
)
PLAIN = "Massilia"
"""A colony with storage and income of its own, and nothing else."""


def settled(*seats: Seat, modules: Sequence[str] = (), **more: Any) -> Game:
    for made in seats:
        made.mat = made.mat or PLAIN
    return table(*seats, modules=["colonies", *modules], **more)


def struck(kind: str, colony: str, **own: Any) -> Game:
    """The third chit of this kind is drawn."""
    return settled(seat(mat=colony, **own), seat(), chits={kind: 2}, pile=[kind], agenda=[DrawChit()])


def storage_and_income(colony: str) -> tuple[tuple[int, int, int], Goods]:
    board = full_catalogue().mats[colony]
    return (board.storage.wood, board.storage.stone, board.storage.food), board.income


def income(colony: str, pop: int) -> tuple[int, int]:
    """The coins and luxury of a round: Patras adds a wood and a food."""
    game = settled(seat("Patras", mat=colony, pop=pop), seat(), agenda=[GiveIncomes()])
    return game.state.seats[0].coin, game.state.seats[0].lux


def score(colony: str, **own: Any) -> tuple[int, int]:
    result = settled(seat(mat=colony, **own), seat(), agenda=[Score()]).standing().seats[0]
    return result.prestige, result.population


# --- all of them


def test_every_player_has_a_colony_of_his_own() -> None:
    """C1."""
    game = Game(make_options(5, ["colonies"]), "a")
    boards = [s.mat for s in game.state.seats]
    assert len(set(boards)) == 5
    assert set(boards) <= set(COLONIES)
    assert happened(game.opening, ColonyDealt) == [ColonyDealt(n, board) for n, board in enumerate(boards)]


def test_there_are_nine_colonies_with_numbers_marked_as_reconstructed() -> None:
    """C6."""
    boards = [mat for mat in full_catalogue().mats.values() if mat.set == "colonies"]
    assert tuple(mat.id for mat in boards) == COLONIES
    assert {(mat.source, mat.reconstructed) for mat in boards} == {("text", ("storage", "income"))}


def test_a_draft_may_fix_the_colonies() -> None:
    """S3."""
    options = make_options(2, ["colonies"], draft={"colonies": ("Taras", "Leptis Magna")})
    assert [s.mat for s in Game(options, "a").state.seats] == ["Taras", "Leptis Magna"]


def test_a_draft_names_only_colonies() -> None:
    """S3: the mat of the base game is none."""
    with pytest.raises(ConfigError, match="unknown 'mat' for colonies"):
        make_options(2, ["colonies"], draft={"colonies": ("mat", "Taras")})


def test_colonies_are_for_two_to_eight_players() -> None:
    """M."""
    with pytest.raises(ConfigError, match="is for 2 to 8"):
        make_options(1, ["colonies"])


def test_what_a_colony_cannot_store_becomes_luxury() -> None:
    """P6: Massilia stores 7 wood; Sparta earns one."""
    game = settled(seat("Sparta", mat="Massilia", wood=7), seat(), agenda=[GiveIncomes()])
    assert goods_of(game, 0) == Goods(wood=7, coin=1, lux=1)


def test_what_a_dealt_colony_can_do_its_seat_can() -> None:
    """C6: Leptis Magna."""
    options = make_options(2, ["colonies"], draft={"colonies": ("Leptis Magna", "Naxos")})
    assert [s.abilities for s in Game(options, "a").state.seats] == [("free_placement", "marks_with_three"), ()]


@pytest.mark.parametrize("colony", COLONIES)
def test_a_plague_is_the_same_everywhere(colony: str) -> None:
    """D4."""
    assert goods_of(struck("plague", colony, pop=7, food=7, lux=12), 0) == Goods(pop=4, food=7, lux=12)


@pytest.mark.parametrize("colony", [name for name in COLONIES if name != "Apollonia"])
def test_a_drought_takes_a_third_elsewhere(colony: str) -> None:
    """D3."""
    assert goods_of(struck("drought", colony, food=7), 0) == Goods(food=4)


@pytest.mark.parametrize("colony", [name for name in COLONIES if name != "Taras"])
def test_decline_takes_ten_luxury_elsewhere(colony: str) -> None:
    """D5."""
    assert goods_of(struck("decline", colony, lux=12), 0) == Goods(lux=2)


# --- Apollonia


def test_apollonia_stores_little_stone_and_food() -> None:
    """C6."""
    assert storage_and_income("Apollonia")[0] == (10, 7, 9)
    assert income("Apollonia", 14) == (5, 3)


def test_apollonia_is_last_in_the_first_order() -> None:
    """C6, S1."""
    game = settled(seat(mat="Apollonia"), seat(), seat(), agenda=[SettleOrder()])
    assert happened(game.events, Ordered) == [Ordered((1, 2, 0))]


def test_apollonia_is_last_after_the_bidding_whatever_it_bids() -> None:
    """C6, R3."""
    offers = [Offer("A01", 0, 9), Offer("A02", 1, 4)]
    game = settled(seat(mat="Apollonia"), seat(), seat(), open=["A01", "A02"], offers=offers, agenda=[EndBidding()])
    assert game.state.order == (1, 2, 0)


@pytest.mark.parametrize(("food", "left"), [(9, 4), (8, 4), (1, 0), (0, 0)])
def test_the_drought_leaves_apollonia_half_its_food_rounded_down(food: int, left: int) -> None:
    """C6."""
    assert goods_of(struck("drought", "Apollonia", food=food), 0).food == left


def test_an_earthquake_costs_apollonia_two_wood_and_two_stone_a_building() -> None:
    """C6."""
    game = struck("earthquake", "Apollonia", wood=5, stone=4, buildings=["A12", "A13", "A14"])
    game.choose(Keep("A12"))
    game.choose(Keep("A13"))
    assert goods_of(game, 0) == Goods(wood=1)
    assert game.state.seats[0].buildings == ("A12", "A13")


def test_a_tempest_costs_apollonia_what_it_costs_all() -> None:
    """C6, D2."""
    game = struck("tempest", "Apollonia", food=3, coin=3, lands=["A05"])
    game.choose(Keep("A05"))
    assert goods_of(game, 0) == Goods(food=2, coin=2)


def test_who_holds_the_aid_is_behind_apollonia() -> None:
    """H2."""
    game = settled(
        seat(coin=9),
        seat(mat="Apollonia", coin=9),
        modules=["athens"],
        open=["A07", "A05"],
        agenda=[StartBidding(), EndBidding()],
    )
    game.choose(TakeAid("A07"))
    game.choose(Pass())
    assert game.state.order == (1, 0)


# --- Byzantium


def test_byzantium_scores_four_for_an_inhabitant_and_one_for_four_coins() -> None:
    """C5, C6."""
    assert score("Byzantium", pop=3, coin=11) == (2, 12)


def test_byzantium_stores_little_food_and_earns_less_coin_more_luxury() -> None:
    """C6."""
    assert storage_and_income("Byzantium")[0] == (10, 10, 9)
    assert income("Byzantium", 11) == (4, 2)


def test_coinage_is_better_than_the_rate_of_byzantium() -> None:
    """L2: 2 for Coinage and 11 // 2."""
    game = settled(seat(mat="Byzantium", coin=11, buildings=["D01"]), seat(), modules=["hellas"], agenda=[Score()])
    assert game.standing().seats[0].prestige == 2 + 5


# --- Leptis Magna


def test_leptis_magna_marks_a_building_with_three_coins() -> None:
    """C6."""
    game = settled(
        seat(mat="Leptis Magna", coin=4, wood=2),
        seat(),
        open=["A12"],
        offers=[Offer("A12", 0, 1)],
        agenda=[TakeTiles()],
    )
    assert game.decision.legal == [Pay("A12"), Mark("A12")]
    game.choose(Mark("A12"))
    assert game.state.seats[0].marks == (Marker("A12", 3),)
    assert goods_of(game, 0) == Goods(coin=1, wood=2, pop=2)


def test_leptis_magna_loses_a_building_it_can_neither_pay_nor_mark() -> None:
    """C6, R4a: two coins and a luxury are no three coins."""
    game = settled(
        seat(mat="Leptis Magna", coin=2, lux=1), seat(), open=["A12"], offers=[Offer("A12", 0, 1)], agenda=[TakeTiles()]
    )
    assert happened(game.events, Lost) == [Lost(0, "A12", "not payable")]


@pytest.mark.parametrize("move", [Complete("A12"), Lose("A12")])
def test_all_three_marking_coins_return_to_leptis_magna(move: Move) -> None:
    """C6, V2."""
    game = settled(
        seat(mat="Leptis Magna", wood=2, buildings=["A12"], marked={"A12": 3}),
        seat(),
        agenda=[SupplyRound(final=False)],
    )
    game.choose(move)
    assert game.state.seats[0].coin == 3


def test_leptis_magna_places_lands_without_the_neighbour_rule() -> None:
    """C6, R4b: a field beside a mountain."""
    game = settled(
        seat(mat="Leptis Magna", lands=["A01"]), seat(), open=["A05"], offers=[Offer("A05", 0, 3)], agenda=[TakeTiles()]
    )
    assert game.state.seats[0].lands == ("A01", "A05")


def test_leptis_magna_earns_a_little_more() -> None:
    """C6."""
    assert income("Leptis Magna", 8) == (5, 0)


# --- Massilia


def test_massilia_stores_little_and_earns_luxury_sooner() -> None:
    """C6."""
    assert storage_and_income("Massilia")[0] == (7, 7, 9)
    assert [income("Massilia", pop) for pop in (4, 5, 11)] == [(2, 0), (3, 1), (5, 2)]


# --- Miletus


def test_miletus_is_first_in_the_first_order_and_after_the_bidding() -> None:
    """C6, S1, R3."""
    seats = [seat(), seat(), seat(mat="Miletus")]
    assert settled(*seats, agenda=[SettleOrder()]).state.order == (2, 0, 1)
    seats = [seat(), seat(), seat(mat="Miletus")]
    game = settled(*seats, open=["A01"], offers=[Offer("A01", 1, 9)], agenda=[EndBidding()])
    assert game.state.order == (2, 1, 0)


def test_miletus_scores_one_for_two_coins() -> None:
    """C5, C6."""
    assert score("Miletus", coin=7, pop=2) == (3, 6)


def test_miletus_earns_more() -> None:
    """C6."""
    assert [income("Miletus", pop) for pop in (0, 5, 11)] == [(2, 0), (5, 0), (7, 1)]


def test_who_holds_the_aid_is_last_even_with_miletus() -> None:
    """H2."""
    game = settled(
        seat(mat="Miletus", coin=9),
        seat(coin=9),
        modules=["athens"],
        open=["A07", "A05"],
        agenda=[StartBidding(), EndBidding()],
    )
    game.choose(TakeAid("A07"))
    game.choose(Pass())
    assert game.state.order == (1, 0)


# --- Naukratis


def test_naukratis_pays_with_luxury_one_for_one() -> None:
    """C6: 2 wood of the Bridge."""
    game = settled(
        seat(mat="Naukratis", lux=3), seat(), open=["A12"], offers=[Offer("A12", 0, 1)], agenda=[TakeTiles()]
    )
    game.choose(Pay("A12"))
    assert goods_of(game, 0) == Goods(lux=1, pop=2)


def test_naukratis_bids_with_luxury_one_for_one() -> None:
    """C6, R2c."""
    game = settled(seat(mat="Naukratis", coin=2, lux=2), seat(), open=["A07"], agenda=[AskBid(0)])
    assert game.decision.legal == [Bid("A07", 2), Bid("A07", 3), Bid("A07", 4), Pass()]
    game.choose(Bid("A07", 4))
    assert goods_of(game, 0) == Goods()


def test_naukratis_marks_with_one_luxury() -> None:
    """C6, R4a."""
    game = settled(
        seat(mat="Naukratis", lux=1), seat(), open=["A12"], offers=[Offer("A12", 0, 1)], agenda=[TakeTiles()]
    )
    assert game.state.seats[0].marks == (Marker("A12", 1),)


def test_naukratis_feeds_with_one_luxury_each() -> None:
    """C6, V1."""
    game = settled(seat(mat="Naukratis", pop=4, food=1, lux=2), seat(), agenda=[SupplyRound(final=False)])
    assert game.decision.legal == [Feed(0), Feed(1), Feed(2)]
    game.choose(Feed(2))
    assert goods_of(game, 0) == Goods(pop=3)


def test_naukratis_keeps_tiles_with_luxury_one_for_one() -> None:
    """C6, D1."""
    game = struck("earthquake", "Naukratis", lux=2, buildings=["A12"])
    game.choose(Keep("A12"))
    assert goods_of(game, 0) == Goods()


def test_naukratis_stores_much_and_earns_little() -> None:
    """C6."""
    assert storage_and_income("Naukratis")[0] == (13, 13, 16)
    assert [income("Naukratis", pop) for pop in (8, 11, 20)] == [(3, 0), (4, 0), (4, 6)]


# --- Naxos


def test_naxos_stores_much_and_earns_much() -> None:
    """C6."""
    assert storage_and_income("Naxos")[0] == (13, 13, 16)
    assert [income("Naxos", pop) for pop in (5, 11)] == [(4, 0), (6, 1)]


def test_naxos_scores_one_for_two_coins() -> None:
    """C5, C6."""
    assert score("Naxos", coin=9, pop=1) == (4, 3)


# --- Salamis


def test_salamis_feeds_two_with_one_food() -> None:
    """C6, V1: a last odd one takes a whole food."""
    game = settled(seat(mat="Salamis", pop=5, food=4), seat(), agenda=[SupplyRound(final=False)])
    assert goods_of(game, 0) == Goods(pop=5, food=1)


def test_salamis_feeds_two_with_two_luxury() -> None:
    """C6, V1: three are hungry; 4 luxury feed them all, 2 feed two."""
    game = settled(seat(mat="Salamis", pop=5, food=1, lux=4), seat(), agenda=[SupplyRound(final=False)])
    assert game.decision.legal == [Feed(0), Feed(1), Feed(2), Feed(3)]
    game.choose(Feed(2))
    assert goods_of(game, 0) == Goods(pop=4, lux=2)


def test_salamis_cannot_feed_with_one_luxury() -> None:
    """C6, V1."""
    game = settled(seat(mat="Salamis", pop=2, lux=1), seat(), agenda=[SupplyRound(final=False)])
    assert goods_of(game, 0) == Goods(lux=1)


def test_salamis_scores_two_for_an_inhabitant() -> None:
    """C5, C6."""
    assert score("Salamis", pop=4, coin=6) == (2, 8)


def test_colossos_is_better_than_the_rate_of_salamis() -> None:
    """L2."""
    game = settled(seat(mat="Salamis", pop=4, buildings=["D02"]), seat(), modules=["hellas"], agenda=[Score()])
    assert game.standing().seats[0].population == 16


# --- Taras


def test_decline_takes_all_luxury_of_taras() -> None:
    """C6."""
    game = struck("decline", "Taras", lux=17)
    assert goods_of(game, 0) == Goods()


def test_a_tempest_costs_taras_two_food_and_two_coins_a_land() -> None:
    """C6."""
    game = struck("tempest", "Taras", food=5, coin=2, lands=["A05", "A06"])
    game.choose(Keep("A05"))
    assert goods_of(game, 0) == Goods(food=3)
    assert game.state.seats[0].lands == ("A05",)


def test_an_earthquake_costs_taras_what_it_costs_all() -> None:
    """C6, D1."""
    game = struck("earthquake", "Taras", wood=1, stone=1, buildings=["A12"])
    game.choose(Keep("A12"))
    assert goods_of(game, 0) == Goods()


def test_taras_stores_little_wood_and_stone_and_earns_luxury_early() -> None:
    """C6."""
    assert storage_and_income("Taras")[0] == (7, 7, 13)
    assert [income("Taras", pop) for pop in (3, 8, 20)] == [(2, 1), (4, 3), (5, 10)]
