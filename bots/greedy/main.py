"""Looks one move ahead: what would my seat be worth after each legal move? Takes the best.

The score is the lower of two totals, so a seat is worth mostly its lower one: prestige (points and coins) or
population (inhabitants that can be fed). Goods and income count for what they may still become. Other seats are
not looked at, nor is what a bid may lead to. Every move is a function in MOVES, so a new kind is a new line.
"""

from typing import Any

from peloarena.botkit import GameInfo, Message, play

GOODS = ("wood", "stone", "food", "coin", "pop", "lux")
MATERIAL, LUXURY, SPARE_FOOD, COIN = 0.35, 0.2, 0.15, 0.25
"""Points for a good that is left over for later; a coin counts for prestige besides."""
INCOME = {"wood": 0.3, "stone": 0.4, "food": 0.35, "coin": 0.4, "pop": 1.5, "lux": 0.15, "any": 0.45}
"""Points for an income, for each round left."""
PROTECTION, ABILITY, STRENGTH = 1.5, 0.5, 0.25
CONQUEST = 3
"""What a mark still costs later on, a chit that may be replaced, and a disaster that is warded off."""
MARK_RISK, BEARABLE = 0.8, 2.0
SUPPLY = ("B", "C", "D")
"""The stacks with a supply tile; the game ends with one more supply round."""


class Holding:
    """My seat as it would be after a move: goods, points, income."""

    def __init__(self, seat: Message, state: Message, game: GameInfo) -> None:
        self.goods = {name: seat[name] for name in GOODS}
        self.income = dict(seat["income"]) | {"any": seat["any"]}
        self.mat = game.catalogue["mats"][seat["mat"]]
        self.rate = 1 if "luxury_for_one" in self.mat.get("abilities", ()) else 2
        tiles = seat["lands"] + seat["buildings"] + seat["parts"].get("sea_seat", {}).get("tiles", [])
        self.points = sum(game.tiles[tile]["points"] for tile in tiles)
        self.fed_free = len(seat["parts"].get("sea_seat", {}).get("tiles", []))
        fighter = seat["parts"].get("strength_seat", {})
        self.population = fighter.get("mercenaries", 0) + 2 * seat["parts"].get("sacrum_seat", {}).get("given", 0)
        self.extra = STRENGTH * fighter.get("strength", 0)
        self.left = state["rounds"] - state["round"] + ("GiveIncomes" in [step["type"] for step in state["agenda"]])
        self.supplies = 1 + sum(any(game.tiles[t].get("supply") for t in state["stacks"].get(s, ())) for s in SUPPLY)

    def add(self, goods: Message, sign: int = 1) -> None:
        """Gain or pay; luxury stands for what is missing, and takes what the storehouse cannot hold."""
        for name, amount in goods.items():
            self.goods[name] += sign * amount
        for name in ("wood", "stone", "food", "coin"):
            if self.goods[name] < 0:
                self.goods["lux"] += self.rate * self.goods[name]
                self.goods[name] = 0
            spill = self.goods[name] - self.mat["storage"].get(name, self.goods[name])
            if spill > 0:
                self.goods["lux"] += spill
                self.goods[name] -= spill

    def worth(self) -> float:
        goods, left = self.goods, self.left
        food = goods["food"] + left * self.income.get("food", 0) + max(0, goods["lux"]) / self.rate
        fed = min(goods["pop"], self.fed_free + food / self.supplies)
        inhabitants = 0.3 * goods["pop"] + 0.7 * fed
        prestige = self.points + goods["coin"] / self.mat["coins_per_point"]
        population = self.mat["points_per_inhabitant"] * inhabitants + self.population
        low, high = sorted((prestige, population))
        later = (goods["wood"] + goods["stone"]) * MATERIAL + goods["coin"] * COIN + goods["food"] * SPARE_FOOD
        incomes = sum(INCOME[name] * amount for name, amount in self.income.items())
        soon = min(left, 3) / 3
        return (
            low
            + (0.1 + 0.05 * left) * (high - low)
            + soon * later
            + left * incomes
            + LUXURY * goods["lux"]
            + self.extra
        )


Seat = dict[str, Any]


def take_tile(me: Holding, tile: Message, seat: Seat, game: GameInfo) -> None:
    """The tile is mine: its points, goods and income; a building's cost; nothing if the land has no neighbour."""
    if tile["kind"] == "land" and not fits(tile, seat, game):
        return
    me.points += tile["points"]
    me.add(tile.get("cost", {}), -1)
    me.add(tile.get("once", {}))
    for name, amount in (tile.get("income", {}) | {"any": tile.get("any", 0)}).items():
        me.income[name] = me.income.get(name, 0) + amount
    shielded = set(tile.get("protects", ())) - set(seat["protects"])
    me.extra += PROTECTION * len(shielded) * (me.left > 1) + ABILITY * len(tile.get("abilities", ()))


def fits(tile: Message, seat: Seat, game: GameInfo) -> bool:
    if not seat["lands"] or "free_placement" in seat["abilities"]:
        return True
    last = game.tiles[seat["lands"][-1]]["income"]
    return any(last.get(name) and tile["income"].get(name) for name in ("wood", "stone", "food"))


def bid(me: Holding, move: Message, seat: Seat, game: GameInfo) -> None:
    me.add({"coin": move["coins"]}, -1)
    take_tile(me, game.tiles[move["tile"]], seat, game)


def move_bid(me: Holding, move: Message, seat: Seat, game: GameInfo) -> None:
    take_tile(me, game.tiles[move["tile"]], seat, game)


def withdraw(me: Holding, move: Message, seat: Seat, game: GameInfo) -> None:
    me.add({"coin": game.memory["step"]["coins"] + 1})


def pay(me: Holding, move: Message, seat: Seat, game: GameInfo) -> None:
    """Also `complete`. Daedalus names what he pays 2 less of."""
    cost = dict(game.tiles[move["tile"]].get("cost", {}))
    less = move.get("way", "").removeprefix("less ")
    if less:
        cost[less] = max(0, cost[less] - 2)
    me.add(cost, -1)


def mark(me: Holding, move: Message, seat: Seat, game: GameInfo) -> None:
    me.extra -= MARK_RISK + MATERIAL * sum(game.tiles[move["tile"]].get("cost", {}).values())


def lose(me: Holding, move: Message, seat: Seat, game: GameInfo) -> None:
    """Also `surrender`."""
    tile = game.tiles[move["tile"]]
    me.points -= tile["points"]
    for name, amount in tile.get("income", {}).items():
        me.income[name] = me.income.get(name, 0) - amount


def keep(me: Holding, move: Message, seat: Seat, game: GameInfo) -> None:
    cost = ("wood", "stone") if game.memory["step"]["kind"] == "earthquake" else ("food", "coin")
    me.add(dict.fromkeys(cost, 1), -1)


def feed(me: Holding, move: Message, seat: Seat, game: GameInfo) -> None:
    me.add({"pop": move["inhabitants"] - game.memory["step"]["hungry"], "lux": -me.rate * move["inhabitants"]})


def take_any(me: Holding, move: Message, seat: Seat, game: GameInfo) -> None:
    """Also `exchange`."""
    me.add({move["resource"]: move.get("goats", 1)})
    me.extra += MATERIAL * (game.memory["step"].get("resource") is not None) * -move.get("goats", 0)


def extra_income(me: Holding, move: Message, seat: Seat, game: GameInfo) -> None:
    """One of each kind is best: an income that is there already counts less."""
    me.income[move["resource"]] = me.income.get(move["resource"], 0) + 1
    me.extra -= seat["extra_income"].count(move["resource"]) * me.left * INCOME[move["resource"]]


def buy_sea(me: Holding, move: Message, seat: Seat, game: GameInfo) -> None:
    me.fed_free += 1
    take_tile(me, game.tiles[move["tile"]], seat, game)


def trade(me: Holding, move: Message, seat: Seat, game: GameInfo) -> None:
    me.add({move["give"]: -move["given"]})
    me.add({move["get"]: move["got"]})


def strengthen(me: Holding, move: Message, seat: Seat, game: GameInfo) -> None:
    tile = game.tiles[move["tile"]]
    me.add({"food": 2} if tile["kind"] == "land" else {"wood": 1, "stone": 1}, -1)
    me.extra += STRENGTH * tile["points"]


def hire(me: Holding, move: Message, seat: Seat, game: GameInfo) -> None:
    me.add({"coin": move["mercenaries"]}, -1)
    me.population += move["mercenaries"]
    me.extra += STRENGTH * move["mercenaries"] * (me.left > 0)


def sacrifice(me: Holding, move: Message, seat: Seat, game: GameInfo) -> None:
    me.add({"coin": move["inhabitants"], "pop": move["inhabitants"]}, -1)
    me.population += (3 if "treasury" in seat["abilities"] else 2) * move["inhabitants"]


def replace_chit(me: Holding, move: Message, seat: Seat, game: GameInfo) -> None:
    """The third chit of a kind strikes: worth a try against all that I am not protected from."""
    strikes = game.memory["state"]["chits"].get(move["chit"], 0) == 2 and move["chit"] not in seat["protects"]
    me.extra += 1 if strikes else -1


def ward_off(me: Holding, move: Message, seat: Seat, game: GameInfo) -> None:
    """Once a game: for what takes tiles or inhabitants, or when little is left to come."""
    me.add({"coin": 1}, -1)
    me.extra += BEARABLE if move["kind"] not in ("drought", "decline") or me.left < 2 else -BEARABLE


def offer_swap(me: Holding, move: Message, seat: Seat, game: GameInfo) -> None:
    """I am content with what I was dealt, unless the other's would be clearly better."""
    other = game.memory["state"]["seats"][move["seat"]]
    me.extra += dealt(other, move["deck"], game) - dealt(seat, move["deck"], game) - 1 - 0.6 * move["coins"]


def accept(me: Holding, move: Message, seat: Seat, game: GameInfo) -> None:
    step = game.memory["step"]
    other = game.memory["state"]["seats"][step["by"]]
    me.extra += dealt(other, step["deck"], game) - dealt(seat, step["deck"], game) + 0.6 * step["coins"]


def dealt(seat: Seat, deck: str, game: GameInfo) -> float:
    """What a hero or a colony is worth, roughly."""
    if deck == "heroes":
        hero = game.catalogue["cards"]["heroes"][seat["parts"]["hero_seat"]["hero"]]
        weights = {"pop": 1.5, "coin": 0.6}
        start = sum(weights.get(name, 0.4) * amount for name, amount in hero.get("start", {}).items())
        return float(hero["points"] + STRENGTH * hero.get("strength", 0) + start)
    mat = game.catalogue["mats"][seat["mat"]]
    middle = [coins + luxury / 3 for least, coins, luxury in mat["income"] if least in (5, 8)]
    return float(sum(middle) * 2 + 4 * mat["points_per_inhabitant"] + 6 / mat["coins_per_point"])


MOVES = {
    "bid": bid,
    "pass": lambda me, move, seat, game: me.add({"coin": 3}),
    "take_aid": move_bid,
    "move_bid": move_bid,
    "withdraw": withdraw,
    "pay": pay,
    "complete": pay,
    "mark": mark,
    "lose": lose,
    "surrender": lose,
    "keep": keep,
    "feed": feed,
    "take_any": take_any,
    "exchange": take_any,
    "extra_income": extra_income,
    "buy_sea": buy_sea,
    "trade": trade,
    "strengthen": strengthen,
    "hire": hire,
    "sacrifice": sacrifice,
    "replace_chit": replace_chit,
    "ward_off": ward_off,
    "offer_swap": offer_swap,
    "accept": accept,
}


def choose(decide: Message, game: GameInfo) -> int:
    state = decide["state"]
    seat = state["seats"][state["you"]]
    game.memory |= {"state": state, "step": state["agenda"][-1]}

    def worth(move: Message) -> float:
        me = Holding(seat, state, game)
        if move["type"] in MOVES:
            MOVES[move["type"]](me, move, seat, game)
        return me.worth()

    legal = decide["legal"]
    return max(range(len(legal)), key=lambda number: worth(legal[number]))


if __name__ == "__main__":
    play(choose, name="greedy", version="1")
