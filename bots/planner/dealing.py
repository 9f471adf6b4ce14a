"""Exchanges of heroes and colonies before the game (C7), and Ariadne's chits."""

from __future__ import annotations

from forecast import Calendar
from future import BLOWS, strike
from holding import Holding, Message
from moves import attack_harm
from weights import WEIGHTS

from peloarena.botkit import GameInfo

ATTACKS = (3, 6)
"""C3: the Persian chits that bring an attack."""
NEAR = 2
"""The second chit of a kind leaves one more to come, the third strikes."""
MOST_OFFERED = 4
"""Coins: more are never worth an exchange."""
CHANCE = 0.5
"""Points: a rival agrees to an exchange that gains it at least this."""


class Swaps:
    """What exchanges of one deck are worth, by forecasts that are made once each."""

    def __init__(self, deck: str, calendar: Calendar, game: GameInfo) -> None:
        self.deck, self.calendar, self.game = deck, calendar, game
        self.seats: list[Message] = calendar.state["seats"]
        self._known: dict[tuple[int, int, int], float] = {}

    def gain(self, one: int, other: int, coins: int) -> float:
        """To a seat that gets what the other was dealt, and these coins."""
        return self.forecast(one, other, coins) - self.forecast(one, one, 0)

    def forecast(self, number: int, giver: int, coins: int) -> float:
        key = number, giver, coins
        if key not in self._known:
            self._known[key] = self.calendar.value(self.holding(*key), income=False)
        return self._known[key]

    def holding(self, number: int, giver: int, coins: int) -> Holding:
        """The seat with the giver's colony or hero; its starting goods are still to come."""
        seat, catalogue = self.seats[number], self.game.catalogue
        hero = self.seats[giver if self.deck == "heroes" else number]["parts"]["hero_seat"]["hero"]
        card = catalogue["cards"]["heroes"][hero]
        fighter = {**seat["parts"]["strength_seat"], "strength": card.get("strength", 0)}
        parts = {**seat["parts"], "hero_seat": {"hero": hero, "turned": False}, "strength_seat": fighter}
        mat = self.seats[giver if self.deck == "colonies" else number]["mat"]
        holding = Holding({**seat, "mat": mat, "parts": parts}, catalogue)
        holding.gain({**catalogue["civilizations"][seat["civilization"]]["start"], "coin": coins})
        holding.gain(card.get("start", {}))
        return holding


def best_offer(legal: list[Message], calendar: Calendar, game: GameInfo) -> int:
    """The exchange that gains me most, the other's gain counted against it, if he is likely to agree."""
    swaps = Swaps(calendar.about["deck"], calendar, game)
    best, chosen = 0.0, len(legal) - 1
    for number, move in enumerate(legal):
        if move["type"] != "offer_swap" or move["coins"] > MOST_OFFERED:
            continue
        other = swaps.gain(move["seat"], game.seat, move["coins"])
        worth = swaps.gain(game.seat, move["seat"], -move["coins"]) - rivalry(game) * other
        if other >= CHANCE and worth > best:
            best, chosen = worth, number
    return chosen


def accepts(legal: list[Message], calendar: Calendar, game: GameInfo) -> int:
    by, coins = calendar.about["by"], calendar.about["coins"]
    swaps = Swaps(calendar.about["deck"], calendar, game)
    mine = swaps.gain(game.seat, by, coins)
    payer = swaps.gain(by, game.seat, -coins)
    wanted = "accept" if mine > rivalry(game) * max(0.0, payer) else "refuse"
    return next(number for number, move in enumerate(legal) if move["type"] == wanted)


def rivalry(game: GameInfo) -> float:
    return WEIGHTS.rivalry / max(1, game.options["players"] - 1)


def replaces(legal: list[Message], calendar: Calendar, game: GameInfo) -> int:
    """Ariadne: the chit goes if its blow is near and would hit me harder than the others on average."""
    state = calendar.state
    blow = attack_blow if state["chit"] in game.catalogue["cards"].get("persians", {}) else disaster_blow
    harms = [blow(number, calendar, game) for number in range(len(state["seats"]))]
    mine = harms.pop(game.seat)
    wanted = "replace_chit" if mine > sum(harms) / len(harms) else "skip"
    return next(number for number, move in enumerate(legal) if move["type"] == wanted)


def disaster_blow(number: int, calendar: Calendar, game: GameInfo) -> float:
    """What the disaster would take from a seat now; nothing while it is far away."""
    state = calendar.state
    kind = state["chit"]
    if kind not in BLOWS or state["chits"].get(kind, 0) + 1 < NEAR:
        return 0.0
    before = Holding(state["seats"][number], game.catalogue)
    after = before.copy()
    strike(after, kind)
    return calendar.value(before, income=False) - calendar.value(after, income=False)


def attack_blow(number: int, calendar: Calendar, game: GameInfo) -> float:
    """What a seat would lose if this chit brought an attack that could not be repelled."""
    state, values = calendar.state, game.catalogue["cards"]["persians"]
    shown = sum(state["chits"].get(chit, 0) for chit in values) + 1
    if shown not in ATTACKS:
        return 0.0
    value = values[state["chit"]]["value"] + sum(v["value"] * state["chits"].get(c, 0) for c, v in values.items())
    if sum(calendar.strengths) >= value * len(state["seats"]):
        return 0.0
    return attack_harm(state["seats"][number], shown == ATTACKS[0], game.catalogue)
