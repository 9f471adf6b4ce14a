"""What becomes of a holding until the end of the game: the heart of the planner.

A Calendar lists what is still to come for everyone: incomes, tiles, supply rounds (the stacks say where), disasters
(the chits still to be drawn say when to expect them). `Calendar.value` lets a holding live through that list and
weighs the two totals that it ends with. Everything is an expectation: no chance, no search.
"""

from __future__ import annotations

from math import sqrt

from holding import CLOVERLEAF, DISASTERS, Holding, Message
from weights import WEIGHTS

PASS_COINS = 3
STRIKES_AT = 3
DECLINE = 10
ORACLE_LUXURY = 20
LOST_BUILDING, LOST_LAND = 4, 2.5
"""Points of a tile that a disaster takes."""

Step = tuple[str, object]
EARLY, LATE = -0.5, 0.5
"""Two courses of the game are forecast: supply rounds and disasters come early, or late."""


class Menu:
    """The tiles that a later round may offer, and how likely each is mine if I want it."""

    def __init__(self, tiles: list[Message], shown: int, surcharge: float, rounds: int) -> None:
        self.odds = WEIGHTS.pick * min(1.0, shown / len(tiles))
        """The chance that a given tile is shown and stays with me."""
        self.dishes = [dish(tile, surcharge, rounds) for tile in tiles]


Dish = tuple[float, float, float, float, float, float, float, float, float, float, float, bool, float]


def dish(tile: Message, surcharge: float, rounds: int) -> Dish:
    """A tile as numbers: price, points, one-time income, costs, income, if a land, what goods and income are worth."""
    once, cost, income = tile.get("once", {}), tile.get("cost", {}), tile.get("income", {})
    each = tile.get("any", 0) / 3
    wood, stone, food = (income.get(name, 0) + each for name in ("wood", "stone", "food"))
    goods = (
        once.get("coin", 0) * WEIGHTS.coin + once.get("food", 0) * WEIGHTS.food + once.get("lux", 0) * WEIGHTS.luxury
    )
    worth = goods + rounds * (wood * WEIGHTS.wood + stone * WEIGHTS.stone + food * WEIGHTS.food)
    worth += WEIGHTS.shield * len(tile.get("protects", ())) * (rounds > 1)
    return (
        tile.get("min", 0) + surcharge,
        tile["points"],
        once.get("pop", 0),
        once.get("coin", 0),
        once.get("food", 0),
        once.get("lux", 0),
        cost.get("wood", 0),
        cost.get("stone", 0),
        wood,
        stone,
        food,
        tile["kind"] == "land",
        worth,
    )


class Calendar:
    """What is to come, from this decision to the end."""

    def __init__(self, state: Message, catalogue: Message, tiles_per_round: int) -> None:
        self.state = state
        self.tiles: dict[str, Message] = catalogue["tiles"]
        self.agenda = [step["type"] for step in state["agenda"]]
        self.rounds_left = state["rounds"] - state["round"]
        self.letters = self.future_letters(tiles_per_round)
        self.shown = tiles_per_round
        conquest = max(0, tiles_per_round - len(state["seats"])) / tiles_per_round
        self.surcharge = WEIGHTS.premium + WEIGHTS.conquest_price * conquest
        self._menus: dict[tuple[str, int], Menu] = {}
        self.courses = [self.later_steps(luck) for luck in (EARLY, LATE)]
        self.supplies = sum(kind == "supply" for kind, _ in self.courses[0])
        self.strengths = [
            seat["parts"]["strength_seat"]["strength"] for seat in state["seats"] if "strength_seat" in seat["parts"]
        ]
        self.attacks = (
            2 - len(state["parts"]["persians_table"]["repelled"]) if "persians_table" in state["parts"] else 0
        )

    def future_letters(self, tiles_per_round: int) -> list[str]:
        """The stack of each round after this one."""
        stacks = self.state["stacks"]
        letters = [letter for letter in sorted(stacks) for _ in range(len(stacks[letter]) // tiles_per_round)]
        return letters[-self.rounds_left :] if self.rounds_left else []

    def expected_strikes(self, luck: float) -> dict[int, list[str]]:
        """Rounds from now to the disasters expected then: where the last chit of a kind is likely to lie."""
        state = self.state
        pile, bottom = sum(state["pile"].values()), state["pile_bottom"]
        now = self.draws_now(pile + len(bottom))
        a_round = max(1.0, (pile + len(bottom) - now) / max(1, self.rounds_left))
        found: dict[int, list[str]] = {}
        for kind in DISASTERS:
            needed = STRIKES_AT - state["chits"].get(kind, 0) - (state["chit"] == kind)
            if needed <= 0:
                continue
            place = needed + (pile - needed) * (needed + luck) / (needed + 1)
            if kind in bottom:
                place = pile + 1 + bottom.index(kind)
            away = 0 if place <= now else 1 + int((place - now - 0.01) / a_round)
            found.setdefault(min(away, self.rounds_left), []).append(kind)
        return found

    def draws_now(self, chits: int) -> float:
        """Chits still to be drawn in this round."""
        if "DrawChits" in self.agenda:
            return chits / (self.rounds_left + 1)
        return self.agenda.count("DrawChit")

    def later_steps(self, luck: float) -> list[Step]:
        """From the end of this round on, for every seat; supply rounds and disasters come early or late."""
        strikes = self.expected_strikes(luck)
        supply_in = {}
        for letter in sorted(set(self.letters)):
            places = [place for place, found in enumerate(self.letters) if found == letter]
            if any(self.tiles[tile].get("supply") for tile in self.state["stacks"][letter]):
                supply_in[places[0 if luck < 0 else -1]] = letter
        steps: list[Step] = [("strike", kind) for kind in strikes.get(0, ())]
        for place, letter in enumerate(self.letters):
            if place in supply_in:
                steps.append(("supply", False))
            steps.append(("tile", self.menu(letter, self.state["stacks"][letter], len(self.letters) - place)))
            steps.append(("income", None))
            steps += [("strike", kind) for kind in strikes.get(place + 1, ())]
        return steps if "Score" in self.agenda else [*steps, ("supply", True)]

    def menu(self, name: str, tiles: list[str], rounds: int) -> Menu:
        """Of a stack, or of what is shown; made once."""
        if (name, rounds) not in self._menus:
            self._menus[name, rounds] = Menu([self.tiles[t] for t in tiles], self.shown, self.surcharge, rounds)
        return self._menus[name, rounds]

    def income_to_come(self, seat: int) -> bool:
        """Whether this round's income is still to be given to the seat."""
        if "GiveIncomes" in self.agenda:
            return True
        return any(step["type"] == "GiveIncome" and step["seat"] == seat for step in self.state["agenda"])

    def tile_to_come(self) -> bool:
        """Whether the bidding of this round is still to come."""
        return "StartBidding" in self.agenda or "AskBid" in self.agenda

    def value(self, start: Holding, income: bool, tile: bool = False) -> float:
        """What the holding is worth at the end, after this round's tile and income if they are to come."""
        me = start.copy()
        shown = [*self.state["open"], *self.state["conquest"]]
        if tile and shown:
            future_tile(me, self.menu("shown", shown, self.rounds_left + 1))
        if "EndSupply" in self.agenda:
            complete_marks(me)
        if income:
            give_income(me)
        return sum(self.outcome(me.copy(), course) for course in self.courses) / len(self.courses) + self.fights(start)

    def outcome(self, me: Holding, course: list[Step]) -> float:
        for kind, what in course:
            STEPS[kind](me, what)
        return self.weigh(me)

    def weigh(self, me: Holding) -> float:
        """The lower total, softened by what may still happen, and a little for the rest."""
        prestige, population = totals(me)
        if "oracle" in me.abilities and me.lux >= ORACLE_LUXURY:
            return max(prestige, population)
        width = WEIGHTS.sure + WEIGHTS.uncertainty * self.rounds_left
        half = (prestige - population) / 2
        low = (prestige + population) / 2 - sqrt(half * half + width * width)
        return low + WEIGHTS.surplus * max(prestige, population) + WEIGHTS.leftover * me.lux

    def fights(self, me: Holding) -> float:
        """Conflicts and attacks to come, by strength against the others'; and the herd."""
        worth = WEIGHTS.goat * me.goats if self.rounds_left else 0.0
        if not self.strengths:
            return worth
        average = sum(self.strengths) / len(self.strengths)
        ahead = max(-1.0, min(1.0, (me.strength - average) / 4))
        return worth + WEIGHTS.conflict * ahead * self.supplies / 2 + WEIGHTS.strength * me.strength * self.attacks


def totals(me: Holding) -> tuple[float, float]:
    """E2, L2, U1, C5: prestige and population, cloverleaves where they help."""
    rate = min(2, me.coins_per_point) if "coinage" in me.abilities else me.coins_per_point
    each = max(4, me.points_per_inhabitant) if "colossos" in me.abilities else me.points_per_inhabitant
    prestige = me.points + me.coin / rate
    population = me.pop * each + me.population_extra + me.given * (3 if "treasury" in me.abilities else 2)
    if me.leaves:
        free = CLOVERLEAF * me.leaves
        to_prestige = min(free, max(0.0, (free + population - prestige) / 2))
        return prestige + to_prestige, population + free - to_prestige
    return prestige, population


# ---- the steps of the future


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


def future_tile(me: Holding, menu: object) -> None:
    """A tile of a later round: the best I could pay with the chance that it is there, else the next best, and so on."""
    assert isinstance(menu, Menu)
    if me.next_pass:
        me.next_pass = False
        me.coin += PASS_COINS
        return
    wishes = sorted(wishes_of(me, menu), reverse=True)
    left, odds = 1.0, menu.odds
    coin, points, pop, food, lux = me.coin, me.points, me.pop, me.food, me.lux
    used_wood = used_stone = 0.0
    income = me.income
    for _, chance, dish in wishes:
        part = left * odds * chance
        left -= part
        points += part * dish[1]
        pop += part * dish[2]
        coin += part * (dish[3] - dish[0])
        food += part * dish[4]
        lux += part * dish[5]
        used_wood += part * dish[6]
        used_stone += part * dish[7]
        income[0] += part * dish[8]
        income[1] += part * dish[9]
        income[2] += part * dish[10]
        if dish[11]:
            me.lands += part
        else:
            me.buildings += part
        if left < 0.05:
            break
    me.coin, me.points, me.pop, me.food, me.lux = coin + left * PASS_COINS, points, max(0.0, pop), food, lux
    if me.coin < 0:
        me.lux = max(0.0, me.lux + me.rate * me.coin)
        me.coin = 0
    use_materials(me, used_wood, used_stone)


Wish = tuple[float, float, Dish]


def wishes_of(me: Holding, menu: Menu) -> list[Wish]:
    """(worth, chance that I can pay it, dish) of all that is worth more than a pass."""
    wood, stone, coin, rate = me.wood, me.stone, me.coin, me.rate
    each = me.points_per_inhabitant * WEIGHTS.inhabitant
    luxury = me.lux / rate
    last = me.last_land if "free_placement" not in me.abilities else None
    near = [last is None or last.get(name, 0) > 0 for name in ("wood", "stone", "food")]
    found: list[Wish] = []
    for dish in menu.dishes:
        price = dish[0]
        short = 0.0
        if dish[6] > wood:
            short += dish[6] - wood
        if dish[7] > stone:
            short += dish[7] - stone
        if price > coin:
            short += price - coin
        if short > luxury:
            chance = 1.0 - (short - luxury) / WEIGHTS.stretch
            if chance <= 0:
                continue
        else:
            chance = 1.0
        if dish[11] and not ((near[0] and dish[8]) or (near[1] and dish[9]) or (near[2] and dish[10])):
            chance *= WEIGHTS.misfit
        worth = dish[1] + dish[2] * each + dish[12] - WEIGHTS.coin * price - WEIGHTS.material * (dish[6] + dish[7])
        if worth > PASS_COINS * WEIGHTS.coin:
            found.append((worth, chance, dish))
    return found


def use_materials(me: Holding, wood: float, stone: float) -> None:
    short = max(0.0, wood - me.wood) + max(0.0, stone - me.stone)
    me.wood = max(0.0, me.wood - wood)
    me.stone = max(0.0, me.stone - stone)
    me.lux = max(0.0, me.lux - me.rate * short)


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
STEPS = {"income": give_income, "tile": future_tile, "supply": supply, "strike": strike}
