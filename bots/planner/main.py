"""Forecasts the end of the game for every seat and chooses what makes its own forecast best.

weights.py   the tuned numbers
holding.py   what a seat holds
forecast.py  what becomes of it until the end
future.py    income, supply and disasters on the way
menu.py      the tiles of later rounds
moves.py     what each move changes
auction.py   bidding against others
dealing.py   exchanges before the game, chits
"""

from __future__ import annotations

from auction import MOST_RAISE, Auction
from dealing import accepts, best_offer, replaces
from forecast import Calendar
from future import give_income
from holding import Holding, Message
from moves import MOVES, Scene, suffer

from peloarena.botkit import GameInfo, play

PAYABLE = ("wood", "stone", "food", "coin")
PASS_COINS = 3
WITHDRAW_COINS = 1


def choose(decide: Message, game: GameInfo) -> int:
    calendar = Calendar(decide, game.catalogue, game.options["tiles_per_round"])
    return KINDS.get(decide["kind"], best_for_me)(decide["legal"], calendar, game)


def best(values: list[float]) -> int:
    """The first of the best."""
    return max(range(len(values)), key=values.__getitem__)


def holding_of(number: int, calendar: Calendar, game: GameInfo) -> Holding:
    """A seat, with the one-time income that is still to come to it."""
    seat = calendar.state["seats"][number]
    holding = Holding(seat, game.catalogue)
    if seat["taken"] and "GiveOnces" in calendar.agenda:
        holding.once(calendar.tiles[seat["taken"]])
    return holding


# ---- by kind of decision


def best_for_me(legal: list[Message], calendar: Calendar, game: GameInfo) -> int:
    """Most kinds: do it to my holding, forecast, compare."""
    scene = Scene(calendar, game)
    start = holding_of(game.seat, calendar, game)
    income, tile = calendar.income_to_come(game.seat), calendar.tile_to_come()
    values = []
    for move in legal:
        me = start.copy()
        if move["type"] in MOVES:
            MOVES[move["type"]](me, move, scene)
        elif calendar.kind == "ward_off":
            suffer(me, scene)
        values.append(calendar.value(me, income, tile))
    return best(values)


def any_income(legal: list[Message], calendar: Calendar, game: GameInfo) -> int:
    """R6: this round's income with each choice; the forecast takes care of icons that are still to be asked for."""
    start = holding_of(game.seat, calendar, game)
    values = []
    for move in legal:
        me = start.copy()
        for resource in [*start.chosen, move["resource"]]:
            me.income[PAYABLE.index(resource)] += 1
            me.any -= 1
        give_income(me)
        me.income, me.any = start.income, start.any
        values.append(calendar.value(me, income=False))
    return best(values)


def bid(legal: list[Message], calendar: Calendar, game: GameInfo) -> int:
    """R2: follow each sensible bid through the auction."""
    holdings = [holding_of(n, calendar, game) for n in range(len(calendar.state["seats"]))]
    auction = Auction(calendar, holdings, game.seat)
    lowest: dict[str, int] = {}
    values = []
    for move in legal:
        if move["type"] == "pass":
            values.append(auction.worth("", PASS_COINS))
        elif move["type"] == "take_aid":
            values.append(auction.worth_of_aid(move["tile"]))
        else:
            first = lowest.setdefault(move["tile"], move["coins"])
            sensible = move["coins"] - first <= MOST_RAISE
            values.append(auction.worth(move["tile"], move["coins"]) if sensible else -1e9)
    return best(values)


def move_bid(legal: list[Message], calendar: Calendar, game: GameInfo) -> int:
    """R2d: the amount is fixed."""
    holdings = [holding_of(n, calendar, game) for n in range(len(calendar.state["seats"]))]
    auction = Auction(calendar, holdings, game.seat)
    coins = calendar.about["coins"]
    return best(
        [
            auction.worth("", WITHDRAW_COINS) if move["type"] == "withdraw" else auction.worth(move["tile"], coins)
            for move in legal
        ]
    )


KINDS = {
    "bid": bid,
    "move_bid": move_bid,
    "any_income": any_income,
    "offer_swap": best_offer,
    "accept_swap": accepts,
    "replace_chit": replaces,
}


if __name__ == "__main__":
    play(choose, name="planner", version="1")
