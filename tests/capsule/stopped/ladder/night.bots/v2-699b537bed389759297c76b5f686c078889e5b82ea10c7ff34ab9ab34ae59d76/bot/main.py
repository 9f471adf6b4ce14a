"""Looks one move ahead: what would my seat be worth after each legal move? Takes the best.

The score is the lower of two totals, so a seat is worth mostly its lower one: prestige (points and coins) or
population (inhabitants that can be fed). Goods and income count for what they may still become. Other seats are
not looked at, nor what a bid may lead to. What each move changes is in moves.py.
"""

from moves import MOVES
from seat import Seat

from peloarena.botkit import GameInfo, Message, play


def choose(decide: Message, game: GameInfo) -> int:
    legal = decide["legal"]
    return max(range(len(legal)), key=lambda number: worth(legal[number], decide, game))


def worth(move: Message, decide: Message, game: GameInfo) -> float:
    """Of my seat after the move; a move that is not in the table changes nothing."""
    me = Seat(decide, game)
    if move["type"] in MOVES:
        MOVES[move["type"]](me, move)
    return me.worth()


if __name__ == "__main__":
    play(choose, name="greedy", version="1")
