"""Heroes (C6): dealing and exchanging them, turning them, and what each ability changes.

    hero       ability               hook or meeting
    Achilles   strength_two          strength_gain
    Andromeda  coins_with_coins      once_goods
    Ariadne    replaces_chit         chit_shown
    Daedalus   cost_two_less         prices
    Hector     halving_two           halving
    Helen      inhabitant_with_land  once_goods
    Odysseus   wards_off             disaster_for_seat
    Penelope   feeds_two             fed_for_free
    Sisyphus   bid_one               bid_value
    Tantalus   hires_in_supply       hires_in_supply

Every hero besides has starting goods (`start_goods`), strength (`start_strength`), points while its red side is up
(`power_points`); turned, it may cost goods each round (`income`).
"""

from __future__ import annotations

from msgspec.structs import replace

from ...disasters import slide_chit_under_pile, spare_seat, turn_up_chit
from ...flow import Flow
from ...goods import Goods
from ...kinds import Move, Step
from ...moves import Skip
from ...parts import part, put_part
from ...rounds import deal_order
from ...shapes import Price
from ...stock import can_afford, pay
from .shapes import AskReplaceChit, AskWardOff, Hero, HeroDealt, HeroSeat, HeroTurned, ReplaceChit, WardOff

DECK = "heroes"
EXTRA_STRENGTH = 2
"""Achilles."""
EXTRA_COINS = 3
"""Andromeda."""
COST_REDUCTION = 2
"""Daedalus, of wood or of stone."""
MAX_HALVING_LOSS = 2
"""Hector."""
WARD_COST = Goods(coin=1)
"""Odysseus."""
FED_BY_PENELOPE = 2
"""Penelope."""
BID_BONUS_HALF_COINS = 2
"""Sisyphus, in half coins."""


def setup(flow: Flow) -> list[Step]:
    """C1: one for each seat, red side up."""
    heroes = deal_order(flow, DECK)
    for number in range(flow.rules.players):
        give_hero(flow, number, heroes[number])
    return []


def give_hero(flow: Flow, number: int, hero: str) -> None:
    put_part(flow.seat(number), HeroSeat(hero))
    flow.emit(HeroDealt(number, hero))


def swap_heroes(flow: Flow, one: int, other: int) -> None:
    """C7."""
    first, second = hero_seat(flow, one).hero, hero_seat(flow, other).hero
    give_hero(flow, one, second)
    give_hero(flow, other, first)


def hero_seat(flow: Flow, number: int) -> HeroSeat:
    return part(flow.seat(number), HeroSeat)


def hero_of(flow: Flow, number: int) -> Hero:
    hero = flow.rules.catalogue.cards[DECK][hero_seat(flow, number).hero]
    assert isinstance(hero, Hero)
    return hero


def has_ability(flow: Flow, number: int, ability: str) -> bool:
    return ability in hero_of(flow, number).abilities


def start_goods(flow: Flow, number: int, goods: Goods) -> Goods:
    """C1: those of the hero and of the civilization add up."""
    return goods + hero_of(flow, number).start


def start_strength(flow: Flow, number: int, strength: int) -> int:
    return strength + hero_of(flow, number).strength


def power_points(flow: Flow, number: int, points: int) -> int:
    """C5: red side only."""
    return points if hero_seat(flow, number).turned else points + hero_of(flow, number).points


def turn_hero(flow: Flow, number: int) -> list[Step]:
    """C3: to the orange side; the ability stays."""
    seat = hero_seat(flow, number)
    put_part(flow.seat(number), replace(seat, turned=True))
    flow.emit(HeroTurned(number, seat.hero))
    return []


def income(flow: Flow, number: int, goods: Goods) -> Goods:
    """C3: what a turned hero costs."""
    return goods + hero_of(flow, number).turned if hero_seat(flow, number).turned else goods


def strength_gain(flow: Flow, number: int, strength: int) -> int:
    """Achilles."""
    return strength + EXTRA_STRENGTH if has_ability(flow, number, "strength_two") else strength


def once_goods(flow: Flow, number: int, tile: str, goods: Goods) -> Goods:
    """Andromeda: for a tile that shows coins; Helen: for a land."""
    if has_ability(flow, number, "coins_with_coins") and flow.rules.tiles[tile].once.coin > 0:
        return goods + Goods(coin=EXTRA_COINS)
    if has_ability(flow, number, "inhabitant_with_land") and flow.rules.tiles[tile].kind == "land":
        return goods + Goods(pop=1)
    return goods


def hero_prices(flow: Flow, number: int, tile: str, found: list[Price]) -> list[Price]:
    """Daedalus: only reductions that change the cost; with none the cost stays."""
    if not has_ability(flow, number, "cost_two_less"):
        return found
    return [less for price in found for less in reduced_prices(price) or [price]]


def reduced_prices(price: Price) -> list[Price]:
    wood, stone = price.goods.wood, price.goods.stone
    ways = []
    if wood:
        ways.append(Price("less wood", replace(price.goods, wood=max(0, wood - COST_REDUCTION))))
    if stone:
        ways.append(Price("less stone", replace(price.goods, stone=max(0, stone - COST_REDUCTION))))
    return ways


def halving_loss(flow: Flow, number: int, loss: int) -> int:
    """Hector."""
    return min(loss, MAX_HALVING_LOSS) if has_ability(flow, number, "halving_two") else loss


def fed_for_free(flow: Flow, number: int, free: int, final: bool) -> int:
    """Penelope."""
    return free + FED_BY_PENELOPE if has_ability(flow, number, "feeds_two") else free


def bid_value(flow: Flow, number: int, bonus: int) -> int:
    """Sisyphus."""
    return bonus + BID_BONUS_HALF_COINS if has_ability(flow, number, "bid_one") else bonus


def hires_in_supply(flow: Flow, number: int, may: bool) -> bool:
    """Tantalus."""
    return may or has_ability(flow, number, "hires_in_supply")


def chit_shown(flow: Flow) -> list[Step]:
    """Ariadne: once a round, while there is another chit."""
    state = flow.state
    return [
        AskReplaceChit(number)
        for number in state.order
        if state.pile and has_ability(flow, number, "replaces_chit") and hero_seat(flow, number).used_in != state.round
    ]


def replace_chit_options(flow: Flow, step: AskReplaceChit) -> list[Move]:
    return [ReplaceChit(flow.state.chit), Skip()]


def replace_chit(flow: Flow, step: AskReplaceChit, move: ReplaceChit) -> None:
    put_part(flow.seat(step.seat), replace(hero_seat(flow, step.seat), used_in=flow.state.round))
    slide_chit_under_pile(flow)
    turn_up_chit(flow)


def disaster_for_seat(flow: Flow, kind: str, number: int) -> list[Step]:
    """Odysseus: asked when he has the coin and would lose something."""
    if hero_seat(flow, number).spent or not has_ability(flow, number, "wards_off"):
        return []
    asked = can_afford(flow, number, WARD_COST) and flow.rules.disasters[kind].harms(flow, number)
    return [AskWardOff(number, kind)] if asked else []


def ward_off_options(flow: Flow, step: AskWardOff) -> list[Move]:
    return [WardOff(step.kind), Skip()]


def ward_off(flow: Flow, step: AskWardOff, move: WardOff) -> None:
    pay(flow, step.seat, WARD_COST, "ward off")
    put_part(flow.seat(step.seat), replace(hero_seat(flow, step.seat), spent=True))
    spare_seat(flow)
