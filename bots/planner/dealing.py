"""Exchanges of heroes and colonies before the game (C7), and Ariadne's chits."""

from __future__ import annotations

from forecast import BLOWS, Calendar, strike
from holding import Holding, Message
from weights import WEIGHTS

from peloarena.botkit import GameInfo

CHANCE = 0.5
"""A rival gives up something for at least so many points more."""


def dealt(number: int, colony: str, hero: str, coins: int, calendar: Calendar, game: GameInfo) -> float:
    """The forecast of a seat with this colony and hero; starting goods are still to come."""
    seat = calendar.state["seats"][number]
    catalogue = game.catalogue
    card = catalogue["cards"]["heroes"][hero]
    parts = {**seat["parts"], "hero_seat": {"hero": hero, "turned": False}}
    if "strength_seat" in parts:
        parts["strength_seat"] = {**parts["strength_seat"], "strength": card.get("strength", 0)}
    holding = Holding({**seat, "mat": colony, "parts": parts}, catalogue)
    start = dict(catalogue["civilizations"][seat["civilization"]]["start"])
    start["coin"] = coins
    holding.gain(start)
    holding.gain(card.get("start", {}))
    return calendar.value(holding, False)


def swap_gains(
    deck: str, payer: int, other: int, coins: int, calendar: Calendar, game: GameInfo
) -> tuple[float, float]:
    """What an exchange is worth to the one who pays and to the other."""
    seats = calendar.state["seats"]

    def gain(one: int, two: int, more: int) -> float:
        colony, hero = seats[one]["mat"], seats[one]["parts"]["hero_seat"]["hero"]
        new_colony = seats[two]["mat"] if deck == "colonies" else colony
        new_hero = seats[two]["parts"]["hero_seat"]["hero"] if deck == "heroes" else hero
        return dealt(one, new_colony, new_hero, more, calendar, game) - dealt(one, colony, hero, 0, calendar, game)

    return gain(payer, other, -coins), gain(other, payer, coins)


def best_offer(legal: list[Message], calendar: Calendar, game: GameInfo) -> int:
    """The exchange that gains me most, the other's gain counted against it, if he is likely to agree."""
    best, chosen = 0.0, len(legal) - 1
    for number, move in enumerate(legal):
        if move["type"] != "offer_swap":
            continue
        mine, other = swap_gains(move["deck"], game.seat, move["seat"], move["coins"], calendar, game)
        worth = mine - rivalry(game) * other
        if other >= CHANCE and worth > best:
            best, chosen = worth, number
    return chosen


def accepts(legal: list[Message], calendar: Calendar, game: GameInfo) -> int:
    step = calendar.state["agenda"][-1]
    payer, mine = swap_gains(step["deck"], step["by"], game.seat, step["coins"], calendar, game)
    wanted = "accept" if mine > rivalry(game) * max(0.0, payer) else "refuse"
    return next(number for number, move in enumerate(legal) if move["type"] == wanted)


def rivalry(game: GameInfo) -> float:
    return WEIGHTS.rivalry / max(1, game.options["players"] - 1)


def replaces(legal: list[Message], calendar: Calendar, game: GameInfo) -> int:
    """Ariadne: the chit goes if it brings the blow nearer to me than to the others on average."""
    state = calendar.state
    chit = state["chit"]
    counts = state["chits"].get(chit, 0) + 1
    mine = harm(game.seat, chit, calendar, game)
    others = [harm(n, chit, calendar, game) for n in range(len(state["seats"])) if n != game.seat]
    replace = counts >= 2 and mine > sum(others) / max(1, len(others))
    wanted = "replace_chit" if replace else "skip"
    return next(number for number, move in enumerate(legal) if move["type"] == wanted)


def harm(number: int, kind: str, calendar: Calendar, game: GameInfo) -> float:
    """What a blow would take from a seat now."""
    if kind not in BLOWS:
        return 0.0
    before = Holding(calendar.state["seats"][number], game.catalogue)
    after = before.copy()
    strike(after, kind)
    return calendar.value(before, False) - calendar.value(after, False)
