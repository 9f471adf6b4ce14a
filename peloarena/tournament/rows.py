"""The rows of a store: a finished game, a bot, a host action, a void; and the consistency checks within one row.

We wrote everything that is read back, but the file may come from anywhere: it is decoded with types and limits like any
other input, and a single mismatch means that the store is damaged. Knows no database.
"""

from __future__ import annotations

import hashlib
import re
import time
from collections.abc import Sequence
from functools import cache
from typing import Any, TypeVar

import msgspec
from msgspec import Struct

from ..game import ConfigError, encode
from ..referee.job import GameReport, SeatStats
from ..referee.verdict import Evidence, Outcome, Verdict
from .fixtures import Fixture, PlayedGame
from .host_actions import HostAction as HostAction

SAFE_NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,99}", re.ASCII)
"""Names of games: they become file names, and their numbers are parsed."""
T = TypeVar("T")


class BotRow(Struct, frozen=True):
    """A bot of the tournament file, or the newest version of an entry."""

    name: str
    path: str
    digest: str
    version: str = ""
    author: str = ""
    language: str = ""
    problem: str = ""
    """Why it does not play: a sentence, then perhaps lines of its output."""
    copy: str = ""
    """Its path among the tournament's snapshots."""
    house: bool = False
    """It fills seats for which there is no entry."""
    start: float = 0.0
    seconds: float = 0.0
    """From its trial (see BotPace); 0 if it was not tried."""


class GameRow(Struct, frozen=True, gc=False):
    """A finished game without its record. `gc=False` here and in its parts: a tournament has 10,000 of them, none in a
    cycle, and the collector traversed all of them again and again (a third of the time of `standings`)."""

    round_id: int
    """Of the round as stored; its number is in the fixture."""
    fixture: Fixture
    played: bool
    """False for a forfeit: not all bots were started."""
    outcome: Outcome
    verdicts: tuple[Verdict, ...]
    evidence: tuple[Evidence, ...]
    stats: tuple[SeatStats, ...]
    at: float

    @property
    def played_game(self) -> PlayedGame:
        """The part of it that the schedule needs."""
        entries = self.fixture.entries
        absent = tuple(entries[v.seat] for v in self.verdicts if v.fault == "forfeit")
        guilty = tuple(entries[v.seat] for v in self.verdicts if v.fault != "forfeit" and not v.forgiven)
        return PlayedGame(self.fixture, self.outcome.ranks, absent, guilty, self.outcome.scores)


class VoidRow(Struct, frozen=True):
    game: str
    reason: str
    origin: str
    at: float


class DamagedStoreError(ConfigError):
    """A damaged store. Not the reader's fault, but only the reader can fix it: reported in one line."""

    def __init__(self, problem: object) -> None:
        super().__init__(f"the tournament store is damaged: {problem}")


GAME_COLUMNS = "game, round, fixture, played, outcome, verdicts, evidence, stats, at"
"""The arguments of `make_game_row`, in order."""


def parse_game_row(values: Sequence[object]) -> GameRow:
    game, round_id, fixture, *others = values
    return make_game_row(game, convert_stored(round_id, int), from_json(fixture, Fixture), others)


def make_game_row(game: object, round_id: int, fixture: Fixture, others: Sequence[object]) -> GameRow:
    """`others`: the columns after the fixture."""
    played, outcome, verdicts, evidence, stats, at = others
    row = GameRow(
        round_id,
        fixture,
        bool(played),
        from_json(outcome, Outcome),
        from_json(verdicts, tuple[Verdict, ...]),
        from_json(evidence, tuple[Evidence, ...]),
        from_json(stats, tuple[SeatStats, ...]),
        convert_stored(at, float),
    )
    if game != row.fixture.game or not SAFE_NAME.fullmatch(row.fixture.game):
        raise DamagedStoreError(f"a game has the invalid name {str(game)[:100]!r}")
    if not is_consistent(row):
        raise DamagedStoreError(f"{row.fixture.game!r} has inconsistent data")
    return row


def row_of_report(round_id: int, fixture: Fixture, report: GameReport, played: bool) -> GameRow:
    """As the store will return it."""
    return GameRow(
        round_id, fixture, played, report.outcome, report.verdicts, report.evidence, report.stats, time.time()
    )


def is_consistent(row: GameRow) -> bool:
    fixture, outcome = row.fixture, row.outcome
    seats = len(fixture.seats)
    return (
        len(outcome.ranks) == len(outcome.scores) == len(outcome.out) == len(row.stats) == seats
        and len(fixture.entries) == len(fixture.editions) == seats
        and len(set(fixture.seats)) == len(set(fixture.entries)) == seats
        and min(outcome.ranks) >= 1
        and max(outcome.ranks) <= seats
        and all(0 <= verdict.seat < seats for verdict in row.verdicts)
        and len(row.evidence) == len(row.verdicts)
    )


def from_columns(kind: type[T], columns: str, values: Sequence[object]) -> T:
    """A row of simple columns; SQLite lets any column hold any type."""
    return convert_stored(dict(zip(columns.split(", "), values, strict=True)), kind)


def to_json(value: object) -> str:
    return encode(value).decode()


@cache
def _decoder(kind: object) -> Any:
    """Cached: a tournament of 10,000 games decodes 50,000 values of five kinds."""
    return msgspec.json.Decoder(kind)


def from_json(value: object, kind: type[T]) -> T:
    try:
        decoder: msgspec.json.Decoder[T] = _decoder(kind)  # type: ignore[arg-type]  # a type is hashable
        return decoder.decode(value if type(value) is str else convert_stored(value, str))
    except (msgspec.DecodeError, RecursionError) as error:
        raise DamagedStoreError(error) from None


def convert_stored(value: object, kind: type[T]) -> T:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        raise DamagedStoreError(error) from None


def bot_file_name(bot: str) -> str:
    """A bot's name may contain anything."""
    safe = SAFE_NAME.fullmatch(bot)
    return f"{bot if safe else 'bot-' + hashlib.sha256(bot.encode(errors='replace')).hexdigest()[:16]}.txt"
