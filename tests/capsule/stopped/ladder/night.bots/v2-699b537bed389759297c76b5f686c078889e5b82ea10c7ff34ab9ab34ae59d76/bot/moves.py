"""What each move changes in my seat: one function a move, so a new kind of move is a new line in MOVES."""

from seat import MATERIAL, STRENGTH, Seat

from peloarena.botkit import Message

MARK_RISK, WARD, COIN = 0.8, 2.0, 0.6
"""Points: a marked building may be lost; what Odysseus wards off only once; a coin before the game begins."""


def tile_of(me: Seat, move: Message) -> Message:
    return me.game.tiles[move["tile"]]


def bid(me: Seat, move: Message) -> None:
    """As if nobody would outbid me."""
    me.pay({"coin": move["coins"]})
    me.take(tile_of(me, move))


def pay(me: Seat, move: Message) -> None:
    """Also `complete`. Daedalus says what he pays 2 less of: `less wood`."""
    cost = dict(tile_of(me, move).get("cost", {}))
    less = move.get("way", "").removeprefix("less ")
    if less:
        cost[less] = max(0, cost[less] - 2)
    me.pay(cost)


def mark(me: Seat, move: Message) -> None:
    """The cost is only put off."""
    me.extra -= MARK_RISK + MATERIAL * sum(tile_of(me, move).get("cost", {}).values())


def lose(me: Seat, move: Message) -> None:
    me.points -= tile_of(me, move)["points"]
    me.add_income(tile_of(me, move), -1)


def keep(me: Seat, move: Message) -> None:
    kind = me.about["kind"]
    each = 2 if f"harsh_{kind}" in me.shown["abilities"] else 1
    me.pay({"wood": each, "stone": each} if kind == "earthquake" else {"food": each, "coin": each})


def feed(me: Seat, move: Message) -> None:
    fed = move["inhabitants"]
    me.gain({"pop": fed - me.about["hungry"], "lux": -me.luxury_rate * fed})


def exchange(me: Seat, move: Message) -> None:
    """A goat that is not exchanged now becomes something else."""
    me.gain({move["resource"]: move["goats"]})
    me.extra -= MATERIAL * move["goats"]


def extra_income(me: Seat, move: Message) -> None:
    """Not twice the same."""
    me.add_income({"income": {move["resource"]: 1}}, 1)
    me.extra -= me.incomes * me.shown["extra_income"].count(move["resource"])


def buy_sea(me: Seat, move: Message) -> None:
    me.sea += 1
    me.take(tile_of(me, move))


def trade(me: Seat, move: Message) -> None:
    me.pay({move["give"]: move["given"]})
    me.gain({move["get"]: move["got"]})


def strengthen(me: Seat, move: Message) -> None:
    me.pay({"food": 2} if tile_of(me, move)["kind"] == "land" else {"wood": 1, "stone": 1})
    me.extra += STRENGTH * tile_of(me, move)["points"]


def hire(me: Seat, move: Message) -> None:
    me.pay({"coin": move["mercenaries"]})
    me.population += move["mercenaries"]
    me.extra += STRENGTH * move["mercenaries"] * (me.incomes > 0)


def sacrifice(me: Seat, move: Message) -> None:
    me.pay({"coin": move["inhabitants"]})
    me.gain({"pop": -move["inhabitants"]})
    me.population += (3 if "treasury" in me.shown["abilities"] else 2) * move["inhabitants"]


def replace_chit(me: Seat, move: Message) -> None:
    """Ariadne: the third chit of a kind strikes, so away with it unless I am protected."""
    strikes = me.state["chits"].get(move["chit"], 0) == 2 and move["chit"] not in me.shown["protects"]
    me.extra += 1 if strikes else -1


def ward_off(me: Seat, move: Message) -> None:
    """Odysseus, once a game: not against the lesser evils, unless the end is near."""
    me.pay({"coin": 1})
    me.extra += WARD if move["kind"] not in ("drought", "decline") or me.incomes < 2 else -WARD


def offer_swap(me: Seat, move: Message) -> None:
    """For what is clearly better than mine."""
    me.extra += dealt(me, move["seat"], move["deck"]) - dealt(me, me.state["you"], move["deck"]) - 1
    me.extra -= COIN * move["coins"]


def accept(me: Seat, move: Message) -> None:
    by, deck = me.about["by"], me.about["deck"]
    me.extra += dealt(me, by, deck) - dealt(me, me.state["you"], deck) + COIN * me.about["coins"]


def dealt(me: Seat, number: int, deck: str) -> float:
    """What a seat's hero or colony is worth, roughly."""
    seat = me.state["seats"][number]
    if deck == "heroes":
        hero = me.game.catalogue["cards"]["heroes"][seat["parts"]["hero_seat"]["hero"]]
        worth = {"pop": 1.5, "coin": COIN}
        start = sum(worth.get(name, MATERIAL) * amount for name, amount in hero.get("start", {}).items())
        return float(hero["points"] + STRENGTH * hero.get("strength", 0) + start)
    mat = me.game.catalogue["mats"][seat["mat"]]
    usual = sum(coins + luxury / 3 for least, coins, luxury in mat["income"] if least in (5, 8))
    return float(2 * usual + 4 * mat["points_per_inhabitant"] + 6 / mat["coins_per_point"])


MOVES = {
    "bid": bid,
    "pass": lambda me, move: me.gain({"coin": 3}),
    "take_aid": lambda me, move: me.take(tile_of(me, move)),
    "move_bid": lambda me, move: me.take(tile_of(me, move)),
    "withdraw": lambda me, move: me.gain({"coin": me.about["coins"] + 1}),
    "pay": pay,
    "complete": pay,
    "mark": mark,
    "lose": lose,
    "surrender": lose,
    "keep": keep,
    "feed": feed,
    "take_any": lambda me, move: me.gain({move["resource"]: 1}),
    "exchange": exchange,
    "extra_income": extra_income,
    "buy_sea": buy_sea,
    "trade": trade,
    "strengthen": strengthen,
    "hire": hire,
    "sacrifice": sacrifice,
    "replace_chit": replace_chit,
    "ward_off": ward_off,
    "offer_swap": offer_swap,
    "accept": accept,
}
