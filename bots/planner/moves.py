"""What each move does to a holding. One function a move, in MOVES; the auction and the exchanges are elsewhere."""

from __future__ import annotations

from collections.abc import Callable

from forecast import Calendar
from future import strike
from holding import Holding, Message

from peloarena.botkit import GameInfo

KEEP = {"earthquake": ("wood", "stone"), "tempest": ("food", "coin")}
STRENGTH_COST = {"land": {"food": 2}, "building": {"wood": 1, "stone": 1}}
MOST_STRENGTH = 29
PAYABLE = ("wood", "stone", "food", "coin")


class Scene:
    """Where a move is made: the tiles, what is asked about, my seat as the state shows it."""

    def __init__(self, calendar: Calendar, game: GameInfo) -> None:
        self.catalogue = game.catalogue
        self.tiles = calendar.tiles
        self.about = calendar.about
        self.seat: Message = calendar.state["seats"][game.seat]


Effect = Callable[[Holding, Message, Scene], None]


def pay(me: Holding, move: Message, scene: Scene) -> None:
    tile = scene.tiles[move["tile"]]
    me.pay(way_cost(tile, move.get("way", "")))
    me.hold(tile)
    me.once(tile)


def way_cost(tile: Message, way: str) -> Message:
    """Daedalus's ways: `less wood`, `less stone`."""
    cost = tile.get("cost", {})
    less = way.removeprefix("less ")
    return {**cost, less: max(0, cost[less] - 2)} if less else cost


def mark(me: Holding, move: Message, scene: Scene) -> None:
    tile = scene.tiles[move["tile"]]
    me.mark(tile)
    me.hold(tile)
    me.once(tile)


def complete(me: Holding, move: Message, scene: Scene) -> None:
    tile = scene.tiles[move["tile"]]
    me.pay(way_cost(tile, move.get("way", "")))
    me.coin += sum(coins for marked, coins in me.marks if marked is tile)
    me.marks = [mark for mark in me.marks if mark[0] is not tile]


def lose(me: Holding, move: Message, scene: Scene) -> None:
    me.lose(scene.tiles[move["tile"]])


def keep(me: Holding, move: Message, scene: Scene) -> None:
    kind = scene.about["kind"]
    each = 2 if f"harsh_{kind}" in me.mat_abilities else 1
    me.pay(dict.fromkeys(KEEP[kind], each))


def feed(me: Holding, move: Message, scene: Scene) -> None:
    fed = move["inhabitants"]
    me.lux -= -(-fed // me.per_food) * me.rate
    me.pop -= scene.about["hungry"] - fed


def take_any(me: Holding, move: Message, scene: Scene) -> None:
    """The icon is used: the forecast must not give it again this round."""
    me.gain({move["resource"]: 1})


def extra_income(me: Holding, move: Message, scene: Scene) -> None:
    me.income[("wood", "stone", "food").index(move["resource"])] += 1


def buy_sea(me: Holding, move: Message, scene: Scene) -> None:
    tile = scene.tiles[move["tile"]]
    me.pay(tile.get("cost", {}))
    me.hold(tile)
    me.gain(tile.get("once", {}))


def trade(me: Holding, move: Message, scene: Scene) -> None:
    me.gain({move["give"]: -move["given"]})
    me.gain({move["get"]: move["got"]})


def exchange(me: Holding, move: Message, scene: Scene) -> None:
    """The goats that are left will be the other kinds: materials, food, coins alike."""
    me.gain({move["resource"]: move["goats"]})
    rest = PAYABLE[PAYABLE.index(move["resource"]) + 1 :]
    left = me.goats - move["goats"]
    me.goats = 0
    if rest and left:
        me.gain(dict.fromkeys(rest, left / len(rest)))


def strengthen(me: Holding, move: Message, scene: Scene) -> None:
    tile = scene.tiles[move["tile"]]
    me.pay(STRENGTH_COST[tile["kind"]])
    me.strength = min(MOST_STRENGTH, me.strength + tile["points"] + (2 if "strength_two" in me.hero else 0))


def hire(me: Holding, move: Message, scene: Scene) -> None:
    me.pay({"coin": move["mercenaries"]})
    me.population_extra += move["mercenaries"]
    me.strength = min(MOST_STRENGTH, me.strength + move["mercenaries"])


def sacrifice(me: Holding, move: Message, scene: Scene) -> None:
    me.pay({"coin": move["inhabitants"]})
    me.pop -= move["inhabitants"]
    me.given += move["inhabitants"]


def ward_off(me: Holding, move: Message, scene: Scene) -> None:
    me.pay({"coin": 1})
    me.hero = tuple(ability for ability in me.hero if ability != "wards_off")


def suffer(me: Holding, scene: Scene) -> None:
    """What Odysseus does not ward off hits him at once."""
    kind, seat = scene.about["kind"], scene.seat
    if kind in ("first_attack", "second_attack"):
        me.points -= attack_harm(seat, kind == "first_attack", scene.catalogue)
    else:
        strike(me, kind)


def attack_harm(seat: Message, first: bool, catalogue: Message) -> int:
    """C3, lost: the hero is turned; the second time the best tile is lost."""
    if first:
        return int(catalogue["cards"]["heroes"][seat["parts"]["hero_seat"]["hero"]]["points"])
    return max((catalogue["tiles"][tile]["points"] for tile in [*seat["lands"], *seat["buildings"]]), default=0)


MOVES: dict[str, Effect] = {
    "pay": pay,
    "mark": mark,
    "complete": complete,
    "lose": lose,
    "surrender": lose,
    "keep": keep,
    "feed": feed,
    "take_any": take_any,
    "extra_income": extra_income,
    "buy_sea": buy_sea,
    "trade": trade,
    "exchange": exchange,
    "strengthen": strengthen,
    "hire": hire,
    "sacrifice": sacrifice,
    "ward_off": ward_off,
}
