"""The table of an archive: computed from the games alone, rounded, and compared at that precision. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import msgspec
from msgspec import Struct

from ...game import encode
from ..points_and_ratings import SoloRow, points_of
from ..ranking import compute_standings
from ..ratings import RatingRow
from ..rows import GameRow
from ..standings_rows import StandingsRow, standings_rows
from ..tournament_state import TournamentState

DIGITS_BY_KEY: Mapping[str, int] = {"rating": 2, "error": 2}
"""Decimal places, because the last bits depend on the machine; all other numbers have ..."""
DEFAULT_DIGITS = 4
"""... this many."""


class ArchivedTable(Struct, frozen=True):
    places: tuple[StandingsRow, ...]
    points: dict[str, float]
    ratings: tuple[RatingRow, ...]
    history: tuple[RatingRow, ...]
    """Older versions of the entries in the table."""
    solo: tuple[SoloRow, ...]


def compute_archived_table(state: TournamentState, games: Sequence[GameRow]) -> object:
    """The content of table.json."""
    whole = compute_standings(state.rank_facts(), games, state.config.prior)
    table = ArchivedTable(
        places=standings_rows(whole, state.names),
        points={} if state.is_solo else dict(sorted(points_of(games).items())),
        ratings=whole.ratings.ratings if whole.ratings else (),
        history=whole.ratings.history if whole.ratings else (),
        solo=whole.solo,
    )
    return _round_floats(msgspec.to_builtins(table, str_keys=True), "")


def _round_floats(value: object, key: str) -> object:
    match value:
        case dict():
            return {name: _round_floats(one, key if key == "points" else name) for name, one in value.items()}
        case list() | tuple():
            return [_round_floats(one, key) for one in value]
        case float():
            return round(value, DIGITS_BY_KEY.get(key, DEFAULT_DIGITS))
        case _:
            return value


def first_difference(actual: object, expected: object, location: str = "") -> str:
    """Where the archived table differs from the right one; empty if nowhere. The last digit may be off by rounding."""
    if isinstance(actual, dict) and isinstance(expected, dict) and list(actual) == list(expected):
        pairs = [(actual[name], expected[name], f"{location}.{name}" if location else name) for name in expected]
    elif isinstance(actual, list) and isinstance(expected, list) and len(actual) == len(expected):
        pairs = [
            (mine, other, f"{location}[{number}]")
            for number, (mine, other) in enumerate(zip(actual, expected, strict=True))
        ]
    elif _is_same(actual, expected, location):
        return ""
    else:
        return f"{location or 'the table'} is {_json_excerpt(actual)}, but the games say {_json_excerpt(expected)}"
    return next(filter(None, (first_difference(*pair) for pair in pairs)), "")


def _is_same(actual: object, expected: object, location: str) -> bool:
    if not isinstance(expected, float) or not isinstance(actual, float | int) or isinstance(actual, bool):
        return type(actual) is type(expected) and actual == expected
    key = "points" if location.startswith("points.") else location.rpartition(".")[2]
    return abs(actual - expected) < 1.5 * 10.0 ** -DIGITS_BY_KEY.get(key, DEFAULT_DIGITS)


def _json_excerpt(value: object) -> str:
    text = encode(value).decode()
    return text if len(text) <= 100 else f"{text[:100]} ..."
