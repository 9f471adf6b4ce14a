"""Goats (G) and the tiles that come with them (X1): herds, Stockade, Store, Field of Goats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest

from peloarena.game import Game, Seat, make_options
from peloarena.game.building import can_place_land
from peloarena.game.events import Chose, Protected, Stock
from peloarena.game.goods import Goods
from peloarena.game.kinds import Move
from peloarena.game.modules.goats.shapes import Exchange, Herd, HerdChanged
from peloarena.game.moves import Mark, Pay
from peloarena.game.parts import part
from peloarena.game.rulebook import full_catalogue, rules_for
from peloarena.game.scoring import result_of
from peloarena.game.state import Offer
from peloarena.game.steps import AfterIncome, StrikeSeat, SupplyRound, TakeTiles
from peloarena.testing.states import seat, table

GOAT_TILES = ["A21", "A22", "A23", "B21", "B22", "B23", "C21", "C22", "D21"]


def tended(*seats: Seat, **more: Any) -> Game:
    """The end of an income phase."""
    return table(*seats, modules=["goats"], agenda=[AfterIncome()], **more)


def herd(game: Game, number: int = 0) -> int:
    return part(game.state.seats[number], Herd).goats


def exchanged(game: Game, *amounts: int) -> Seat:
    """Answer kind by kind: wood, stone, food."""
    for resource, goats in zip(("wood", "stone", "food"), amounts, strict=False):
        game.choose(Exchange(resource, goats))
    return game.state.seats[0]


def test_every_seat_starts_with_no_goats() -> None:
    """G1."""
    game = Game(make_options(3, ["goats"]), "start")
    assert [herd(game, number) for number in range(3)] == [0, 0, 0]


def test_a_herd_grows_by_one_and_by_the_goat_income_of_the_tiles() -> None:
    """G1: Shepherd's Hut 1, Field of Goats 2, the field and hills 1; a marked building counts."""
    game = tended(seat(parts=[Herd(2)]), seat(buildings=["A22", "C21"], marked=["C21"], lands=["A23", "B23"]))
    assert (herd(game, 0), herd(game, 1)) == (3, 5)
    assert game.events == [HerdChanged(0, 3), HerdChanged(1, 5)]


def test_a_herd_above_thirteen_is_lost() -> None:
    """G1."""
    game = tended(seat(parts=[Herd(12)], buildings=["C21"]), seat(parts=[Herd(13)]))
    assert (herd(game, 0), herd(game, 1)) == (13, 13)
    assert game.events == [HerdChanged(0, 13)]


def test_a_seat_that_took_a_goat_tile_exchanges_the_whole_herd_in_any_mix() -> None:
    """G2: how many of each kind, wood to coins; it grows before (G1)."""
    game = tended(seat(parts=[Herd(5)], lands=["C22"], taken="C22"), seat(parts=[Herd(5)]))
    assert game.decision.kind == "exchange"
    assert game.decision.legal == [Exchange("wood", n) for n in range(7)]
    own = exchanged(game, 1, 2, 0)
    assert (own.wood, own.stone, own.food, own.coin) == (1, 2, 0, 3)
    assert (herd(game, 0), herd(game, 1)) == (0, 6)
    assert game.decision is None


def test_what_is_left_for_the_last_kind_is_not_asked() -> None:
    """G2, P4: all for coins is three answers."""
    game = tended(seat(parts=[Herd(3)], lands=["C22"], taken="C22"))
    game.choose(Exchange("wood", 0))
    game.choose(Exchange("stone", 0))
    events = game.choose(Exchange("food", 0))
    assert Chose(0, "exchange", Exchange("coin", 4), forced=True) in events
    assert game.state.seats[0].coin == 4


def test_no_more_is_asked_once_the_herd_is_gone() -> None:
    """G2."""
    game = tended(seat(parts=[Herd(3)], lands=["C22"], taken="C22"))
    events = game.choose(Exchange("wood", 4))
    assert events[1:] == [HerdChanged(0, 0), Stock(0, "goats", Goods(wood=4))]
    assert game.decision is None


def test_goats_beyond_the_storehouse_become_luxury() -> None:
    """G2, P6: wood holds 10."""
    game = tended(seat(wood=8, parts=[Herd(5)], lands=["C22"], taken="C22"))
    own = exchanged(game, 6)
    assert (own.wood, own.lux) == (10, 4)


def test_seats_exchange_in_turn_order() -> None:
    """G2, P3."""
    both = [seat(parts=[Herd(1)], lands=[land], taken=land) for land in ("C22", "B23")]
    game = tended(*both, order=(1, 0))
    assert game.decision.seat == 1
    game.choose(Exchange("wood", 2))
    assert game.decision.seat == 0


def test_a_tile_without_the_icon_leaves_the_herd_alone() -> None:
    """G2."""
    game = tended(seat(parts=[Herd(5)], lands=["A05"], taken="A05"))
    assert game.decision is None
    assert herd(game) == 6


def test_a_goat_tile_taken_in_an_earlier_round_exchanges_nothing() -> None:
    """G2."""
    game = tended(seat(parts=[Herd(5)], lands=["C22"]))
    assert game.decision is None


def test_a_goat_land_that_was_lost_does_not_count() -> None:
    """G2, R4b: hills do not lie next to the field."""
    game = table(
        seat(lands=["A05"], parts=[Herd(4)]),
        modules=["goats"],
        open=["B23"],
        offers=[Offer("B23", 0, 4)],
        agenda=[TakeTiles(), AfterIncome()],
    )
    assert game.decision is None
    assert game.state.box == ("B23",)
    assert herd(game) == 5


@pytest.mark.parametrize("way", [Pay("A22"), Mark("A22")])
def test_a_goat_building_counts_whether_paid_or_marked(way: Move) -> None:
    """G2, G1: the new tile's own goat income comes before the exchange."""
    game = table(
        seat(wood=1, stone=1, coin=1, parts=[Herd(4)]),
        modules=["goats"],
        open=["A22"],
        offers=[Offer("A22", 0, 2)],
        agenda=[TakeTiles(), AfterIncome()],
    )
    game.choose(way)
    assert game.decision.legal == [Exchange("wood", n) for n in range(7)]


def test_goats_left_at_the_end_are_worth_nothing() -> None:
    """G2."""
    with_goats, without = (result_of(tended(seat(pop=3, coin=9, parts=[Herd(n)]))) for n in (13, 0))
    assert with_goats == without


def test_all_goat_tiles_carry_the_icon_and_are_marked_as_reconstructed() -> None:
    """G3."""
    tiles = [tile for tile in full_catalogue().tiles.values() if tile.set == "goats"]
    assert [tile.id for tile in tiles] == GOAT_TILES
    assert all("goat" in tile.abilities and tile.source == "reconstructed" for tile in tiles)
    assert sum(tile.kind == "building" for tile in tiles) == 5


def test_the_owner_of_the_store_feeds_nobody_in_the_final_supply_round() -> None:
    """V1, Store; marked or not, it feeds before it is completed or lost."""
    game = table(
        seat(pop=9, food=4, buildings=["B21"]),
        seat(pop=9, food=4),
        modules=["goats"],
        agenda=[SupplyRound(final=True)],
    )
    assert [(own.pop, own.food) for own in game.state.seats] == [(9, 4), (4, 0)]


def test_the_store_does_not_help_in_an_earlier_supply_round() -> None:
    """V1, Store."""
    game = table(seat(pop=9, food=4, buildings=["B21"]), seat(), modules=["goats"], agenda=[SupplyRound(final=False)])
    assert (game.state.seats[0].pop, game.state.seats[0].food) == (4, 0)


def test_the_stockade_lifts_the_neighbour_rule() -> None:
    """R4b."""
    game = table(seat(lands=["A01"], buildings=["A21"]), seat(lands=["A01"]), modules=["goats"])
    field = game.rules.tiles["A05"]
    assert [can_place_land(game, number, field) for number in (0, 1)] == [True, False]


def test_the_field_of_goats_protects_from_decline() -> None:
    """D5."""
    game = table(seat(lux=8, buildings=["C21"]), modules=["goats"], agenda=[StrikeSeat("decline", 0)])
    assert game.events == [Protected(0, "decline")]
    assert game.state.seats[0].lux == 8


@pytest.mark.parametrize(
    ("modules", "stacks"),
    [(["goats"], {"A": 18, "B": 18, "C": 12}), (["goats", "hellas"], {"A": 18, "B": 18, "C": 12, "D": 6})],
)
def test_the_goat_tiles_make_it_six_a_round_at_any_player_count(modules: Sequence[str], stacks: dict[str, int]) -> None:
    """X1: the ninth tile only with the ninth round."""
    for players in range(1, 7):
        rules = rules_for(make_options(players, modules))
        assert {letter: len(tiles) for letter, tiles in rules.stacks.items()} == stacks
        assert rules.tiles_per_round == 6


def test_six_players_have_six_open_tiles_and_no_conquest_row() -> None:
    """X2."""
    game = Game(make_options(6, ["goats"]), "six")
    assert (len(game.state.open), game.state.conquest) == (6, ())


def test_two_players_have_four_conquest_tiles() -> None:
    """X1, R1."""
    game = Game(make_options(2, ["goats"]), "two")
    assert (len(game.state.open), len(game.state.conquest)) == (2, 4)


@pytest.mark.parametrize("level", range(1, 6))
def test_solo_level_n_has_n_minus_one_conquest_tiles_and_the_rest_open(level: int) -> None:
    """X1, Z1."""
    game = Game(make_options(1, ["goats"], level=level), "alone")
    while game.decision.kind == "extra_income":
        game.choose(game.decision.legal[0])
    assert (len(game.state.open), len(game.state.conquest)) == (7 - level, level - 1)


def test_herds_in_words() -> None:
    """G1, G2."""
    names = tended(seat("Sparta")).names()
    assert names.text(Exchange("wood", 3)) == "exchange 3 goats for wood"
    assert names.text(Exchange("wood", 1)) == "exchange 1 goat for wood"
    assert names.text(HerdChanged(0, 5)) == "Sparta: a herd of 5"
