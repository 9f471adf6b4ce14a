"""My seat as it would be after a move, and what it is worth."""

from peloarena.botkit import GameInfo, Message

GOODS = ("wood", "stone", "food", "coin", "pop", "lux")
MATERIAL, COIN, FOOD, LUXURY = 0.35, 0.25, 0.15, 0.2
"""Points for a good that is left over for later; a coin counts for prestige besides."""
INCOME = {"wood": 0.3, "stone": 0.4, "food": 0.35, "coin": 0.4, "pop": 1.5, "lux": 0.15, "any": 0.45}
"""Points for an income, for each round left."""
PROTECTION, ABILITY, STRENGTH = 1.5, 0.5, 0.25
BEFORE_INCOME = ("build", "strength")
"""This round's income comes after what is asked with tiles on display, and after these, when they are gone."""


class Seat:
    def __init__(self, decide: Message, game: GameInfo) -> None:
        state = decide["state"]
        shown = state["seats"][state["you"]]
        parts = shown["parts"]
        self.state, self.game, self.shown = state, game, shown
        self.about = decide.get("about", {})
        """What is asked about: the coins of a displaced bid, the hungry, the terms of an exchange."""
        self.mat = game.catalogue["mats"][shown["mat"]]
        self.luxury_rate = 1 if "luxury_for_one" in shown["abilities"] else 2
        self.goods = {name: shown[name] for name in GOODS}
        self.income = shown["income"] | {"any": shown["any"]}
        self.sea = len(parts["sea_seat"]["tiles"]) if "sea_seat" in parts else 0
        """Each sea tile feeds an inhabitant."""
        tiles = shown["lands"] + shown["buildings"] + (parts["sea_seat"]["tiles"] if self.sea else [])
        self.points = sum(game.tiles[tile]["points"] for tile in tiles)
        fighter = parts.get("strength_seat", {"mercenaries": 0, "strength": 0})
        self.population = fighter["mercenaries"] + 2 * parts.get("sacrum_seat", {"given": 0})["given"]
        self.extra = STRENGTH * fighter["strength"]
        """Points for all that has no other place here."""
        tiles_to_take = state["open"] or state["conquest"] or decide["kind"] in BEFORE_INCOME
        self.incomes = state["rounds"] - state["round"] + bool(tiles_to_take)
        hidden = [game.tiles[tile] for stack in state["stacks"].values() for tile in stack]
        self.supplies = 1 + sum(tile.get("supply", False) for tile in hidden)

    def gain(self, goods: Message) -> None:
        """What the storehouse cannot hold becomes luxury."""
        for name, amount in goods.items():
            self.goods[name] += amount
        for name, room in self.mat["storage"].items():
            if self.goods[name] > room:
                self.goods["lux"] += self.goods[name] - room
                self.goods[name] = room

    def pay(self, goods: Message) -> None:
        """Luxury stands for what is missing."""
        for name, amount in goods.items():
            missing = max(0, amount - self.goods[name])
            self.goods[name] -= amount - missing
            self.goods["lux"] -= missing * self.luxury_rate

    def take(self, tile: Message) -> None:
        """The tile is mine: its cost, points, goods and income. A land without a neighbour is lost."""
        if tile["kind"] == "land" and not self.fits(tile):
            return
        self.points += tile["points"]
        self.pay(tile.get("cost", {}))
        self.gain(tile.get("once", {}))
        self.add_income(tile, 1)
        shields = set(tile.get("protects", ())) - set(self.shown["protects"])
        self.extra += PROTECTION * len(shields) * (self.incomes > 1) + ABILITY * len(tile.get("abilities", ()))

    def fits(self, land: Message) -> bool:
        if not self.shown["lands"] or "free_placement" in self.shown["abilities"]:
            return True
        last = self.game.tiles[self.shown["lands"][-1]]["income"]
        return any(last.get(name) and land["income"].get(name) for name in ("wood", "stone", "food"))

    def add_income(self, tile: Message, sign: int) -> None:
        for name, amount in (tile.get("income", {}) | {"any": tile.get("any", 0)}).items():
            self.income[name] = self.income.get(name, 0) + sign * amount

    def worth(self) -> float:
        goods, incomes = self.goods, self.incomes
        food = goods["food"] + incomes * self.income.get("food", 0) + max(0, goods["lux"]) / self.luxury_rate
        fed = min(goods["pop"], self.sea + food / self.supplies)
        inhabitants = 0.3 * goods["pop"] + 0.7 * fed
        prestige = self.points + goods["coin"] / self.mat["coins_per_point"]
        population = self.mat["points_per_inhabitant"] * inhabitants + self.population
        low, high = sorted((prestige, population))
        balanced = low + (0.1 + 0.05 * incomes) * (high - low)
        later = (goods["wood"] + goods["stone"]) * MATERIAL + goods["coin"] * COIN + goods["food"] * FOOD
        income = sum(INCOME[name] * amount for name, amount in self.income.items())
        return balanced + min(incomes, 3) / 3 * later + incomes * income + LUXURY * goods["lux"] + self.extra
