"""Set-up (S): civilizations and their goods, stacks and chits, drafts."""

import pytest

from peloarena.game import Game, make_options
from peloarena.game.events import Dealt, Ordered
from peloarena.game.goods import Goods
from peloarena.game.pieces import Tile
from peloarena.game.rulebook import rules_for
from peloarena.testing.states import goods_of, happened

STARTS = {
    "Messene": (1, Goods(coin=6, pop=2), Goods(food=2)),
    "Patras": (2, Goods(coin=7, pop=1), Goods(wood=1, food=1)),
    "Arkadia": (3, Goods(coin=8, pop=2), Goods(pop=1)),
    "Korinth": (4, Goods(coin=7, food=3, pop=3), Goods(food=1)),
    "Sparta": (5, Goods(coin=7, wood=4, pop=3), Goods(wood=1)),
    "Pylos": (6, Goods(coin=8, stone=3, pop=2), Goods(stone=1)),
    "Argos": (7, Goods(coin=5, pop=2), Goods(wood=1, stone=1)),
}


@pytest.mark.parametrize("civilization", STARTS)
def test_each_civilization_gives_its_starting_goods_and_income(civilization: str) -> None:
    """S1"""
    other = "Argos" if civilization != "Argos" else "Sparta"
    game = Game(make_options(2, draft={"civilizations": (civilization, other)}), "x")
    _, start, income = STARTS[civilization]
    assert goods_of(game, 0) == start
    assert game.state.seats[0].income == income


def test_the_first_turn_order_is_by_ascending_number() -> None:
    """S1"""
    game = Game(make_options(3, draft={"civilizations": ("Argos", "Messene", "Korinth")}), "x")
    assert game.state.order == (1, 2, 0)
    assert happened(game.opening, Ordered) == [Ordered((1, 2, 0))]


def test_the_civilization_with_number_nought_is_first() -> None:
    """S1, L1"""
    game = Game(make_options(2, ["hellas"], draft={"civilizations": ("Messene", "Syrakus")}), "x")
    assert game.state.order == (1, 0)


@pytest.mark.parametrize("players", [1, 2, 3, 4, 5])
def test_each_player_is_dealt_a_different_civilization(players: int) -> None:
    """S1"""
    for seed in range(20):
        game = Game(make_options(players), str(seed))
        dealt = [event.civilization for event in happened(game.opening, Dealt)]
        assert dealt == [seat.civilization for seat in game.state.seats]
        assert len(set(dealt)) == players
        assert set(dealt) <= set(STARTS)


def test_every_civilization_is_dealt_to_a_seat_sooner_or_later() -> None:
    """S1"""
    options = make_options(2)
    assert {Game(options, str(seed)).state.seats[1].civilization for seed in range(60)} == set(STARTS)


def test_the_stacks_are_shuffled_separately() -> None:
    """S2: 15 A on 15 B on 10 C."""
    state = Game(make_options(5), "x").state
    tiles = state.open + state.conquest + state.deck
    assert [tile[0] for tile in tiles] == ["A"] * 15 + ["B"] * 15 + ["C"] * 10
    assert len(set(tiles)) == 40
    assert list(tiles) != sorted(tiles)


def test_the_chits_are_three_of_each_disaster_and_a_blank() -> None:
    """S2"""
    state = Game(make_options(2), "x").state
    kinds = ["blank", *["decline"] * 3, *["drought"] * 3, *["earthquake"] * 3, *["plague"] * 3, *["tempest"] * 3]
    assert sorted(state.pile) == kinds
    assert list(state.pile) != kinds


def test_a_draft_fixes_the_civilizations_seat_by_seat_and_leaves_the_deal_as_it_is() -> None:
    """S3"""
    one = Game(make_options(2, draft={"civilizations": ("Sparta", "Pylos")}), "deal")
    other = Game(make_options(2, draft={"civilizations": ("Pylos", "Sparta")}), "deal")
    assert [seat.civilization for seat in one.state.seats] == ["Sparta", "Pylos"]
    assert [seat.civilization for seat in other.state.seats] == ["Pylos", "Sparta"]
    assert one.state.seats == other.state.seats[::-1]
    for field in ("deck", "pile", "open", "conquest"):
        assert getattr(one.state, field) == getattr(other.state, field)


def test_a_draft_fixes_the_sea_tiles() -> None:
    """S3, O1"""
    game = Game(make_options(2, ["sea"], draft={"sea": ("S3", "S1")}), "deal")
    assert game.save().count(b'"tiles":["S3","S1"]') == 1


def test_a_draft_given_as_a_list_makes_the_same_game() -> None:
    """S3"""
    lists = make_options(2, ["sea"], draft={"sea": ["S3", "S1"]})  # type: ignore[dict-item]
    assert lists == make_options(2, ["sea"], draft={"sea": ("S3", "S1")})


def test_the_base_set_has_twenty_lands_and_twenty_buildings() -> None:
    """S2"""
    tiles: dict[str, Tile] = rules_for(make_options(2)).tiles
    assert [sum(tile.kind == kind for tile in tiles.values()) for kind in ("land", "building")] == [20, 20]
