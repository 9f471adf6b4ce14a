"""Gaining and paying goods: storage and overflow (P6), luxury as a substitute (P5). Every change is an event."""

from __future__ import annotations

from .events import Stock
from .flow import Flow
from .goods import NOTHING, Goods
from .state import Seat

LUXURY_RATE = 2
"""P5: how much luxury replaces one of anything else."""


def gain(flow: Flow, number: int, goods: Goods, why: str) -> None:
    """Adds goods; what a storehouse cannot hold becomes luxury, and no amount falls below 0 (P6).

    Usually all of it fits: then the goods are the change, and no new Goods are made (this saves half the time).
    """
    seat = flow.state.seats[number]
    most_wood, most_stone, most_food = flow.rules.storage[seat.mat]
    wood, stone, food = seat.wood + goods.wood, seat.stone + goods.stone, seat.food + goods.food
    coin, pop, lux = seat.coin + goods.coin, seat.pop + goods.pop, seat.lux + goods.lux
    if wood > most_wood or stone > most_stone or food > most_food:
        if wood > most_wood:
            lux, wood = lux + wood - most_wood, most_wood
        if stone > most_stone:
            lux, stone = lux + stone - most_stone, most_stone
        if food > most_food:
            lux, food = lux + food - most_food, most_food
        set_goods(flow, number, why, wood, stone, food, coin, pop, lux)
    elif wood < 0 or stone < 0 or food < 0 or coin < 0 or pop < 0 or lux < 0:
        set_goods(flow, number, why, wood, stone, food, coin, pop, lux)
    elif goods != NOTHING:
        flow.events.append(Stock(number, why, goods))
        if goods.wood:
            seat.wood = wood
        if goods.stone:
            seat.stone = stone
        if goods.food:
            seat.food = food
        if goods.coin:
            seat.coin = coin
        if goods.pop:
            seat.pop = pop
        if goods.lux:
            seat.lux = lux


def set_goods(
    flow: Flow, number: int, why: str, wood: int, stone: int, food: int, coin: int, pop: int, lux: int
) -> None:
    """Sets a seat's goods, none below 0, and reports the change if there is one."""
    seat = flow.state.seats[number]
    if wood < 0 or stone < 0 or food < 0 or coin < 0 or pop < 0 or lux < 0:
        wood, stone, food, coin, pop, lux = [max(0, n) for n in (wood, stone, food, coin, pop, lux)]
    change = Goods(
        wood - seat.wood,
        stone - seat.stone,
        food - seat.food,
        coin - seat.coin,
        pop - seat.pop,
        lux - seat.lux,
    )
    if change != NOTHING:
        flow.events.append(Stock(number, why, change))
        seat.wood, seat.stone, seat.food, seat.coin, seat.pop, seat.lux = wood, stone, food, coin, pop, lux


def gain_coins(flow: Flow, number: int, coins: int, why: str) -> None:
    """`gain`, for coins alone: every second change of a stock is one."""
    if coins:
        flow.state.seats[number].coin += coins
        flow.events.append(Stock(number, why, Goods(0, 0, 0, coins)))


def pay_coins(flow: Flow, number: int, coins: int, why: str) -> None:
    """`pay`, for coins alone."""
    seat = flow.state.seats[number]
    if coins > seat.coin:
        pay(flow, number, Goods(coin=coins), why)
    elif coins:
        seat.coin -= coins
        flow.events.append(Stock(number, why, Goods(0, 0, 0, -coins)))


def luxury_rate(flow: Flow, number: int) -> int:
    rate = LUXURY_RATE
    for modifier in flow.rules.hooks.luxury_rate:
        rate = modifier(flow, number, rate)
    return rate


def shortfall(seat: Seat, cost: Goods) -> int:
    """How much of the cost the seat's own stock lacks: what luxury would have to replace (P5)."""
    short = 0
    if cost.wood > seat.wood:
        short += cost.wood - seat.wood
    if cost.stone > seat.stone:
        short += cost.stone - seat.stone
    if cost.food > seat.food:
        short += cost.food - seat.food
    if cost.coin > seat.coin:
        short += cost.coin - seat.coin
    return short


def can_afford(flow: Flow, number: int, cost: Goods) -> bool:
    seat = flow.state.seats[number]
    short = shortfall(seat, cost)
    if short:
        return seat.pop >= cost.pop and seat.lux >= cost.lux + luxury_rate(flow, number) * short
    return seat.pop >= cost.pop and seat.lux >= cost.lux


def can_afford_coins(flow: Flow, number: int, coins: int) -> bool:
    """`can_afford`, for coins alone."""
    return coins <= flow.state.seats[number].coin or coins <= available_coins(flow, number)


def pay(flow: Flow, number: int, cost: Goods, why: str) -> None:
    """Pays what it `can_afford` from the seat's own stock, and luxury for what is missing (P5)."""
    seat = flow.state.seats[number]
    wood, stone, food, coin = (
        seat.wood - cost.wood,
        seat.stone - cost.stone,
        seat.food - cost.food,
        seat.coin - cost.coin,
    )
    lux = seat.lux - cost.lux
    if wood < 0 or stone < 0 or food < 0 or coin < 0:
        lux -= luxury_rate(flow, number) * shortfall(seat, cost)
    assert lux >= 0, f"seat {number} cannot pay {cost.text()} ({why})"
    set_goods(flow, number, why, wood, stone, food, coin, seat.pop - cost.pop, lux)


def available_coins(flow: Flow, number: int) -> int:
    """R2c: the coins that a seat can bid, luxury changed into coins included."""
    seat = flow.state.seats[number]
    return seat.coin + seat.lux // luxury_rate(flow, number)
