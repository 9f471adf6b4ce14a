"""What a seat holds, as plain numbers that are quick to copy and to change. Knows costs and storage, no future."""

from __future__ import annotations

from typing import Any

Message = dict[str, Any]

STORED = ("wood", "stone", "food")
DISASTERS = ("earthquake", "drought", "plague", "tempest", "decline")
MARK_COINS = 1
CLOVERLEAF = 2


def by_population(rows: list[list[int]]) -> list[tuple[float, float]]:
    """(coins, luxury) for each number of inhabitants."""
    found: list[tuple[float, float]] = []
    for least, coins, luxury in rows:
        found += found[-1:] * (least - len(found))
        found.append((coins, luxury))
    return found


class Holding:
    """A seat, or what it would be after a move. Numbers may be fractions once the future is forecast."""

    def __init__(self, seat: Message, catalogue: Message) -> None:
        self.wood, self.stone, self.food = seat["wood"], seat["stone"], seat["food"]
        self.coin, self.pop, self.lux = seat["coin"], seat["pop"], seat["lux"]
        tiles = catalogue["tiles"]
        parts = seat["parts"]
        self.sea = parts["sea_seat"]["tiles"] if "sea_seat" in parts else []
        self.points = sum(tiles[tile]["points"] for tile in [*seat["lands"], *seat["buildings"], *self.sea])
        self.lands, self.buildings = len(seat["lands"]), len(seat["buildings"])
        self.last_land = tiles[seat["lands"][-1]]["income"] if seat["lands"] else None
        income = seat["income"]
        self.income = [income.get(name, 0) for name in ("wood", "stone", "food", "coin", "pop", "lux")]
        self.any = seat["any"]
        self.chosen = seat["chosen"]
        self.protects = frozenset(seat["protects"])
        self.abilities = list(seat["abilities"])
        self.marks = [(tiles[mark["tile"]], mark["coins"]) for mark in seat["marks"]]
        self.free_food = len(self.sea)
        self.population_extra = 0
        self.goats = parts["herd"]["goats"] if "herd" in parts else 0
        self.given = parts["sacrum_seat"]["given"] if "sacrum_seat" in parts else 0
        self.next_pass = False
        """The Aid of Athens: no tile in the next round."""
        self.strength = self.leaves = 0
        if "strength_seat" in parts:
            fighter = parts["strength_seat"]
            self.strength, self.leaves = fighter["strength"], fighter["cloverleaves"]
            self.population_extra = fighter["mercenaries"]
        self.hero: tuple[str, ...] = ()
        self.use_mat(catalogue["mats"][seat["mat"]])
        if "hero_seat" in parts:
            self.use_hero(catalogue["cards"]["heroes"][parts["hero_seat"]["hero"]], parts["hero_seat"])

    def use_mat(self, mat: Message) -> None:
        """The mat or the colony board."""
        storage, self.mat_abilities = mat["storage"], mat.get("abilities", ())
        self.room = (storage["wood"], storage["stone"], storage["food"])
        self.rows = by_population(mat["income"])
        self.coins_per_point, self.points_per_inhabitant = mat["coins_per_point"], mat["points_per_inhabitant"]
        self.rate = 1 if "luxury_for_one" in self.mat_abilities else 2
        self.per_food = 2 if "one_food_feeds_two" in self.mat_abilities else 1
        self.mark_coins = 3 if "marks_with_three" in self.mat_abilities else MARK_COINS

    def use_hero(self, hero: Message, part: Message) -> None:
        self.hero = tuple(hero.get("abilities", ()))
        if "feeds_two" in self.hero:
            self.free_food += 2
        if not part["turned"]:
            self.points += hero["points"]
        else:
            for place, name in enumerate(("wood", "stone", "food")):
                self.income[place] += hero.get("turned", {}).get(name, 0)

    def copy(self) -> Holding:
        twin = Holding.__new__(Holding)
        twin.__dict__.update(self.__dict__)
        twin.income = self.income[:]
        return twin

    def gain(self, goods: Message) -> None:
        """P6: what the storehouse cannot hold becomes luxury."""
        for name, amount in goods.items():
            setattr(self, name, getattr(self, name) + amount)
        self.store()

    def store(self) -> None:
        wood, stone, food = self.room
        if self.wood > wood:
            self.lux += self.wood - wood
            self.wood = wood
        if self.stone > stone:
            self.lux += self.stone - stone
            self.stone = stone
        if self.food > food:
            self.lux += self.food - food
            self.food = food

    def missing(self, goods: Message) -> float:
        """P5: how much luxury is needed to pay this."""
        short = goods.get("lux", 0)
        for name, amount in goods.items():
            if name != "lux" and amount > getattr(self, name):
                short += self.rate * (amount - getattr(self, name))
        return short

    def affords(self, goods: Message) -> bool:
        return self.missing(goods) <= self.lux

    def pay(self, goods: Message) -> None:
        self.lux -= self.missing(goods)
        for name, amount in goods.items():
            if name != "lux":
                setattr(self, name, max(0, getattr(self, name) - amount))

    # ---- tiles

    def places(self, tile: Message) -> bool:
        """R4b: a land shares wood, stone or food with its neighbour."""
        if self.last_land is None or "free_placement" in self.abilities:
            return True
        income = tile.get("income", {})
        return any(self.last_land.get(name, 0) > 0 and income.get(name, 0) > 0 for name in STORED)

    def price(self, tile: Message) -> Message:
        """The cost of a building; Daedalus pays 2 less of what he lacks most."""
        cost = tile.get("cost", {})
        if "cost_two_less" not in self.hero or not cost:
            return cost
        less = max((n for n in ("wood", "stone") if cost.get(n)), key=lambda n: min(2, cost[n]) * 10 - getattr(self, n))
        return {**cost, less: max(0, cost[less] - 2)}

    def take(self, tile: Message) -> bool:
        """R4, R5: place it; a building is paid, or marked where own goods do not suffice. False if it is lost."""
        if tile["kind"] == "land":
            if not self.places(tile):
                return False
            self.hold(tile)
        else:
            cost = self.price(tile)
            short = self.missing(cost)
            if short <= 0:
                self.pay(cost)
            elif self.coin >= self.mark_coins:
                self.mark(tile)
            elif short <= self.lux:
                self.pay(cost)
            else:
                return False
            self.hold(tile)
        self.once(tile)
        return True

    def mark(self, tile: Message) -> None:
        self.pay({"coin": self.mark_coins})
        self.marks = [*self.marks, (tile, self.mark_coins)]

    def hold(self, tile: Message) -> None:
        """Its points, its income, what it is good for."""
        self.points += tile["points"]
        self.change_income(tile, 1)
        if tile["kind"] == "land":
            self.lands += 1
            self.last_land = tile["income"]
        elif tile["kind"] == "building":
            self.buildings += 1
        else:
            self.free_food += 1
        if "protects" in tile:
            self.protects = self.protects.union(tile["protects"])
        if "abilities" in tile:
            self.abilities = [*self.abilities, *tile["abilities"]]

    def lose(self, tile: Message) -> None:
        self.points -= tile["points"]
        self.change_income(tile, -1)
        if tile["kind"] == "land":
            self.lands -= 1
        else:
            self.buildings -= 1
        self.protects = self.protects.difference(tile.get("protects", ()))
        self.abilities = [ability for ability in self.abilities if ability not in tile.get("abilities", ())]
        self.coin += sum(coins for marked, coins in self.marks if marked is tile)
        self.marks = [mark for mark in self.marks if mark[0] is not tile]

    def change_income(self, tile: Message, sign: int) -> None:
        if "income" in tile:
            for place, name in enumerate(("wood", "stone", "food", "coin", "pop", "lux")):
                self.income[place] += sign * tile["income"].get(name, 0)
        self.any += sign * tile.get("any", 0)

    def once(self, tile: Message) -> None:
        """R5, with Andromeda's coins and Helen's inhabitant; G2: the goats are exchanged."""
        once = tile.get("once", {})
        self.gain(once)
        if "coins_with_coins" in self.hero and once.get("coin", 0) > 0:
            self.coin += 3
        if "inhabitant_with_land" in self.hero and tile["kind"] == "land":
            self.pop += 1
        if self.goats and "goat" in tile.get("abilities", ()):
            share = self.goats / 3
            self.goats = 0
            self.gain({"wood": share, "stone": share, "food": share})
