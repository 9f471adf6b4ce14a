"""Heroes (C6): dealing and exchanging them, turning them, and what each ability changes.

    hero       ability               hook or meeting
    Achilles   strength_two          strength_gain
    Andromeda  coins_with_coins      once
    Ariadne    replaces_chit         chit_shown
    Daedalus   cost_two_less         prices
    Hector     halving_two           halving
    Helen      inhabitant_with_land  once
    Odysseus   wards_off             disaster_for_seat
    Penelope   feeds_two             fed_free
    Sisyphus   bid_one               bid_value
    Tantalus   hires_in_supply       hires_in_supply

Every hero besides has starting goods (`start_goods`), strength (`start_strength`), points while its red side is up
(`power_points`); turned, it may cost goods each round (`income`).
"""

from __future__ import annotations

from msgspec.structs import replace

from ...disasters import call_off, slide_under, turn_up
from ...flow import Flow
from ...goods import Goods
from ...kinds import Move, Step
from ...moves import Skip
from ...parts import part, put_part
from ...rounds import dealt
from ...shapes import Price
from ...stock import affordable, pay
from .shapes import AskReplaceChit, AskWardOff, Hero, HeroDealt, HeroSeat, HeroTurned, ReplaceChit, WardOff

DECK = "heroes"
STRENGTH_MORE = 2
"""Achilles."""
COINS_MORE = 3
"""Andromeda."""
COST_LESS = 2
"""Daedalus, of wood or of stone."""
MOST_HALVING = 2
"""Hector."""
WARD_COST = Goods(coin=1)
"""Odysseus."""
FED = 2
"""Penelope."""
BID_MORE = 2
"""Sisyphus, in half coins."""


def setup(flow: Flow) -> list[Step]:
    """C1: one for each seat, red side up."""
    heroes = dealt(flow, DECK)
    for number in range(flow.rules.players):
        give(flow, number, heroes[number])
    return []


def give(flow: Flow, number: int, hero: str) -> None:
    put_part(flow.seat(number), HeroSeat(hero))
    flow.emit(HeroDealt(number, hero))


def swap(flow: Flow, one: int, other: int) -> None:
    """C7."""
    first, second = own(flow, one).hero, own(flow, other).hero
    give(flow, one, second)
    give(flow, other, first)


def own(flow: Flow, number: int) -> HeroSeat:
    return part(flow.seat(number), HeroSeat)


def hero_of(flow: Flow, number: int) -> Hero:
    hero = flow.rules.catalogue.cards[DECK][own(flow, number).hero]
    assert isinstance(hero, Hero)
    return hero


def has(flow: Flow, number: int, ability: str) -> bool:
    return ability in hero_of(flow, number).abilities


def start_goods(flow: Flow, number: int, goods: Goods) -> Goods:
    """C1: those of the hero and of the civilization add up."""
    return goods + hero_of(flow, number).start


def start_strength(flow: Flow, number: int, strength: int) -> int:
    return strength + hero_of(flow, number).strength


def power_points(flow: Flow, number: int, points: int) -> int:
    """C5: red side only."""
    return points if own(flow, number).turned else points + hero_of(flow, number).points


def turn(flow: Flow, number: int) -> list[Step]:
    """C3: to the orange side; the ability stays."""
    seat = own(flow, number)
    put_part(flow.seat(number), replace(seat, turned=True))
    flow.emit(HeroTurned(number, seat.hero))
    return []


def income(flow: Flow, number: int, goods: Goods) -> Goods:
    """C3: what a turned hero costs."""
    return goods + hero_of(flow, number).turned if own(flow, number).turned else goods


def strength_gain(flow: Flow, number: int, strength: int) -> int:
    """Achilles."""
    return strength + STRENGTH_MORE if has(flow, number, "strength_two") else strength


def once(flow: Flow, number: int, tile: str, goods: Goods) -> Goods:
    """Andromeda: for a tile that shows coins; Helen: for a land."""
    if has(flow, number, "coins_with_coins") and flow.rules.tiles[tile].once.coin > 0:
        return goods + Goods(coin=COINS_MORE)
    if has(flow, number, "inhabitant_with_land") and flow.rules.tiles[tile].kind == "land":
        return goods + Goods(pop=1)
    return goods


def hero_prices(flow: Flow, number: int, tile: str, found: list[Price]) -> list[Price]:
    """Daedalus: only reductions that change the cost; with none the cost stays."""
    if not has(flow, number, "cost_two_less"):
        return found
    return [less for price in found for less in reductions(price) or [price]]


def reductions(price: Price) -> list[Price]:
    wood, stone = price.goods.wood, price.goods.stone
    ways = []
    if wood:
        ways.append(Price("less wood", replace(price.goods, wood=max(0, wood - COST_LESS))))
    if stone:
        ways.append(Price("less stone", replace(price.goods, stone=max(0, stone - COST_LESS))))
    return ways


def halving(flow: Flow, number: int, loss: int) -> int:
    """Hector."""
    return min(loss, MOST_HALVING) if has(flow, number, "halving_two") else loss


def fed_free(flow: Flow, number: int, free: int, final: bool) -> int:
    """Penelope."""
    return free + FED if has(flow, number, "feeds_two") else free


def bid_value(flow: Flow, number: int, bonus: int) -> int:
    """Sisyphus."""
    return bonus + BID_MORE if has(flow, number, "bid_one") else bonus


def hires_in_supply(flow: Flow, number: int, may: bool) -> bool:
    """Tantalus."""
    return may or has(flow, number, "hires_in_supply")


def chit_shown(flow: Flow) -> list[Step]:
    """Ariadne: once a round, while there is another chit."""
    state = flow.state
    return [
        AskReplaceChit(number)
        for number in state.order
        if state.pile and has(flow, number, "replaces_chit") and own(flow, number).used_in != state.round
    ]


def replace_options(flow: Flow, step: AskReplaceChit) -> list[Move]:
    return [ReplaceChit(flow.state.chit), Skip()]


def replace_chit(flow: Flow, step: AskReplaceChit, move: ReplaceChit) -> None:
    put_part(flow.seat(step.seat), replace(own(flow, step.seat), used_in=flow.state.round))
    slide_under(flow)
    turn_up(flow)


def disaster_for_seat(flow: Flow, kind: str, number: int) -> list[Step]:
    """Odysseus: asked when he has the coin and would lose something."""
    if own(flow, number).spent or not has(flow, number, "wards_off"):
        return []
    asked = affordable(flow, number, WARD_COST) and flow.rules.disasters[kind].harms(flow, number)
    return [AskWardOff(number, kind)] if asked else []


def ward_options(flow: Flow, step: AskWardOff) -> list[Move]:
    return [WardOff(step.kind), Skip()]


def ward_off(flow: Flow, step: AskWardOff, move: WardOff) -> None:
    pay(flow, step.seat, WARD_COST, "ward off")
    put_part(flow.seat(step.seat), replace(own(flow, step.seat), spent=True))
    call_off(flow)
