"""Heroes (C6) and Sikyon: every card, its red side and its orange one."""

from __future__ import annotations

import inspect
import re
from collections.abc import Sequence
from typing import Any

import pytest

from peloarena.game import Game, Seat, make_options
from peloarena.game.events import ChitDrawn, ChitSlid, Protected
from peloarena.game.goods import Goods
from peloarena.game.kinds import Part
from peloarena.game.modules import heroes
from peloarena.game.modules.athens.shapes import TakeAid
from peloarena.game.modules.heroes.shapes import Hero, HeroDealt, HeroSeat, ReplaceChit, WardOff
from peloarena.game.modules.persians.shapes import Hire, PersiansTable, Strengthen, StrengthSeat
from peloarena.game.modules.sea.shapes import AskSea, BuySea, SeaSeat, SeaTable
from peloarena.game.moves import Bid, Complete, Feed, Lose, Mark, MoveBid, Pass, Pay, Skip, Withdraw
from peloarena.game.parts import part
from peloarena.game.rulebook import full_catalogue
from peloarena.game.state import Offer
from peloarena.game.steps import (
    AskBid,
    DrawChit,
    EndBidding,
    GiveIncomes,
    Score,
    StartBidding,
    SupplyRound,
    TakeTiles,
)
from peloarena.testing.states import goods_of, happened, seat, table

MODULES = ("heroes", "persians")
QUIET = "Sisyphus"
"""A hero who has no say outside the bidding."""
HEROES = {
    "Achilles": (1, Goods(coin=1, pop=2), 5, Goods(stone=-1)),
    "Andromeda": (1, Goods(food=5, pop=2), 0, Goods(wood=-1)),
    "Ariadne": (4, Goods(coin=2, pop=2), 1, Goods()),
    "Daedalus": (4, Goods(), 1, Goods()),
    "Hector": (3, Goods(), 4, Goods()),
    "Helen": (2, Goods(coin=5, pop=2), 1, Goods(food=-1)),
    "Odysseus": (5, Goods(), 3, Goods()),
    "Penelope": (3, Goods(pop=1), 1, Goods()),
    "Sisyphus": (1, Goods(coin=2, pop=1), 3, Goods()),
    "Tantalus": (2, Goods(coin=2, food=2), 3, Goods()),
}
"""Points of the red side, starting goods, strength, and what the orange side costs each round."""


def hero(
    name: str = QUIET,
    strength: int = 0,
    *,
    civilization: str = "",
    turned: bool = False,
    spent: bool = False,
    leaves: int = 0,
    parts: Sequence[Part] = (),
    **more: Any,
) -> Seat:
    own = [HeroSeat(name, turned, spent), StrengthSeat(strength, leaves), *parts]
    return seat(civilization, parts=own, **more)


def tale(*seats: Seat, modules: Sequence[str] = (), **more: Any) -> Game:
    """A table of heroes; alone, with a quiet one."""
    seats = seats if len(seats) > 1 else (*seats, hero())
    return table(*seats, modules=[*MODULES, *modules], **more)


def taking(own: Seat, *tiles: str, modules: Sequence[str] = ()) -> Game:
    """The first seat, about to take the first of these tiles."""
    return tale(own, modules=modules, open=tiles, offers=[Offer(tiles[0], 0, 3)], agenda=[TakeTiles()])


def struck(own: Seat, kind: str, *others: Seat, **more: Any) -> Game:
    """The third chit of this kind is drawn."""
    return tale(own, *others, chits={kind: 2}, pile=[kind, "blank"], agenda=[DrawChit()], **more)


def strength(game: Game, number: int = 0) -> int:
    return part(game.state.seats[number], StrengthSeat).strength


def asked(game: Game) -> tuple[int, str] | None:
    return game.decision and (game.decision.seat, game.decision.kind)


FIRST_ATTACK = {"chits": {"persians_1": 2}, "pile": ["persians_2", "blank"], "agenda": [DrawChit()]}
"""Strength 8 of the Persians against two players."""
SECOND_ATTACK = {
    "chits": {"persians_1": 4, "persians_2": 1},
    "pile": ["persians_2", "blank"],
    "parts": [PersiansTable(repelled=(True,))],
    "agenda": [DrawChit()],
}
"""Strength 16 against two players."""


# --- all of them


def test_every_player_has_a_hero_of_his_own_red_side_up() -> None:
    """C1."""
    game = Game(make_options(5, MODULES), "a")
    heroes = [part(s, HeroSeat) for s in game.state.seats]
    assert len({own.hero for own in heroes}) == 5
    assert not any(own.turned for own in heroes)
    assert happened(game.opening, HeroDealt) == [HeroDealt(n, own.hero) for n, own in enumerate(heroes)]


def test_what_no_source_prints_is_marked_as_reconstructed() -> None:
    """C6: the points, and what Ariadne starts with."""
    cards = full_catalogue().cards["heroes"]
    assert set(cards) == set(HEROES)
    for name, card in cards.items():
        more = ("start", "strength") if name == "Ariadne" else ()
        assert (card.source, card.reconstructed) == ("text", ("points", *more))


@pytest.mark.parametrize("name", HEROES)
def test_a_hero_adds_starting_goods_and_strength_to_those_of_the_civilization(name: str) -> None:
    """C1: Messene has 6 coins and 2 inhabitants."""
    _, goods, begins_with, _ = HEROES[name]
    other = "Hector" if name != "Hector" else "Helen"
    draft = {"heroes": (name, other), "civilizations": ("Messene", "Argos")}
    game = Game(make_options(2, MODULES, draft=draft), "a")
    assert goods_of(game, 0) == Goods(coin=6, pop=2) + goods
    assert strength(game) == begins_with


@pytest.mark.parametrize("name", HEROES)
def test_a_hero_has_points_only_on_the_red_side(name: str) -> None:
    """C5."""
    points = HEROES[name][0]
    assert tale(hero(name), agenda=[Score()]).standing().seats[0].prestige == points
    assert tale(hero(name, turned=True), agenda=[Score()]).standing().seats[0].prestige == 0


@pytest.mark.parametrize("name", HEROES)
def test_a_turned_hero_costs_what_the_card_says_each_round(name: str) -> None:
    """C3: Messene earns 2 food, nobody 1 coin."""
    stock = Goods(wood=5, stone=5, food=5)
    own = hero(name, civilization="Messene", turned=True, wood=5, stone=5, food=5)
    game = tale(own, agenda=[GiveIncomes()])
    assert goods_of(game, 0) == stock + Goods(food=2, coin=1) + HEROES[name][3]
    red = tale(hero(name, civilization="Messene", wood=5, stone=5, food=5), agenda=[GiveIncomes()])
    assert goods_of(red, 0) == stock + Goods(food=2, coin=1)


def test_what_a_turned_hero_costs_is_offset_by_production_and_never_below_zero() -> None:
    """R6, P6: Pylos earns the stone that Achilles loses; Messene has none to lose."""
    game = tale(hero("Achilles", civilization="Pylos", turned=True), agenda=[GiveIncomes()])
    assert goods_of(game, 0) == Goods(coin=1)
    game = tale(hero("Achilles", civilization="Messene", turned=True), agenda=[GiveIncomes()])
    assert goods_of(game, 0) == Goods(food=2, coin=1)


# --- Achilles


def test_achilles_gains_two_more_when_a_tile_adds_strength() -> None:
    """C6: A07 has 2 points."""
    game = taking(hero("Achilles", 5, food=2), "A07")
    game.choose(Strengthen("A07"))
    assert strength(game) == 9


def test_achilles_gains_two_more_when_turned() -> None:
    """C3: the ability stays."""
    game = taking(hero("Achilles", 5, food=2, turned=True), "A07")
    game.choose(Strengthen("A07"))
    assert strength(game) == 9


def test_achilles_does_not_exceed_29() -> None:
    """C2."""
    game = taking(hero("Achilles", 26, food=2), "A07")
    game.choose(Strengthen("A07"))
    assert strength(game) == 29


def test_achilles_gains_two_with_a_land_without_points() -> None:
    """C2: even A33 raises his strength, so that it is offered."""
    game = taking(hero("Achilles", 5, food=2), "A33", modules=["sacrum"])
    game.choose(Strengthen("A33"))
    assert strength(game) == 7


def test_achilles_gains_nothing_more_from_mercenaries() -> None:
    """C6."""
    game = tale(hero("Achilles", 16, coin=1), **SECOND_ATTACK)
    game.choose(Hire(1))
    assert strength(game) == 9


# --- Andromeda


@pytest.mark.parametrize("turned", [False, True])
def test_andromeda_gets_three_coins_with_a_tile_that_shows_coins(turned: bool) -> None:
    """C6: A10 shows 2."""
    game = taking(hero("Andromeda", turned=turned), "A10")
    assert goods_of(game, 0) == Goods(coin=5, pop=1)


def test_one_coin_shown_is_enough_for_andromeda() -> None:
    """C6: B07 shows 1."""
    assert goods_of(taking(hero("Andromeda"), "B07"), 0) == Goods(coin=4, pop=1)


def test_andromeda_gets_nothing_with_a_tile_without_coins() -> None:
    """C6."""
    assert goods_of(taking(hero("Andromeda"), "A07"), 0) == Goods(pop=2)


def test_andromeda_gets_the_coins_with_a_marked_building_too() -> None:
    """C6, R5: the Barracks show 4."""
    game = taking(hero("Andromeda", coin=1, pop=2), "A11")
    assert goods_of(game, 0) == Goods(coin=7)


def test_andromeda_gets_nothing_with_a_lost_tile() -> None:
    """C6: hills beside a field."""
    assert goods_of(taking(hero("Andromeda", lands=["A05"]), "A03"), 0) == Goods()


def test_others_get_only_what_the_tile_shows() -> None:
    """C6."""
    assert goods_of(taking(hero(), "A10"), 0) == Goods(coin=2, pop=1)


# --- Ariadne


def drawing(*pile: str, number: int = 1, spent_in: int = 0, chits: dict[str, int] | None = None) -> Game:
    own = seat(parts=[HeroSeat("Ariadne", used_in=spent_in), StrengthSeat()])
    return tale(own, pile=pile, chits=chits, agenda=[DrawChit()] * number)


def test_ariadne_may_send_a_chit_just_drawn_under_the_pile() -> None:
    """C6."""
    game = drawing("plague", "drought", "blank", chits={"plague": 2})
    assert asked(game) == (0, "replace_chit")
    assert game.decision.legal == [ReplaceChit("plague"), Skip()]
    events = game.choose(ReplaceChit("plague"))
    assert happened(events, ChitSlid) == [ChitSlid("plague")]
    assert happened(events, ChitDrawn) == [ChitDrawn("drought")]
    assert game.state.chits == {"plague": 2, "drought": 1}
    assert game.state.pile == ("blank", "plague")
    assert game.view(1).pile_bottom == ("plague",)


def test_ariadne_is_asked_before_the_chit_strikes() -> None:
    """C6."""
    game = drawing("plague", "drought", chits={"plague": 2})
    assert game.state.chit == "plague"
    game.choose(Skip())
    assert game.state.chits == {"plague": 3}


def test_ariadne_may_do_so_once_a_round() -> None:
    """C6: the replacement stands, and she is not asked again."""
    game = drawing("plague", "drought", "blank", "tempest", "decline", number=3)
    game.choose(ReplaceChit("plague"))
    assert game.decision is None
    assert game.state.chits == {"drought": 1, "blank": 1, "tempest": 1}


def test_ariadne_is_asked_about_each_chit_until_she_has_replaced_one() -> None:
    """C6."""
    game = drawing("plague", "drought", "blank", "tempest", number=3)
    game.choose(Skip())
    game.choose(Skip())
    game.choose(ReplaceChit("blank"))
    assert game.state.chits == {"plague": 1, "drought": 1, "tempest": 1}


def test_ariadne_may_do_so_again_in_the_next_round() -> None:
    """C6: the table is in round 1."""
    assert drawing("plague", "drought", spent_in=1).decision is None
    assert asked(drawing("plague", "drought", spent_in=0)) == (0, "replace_chit")


def test_ariadne_is_asked_only_about_a_chit_that_differs_from_the_last() -> None:
    """C1: the second plague is refused before she sees it."""
    game = drawing("plague", "plague", "drought", "blank", number=2)
    game.choose(Skip())
    assert game.decision.legal == [ReplaceChit("drought"), Skip()]


def test_the_replacement_must_differ_from_the_last_chit_too() -> None:
    """C1: plague accepted, drought replaced, the next plague refused, tempest stands."""
    game = drawing("plague", "drought", "plague", "tempest", "blank", number=2)
    game.choose(Skip())
    game.choose(ReplaceChit("drought"))
    assert game.state.chits == {"plague": 1, "tempest": 1}
    assert game.state.pile == ("blank", "drought", "plague")


def test_the_replacement_may_be_of_the_kind_that_was_replaced() -> None:
    """C1: only accepted chits are compared."""
    game = drawing("drought", "drought", "blank")
    game.choose(ReplaceChit("drought"))
    assert game.state.chits == {"drought": 1}


def test_ariadne_is_not_asked_about_the_last_chit_of_all() -> None:
    """C6: there is no other."""
    assert drawing("plague").decision is None


def test_ariadne_may_replace_when_turned() -> None:
    """C3: the ability stays."""
    game = tale(hero("Ariadne", turned=True), pile=["plague", "blank"], agenda=[DrawChit()])
    assert asked(game) == (0, "replace_chit")


# --- Daedalus


@pytest.mark.parametrize("turned", [False, True])
def test_daedalus_pays_two_wood_or_two_stone_less(turned: bool) -> None:
    """C6: the Leonidaion costs 2 stone and 3 wood."""
    game = taking(hero("Daedalus", stone=2, wood=3, turned=turned), "B08")
    assert game.decision.legal == [Pay("B08", "less wood"), Pay("B08", "less stone")]
    game.choose(Pay("B08", "less wood"))
    assert goods_of(game, 0).wood == 2
    assert goods_of(game, 0).stone == 0


def test_daedalus_never_pays_less_than_nothing() -> None:
    """C6: the Barracks cost 2 stone and 1 wood."""
    game = taking(hero("Daedalus", stone=2, wood=1, pop=2), "A11")
    game.choose(Pay("A11", "less wood"))
    assert goods_of(game, 0) == Goods(wood=1, coin=4)


def test_daedalus_is_offered_only_reductions_that_change_the_cost() -> None:
    """C6: the Street costs stone alone."""
    game = taking(hero("Daedalus", stone=1, wood=1, coin=1), "A14")
    assert game.decision.legal == [Pay("A14", "less stone"), Mark("A14")]
    game.choose(Pay("A14", "less stone"))
    assert asked(game) == (0, "strength")
    assert goods_of(game, 0) == Goods(stone=1, wood=1, coin=1)


def test_daedalus_pays_the_extra_for_strength_in_full() -> None:
    """C6, C2."""
    game = taking(hero("Daedalus", stone=1, wood=1, coin=1), "A14")
    game.choose(Pay("A14", "less stone"))
    game.choose(Strengthen("A14"))
    assert goods_of(game, 0) == Goods(coin=1, pop=1)
    assert strength(game) == 4


def test_daedalus_pays_less_when_completing() -> None:
    """C6, V2."""
    game = tale(hero("Daedalus", wood=1, buildings=["A13"], marked=["A13"]), agenda=[SupplyRound(final=False)])
    assert game.decision.legal == [Complete("A13", "less wood"), Lose("A13")]
    game.choose(Complete("A13", "less wood"))
    assert goods_of(game, 0) == Goods(coin=1)


def test_daedalus_pays_less_with_the_aid() -> None:
    """C6, H1: the Bridge costs him nothing."""
    game = tale(
        hero("Daedalus"),
        hero(coin=9),
        modules=["athens"],
        open=["A12", "A05"],
        agenda=[StartBidding(), EndBidding(), TakeTiles()],
    )
    game.choose(TakeAid("A12"))
    game.choose(Pass())
    assert game.state.seats[0].buildings == ("A12",)


def buying(own: Seat, tile: str) -> Game:
    """The first seat, offered this sea tile."""
    return tale(own, modules=["sea"], parts=[SeaTable((tile,))], agenda=[AskSea(0)])


def test_daedalus_pays_full_price_for_sea_tiles() -> None:
    """C6: they are no buildings. S4 costs 4 stone."""
    assert buying(hero("Daedalus", stone=3), "S4").decision is None
    game = buying(hero("Daedalus", stone=4), "S4")
    game.choose(BuySea("S4"))
    assert goods_of(game, 0) == Goods(pop=2)


# --- Hector


@pytest.mark.parametrize(("before", "after"), [(9, 7), (3, 1), (2, 1), (1, 0), (0, 0)])
def test_hector_loses_what_halving_would_cost_at_most_two(before: int, after: int) -> None:
    """C6, C4."""
    game = tale(hero("Hector", before), agenda=[SupplyRound(final=False)])
    assert strength(game) == after


@pytest.mark.parametrize("turned", [False, True])
def test_hector_loses_two_after_a_repelled_attack(turned: bool) -> None:
    """C6, C3."""
    assert strength(tale(hero("Hector", 16, turned=turned), **SECOND_ATTACK)) == 14


# --- Helen


@pytest.mark.parametrize("turned", [False, True])
def test_helen_gets_an_inhabitant_with_each_new_land(turned: bool) -> None:
    """C6: A07 brings 2."""
    assert goods_of(taking(hero("Helen", turned=turned), "A07"), 0) == Goods(pop=3)


def test_helen_gets_nothing_with_a_building() -> None:
    """C6."""
    assert goods_of(taking(hero("Helen", wood=2), "A12"), 0) == Goods(pop=2)


def test_helen_gets_nothing_with_a_lost_land() -> None:
    """C6."""
    assert goods_of(taking(hero("Helen", lands=["A05"]), "A01"), 0) == Goods()


def test_helen_gets_nothing_with_a_sea_tile() -> None:
    """C6: S3 brings 3 inhabitants."""
    game = buying(hero("Helen", wood=6), "S3")
    game.choose(BuySea("S3"))
    assert goods_of(game, 0) == Goods(pop=3)


# --- Odysseus


def test_odysseus_may_pay_a_coin_to_be_spared_a_disaster() -> None:
    """C6."""
    game = struck(hero("Odysseus", coin=2, pop=6), "plague", hero(pop=6))
    assert asked(game) == (0, "ward_off")
    assert game.decision.legal == [WardOff("plague"), Skip()]
    events = game.choose(WardOff("plague"))
    assert happened(events, Protected) == [Protected(0, "plague")]
    assert goods_of(game, 0) == Goods(coin=1, pop=6)
    assert goods_of(game, 1) == Goods(pop=4)


def test_odysseus_may_bear_it() -> None:
    """C6."""
    game = struck(hero("Odysseus", coin=2, pop=6), "plague")
    game.choose(Skip())
    assert goods_of(game, 0) == Goods(coin=2, pop=4)
    assert not part(game.state.seats[0], HeroSeat).spent


def test_odysseus_does_so_once_a_game() -> None:
    """C6."""
    game = struck(hero("Odysseus", coin=2, pop=6), "plague")
    game.choose(WardOff("plague"))
    assert part(game.state.seats[0], HeroSeat).spent
    assert struck(hero("Odysseus", coin=2, pop=6, spent=True), "plague").decision is None


HARM = {
    "plague": {"pop": 1},
    "drought": {"food": 1},
    "decline": {"lux": 1},
    "earthquake": {"buildings": ["A12"]},
    "tempest": {"lands": ["A05"]},
}


@pytest.mark.parametrize("kind", HARM)
def test_odysseus_is_asked_only_when_it_would_cost_him_something(kind: str) -> None:
    """C6."""
    assert asked(struck(hero("Odysseus", coin=1, **HARM[kind]), kind)) == (0, "ward_off")
    assert struck(hero("Odysseus", coin=1), kind).decision is None


def test_odysseus_is_not_asked_when_a_tile_protects_him() -> None:
    """C6, D: the Well."""
    game = struck(hero("Odysseus", coin=1, pop=6, buildings=["B14"]), "plague")
    assert game.decision is None
    assert goods_of(game, 0).pop == 6


def test_odysseus_may_pay_with_luxury() -> None:
    """C6, P5."""
    game = struck(hero("Odysseus", lux=2, pop=3), "plague")
    game.choose(WardOff("plague"))
    assert goods_of(game, 0) == Goods(pop=3)


def test_odysseus_without_a_coin_is_not_asked() -> None:
    """C6."""
    assert goods_of(struck(hero("Odysseus", lux=1, pop=3), "plague"), 0) == Goods(lux=1, pop=2)


def test_odysseus_spared_the_earthquake_keeps_his_buildings_for_nothing() -> None:
    """C6, D1."""
    game = struck(hero("Odysseus", coin=1, buildings=["A12", "A14"]), "earthquake")
    game.choose(WardOff("earthquake"))
    assert game.decision is None
    assert game.state.seats[0].buildings == ("A12", "A14")


def test_odysseus_may_keep_his_red_side_up_when_the_first_attack_is_lost() -> None:
    """C6, C3: he alone."""
    game = tale(hero("Odysseus", coin=1), hero("Hector"), **FIRST_ATTACK)
    game.choose(WardOff("first_attack"))
    assert [part(s, HeroSeat).turned for s in game.state.seats] == [False, True]


def test_odysseus_may_keep_his_best_tile_when_the_second_attack_is_lost() -> None:
    """C6, C3."""
    game = tale(hero("Odysseus", coin=1, lands=["A01"]), hero(lands=["A02"]), **SECOND_ATTACK)
    game.choose(WardOff("second_attack"))
    assert [s.lands for s in game.state.seats] == [("A01",), ()]


def test_odysseus_without_a_tile_is_not_asked_at_the_second_attack() -> None:
    """C6."""
    assert tale(hero("Odysseus", coin=1), **SECOND_ATTACK).decision is None


def test_odysseus_halves_his_strength_like_all_when_an_attack_is_repelled() -> None:
    """C6: that is no consequence of the Persians' victory."""
    game = tale(hero("Odysseus", 16, coin=1), **SECOND_ATTACK)
    assert asked(game) == (0, "hire")
    assert strength(game) == 8


def test_odysseus_may_still_do_so_when_turned() -> None:
    """C3: the ability stays."""
    assert asked(struck(hero("Odysseus", coin=1, pop=3, turned=True), "plague")) == (0, "ward_off")


def test_odysseus_is_asked_in_his_turn() -> None:
    """P3: the seat before him has lost its inhabitants by then."""
    game = struck(hero(pop=3), "plague", hero("Odysseus", coin=1, pop=3))
    assert asked(game) == (1, "ward_off")
    assert goods_of(game, 0) == Goods(pop=2)


# --- Penelope


@pytest.mark.parametrize("turned", [False, True])
def test_penelope_feeds_two_inhabitants_for_nothing(turned: bool) -> None:
    """C6."""
    game = tale(hero("Penelope", 1, pop=5, food=5, turned=turned), agenda=[SupplyRound(final=False)])
    assert goods_of(game, 0) == Goods(pop=5, food=2)


def test_penelope_with_one_inhabitant_needs_no_food() -> None:
    """C6."""
    game = tale(hero("Penelope", 1, pop=1, food=5), agenda=[SupplyRound(final=False)])
    assert goods_of(game, 0) == Goods(pop=1, food=5)


def test_penelope_and_a_sea_tile_feed_three() -> None:
    """C6, O3."""
    own = hero("Penelope", 1, pop=5, parts=[SeaSeat(("S1",))], lux=2)
    game = tale(own, modules=["sea"], agenda=[SupplyRound(final=False)])
    assert game.decision.legal == [Feed(0), Feed(1)]


def test_penelope_in_salamis_feeds_two_for_nothing_and_two_with_each_food() -> None:
    """C6, V1: six inhabitants take 2 food."""
    own = hero("Penelope", 1, pop=6, food=5, mat="Salamis")
    game = tale(own, hero(mat="Naxos"), modules=["colonies"], agenda=[SupplyRound(final=False)])
    assert goods_of(game, 0) == Goods(pop=6, food=3)


# --- Sisyphus


def test_sisyphus_outbids_an_equal_bid() -> None:
    """C6: his 3 count as 4."""
    game = tale(hero(coin=3), hero("Hector"), open=["A07"], offers=[Offer("A07", 1, 3)], agenda=[AskBid(0)])
    assert game.decision.legal == [Bid("A07", 3), Pass()]


def test_sisyphus_with_fewer_coins_does_not_win_a_draw() -> None:
    """C6, R2a: 3 against his 2 that count as 3 is not enough, 4 is."""
    game = tale(hero("Hector", coin=4), hero(), open=["A07"], offers=[Offer("A07", 1, 2)], agenda=[AskBid(0)])
    assert game.decision.legal == [Bid("A07", 4), Pass()]


def test_sisyphus_must_meet_the_minimum_with_coins() -> None:
    """C6: A07 asks for 2."""
    assert tale(hero(coin=1), open=["A07"], agenda=[AskBid(0)]).decision is None


def test_sisyphus_is_ordered_by_his_coins_alone() -> None:
    """C6, R3."""
    offers = [Offer("A07", 1, 3), Offer("A05", 0, 3)]
    game = tale(hero("Hector"), hero(), open=["A07", "A05"], offers=offers, agenda=[EndBidding()])
    assert game.state.order == (0, 1)


def test_sisyphus_adds_his_coin_to_the_halves_of_market_and_agora() -> None:
    """C6, R2a: 1 + 1/2 + 1/2 more."""
    own = hero(coin=9, buildings=["A13", "B02"])
    game = tale(own, hero("Hector"), open=["A07"], offers=[Offer("A07", 1, 7)], agenda=[AskBid(0)])
    assert game.decision.legal[0] == Bid("A07", 6)


def test_a_displaced_bid_of_sisyphus_counts_more_too() -> None:
    """C6, R2d: his 3 exceed another 3."""
    game = tale(
        hero("Hector", coin=9),
        hero(),
        hero("Helen"),
        open=["A07", "A09"],
        offers=[Offer("A07", 1, 3), Offer("A09", 2, 3)],
        agenda=[AskBid(0)],
    )
    game.choose(Bid("A07", 5))
    assert asked(game) == (1, "move_bid")
    assert game.decision.legal == [MoveBid("A09"), Withdraw()]


def test_a_turned_sisyphus_still_bids_more() -> None:
    """C3: the ability stays."""
    own = hero(coin=3, turned=True)
    game = tale(own, hero("Hector"), open=["A07"], offers=[Offer("A07", 1, 3)], agenda=[AskBid(0)])
    assert game.decision.legal == [Bid("A07", 3), Pass()]


# --- Tantalus


@pytest.mark.parametrize("turned", [False, True])
def test_tantalus_may_hire_in_every_supply_round_up_to_his_strength(turned: bool) -> None:
    """C6."""
    game = tale(hero("Tantalus", 3, coin=9, turned=turned), hero(strength=5), agenda=[SupplyRound(final=False)])
    assert asked(game) == (0, "hire")
    assert game.decision.legal == [Hire(1), Hire(2), Hire(3), Skip()]
    game.choose(Hire(2))
    assert goods_of(game, 0) == Goods(coin=7)
    assert strength(game) == 5
    assert part(game.state.seats[0], StrengthSeat).mercenaries == 2


def test_tantalus_hires_by_the_strength_he_has_after_the_conflict() -> None:
    """C6: as the strongest he halves 5 to 2."""
    game = tale(hero("Tantalus", 5, coin=9), agenda=[SupplyRound(final=False)])
    assert game.decision.legal == [Hire(1), Hire(2), Skip()]


def test_tantalus_may_hire_in_the_final_supply_round() -> None:
    """C6, C4."""
    game = tale(hero("Tantalus", 3, coin=9), hero(strength=5), agenda=[SupplyRound(final=True), Score()])
    game.choose(Hire(3))
    assert game.result.seats[0].population == 3


def test_others_hire_nobody_in_a_supply_round() -> None:
    """C6."""
    assert tale(hero("Hector", 3, coin=9), agenda=[SupplyRound(final=False)]).decision is None


# --- Sikyon


def test_sikyon_joins_the_draw_with_the_heroes() -> None:
    """M."""
    assert make_options(2, MODULES, draft={"civilizations": ("Sikyon", "Argos")})
    card = full_catalogue().civilizations["Sikyon"]
    assert (card.order, card.start, card.set) == (14, Goods(coin=9, food=9, pop=3), "heroes")


def test_sikyon_is_protected_from_the_tempest() -> None:
    """C6, D2."""
    game = struck(hero(civilization="Sikyon", lands=["A05"]), "tempest")
    assert happened(game.events, Protected) == [Protected(0, "tempest")]
    assert game.state.seats[0].lands == ("A05",)


def test_sikyon_earns_a_food_and_loses_a_wood_and_a_stone() -> None:
    """C6, R6."""
    game = tale(hero(civilization="Sikyon", wood=3, stone=1), agenda=[GiveIncomes()])
    assert goods_of(game, 0) == Goods(wood=2, food=1, coin=1)


def test_sikyon_loses_nothing_it_does_not_have() -> None:
    """C6, P6."""
    game = tale(hero(civilization="Sikyon"), agenda=[GiveIncomes()])
    assert goods_of(game, 0) == Goods(food=1, coin=1)


def test_the_loss_of_sikyon_is_offset_by_production() -> None:
    """C6, R6: A07 gives 3 wood."""
    game = tale(hero(civilization="Sikyon", lands=["A07"]), agenda=[GiveIncomes()])
    assert goods_of(game, 0) == Goods(wood=2, food=1, coin=1)


def test_sikyon_starts_with_luxury_for_food_that_a_colony_cannot_store() -> None:
    """C6, P6: 9 food and Andromeda's 5 in Massilia, which stores 9."""
    draft = {"civilizations": ("Sikyon", "Argos"), "heroes": ("Andromeda", "Hector"), "colonies": ("Massilia", "Naxos")}
    game = Game(make_options(2, ["heroes-and-colonies"], draft=draft), "a")
    assert goods_of(game, 0) == Goods(food=9, lux=5, coin=9, pop=5)


def test_the_table_that_opens_the_rules_is_that_of_the_data_and_of_the_manifest() -> None:
    """C6: each hero's ability is looked at by the function that stands at the place named."""
    rows = re.findall(r"^    ([A-Z]\w+) +(\w+) +(\w+)$", heroes.rules.__doc__ or "", re.MULTILINE)
    cards = full_catalogue().deck("heroes", Hero)
    assert [(hero, (ability,)) for hero, ability, _ in rows] == [(card.id, card.abilities) for card in cards.values()]
    for _, ability, place in rows:
        functions = getattr(heroes.HEROES.hooks, place, ()) or getattr(heroes.HEROES.meetings, place, ())
        assert any(f'"{ability}"' in inspect.getsource(function) for function in functions), place
