"""What happens to a holding in a round, as an expectation: income, supply, disasters. Numbers may be fractions."""

from __future__ import annotations

from holding import Holding

DECLINE = 10
LOST_BUILDING, LOST_LAND = 4, 2.5
"""Points of a tile that a disaster takes."""


def give_income(me: Holding, _: object = None) -> None:
    """R6; "any" icons give what is scarcest. Between two numbers of inhabitants the mat is read in proportion."""
    wood, stone, food, coin, pop, lux = me.income
    me.pop = max(0, me.pop + pop)
    for _icon in range(me.any):
        if me.food < me.pop:
            me.food += 1
        elif me.stone <= me.wood:
            me.stone += 1
        else:
            me.wood += 1
    whole = int(me.pop)
    rows = me.rows
    if whole >= len(rows) - 1:
        coins, luxury = rows[-1]
    else:
        part = me.pop - whole
        (coins, luxury), (more_coins, more_luxury) = rows[whole], rows[whole + 1]
        coins += part * (more_coins - coins)
        luxury += part * (more_luxury - luxury)
    me.wood = max(0, me.wood + wood)
    me.stone = max(0, me.stone + stone)
    me.food = max(0, me.food + food)
    me.coin += coin + coins
    me.lux += lux + luxury
    me.store()


def supply(me: Holding, final: object) -> None:
    """V1 with food, then luxury; V2."""
    if not (final and "store" in me.abilities):
        hungry = max(0.0, me.pop - me.free_food)
        food = min(me.food, hungry / me.per_food)
        me.food -= food
        hungry -= food * me.per_food
        if hungry > 0:
            fed = min(hungry, me.lux / me.rate * me.per_food)
            me.lux -= fed * me.rate / me.per_food
            me.pop -= hungry - fed
    complete_marks(me)


def complete_marks(me: Holding) -> None:
    """V2: paid, or lost."""
    for tile, coins in me.marks:
        cost = me.price(tile)
        if me.affords(cost):
            me.pay(cost)
            me.coin += coins
        else:
            me.lose(tile)
    me.marks = []


def strike(me: Holding, kind: object) -> None:
    if kind not in me.protects:
        BLOWS[str(kind)](me)


def earthquake(me: Holding) -> None:
    each = 2 if "harsh_earthquake" in me.mat_abilities else 1
    kept = payable(me, me.buildings, me.wood / each, me.stone / each, each)
    me.points -= (me.buildings - kept) * LOST_BUILDING
    me.wood, me.stone = max(0.0, me.wood - each * kept), max(0.0, me.stone - each * kept)
    me.buildings = kept


def tempest(me: Holding) -> None:
    each = 2 if "harsh_tempest" in me.mat_abilities else 1
    kept = payable(me, me.lands, me.food / each, me.coin / each, each)
    me.points -= (me.lands - kept) * LOST_LAND
    me.food, me.coin = max(0.0, me.food - each * kept), max(0.0, me.coin - each * kept)
    if me.lands > kept:
        me.income = [amount * (kept + 1) / (me.lands + 1) for amount in me.income]
    me.lands = kept


def payable(me: Holding, tiles: float, one: float, other: float, each: int) -> float:
    """How many tiles two goods can pay for, luxury standing in, which is paid here."""
    luxury = me.lux / (me.rate * each)
    less, more = (one, other) if one < other else (other, one)
    kept = min(tiles, less + luxury if less + luxury <= more else (less + more + luxury) / 2)
    me.lux -= (max(0.0, kept - less) + max(0.0, kept - more)) * me.rate * each
    return kept


def drought(me: Holding) -> None:
    me.food -= me.food / (2 if "harsh_drought" in me.mat_abilities else 3)


def plague(me: Holding) -> None:
    me.pop -= min(me.pop, (me.pop + 1) / 3)


def decline(me: Holding) -> None:
    me.lux -= me.lux if "harsh_decline" in me.mat_abilities else min(DECLINE, me.lux)


BLOWS = {"earthquake": earthquake, "tempest": tempest, "drought": drought, "plague": plague, "decline": decline}
