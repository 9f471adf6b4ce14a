"""What the layers above may ask about a running game in addition to its state: the public face of the rule chapters.

Nothing here changes the game. The layers above import this file and never a chapter, which an import contract keeps
true: so a chapter can be rearranged, or compiled, without affecting them.
"""

from __future__ import annotations

from .auction import PASS_COINS, WITHDRAW_COINS, least_coins, offer_on
from .building import payable, placeable, prices, takeable
from .disasters import BLANK, STRIKES_AT
from .engine import Game
from .income import income
from .rules import CONQUEST_SURCHARGE
from .scoring import tally_of
from .steps import AskBuild
from .stock import affordable, luxury_rate, most_coins, pay_coins
from .supply import fed_for_nothing, fed_per_food, portions

__all__ = [
    "BLANK",
    "CONQUEST_SURCHARGE",
    "PASS_COINS",
    "STRIKES_AT",
    "WITHDRAW_COINS",
    "affordable",
    "food_needed",
    "income",
    "least_coins",
    "luxury_rate",
    "most_coins",
    "offer_on",
    "payable",
    "placeable",
    "prices",
    "takeable_after",
    "tally_of",
]


def food_needed(game: Game, seat: int) -> int:
    """V1: how much food would feed all inhabitants of this seat, if there were a supply round now."""
    hungry = game.seat(seat).pop - fed_for_nothing(game, seat, final=False)
    return portions(max(0, hungry), fed_per_food(game, seat))


def takeable_after(game: Game, seat: int, coins: int, building: str) -> bool:
    """R4a: whether the seat could pay for or mark this building after spending these coins."""
    trial = game.clone()
    pay_coins(trial, seat, coins, "bid")
    return takeable(trial, AskBuild(seat, building))
