"""What becomes of a holding until the end of the game: the heart of the planner.

A Calendar lists what is still to come for everyone: incomes, tiles, supply rounds (the stacks say where), disasters
(the chits still to be drawn say when to expect them). `Calendar.value` lets a holding live through that list and
weighs the two totals that it ends with. Everything is an expectation: no chance, no search.
"""

from __future__ import annotations

from math import sqrt

from future import complete_marks, give_income, strike, supply
from holding import CLOVERLEAF, DISASTERS, Holding, Message
from menu import Menu, future_tile
from weights import WEIGHTS

STRIKES_AT = 3
ORACLE_LUXURY = 20
EARLY, LATE = -1.0, -0.3
"""Two courses of the game are forecast: disasters come early, or late. Not as late as they could: if all of them fell
just before the last supply round nobody would live in the forecast, while in a real game one would see to it in time.
Supply rounds are expected as early as they can come."""

Step = tuple[str, object]
STEPS = {"income": give_income, "tile": future_tile, "supply": supply, "strike": strike}


class Calendar:
    """What is to come, from this decision to the end."""

    def __init__(self, decide: Message, catalogue: Message, tiles_per_round: int) -> None:
        state: Message = decide["state"]
        self.state = state
        self.kind: str = decide["kind"]
        self.about: Message = decide.get("about", {})
        """What is asked about: the coins of a displaced bid, the hungry, the terms of an exchange."""
        self.tiles: dict[str, Message] = catalogue["tiles"]
        self.agenda = [step["type"] for step in state["agenda"]]
        """What is pending in this round. The names are the engine's own and may change: this bot changes with them,
        for it comes with the engine. Any other bot should go by `kind`, as greedy does."""
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
        """From the end of this round on, for every seat."""
        strikes = self.expected_strikes(luck)
        supply_in = set()
        for letter in sorted(set(self.letters)):
            places = [place for place, found in enumerate(self.letters) if found == letter]
            if any(self.tiles[tile].get("supply") for tile in self.state["stacks"][letter]):
                supply_in.add(places[0])
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
        population += WEIGHTS.upside * self.rounds_left
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
