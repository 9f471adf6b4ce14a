"""Persians (C1-C5): chits, strength, attacks, mercenaries, internal conflicts, cloverleaves."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import Any

import pytest

from peloarena.game import ConfigError, Game, Seat, make_options
from peloarena.game.events import ChitDrawn, ChitSlid, Lost, Protected, Stock
from peloarena.game.goods import Goods
from peloarena.game.kinds import Part
from peloarena.game.modules.heroes.shapes import HeroSeat, HeroTurned
from peloarena.game.modules.persians.shapes import (
    Attacked,
    ConflictWon,
    Hire,
    PersiansTable,
    StrengthChanged,
    Strengthen,
    StrengthSeat,
    Surrender,
)
from peloarena.game.modules.sea.shapes import SeaSeat
from peloarena.game.moves import Complete, Mark, Pay, Skip
from peloarena.game.parts import part
from peloarena.game.rulebook import rules_for
from peloarena.game.shapes import Tally
from peloarena.game.state import Offer
from peloarena.game.steps import DrawChit, DrawChits, Score, StartRound, SupplyRound, TakeTiles
from peloarena.testing.states import goods_of, happened, seat, table

MODULES = ("heroes", "persians")
QUIET = "Sisyphus"
"""A hero (1 point) who has no say in any of this."""


def fighter(
    strength: int = 0,
    *,
    hero: str = QUIET,
    leaves: int = 3,
    mercenaries: int = 0,
    turned: bool = False,
    parts: Sequence[Part] = (),
    **more: Any,
) -> Seat:
    own = [HeroSeat(hero, turned), StrengthSeat(strength, leaves, mercenaries), *parts]
    return seat(parts=own, **more)


def battle(*seats: Seat, modules: Sequence[str] = (), **more: Any) -> Game:
    return table(*seats, modules=[*MODULES, *modules], **more)


def strengths(game: Game) -> list[int]:
    return [part(s, StrengthSeat).strength for s in game.state.seats]


def leaves(game: Game) -> list[int]:
    return [part(s, StrengthSeat).cloverleaves for s in game.state.seats]


def asked(game: Game) -> tuple[int, str] | None:
    return game.decision and (game.decision.seat, game.decision.kind)


# --- C1: the set-up and the chits


@pytest.mark.parametrize(("modules", "chits", "rounds"), [((), 24, 8), (("hellas",), 27, 9)])
def test_three_chits_are_drawn_each_round(modules: Sequence[str], chits: int, rounds: int) -> None:
    """C1, L1."""
    options = make_options(2, [*MODULES, *modules])
    rules = rules_for(options)
    assert len(Game(options, "a").state.pile) == chits
    assert (rules.rounds, rules.chits_per_round) == (rounds, 3)


def test_hellas_brings_three_blanks_where_the_persians_are() -> None:
    """L1."""
    chits = rules_for(make_options(2, [*MODULES, "hellas"])).catalogue.chit_counts()
    assert (chits["blank"], chits["persians_1"], chits["persians_2"]) == (4, 4, 4)
    assert rules_for(make_options(2, ["hellas"])).catalogue.chit_counts()["blank"] == 3


def test_everyone_starts_with_three_cloverleaves_and_the_strength_of_the_hero() -> None:
    """C1."""
    game = Game(make_options(2, MODULES, draft={"heroes": ("Achilles", "Andromeda")}), "a")
    assert [part(s, StrengthSeat) for s in game.state.seats] == [StrengthSeat(5, 3, 0), StrengthSeat(0, 3, 0)]


def test_persians_and_heroes_need_each_other() -> None:
    """M."""
    with pytest.raises(ConfigError, match="module 'persians' needs heroes"):
        make_options(2, ["persians"])
    with pytest.raises(ConfigError, match="module 'heroes' needs persians"):
        make_options(2, ["heroes"])


def test_there_is_no_solo_game_with_the_persians() -> None:
    """M."""
    with pytest.raises(ConfigError, match="is for 2 to 8"):
        make_options(1, MODULES)


def test_the_preset_is_heroes_persians_and_colonies() -> None:
    """M."""
    assert make_options(2, ["heroes-and-colonies"]).modules == ("colonies", "heroes", "persians")


def drawn(*pile: str, chits: dict[str, int] | None = None, number: int = 3, **more: Any) -> Game:
    """After this number of chits of the pile."""
    return battle(fighter(), fighter(), pile=pile, chits=chits, agenda=[DrawChit()] * number, **more)


def test_a_second_chit_of_a_kind_in_a_row_goes_under_the_pile() -> None:
    """C1."""
    game = drawn("plague", "plague", "drought", "blank", "tempest")
    assert game.state.chits == {"plague": 1, "drought": 1, "blank": 1}
    assert game.state.pile == ("tempest", "plague")
    assert happened(game.events, ChitSlid) == [ChitSlid("plague")]
    assert [e.kind for e in happened(game.events, ChitDrawn)] == ["plague", "plague", "drought", "blank"]


def test_a_chit_slid_under_the_pile_is_public_with_its_place() -> None:
    """P1, C1."""
    view = drawn("plague", "plague", "drought", "blank", "tempest").view(0)
    assert view.pile == {"tempest": 1}
    assert view.pile_bottom == ("plague",)


def test_replacements_of_the_same_kind_are_replaced_in_turn() -> None:
    """C1."""
    game = drawn("plague", "plague", "plague", "drought", "blank", number=2)
    assert game.state.chits == {"plague": 1, "drought": 1}
    assert game.state.pile == ("blank", "plague", "plague")


def test_the_same_kind_may_return_after_another() -> None:
    """C1: only chits in a row are compared."""
    assert drawn("plague", "drought", "plague", "blank").state.chits == {"plague": 2, "drought": 1}


def test_blanks_may_follow_blanks() -> None:
    """C1."""
    assert drawn("blank", "blank", "blank", "plague").state.chits == {"blank": 3}


def test_a_blank_parts_two_of_a_kind() -> None:
    """C1."""
    assert drawn("plague", "blank", "plague", "drought").state.chits == {"plague": 2, "blank": 1}


def test_persian_chits_are_one_kind_whatever_their_value() -> None:
    """C1."""
    game = drawn("persians_1", "persians_2", "drought", "blank", number=2)
    assert game.state.chits == {"persians_1": 1, "drought": 1}
    assert game.state.pile == ("blank", "persians_2")


def test_when_only_that_kind_is_left_it_is_accepted() -> None:
    """C1."""
    game = drawn("decline", "decline", "decline")
    assert game.state.chits == {"decline": 3}
    assert game.state.pile == ()


def test_a_new_round_does_not_look_back() -> None:
    """C1: the last chit of the round before was a plague."""
    game = battle(
        fighter(),
        fighter(),
        round=7,
        parts=[PersiansTable(last="plague")],
        pile=["plague", "blank", "drought"],
        agenda=[StartRound()],
    )
    assert game.state.chits == {"plague": 1, "blank": 1, "drought": 1}
    assert happened(game.events, ChitSlid) == []


def test_a_chit_slid_under_comes_again_and_counts_then() -> None:
    """C1: with nothing between them the third plague strikes at once."""
    game = battle(
        fighter(pop=3),
        fighter(),
        chits={"plague": 1},
        pile=["plague", "plague", "drought"],
        agenda=[DrawChits()],
    )
    assert game.state.chits == {"plague": 3, "drought": 1}
    assert goods_of(game, 0) == Goods(pop=2)


# --- C2: strength


def taking(number_of_tile: str, strength: int = 0, hero: str = QUIET, modules: Sequence[str] = (), **more: Any) -> Game:
    """A seat about to take this tile."""
    return battle(
        fighter(strength, hero=hero, **more),
        fighter(),
        modules=modules,
        open=[number_of_tile],
        offers=[Offer(number_of_tile, 0, 3)],
        agenda=[TakeTiles()],
    )


def test_a_building_paid_at_once_may_add_its_points_for_a_wood_and_a_stone() -> None:
    """C2: the Street costs 1 stone and has 4 points."""
    game = taking("A14", 2, wood=3, stone=3, coin=1)
    game.choose(Pay("A14"))
    assert asked(game) == (0, "strength")
    assert game.decision.legal == [Strengthen("A14"), Skip()]
    game.choose(Strengthen("A14"))
    assert strengths(game) == [6, 0]
    assert goods_of(game, 0) == Goods(wood=2, stone=1, coin=1, pop=1)


def test_strength_may_be_declined() -> None:
    """C2."""
    game = taking("A14", 2, wood=3, stone=3, coin=1)
    game.choose(Pay("A14"))
    game.choose(Skip())
    assert strengths(game) == [2, 0]
    assert goods_of(game, 0) == Goods(wood=3, stone=2, coin=1, pop=1)


def test_a_marked_building_adds_no_strength() -> None:
    """C2."""
    game = taking("A14", wood=3, stone=3, coin=1)
    game.choose(Mark("A14"))
    assert game.decision is None


def test_a_building_completed_later_adds_no_strength() -> None:
    """C2."""
    game = battle(
        fighter(wood=5, stone=5, buildings=["A14"], marked=["A14"]), fighter(), agenda=[SupplyRound(final=False)]
    )
    game.choose(Complete("A14"))
    assert game.decision is None
    assert strengths(game) == [0, 0]


def test_a_land_may_add_its_points_for_two_food() -> None:
    """C2: A07 has 2 points."""
    game = taking("A07", food=3)
    assert asked(game) == (0, "strength")
    game.choose(Strengthen("A07"))
    assert strengths(game) == [2, 0]
    assert goods_of(game, 0) == Goods(food=1, pop=2)


def test_strength_is_decided_before_the_one_time_income() -> None:
    """C2: A07 brings 2 inhabitants."""
    game = taking("A07", food=3)
    assert goods_of(game, 0) == Goods(food=3)
    events = game.choose(Strengthen("A07"))
    assert [type(e) for e in events[-2:]] == [StrengthChanged, Stock]
    assert goods_of(game, 0).pop == 2


def test_strength_is_decided_before_the_next_player_takes_a_tile() -> None:
    """C2, P3."""
    game = battle(
        fighter(food=2),
        fighter(food=2),
        open=["A07", "A08"],
        offers=[Offer("A07", 0, 3), Offer("A08", 1, 3)],
        agenda=[TakeTiles()],
    )
    assert asked(game) == (0, "strength")
    assert game.state.seats[1].lands == ()
    game.choose(Skip())
    assert asked(game) == (1, "strength")


def test_strength_is_not_offered_to_who_cannot_pay() -> None:
    """C2."""
    assert taking("A07", food=1, lux=1).decision is None
    building = taking("A14", stone=1, wood=1, coin=1)
    building.choose(Pay("A14"))
    assert building.decision is None


def test_luxury_may_stand_for_what_strength_costs() -> None:
    """C2, P5: 2 luxury for a missing food."""
    game = taking("A07", food=1, lux=2)
    game.choose(Strengthen("A07"))
    assert goods_of(game, 0) == Goods(pop=2)
    assert strengths(game) == [2, 0]


def test_strength_ends_at_29() -> None:
    """C2."""
    game = taking("A07", 28, food=3)
    game.choose(Strengthen("A07"))
    assert strengths(game)[0] == 29
    assert taking("A07", 29, food=3).decision is None


def test_one_point_is_enough_to_be_asked() -> None:
    """C2: A05."""
    assert asked(taking("A05", food=2)) == (0, "strength")


def test_a_tile_without_points_adds_nothing_and_is_not_asked_about() -> None:
    """C2: A33 has 0 points."""
    game = taking("A33", food=5, modules=["sacrum"])
    assert game.decision is None
    assert game.state.seats[0].lands == ("A33",)


def test_a_lost_tile_adds_nothing() -> None:
    """C2, R4b: a field beside a mountain."""
    game = taking("A05", food=5, lands=["A01"])
    assert game.decision is None
    assert happened(game.events, Lost) == [Lost(0, "A05", "no neighbour")]


# --- C3: the attacks

THIRD = {"chits": {"persians_1": 2}, "pile": ["persians_2", "blank", "drought"], "agenda": [DrawChit()]}
"""The third Persian chit is next; the values come to 4."""
SIXTH = {
    "chits": {"persians_1": 4, "persians_2": 1},
    "pile": ["persians_2", "blank", "drought"],
    "parts": [PersiansTable(repelled=(True,))],
    "agenda": [DrawChit()],
}
"""The sixth is next; the values come to 8."""


def test_the_persians_strike_at_the_third_chit_with_players_times_values() -> None:
    """C3: 3 × (1 + 1 + 2)."""
    game = battle(fighter(4), fighter(4), fighter(3), **THIRD)
    assert happened(game.events, Attacked) == [Attacked(persians=12, defence=11, repelled=False)]


def test_only_the_values_revealed_count() -> None:
    """C3: 2 × (1 + 1 + 1)."""
    game = battle(fighter(6), fighter(), **THIRD | {"pile": ["persians_1", "blank"]})
    assert happened(game.events, Attacked) == [Attacked(6, 6, repelled=True)]


def test_the_first_two_chits_bring_no_attack() -> None:
    """C3."""
    game = drawn("persians_1", "blank", "persians_2", "drought")
    assert happened(game.events, Attacked) == []


def test_an_attack_is_repelled_by_equal_strength() -> None:
    """C3."""
    game = battle(fighter(5), fighter(3), **THIRD)
    assert happened(game.events, Attacked) == [Attacked(8, 8, repelled=True)]
    assert part(game.state, PersiansTable).repelled == (True,)


def test_after_a_repelled_attack_all_halve_their_strength_rounded_down() -> None:
    """C3."""
    assert strengths(battle(fighter(5), fighter(4), fighter(9), **THIRD)) == [2, 2, 4]


def test_after_a_repelled_attack_mercenaries_are_hired_in_turn_order() -> None:
    """C3: up to the power points, here of a land (2) and the hero (1)."""
    game = battle(fighter(5, coin=9, lands=["A07"]), fighter(5, coin=1), order=[1, 0], **THIRD)
    assert asked(game) == (1, "hire")
    assert game.decision.legal == [Hire(1), Skip()]
    game.choose(Skip())
    assert asked(game) == (0, "hire")
    assert game.decision.legal == [Hire(1), Hire(2), Hire(3), Skip()]


def test_a_mercenary_costs_a_coin_adds_strength_and_counts_as_population() -> None:
    """C3, C5."""
    game = battle(fighter(5, coin=4, lands=["A07"]), fighter(5), **THIRD)
    game.choose(Hire(3))
    assert strengths(game) == [5, 2]
    assert goods_of(game, 0) == Goods(coin=1)
    assert part(game.state.seats[0], StrengthSeat).mercenaries == 3
    # prestige 2 + 1 and population 3, and three cloverleaves
    assert (game.standing().seats[0].prestige, game.standing().seats[0].population) == (7, 5)


def test_sea_tiles_are_power_points_too() -> None:
    """C3: S6 has 4 points, the hero 1."""
    game = battle(fighter(9, coin=9, parts=[SeaSeat(("S6",))]), fighter(), modules=["sea"], **THIRD)
    assert game.decision.legal == [*(Hire(n) for n in range(1, 6)), Skip()]


def test_a_turned_hero_has_no_power_points() -> None:
    """C3, C5."""
    game = battle(fighter(16, coin=9, turned=True, lands=["A07"]), fighter(), **SIXTH)
    assert game.decision.legal == [Hire(1), Hire(2), Skip()]


def test_luxury_may_pay_for_mercenaries() -> None:
    """C3, P5."""
    game = battle(fighter(9, lux=5, lands=["A07"]), fighter(), **THIRD)
    assert game.decision.legal == [Hire(1), Hire(2), Skip()]
    game.choose(Hire(2))
    assert goods_of(game, 0) == Goods(lux=1)


def test_mercenaries_beyond_29_still_score() -> None:
    """C3."""
    game = battle(fighter(29, hero="Hector", coin=9, buildings=["C08"]), fighter(), **THIRD)
    game.choose(Hire(5))
    assert part(game.state.seats[0], StrengthSeat) == StrengthSeat(29, 3, 5)


def test_a_lost_first_attack_turns_every_hero() -> None:
    """C3."""
    game = battle(fighter(3), fighter(4, hero="Penelope"), **THIRD)
    assert happened(game.events, HeroTurned) == [HeroTurned(0, "Sisyphus"), HeroTurned(1, "Penelope")]
    assert all(part(s, HeroSeat).turned for s in game.state.seats)
    assert strengths(game) == [3, 4]
    assert game.decision is None


def test_a_lost_second_attack_removes_the_best_tile() -> None:
    """C3: the Bridge has 4 points."""
    game = battle(fighter(3, lands=["A01"], buildings=["A12", "A13"]), fighter(4), **SIXTH)
    assert happened(game.events, Lost) == [Lost(0, "A12", "Persians")]
    assert (game.state.seats[0].lands, game.state.seats[0].buildings) == (("A01",), ("A13",))
    assert "A12" in game.state.box
    assert part(game.state, PersiansTable).repelled == (True, False)


def test_among_equal_tiles_the_player_chooses_which_to_lose() -> None:
    """C3."""
    game = battle(fighter(lands=["B06", "A01"], buildings=["A12"]), fighter(), **SIXTH)
    assert asked(game) == (0, "surrender")
    assert game.decision.legal == [Surrender("B06"), Surrender("A12")]
    game.choose(Surrender("B06"))
    assert game.state.seats[0].lands == ("A01",)


def test_who_has_no_tile_loses_none_and_sea_tiles_are_safe() -> None:
    """C3."""
    game = battle(fighter(parts=[SeaSeat(("S1",))]), fighter(), modules=["sea"], **SIXTH)
    assert happened(game.events, Lost) == []
    assert part(game.state.seats[0], SeaSeat).tiles == ("S1",)


def test_the_coin_that_marks_the_removed_building_returns() -> None:
    """C3."""
    game = battle(fighter(buildings=["A12"], marked=["A12"]), fighter(), **SIXTH)
    assert game.state.seats[0].marks == ()
    assert goods_of(game, 0) == Goods(coin=1)


def test_a_repelled_second_attack_costs_no_tile() -> None:
    """C3."""
    game = battle(fighter(8, lands=["A01"]), fighter(8), **SIXTH)
    assert happened(game.events, Attacked) == [Attacked(16, 16, repelled=True)]
    assert strengths(game) == [4, 4]
    assert game.state.seats[0].lands == ("A01",)


@pytest.mark.parametrize("before", [6, 7])
def test_the_seventh_and_the_eighth_persian_chit_are_ignored(before: int) -> None:
    """C3."""
    chits = {"persians_1": 4, "persians_2": before - 4}
    game = battle(fighter(), fighter(), chits=chits, pile=["persians_2", "blank"], agenda=[DrawChit()])
    assert happened(game.events, Attacked) == []
    assert game.state.chits["persians_2"] == before - 3


def test_a_persian_chit_slid_under_the_pile_is_not_revealed_yet() -> None:
    """C1, C3: the third chit is refused."""
    game = battle(
        fighter(),
        fighter(),
        chits={"persians_1": 1},
        pile=["persians_1", "persians_2", "drought"],
        agenda=[DrawChit(), DrawChit()],
    )
    assert happened(game.events, Attacked) == []


# --- C4: the internal conflict


def conflict(*seats: Seat, final: bool = False, **more: Any) -> Game:
    return battle(*seats, agenda=[SupplyRound(final=final)], **more)


def test_the_strongest_takes_a_cloverleaf_and_an_inhabitant_from_the_weakest() -> None:
    """C4."""
    game = conflict(fighter(8, pop=1, food=9), fighter(5, pop=1, food=9), fighter(2, pop=2, food=9))
    assert happened(game.events, ConflictWon) == [ConflictWon(0, 2, 1, 1)]
    assert leaves(game) == [4, 3, 2]
    assert [s.pop for s in game.state.seats] == [2, 1, 1]


def test_then_the_strongest_halves_his_strength() -> None:
    """C4."""
    assert strengths(conflict(fighter(7), fighter(5), fighter(2))) == [3, 5, 2]


def test_equal_strength_is_decided_by_turn_order() -> None:
    """C4: the earlier is the stronger."""
    game = conflict(fighter(4), fighter(4), fighter(4), order=[2, 0, 1])
    assert happened(game.events, ConflictWon) == [ConflictWon(2, 1, 1, 0)]


def test_what_the_weakest_does_not_have_cannot_be_taken() -> None:
    """C4."""
    game = conflict(fighter(4), fighter(0, leaves=0))
    assert happened(game.events, ConflictWon) == [ConflictWon(0, 1, 0, 0)]
    assert leaves(game) == [3, 0]


def test_from_five_players_on_the_two_strongest_take_from_the_two_weakest() -> None:
    """C4."""
    game = conflict(*(fighter(strength, pop=1, food=2) for strength in (9, 3, 5, 8, 1)))
    assert happened(game.events, ConflictWon) == [ConflictWon(0, 4, 1, 1), ConflictWon(3, 1, 1, 1)]
    assert strengths(game) == [4, 3, 5, 4, 1]
    assert [s.pop for s in game.state.seats] == [2, 0, 1, 2, 0]


def test_with_four_players_only_the_strongest_takes() -> None:
    """C4."""
    game = conflict(fighter(9), fighter(3), fighter(5), fighter(8))
    assert happened(game.events, ConflictWon) == [ConflictWon(0, 1, 1, 0)]


def test_the_conflict_comes_after_all_have_fed_and_completed() -> None:
    """C4: the inhabitant that changes sides was fed where it lived; the other starved."""
    game = conflict(fighter(5, food=0, buildings=["A14"], marked=["A14"], stone=1), fighter(1, pop=2, food=1))
    assert happened(game.events, ConflictWon) == []
    game.choose(Complete("A14"))
    assert happened(game.events, ConflictWon) == [ConflictWon(0, 1, 1, 1)]
    assert [s.pop for s in game.state.seats] == [1, 0]


def test_there_is_a_conflict_in_the_final_supply_round() -> None:
    """C4, E1."""
    assert happened(conflict(fighter(5), fighter(1), final=True).events, ConflictWon) == [ConflictWon(0, 1, 1, 0)]


# --- C5: the end


def totals(*seats: Seat, modules: Sequence[str] = ()) -> list[tuple[int, int, int]]:
    result = battle(*seats, modules=modules, agenda=[Score()]).standing()
    return [(s.prestige, s.population, s.score) for s in result.seats]


def test_power_is_tiles_hero_and_coins_population_is_inhabitants_and_mercenaries() -> None:
    """C5: without cloverleaves."""
    game = totals(fighter(leaves=0, mercenaries=4, coin=7, pop=2, lands=["A07"], buildings=["A12"]), fighter())
    assert game[0] == (2 + 4 + 1 + 2, 6 + 4, 9)


def test_cloverleaves_are_assigned_to_make_the_score_highest() -> None:
    """C5: 1 against 6 with three cloverleaves."""
    assert totals(fighter(pop=2), fighter())[0] == (7, 6, 6)


def test_with_an_effective_oracle_all_cloverleaves_go_to_the_higher_total() -> None:
    """C5, L2: 5 + 1 against 9."""
    seats = fighter(pop=3, lux=20, buildings=["D03"]), fighter()
    assert totals(*seats, modules=["hellas"])[0] == (6, 15, 15)


@pytest.mark.parametrize("higher", [False, True])
def test_no_other_assignment_of_flexible_points_is_better(higher: bool) -> None:
    """C5: against every assignment there is."""
    for prestige, population in product(range(12), repeat=2):
        for flexible in [(2,) * n for n in range(8)] + [(1, 2, 5), (3, 3, 4, 1)]:
            tally = Tally(prestige, 0, 3, population, 1, flexible_points=flexible, higher_counts=higher)
            every = [
                tally.rank(
                    (
                        prestige + sum(p for p, side in zip(flexible, sides, strict=True) if side),
                        population + sum(p for p, side in zip(flexible, sides, strict=True) if not side),
                    )
                )
                for sides in product((True, False), repeat=len(flexible))
            ]
            assert tally.rank(tally.totals()) == max(every)


# --- in words


def test_chits_mercenaries_and_spoils_in_words() -> None:
    """C1, C3, C4."""
    names = battle(fighter(civilization="Sparta"), fighter(civilization="Argos")).names()
    assert names.text(ChitDrawn("persians_1")) == "chit: persians 1"
    assert names.text(Protected(0, "first_attack")) == "Sparta is protected from the first attack"
    assert [names.text(Hire(number)) for number in (1, 2)] == ["hire 1 mercenary", "hire 2 mercenaries"]
    taken = "conflict: Sparta takes 1 cloverleaf and 0 inhabitants from Argos"
    assert names.text(ConflictWon(0, 1, 1, 0)) == taken
