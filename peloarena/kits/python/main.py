"""@NAME@: likes a tile for what it brings, less what it costs. Looks at its own seat only.

Every question has a list of legal moves. Each gets a number, how much I like it, and the best is taken; of equals the
first. Whatever this file does not know is liked 0, so it plays every module. Make it yours by changing the numbers,
then the functions, then the idea.
"""

from peloarena.botkit import GameInfo, Message, play

WORTH = {"wood": 3, "stone": 3, "food": 5, "coin": 5, "pop": 20, "lux": 3}
"""One of each good, in tenths of a point. Inhabitants are rare: the lower of points and population counts."""
POINT, ANY = 10, 3
"""A point of prestige; an income of "any" good."""
PLAIN = {"pay": 1, "keep": 1, "complete": 1, "skip": 1, "refuse": 1, "strengthen": 2}
"""Moves that are liked without a further look: keep what you have, leave alone what you do not know."""


def choose(decide: Message, game: GameInfo) -> int:
    """The place of the best move in `legal`."""
    likings = [liking(move, decide, game) for move in decide["legal"]]
    return likings.index(max(likings))


def liking(move: Message, decide: Message, game: GameInfo) -> int:
    """How much I like a move. `about` tells what the question is about: here the coins of a bid that was outbid."""
    kind, me, about = move["type"], my_seat(decide), decide.get("about", {})
    if kind == "bid":
        return value(move["tile"], decide, game) - WORTH["coin"] * move["coins"]
    if kind in ("take_aid", "move_bid", "buy_sea"):
        return value(move["tile"], decide, game)
    if kind == "pass":  # passing brings 3 coins
        return 3 * WORTH["coin"]
    if kind == "withdraw":  # the bid comes back, and a coin with it
        return WORTH["coin"] * (about["coins"] + 1)
    if kind == "feed":
        return move["inhabitants"]
    if kind == "hire":
        return move["mercenaries"] + 1
    if kind in ("take_any", "extra_income"):  # what I have least of
        return -me.get(move["resource"], 0)
    return PLAIN.get(kind, 0)


def value(name: str, decide: Message, game: GameInfo) -> int:
    """What a tile is worth: points, goods at once and goods in every round that is left, less twice its cost."""
    tile, state = game.tiles[name], decide["state"]
    if not fits(tile, decide, game):
        return 0
    rounds = state["rounds"] - state["round"] + 1
    income = worth(tile.get("income", {})) + ANY * tile.get("any", 0)
    cost = 2 * worth(tile.get("cost", {}))
    return POINT * tile.get("points", 0) + worth(tile.get("once", {})) + rounds * income - cost


def fits(tile: Message, decide: Message, game: GameInfo) -> bool:
    """Rule R4b: a land is lost unless it and my last land both bring wood, or stone, or food."""
    me = my_seat(decide)
    if tile["kind"] != "land" or not me["lands"] or "free_placement" in me["abilities"]:
        return True
    last, income = game.tiles[me["lands"][-1]].get("income", {}), tile.get("income", {})
    return any(last.get(good, 0) > 0 and income.get(good, 0) > 0 for good in ("wood", "stone", "food"))


def worth(goods: Message) -> int:
    return sum(WORTH[good] * goods.get(good, 0) for good in WORTH)


def my_seat(decide: Message) -> Message:
    return decide["state"]["seats"][decide["state"]["you"]]


if __name__ == "__main__":
    play(choose, name="@NAME@")
