"""The tiles of later rounds: nobody knows them, but what is left in each stack is public."""

from __future__ import annotations

from operator import itemgetter

from holding import STORED, Holding, Message
from weights import WEIGHTS

PASS_COINS = 3
UNLIKELY = 0.05
"""What is left of a chance that is not looked at any more."""


class Menu:
    """The tiles that a later round may offer, and how likely each is mine if I want it."""

    def __init__(self, tiles: list[Message], shown: int, surcharge: float, rounds: int) -> None:
        self.odds = WEIGHTS.pick * min(1.0, shown / len(tiles))
        """The chance that a given tile is shown and stays with me."""
        self.dishes = [Dish(tile, surcharge, rounds) for tile in tiles]


class Dish:
    """A tile as numbers that are quick to use."""

    __slots__ = (
        "coin",
        "food",
        "food_income",
        "land",
        "lux",
        "points",
        "pop",
        "price",
        "stone",
        "stone_income",
        "wood",
        "wood_income",
        "worth",
    )

    def __init__(self, tile: Message, surcharge: float, rounds: int) -> None:
        once, cost, income = tile.get("once", {}), tile.get("cost", {}), tile.get("income", {})
        any_third = tile.get("any", 0) / 3
        self.price = tile.get("min", 0) + surcharge
        self.points = tile["points"]
        self.pop, self.coin = once.get("pop", 0), once.get("coin", 0)
        self.food, self.lux = once.get("food", 0), once.get("lux", 0)
        self.wood, self.stone = cost.get("wood", 0), cost.get("stone", 0)
        self.wood_income = income.get("wood", 0) + any_third
        self.stone_income = income.get("stone", 0) + any_third
        self.food_income = income.get("food", 0) + any_third
        self.land = tile["kind"] == "land"
        self.worth = self.goods_worth() + rounds * self.income_worth() + self.points
        if rounds > 1:
            self.worth += WEIGHTS.shield * len(tile.get("protects", ()))

    def goods_worth(self) -> float:
        """What it brings once, less what it costs."""
        costs = WEIGHTS.coin * self.price + WEIGHTS.material * (self.wood + self.stone)
        return self.coin * WEIGHTS.coin + self.food * WEIGHTS.food + self.lux * WEIGHTS.luxury - costs

    def income_worth(self) -> float:
        return self.wood_income * WEIGHTS.wood + self.stone_income * WEIGHTS.stone + self.food_income * WEIGHTS.food


def future_tile(me: Holding, menu: object) -> None:
    """A tile of a later round: the best I could pay with the chance that it is there, else the next best, and so on."""
    assert isinstance(menu, Menu)
    if me.next_pass:
        me.next_pass = False
        me.coin += PASS_COINS
        return
    wishes = sorted(wishes_of(me, menu), key=itemgetter(0), reverse=True)
    left, odds = 1.0, menu.odds
    used_wood = used_stone = 0.0
    income = me.income
    for _, chance, dish in wishes:
        part = left * odds * chance
        left -= part
        me.points += part * dish.points
        me.pop += part * dish.pop
        me.coin += part * (dish.coin - dish.price)
        me.food += part * dish.food
        me.lux += part * dish.lux
        used_wood += part * dish.wood
        used_stone += part * dish.stone
        income[0] += part * dish.wood_income
        income[1] += part * dish.stone_income
        income[2] += part * dish.food_income
        if dish.land:
            me.lands += part
        else:
            me.buildings += part
        if left < UNLIKELY:
            break
    me.coin += left * PASS_COINS
    me.pop = max(0.0, me.pop)
    if me.coin < 0:
        me.lux = max(0.0, me.lux + me.rate * me.coin)
        me.coin = 0
    use_materials(me, used_wood, used_stone)


Wish = tuple[float, float, Dish]


def wishes_of(me: Holding, menu: Menu) -> list[Wish]:
    """(worth, chance that I can pay and place it, dish) of all that is worth more than a pass."""
    wood, stone, coin = me.wood, me.stone, me.coin
    each = me.points_per_inhabitant * WEIGHTS.inhabitant
    luxury = me.lux / me.rate
    last = me.last_land if "free_placement" not in me.abilities else None
    by_wood, by_stone, by_food = (last is None or last.get(name, 0) > 0 for name in STORED)
    found: list[Wish] = []
    for dish in menu.dishes:
        worth = dish.worth + dish.pop * each
        if worth <= PASS_COINS * WEIGHTS.coin:
            continue
        short = -luxury
        if dish.wood > wood:
            short += dish.wood - wood
        if dish.stone > stone:
            short += dish.stone - stone
        if dish.price > coin:
            short += dish.price - coin
        chance = 1.0 - short / WEIGHTS.stretch if short > 0 else 1.0
        if dish.land and not (
            (by_wood and dish.wood_income) or (by_stone and dish.stone_income) or (by_food and dish.food_income)
        ):
            chance *= WEIGHTS.misfit
        if chance > 0:
            found.append((worth, chance, dish))
    return found


def use_materials(me: Holding, wood: float, stone: float) -> None:
    short = max(0.0, wood - me.wood) + max(0.0, stone - me.stone)
    me.wood = max(0.0, me.wood - wood)
    me.stone = max(0.0, me.stone - stone)
    me.lux = max(0.0, me.lux - me.rate * short)
