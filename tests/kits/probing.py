"""What a probe must print for a message: one line of words, made here from the raw JSON.

A probe (tests/kits/probes) is a small program in a kit's language that reads lines `KIND<TAB>JSON` and prints what it
finds in the kit's own types. KIND is `to` (a message to the bot), `from` (one of its own) or `seat`.
Lists are joined by `,`, maps are `key=value` in the order of their keys, nothing is `-`, a space is `_`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

GOODS = ("wood", "stone", "food", "coin", "pop", "lux")
MOVE = (
    *("type", "tile", "coins", "resource", "inhabitants", "give", "given", "get", "got", "goats", "chit", "kind"),
    *("way", "mercenaries", "deck", "seat"),
)
ABOUT = ("coins", "tile", "kind", "hungry", "done", "resource", "most", "deck", "by")
NUMBERS = ("coins", "hungry", "most", "by")
SCORES = ("score", "prestige", "population", "luxury", "rank")
Raw = Mapping[str, Any]


def line_of(kind: str, message: Raw) -> str:
    words = seat(message) if kind == "seat" else (SENT if kind == "from" else TOLD)[message["type"]](message)
    return " ".join(words)


# -- words --------------------------------------------------------------------------------------------------------


def text(value: str) -> str:
    return value.replace(" ", "_") or "-"


def listed(values: Iterable[object]) -> str:
    return text(",".join(map(str, values)))


def mapped(values: Mapping[str, object]) -> str:
    return listed(f"{key}={values[key]}" for key in by_bytes(values))


def by_bytes(values: Iterable[str]) -> list[str]:
    return sorted(values, key=str.encode)


def goods(values: Raw) -> str:
    return "/".join(str(values.get(name, 0)) for name in GOODS)


def move(values: Raw) -> str:
    return text(";".join(f"{name}={values[name]}" for name in MOVE if values.get(name)))


# -- pieces and seats -----------------------------------------------------------------------------------------------


def tile(raw: Raw) -> list[str]:
    return [
        *(text(raw["id"]), text(raw["kind"]), str(raw.get("points", 0)), text(raw.get("stack", ""))),
        *(text(raw.get("name", "")), str(raw.get("min", 0))),
        *(goods(raw.get(name, {})) for name in ("cost", "once", "income")),
        *(str(raw.get("any", 0)), mapped(raw.get("counters", {}))),
        *(listed(raw.get(name, [])) for name in ("protects", "abilities")),
        *(str(int(raw.get("supply", False))), text(raw.get("terrain", "")), text(raw.get("set", ""))),
    ]


def mat(raw: Raw) -> list[str]:
    return [
        *(text(raw["id"]), goods(raw["storage"]), listed(":".join(map(str, row)) for row in raw["income"])),
        *(str(raw["coins_per_point"]), str(raw["points_per_inhabitant"]), listed(raw.get("abilities", []))),
        *(text(raw.get("note", "")), text(raw.get("set", ""))),
    ]


def civilization(raw: Raw) -> list[str]:
    return [
        *(text(raw["id"]), str(raw["order"]), goods(raw.get("start", {})), goods(raw.get("income", {}))),
        *(str(raw.get("any", 0)), listed(raw.get("protects", [])), listed(raw.get("abilities", []))),
        text(raw.get("set", "")),
    ]


def seat(raw: Raw) -> list[str]:
    return [
        *(text(raw["civilization"]), text(raw["mat"]), goods(raw), listed(raw["lands"]), listed(raw["buildings"])),
        listed(f"{mark['tile']}:{mark['coins']}" for mark in raw["marks"]),
        *(text(raw["bidding"]), text(raw["taken"]), listed(raw["chosen"]), listed(raw["extra_income"])),
        *(goods(raw["income"]), str(raw["any"]), listed(raw["abilities"]), listed(raw["protects"])),
    ]


# -- messages -------------------------------------------------------------------------------------------------------


def newgame(raw: Raw) -> list[str]:
    options, clock, pieces = raw["options"], raw["clock"], raw["catalogue"]
    words = ["newgame", text(raw["game"]), str(raw["seat"]), listed(raw["seats"]), str(options["players"])]
    words += [listed(options["modules"]), *(str(options[name]) for name in ("level", "rounds", "tiles_per_round"))]
    words += [text(options.get("components", "")), str(clock["bank_ms"]), str(clock["increment_ms"])]
    words += ["none" if clock["move_ms"] is None else str(clock["move_ms"]), str(raw["random"])]
    for table, told in (("mats", mat), ("civilizations", civilization), ("tiles", tile)):
        words += [word for key in by_bytes(pieces[table]) for word in told(pieces[table][key])]
    words.append(mapped(pieces["abilities"]))
    return words + [word for key in by_bytes(pieces["chits"]) for word in (text(key), mapped(pieces["chits"][key]))]


def decide(raw: Raw) -> list[str]:
    words = ["decide", str(raw["id"]), text(raw["kind"]), str(raw["bank_ms"]), *map(move, raw["legal"])]
    about = raw.get("about", {})
    for name in ABOUT:
        if name == "done":
            words.append(listed(f"{given}:{got}" for given, got in about.get("done", [])))
        else:
            words.append(str(about.get(name, 0)) if name in NUMBERS else text(about.get(name, "")))
    words.append(str(len(raw.get("events", []))))
    return words + (state(raw["state"], raw["tiles"]) if "state" in raw else ["none"])


def state(raw: Raw, tiles: list[Raw]) -> list[str]:
    words = [str(raw["you"]), str(raw["round"]), str(raw["rounds"]), listed(raw["order"])]
    words += [word for one in raw["seats"] for word in seat(one)]
    words += [listed(raw["open"]), listed(raw["conquest"])]
    words += [
        listed(f"{offer['tile']}:{offer['seat']}:{offer['coins']}" for offer in raw["offers"]),
        listed(raw["box"]),
    ]
    words += [word for key in by_bytes(raw["stacks"]) for word in (text(key), listed(raw["stacks"][key]))]
    words += [mapped(raw["chits"]), text(raw["chit"]), mapped(raw["pile"]), listed(raw["pile_bottom"])]
    return words + [word for one in tiles for word in tile(one)]


def gameover(raw: Raw) -> list[str]:
    result = raw["result"]
    if result is None:
        return ["gameover", listed(raw["ranks"]), "none"]
    seats = [str(one[name]) for one in result["seats"] for name in SCORES]
    solo = (result.get("level", 0), result.get("target", 0), int(result.get("passed") or False))
    return ["gameover", listed(raw["ranks"]), *seats, *map(str, solo)]


def answer(raw: Raw) -> list[str]:
    chosen = move(raw["move"]) if "move" in raw else "none"
    return ["answer", str(raw["id"]), str(raw.get("index", "none")), chosen, text(raw.get("note", ""))]


TOLD = {
    "hello": lambda raw: ["hello", str(raw["protocol"]), text(raw["referee"])],
    "newgame": newgame,
    "decide": decide,
    "gameover": gameover,
    "quit": lambda raw: ["quit"],
}
SENT = {
    "hello": lambda raw: ["hello", text(raw["name"]), text(raw.get("version", "")), text(raw.get("wants", ""))],
    "ready": lambda raw: ["ready"],
    "answer": answer,
}
