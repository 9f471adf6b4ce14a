"""Tiles, and what modules keep on the table, in words."""

from __future__ import annotations

import msgspec

from ..game import Game
from ..game.goods import NOTHING
from ..game.kinds import Part
from ..game.pieces import Tile
from ..game.queries import prices
from ..game.texts import Names


def tile_text(tile: Tile) -> str:
    """What a tile is good for: `3 points, at once +2 coin, each round +1 wood`."""
    texts = [f"{tile.points} points"]
    texts += [f"at once {tile.once.signed_text()}"] if tile.once != NOTHING else []
    texts += [f"each round {income_text(tile)}"] if income_text(tile) else []
    texts += [f"no {kind} can hurt you" for kind in tile.protects]
    return ", ".join(texts)


def worth_text(tile: Tile) -> str:
    """What a tile in play still gives: `3 points, +1 wood a round`."""
    texts = [f"{tile.points} points"]
    texts += [f"{income_text(tile)} a round"] if income_text(tile) else []
    texts += [f"protection from {kind}" for kind in tile.protects]
    return ", ".join(texts)


def income_text(tile: Tile) -> str:
    """`+1 wood, +1 of any kind`; "" without income."""
    icons = [tile.income.signed_text()] if tile.income != NOTHING else []
    icons += [f"+{tile.any} of any kind"] if tile.any else []
    icons += [f"+{count} {name}" for name, count in tile.counters.items()]
    return ", ".join(icons)


def cost_text(game: Game, seat: int, tile: str) -> str:
    """The ways in which this seat could pay for a building."""
    return " or ".join(price.goods.text() for price in prices(game, seat, tile))


# -- parts of modules -----------------------------------------------------------------------------------------------


def part_text(part: Part, names: Names) -> str:
    """`sea table: tiles S3, S5`; "" for a part without content. A module may provide its own text."""
    if type(part) in names.texts:
        return names.texts[type(part)](part, names)
    data: dict[str, object] = msgspec.to_builtins(part)
    tag = str(data.pop("type", "")).replace("_", " ")
    texts = [f"{key.replace('_', ' ')} {_value_text(value, names)}" for key, value in data.items() if value]
    return f"{tag}: {', '.join(texts)}" if texts else ""


def _value_text(value: object, names: Names) -> str:
    if isinstance(value, list | tuple):
        return ", ".join(_value_text(item, names) for item in value)
    if isinstance(value, dict):
        return ", ".join(f"{key} {_value_text(item, names)}" for key, item in value.items())
    text = "" if value is None else str(value)
    return _tile_in_brackets(names.tiles[text]) if text in names.tiles else text


def _tile_in_brackets(tile: Tile) -> str:
    once = f", at once {tile.once.text()}" if tile.once != NOTHING else ""
    cost = f"costs {tile.cost.text()}, " if tile.cost != NOTHING else ""
    return f"{tile.id} ({cost}{tile.points} points{once})"
