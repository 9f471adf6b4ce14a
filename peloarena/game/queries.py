"""What the layers above may ask about a running game in addition to its state: the public face of the rule chapters.

Nothing here changes the game. The layers above import this file and never a chapter, which an import contract keeps
true: so a chapter can be rearranged, or compiled, without affecting them.
"""

from __future__ import annotations

from .auction import PASS_COINS, WITHDRAW_COINS, minimum_bids, offer_on
from .building import affordable_prices, can_place_land, can_take_building, prices
from .disasters import BLANK, CHITS_TO_STRIKE
from .engine import Game
from .income import net_income
from .rules import CONQUEST_SURCHARGE
from .scoring import tally_of
from .steps import AskBuild
from .stock import available_coins, can_afford, luxury_rate, pay_coins
from .supply import count_fed_for_free, fed_per_food, food_portions

__all__ = [
    "BLANK",
    "CHITS_TO_STRIKE",
    "CONQUEST_SURCHARGE",
    "PASS_COINS",
    "WITHDRAW_COINS",
    "affordable_prices",
    "available_coins",
    "can_afford",
    "can_place_land",
    "can_take_after_paying",
    "food_needed",
    "luxury_rate",
    "minimum_bids",
    "net_income",
    "offer_on",
    "prices",
    "tally_of",
]


def food_needed(game: Game, seat: int) -> int:
    """V1: how much food would feed all inhabitants of this seat, if there were a supply round now."""
    hungry = game.seat(seat).pop - count_fed_for_free(game, seat, final=False)
    return food_portions(max(0, hungry), fed_per_food(game, seat))


def can_take_after_paying(game: Game, seat: int, coins: int, building: str) -> bool:
    """R4a: whether the seat could pay for or mark this building after spending these coins."""
    trial = game.clone()
    pay_coins(trial, seat, coins, "bid")
    return can_take_building(trial, AskBuild(seat, building))
