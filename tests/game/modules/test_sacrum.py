"""Sacrum (U): the skull, inhabitants given up, the Treasury; the second set of extra tiles (X)."""

from __future__ import annotations

import random
from collections.abc import Sequence
from typing import Any

import pytest

from peloarena.game import Game, Seat, determinize, encode, make_options
from peloarena.game.chance import shuffled
from peloarena.game.events import Chose, Stock
from peloarena.game.goods import Goods
from peloarena.game.modules.sacrum.shapes import Sacrifice, Sacrificed, SacrumSeat, SacrumShown, SacrumTable
from peloarena.game.moves import Skip
from peloarena.game.parts import part
from peloarena.game.rulebook import full_catalogue, rules_for
from peloarena.game.scoring import result_of
from peloarena.game.steps import AfterIncome, DrawChits, StrikeSeat, SupplyRound
from peloarena.testing.states import seat, table

NO_SKULL = SacrumTable((("blank", "blank", "skull", "blank", "blank"),))
WITH_SKULL = SacrumTable((("blank", "skull", "blank", "blank", "blank"),))


def shown(sacrum: SacrumTable, *seats: Seat, **more: Any) -> Game:
    return table(*seats, **{"modules": ["sacrum"], "parts": [sacrum], "agenda": [AfterIncome()]} | more)


def given(game: Game, number: int = 0) -> int:
    return part(game.state.seats[number], SacrumSeat).given


def population(modules: Sequence[str] = ("sacrum",), **own: Any) -> int:
    return result_of(table(seat(**own), modules=modules)).seats[0].population


def test_five_chits_one_of_them_the_skull_are_shuffled() -> None:
    """U1."""
    piles = [part(Game(make_options(1, ["sacrum"]), f"pile {n}").state, SacrumTable).groups for n in range(30)]
    assert all(sorted(pile) == ["blank"] * 4 + ["skull"] for (pile,) in piles)
    assert {pile.index("skull") for (pile,) in piles} == {0, 1, 2, 3, 4}


def test_two_are_revealed_each_round_and_go_to_the_bottom_in_random_order() -> None:
    """U1: the order there is the second shuffle's."""
    game = shown(WITH_SKULL, seat(), seat())
    assert game.events[0] == SacrumShown(("blank", "skull"))
    bottom = shuffled("table", "sacrum", ("blank", "skull"), 2)
    assert part(game.state, SacrumTable) == SacrumTable((("blank", "blank", "blank"), bottom), 2)


def test_chits_that_went_down_together_come_up_after_those_above_them() -> None:
    """U1: a round may turn up the last of one group and the first of the next."""
    groups = (("blank",), ("skull", "blank"), ("blank", "blank"))
    game = shown(SacrumTable(groups, 3), seat(), seat())
    assert game.events[0] == SacrumShown(("blank", "skull"))
    assert part(game.state, SacrumTable).groups[:2] == (("blank",), ("blank", "blank"))


def test_the_order_within_a_group_is_hidden() -> None:
    """U1, P1: which chits lie where as far as all have seen it, and no more."""
    views = []
    for bottom in (("skull", "blank"), ("blank", "skull")):
        views.append(encode(shown(SacrumTable((("blank",), bottom), 2), seat(), agenda=[], level=1).view(0)))
    assert views[0] == views[1]
    assert b'"groups":[["blank"],["blank","skull"]]' in views[0]


def test_a_guess_keeps_what_all_have_seen() -> None:
    """U1, P1: groups stay, only the order within them is guessed."""
    game = shown(SacrumTable((("blank", "blank", "blank"), ("skull", "blank")), 2), seat(), agenda=[])
    guesses = {
        part(determinize(game.options, game.view(0), random.Random(n)).state, SacrumTable).groups for n in range(20)
    }
    assert guesses == {(("blank",) * 3, ("skull", "blank")), (("blank",) * 3, ("blank", "skull"))}


def test_when_the_skull_shows_every_seat_may_give_up_inhabitants_in_turn_order() -> None:
    """U1."""
    game = shown(WITH_SKULL, seat(coin=2, pop=5), seat(coin=5, pop=1), order=(1, 0))
    assert (game.decision.seat, game.decision.kind) == (1, "sacrifice")
    assert game.decision.legal == [Sacrifice(1), Skip()]
    game.choose(Skip())
    assert game.decision.legal == [Sacrifice(1), Sacrifice(2), Skip()]
    events = game.choose(Sacrifice(2))
    assert events[1:] == [Stock(0, "sacrifice", Goods(coin=-2, pop=-2)), Sacrificed(0, 2)]
    assert (given(game, 0), given(game, 1)) == (2, 0)
    assert game.decision is None


def test_luxury_stands_in_for_missing_coins() -> None:
    """U1, P5."""
    game = shown(WITH_SKULL, seat(coin=1, lux=5, pop=9))
    assert game.decision.legal == [Sacrifice(1), Sacrifice(2), Sacrifice(3), Skip()]
    game.choose(Sacrifice(3))
    own = game.state.seats[0]
    assert (own.coin, own.lux, own.pop) == (0, 1, 6)


def test_without_coins_or_inhabitants_there_is_nothing_to_decide() -> None:
    """U1, P4."""
    game = shown(WITH_SKULL, seat(coin=3), seat(pop=3))
    assert game.decision is None
    assert Chose(1, "sacrifice", Skip(), forced=True) in game.events


def test_without_the_skull_nobody_is_asked() -> None:
    """U1."""
    game = shown(NO_SKULL, seat(coin=5, pop=5), seat(coin=5, pop=5))
    assert game.decision is None
    assert game.events == [SacrumShown(("blank", "blank"))]


@pytest.mark.parametrize(
    "own",
    [
        {"buildings": ["A31"]},
        {"buildings": ["B32"], "marked": ["B32"]},
        {"civilization": "Delos"},
    ],
)
def test_the_owner_of_a_skull_may_do_so_every_round(own: dict[str, Any]) -> None:
    """U1: Maniotic Tower, Mines of Laurion (marked or not), Delos."""
    game = shown(NO_SKULL, seat(coin=5, pop=5), seat(coin=5, pop=1, **own))
    assert (game.decision.seat, game.decision.legal) == (1, [Sacrifice(1), Skip()])


def test_it_is_once_a_round_in_all() -> None:
    """U1: a skull of one's own, a second one and the chit add nothing."""
    game = shown(WITH_SKULL, seat(coin=5, pop=5, buildings=["A31", "B32"]), seat())
    game.choose(Sacrifice(1))
    assert game.decision is None


def test_each_given_up_counts_two_population_points() -> None:
    """U1."""
    assert population(pop=4, parts=[SacrumSeat(3)]) == 4 * 3 + 3 * 2


def test_each_given_up_counts_three_for_the_owner_of_the_treasury() -> None:
    """U1."""
    assert population(["sacrum", "hellas"], pop=4, parts=[SacrumSeat(3)], buildings=["D31"]) == 4 * 3 + 3 * 3


def test_what_an_inhabitant_is_worth_does_not_touch_those_given_up() -> None:
    """U1, L2: Colossos."""
    assert population(["sacrum", "hellas"], pop=4, parts=[SacrumSeat(3)], buildings=["D02"]) == 4 * 4 + 3 * 2


def test_those_given_up_are_neither_fed_nor_hit_by_plague() -> None:
    """U1, V1, D4."""
    own = seat(pop=3, food=3, parts=[SacrumSeat(6)])
    game = table(own, modules=["sacrum"], agenda=[StrikeSeat("plague", 0), SupplyRound(final=True)])
    assert (game.state.seats[0].pop, game.state.seats[0].food) == (2, 1)
    assert given(game) == 6


def test_the_sacrum_chits_come_before_the_disaster_chits() -> None:
    """U1, M."""
    game = shown(WITH_SKULL, seat(coin=1, pop=1), pile=["blank", "plague"], agenda=[AfterIncome(), DrawChits()])
    assert game.decision.kind == "sacrifice"
    assert len(game.state.pile) == 2
    game.choose(Skip())
    assert game.state.chits == {"blank": 1, "plague": 1}


def test_the_sacrum_pieces_are_printed_ones() -> None:
    """X1, M: eight tiles, a ninth with Hellas, and Delos."""
    pieces = [*full_catalogue().tiles.values(), *full_catalogue().civilizations.values()]
    mine = [piece for piece in pieces if piece.set == "sacrum"]
    assert len(mine) == 10
    assert {piece.source for piece in mine} == {"printed"}
    assert "Delos" in rules_for(make_options(2, ["sacrum"])).civilizations


@pytest.mark.parametrize(
    ("modules", "tiles", "stacks"),
    [
        (["sacrum"], 6, {"A": 18, "B": 18, "C": 12}),
        (["sacrum", "hellas"], 6, {"A": 18, "B": 18, "C": 12, "D": 6}),
        (["sacrum", "goats"], 7, {"A": 21, "B": 21, "C": 14}),
        (["sacrum", "goats", "hellas"], 7, {"A": 21, "B": 21, "C": 14, "D": 7}),
    ],
)
def test_each_set_of_extra_tiles_adds_one_tile_a_round(
    modules: Sequence[str], tiles: int, stacks: dict[str, int]
) -> None:
    """X1."""
    rules = rules_for(make_options(2, modules))
    assert {letter: len(ids) for letter, ids in rules.stacks.items()} == stacks
    assert rules.tiles_per_round == tiles


@pytest.mark.parametrize("players", [7, 8])
def test_seven_and_eight_players_have_seven_tiles_and_no_conquest_row(players: int) -> None:
    """X2: with eight, at least one goes without."""
    game = Game(make_options(players, ["goats", "sacrum"]), "many")
    assert (len(game.state.open), game.state.conquest) == (7, ())


@pytest.mark.parametrize("level", range(1, 6))
def test_solo_level_n_has_n_minus_one_of_seven_tiles_to_conquer(level: int) -> None:
    """X1, Z1."""
    rules = rules_for(make_options(1, ["goats", "sacrum"], level=level))
    assert (rules.open_tiles, rules.tiles_per_round) == (8 - level, 7)


def test_sacrifices_in_words() -> None:
    """U1."""
    names = shown(NO_SKULL, seat("Sparta"), agenda=[]).names()
    assert names.text(Sacrifice(3)) == "give up 3 inhabitants for a coin each"
    assert names.text(SacrumShown(("blank", "skull"))) == "sacrum chits: blank, skull"
    assert names.text(Sacrificed(0, 4)) == "Sparta has given up 4 inhabitants in all"
