"""The table of an archive: computed from the games alone, rounded, and compared at that precision. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from ...game import encode
from ..night_state import NightState
from ..place_rows import PlaceRow, place_rows
from ..places import table_of_night
from ..ratings import RatingRow
from ..rows import GameRow
from ..standings import SoloRow, points_of

DIGITS: Mapping[str, int] = {"rating": 2, "error": 2}
"""Decimal places, because the last bits depend on the machine; all other numbers have ..."""
MORE_DIGITS = 4
"""... this many."""


class ArchivedTable(Struct, frozen=True):
    places: tuple[PlaceRow, ...]
    points: dict[str, float]
    ratings: tuple[RatingRow, ...]
    history: tuple[RatingRow, ...]
    """Older versions of the entries in the table."""
    solo: tuple[SoloRow, ...]


def table_of(state: NightState, games: Sequence[GameRow]) -> object:
    """The content of table.json."""
    whole = table_of_night(state.place_facts(), games, state.config.prior)
    table = ArchivedTable(
        places=place_rows(whole, state.names),
        points={} if state.solo else dict(sorted(points_of(games).items())),
        ratings=whole.ratings.ratings if whole.ratings else (),
        history=whole.ratings.history if whole.ratings else (),
        solo=whole.solo,
    )
    return _rounded(msgspec.to_builtins(table, str_keys=True), "")


def _rounded(value: object, key: str) -> object:
    match value:
        case dict():
            return {name: _rounded(one, key if key == "points" else name) for name, one in value.items()}
        case list() | tuple():
            return [_rounded(one, key) for one in value]
        case float():
            return round(value, DIGITS.get(key, MORE_DIGITS))
        case _:
            return value


def difference(told: object, right: object, place: str = "") -> str:
    """Where the archived table differs from the right one; empty if nowhere. The last digit may be off by rounding."""
    if isinstance(told, dict) and isinstance(right, dict) and list(told) == list(right):
        pairs = [(told[name], right[name], f"{place}.{name}" if place else name) for name in right]
    elif isinstance(told, list) and isinstance(right, list) and len(told) == len(right):
        pairs = [
            (mine, other, f"{place}[{number}]") for number, (mine, other) in enumerate(zip(told, right, strict=True))
        ]
    elif _is_same(told, right, place):
        return ""
    else:
        return f"{place or 'the table'} is {_shown(told)}, but the games say {_shown(right)}"
    return next(filter(None, (difference(*pair) for pair in pairs)), "")


def _is_same(told: object, right: object, place: str) -> bool:
    if not isinstance(right, float) or not isinstance(told, float | int) or isinstance(told, bool):
        return type(told) is type(right) and told == right
    key = "points" if place.startswith("points.") else place.rpartition(".")[2]
    return abs(told - right) < 1.5 * 10.0 ** -DIGITS.get(key, MORE_DIGITS)


def _shown(value: object) -> str:
    text = encode(value).decode()
    return text if len(text) <= 100 else f"{text[:100]} ..."
