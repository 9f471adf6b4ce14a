"""The store: one SQLite file (WAL) per tournament. A finished game is one transaction holding its whole record.

Knows tables and rows; decides nothing. Whatever is read back was written by us, but the file may come from anywhere:
it is decoded with types and limits like any other input.
"""

from __future__ import annotations

import contextlib
import fcntl
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Literal, TypeVar

import msgspec
from msgspec import Struct

from peloarena.game import ConfigError
from peloarena.referee.job import GameReport, SeatStats
from peloarena.referee.verdict import Evidence, Outcome, Verdict

from .schedule import Fixture, schedule_order

VERSION = 1
PATIENCE = 30.0
"""So long a write waits for that of another process."""
SCHEMA = """
CREATE TABLE IF NOT EXISTS meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS bots (
    name TEXT PRIMARY KEY, place INTEGER NOT NULL, path TEXT NOT NULL, digest TEXT NOT NULL,
    version TEXT NOT NULL, author TEXT NOT NULL, language TEXT NOT NULL, problem TEXT NOT NULL);
CREATE TABLE IF NOT EXISTS games (
    game TEXT PRIMARY KEY, round INTEGER NOT NULL, fixture TEXT NOT NULL, played INTEGER NOT NULL,
    outcome TEXT NOT NULL, verdicts TEXT NOT NULL, evidence TEXT NOT NULL, stats TEXT NOT NULL,
    stderr TEXT NOT NULL, record BLOB NOT NULL, at REAL NOT NULL);
CREATE INDEX IF NOT EXISTS games_round ON games (round);
CREATE TABLE IF NOT EXISTS voids (
    id INTEGER PRIMARY KEY, game TEXT NOT NULL, reason TEXT NOT NULL, origin TEXT NOT NULL, record BLOB,
    at REAL NOT NULL);
CREATE TABLE IF NOT EXISTS orders (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, target TEXT NOT NULL, reason TEXT NOT NULL, at REAL NOT NULL);
"""

OrderKind = Literal["pause", "resume", "withdraw", "void", "accept-changes"]
Origin = Literal["machine", "host", "schedule"]
"""Who made a game void; the schedule, when a game no longer belongs to it."""
T = TypeVar("T")


class BotRow(Struct, frozen=True):
    name: str
    path: str
    digest: str
    version: str = ""
    author: str = ""
    language: str = ""
    problem: str = ""
    """Why it was left out before the first game."""


class GameRow(Struct, frozen=True):
    """A finished game without its record."""

    fixture: Fixture
    played: bool
    """False for a forfeit: not all bots were started."""
    outcome: Outcome
    verdicts: tuple[Verdict, ...]
    evidence: tuple[Evidence, ...]
    stats: tuple[SeatStats, ...]
    at: float


class Order(Struct, frozen=True):
    """What the host decided, and why."""

    id: int
    kind: str
    target: str
    reason: str
    at: float


class VoidRow(Struct, frozen=True):
    game: str
    reason: str
    origin: str
    at: float


class Store:
    def __init__(self, path: Path, *, create: bool = False) -> None:
        self.path = path
        if not create and not path.is_file():
            raise ConfigError(f"no tournament store at {str(path)!r}: run the tournament first")
        try:
            self._db = sqlite3.connect(path, isolation_level=None, timeout=PATIENCE, check_same_thread=False)
            self._set_up(create)
        except sqlite3.DatabaseError as error:
            raise ConfigError(f"{str(path)!r} is not a tournament store: {error}") from None
        self._lock: IO[bytes] | None = None
        self.orders_before = max((order.id for order in self.orders()), default=0)
        """The last order given before the store was opened."""

    def _set_up(self, create: bool) -> None:
        """Another program's database is left as it is."""
        tables = {str(row[0]) for row in self._db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if "meta" not in tables and (tables or not create):
            raise ConfigError(f"{str(self.path)!r} is not a tournament store")
        self._db.execute("PRAGMA journal_mode = WAL")
        self._db.execute("PRAGMA synchronous = FULL")  # a power cut loses nothing that was reported
        self._db.executescript(SCHEMA)
        self._check_version()

    def _check_version(self) -> None:
        found = self.meta("version")
        if found is None:
            self.set_meta("version", str(VERSION))
        elif found != str(VERSION):
            raise ConfigError(f"{str(self.path)!r}: store version {found}; this peloarena knows version {VERSION}")

    def close(self) -> None:
        self._db.close()
        if self._lock is not None:
            self._lock.close()

    def __enter__(self) -> Store:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def lock(self) -> None:
        """One runner at a time; the lock goes with the process, however it ends."""
        self._lock = Path(f"{self.path.resolve()}.lock").open("ab")  # noqa: SIM115 - held as long as the store
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ConfigError(f"{str(self.path)!r} is being played by another process") from None

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing. A disk that is full is the host's to mend."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
            yield
            self._db.execute("COMMIT")
        except BaseException as error:
            if self._db.in_transaction:  # some errors have ended it already
                self._db.execute("ROLLBACK")
            if isinstance(error, sqlite3.OperationalError):
                raise ConfigError(f"{str(self.path)!r} cannot be written: {error}") from None
            raise

    # ---- what the night is

    def meta(self, key: str) -> str | None:
        row = self._db.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def set_meta(self, key: str, value: str) -> None:
        self._db.execute("INSERT OR REPLACE INTO meta VALUES (?, ?)", (key, value))

    def bots(self) -> list[BotRow]:
        rows = self._db.execute(
            "SELECT name, path, digest, version, author, language, problem FROM bots ORDER BY place"
        )
        return [BotRow(*row) for row in rows]

    def begin(self, bots: Sequence[BotRow], meta: Mapping[str, str]) -> None:
        """The field and what it plays, together or not at all."""
        with self.transaction():
            self._replace_bots(bots)
            for key, value in meta.items():
                self.set_meta(key, value)

    def set_bots(self, bots: Sequence[BotRow]) -> None:
        with self.transaction():
            self._replace_bots(bots)

    def _replace_bots(self, bots: Sequence[BotRow]) -> None:
        self._db.execute("DELETE FROM bots")
        for place, bot in enumerate(bots):
            self._db.execute(
                "INSERT INTO bots VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
                (bot.name, place, bot.path, bot.digest, bot.version, bot.author, bot.language, bot.problem),
            )

    # ---- games

    def add_game(self, fixture: Fixture, report: GameReport, played: bool) -> None:
        """The whole game in one transaction; a game that is there already stays as it is."""
        values = (
            fixture.game,
            fixture.round,
            text(fixture),
            int(played),
            text(report.outcome),
            text(report.verdicts),
            text(report.evidence),
            text(report.stats),
            text(report.stderr),
            report.record,
            time.time(),
        )
        with self.transaction():
            self._db.execute("INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", values)

    def games(self, number: int | None = None) -> list[GameRow]:
        """Finished games, of one round or of all, in the order of the schedule."""
        query = "SELECT fixture, played, outcome, verdicts, evidence, stats, at FROM games"
        where, values = ("", ()) if number is None else (" WHERE round = ?", (number,))
        rows = [game_row(*row) for row in self._db.execute(f"{query}{where}", values)]
        return sorted(rows, key=lambda row: schedule_order(row.fixture.game))

    def names(self, number: int | None = None) -> set[str]:
        where, values = ("", ()) if number is None else (" WHERE round = ?", (number,))
        return {str(row[0]) for row in self._db.execute(f"SELECT game FROM games{where}", values)}

    def last_round(self) -> int:
        """Of which a game is finished."""
        return int(self._db.execute("SELECT coalesce(max(round), 0) FROM games").fetchone()[0])

    def record(self, game: str) -> bytes:
        row = self._db.execute("SELECT record FROM games WHERE game = ?", (game,)).fetchone()
        if row is None:
            raise ConfigError(f"no finished game {game!r} in {str(self.path)!r}")
        return bytes(row[0])

    def stderr(self, game: str) -> tuple[str, ...]:
        row = self._db.execute("SELECT stderr FROM games WHERE game = ?", (game,)).fetchone()
        return () if row is None else read(str(row[0]), tuple[str, ...])

    # ---- voids and orders

    def void(self, game: str, reason: str, origin: Origin) -> None:
        """A game that does not count and is played again; what there was of it is kept. The host's is an order."""
        with self.transaction():
            if origin == "host":
                self._add_order("void", game, reason)
            self._db.execute(
                "INSERT INTO voids (game, reason, origin, record, at) "
                "VALUES (?, ?, ?, (SELECT record FROM games WHERE game = ?), ?)",
                (game, reason, origin, game, time.time()),
            )
            self._db.execute("DELETE FROM games WHERE game = ?", (game,))

    def voids(self) -> list[VoidRow]:
        return [VoidRow(*row) for row in self._db.execute("SELECT game, reason, origin, at FROM voids ORDER BY id")]

    def order(self, kind: OrderKind, target: str, reason: str) -> None:
        with self.transaction():
            self._add_order(kind, target, reason)

    def _add_order(self, kind: OrderKind, target: str, reason: str) -> None:
        values = (kind, target, reason, time.time())
        self._db.execute("INSERT INTO orders (kind, target, reason, at) VALUES (?, ?, ?, ?)", values)

    def orders(self, after: int = 0) -> list[Order]:
        rows = self._db.execute("SELECT id, kind, target, reason, at FROM orders WHERE id > ? ORDER BY id", (after,))
        return [Order(*row) for row in rows]


def text(value: object) -> str:
    return msgspec.json.encode(value).decode()


def read(value: str, kind: type[T]) -> T:
    try:
        return msgspec.json.decode(value, type=kind)
    except (msgspec.DecodeError, RecursionError) as error:
        raise ConfigError(f"the tournament store is damaged: {error}") from None


def game_row(fixture: str, played: int, outcome: str, verdicts: str, evidence: str, stats: str, at: float) -> GameRow:
    return GameRow(
        read(fixture, Fixture),
        bool(played),
        read(outcome, Outcome),
        read(verdicts, tuple[Verdict, ...]),
        read(evidence, tuple[Evidence, ...]),
        read(stats, tuple[SeatStats, ...]),
        at,
    )


def default_store(file: Path) -> Path:
    """Beside the tournament file; a store is named as it is."""
    return file.with_suffix(".sqlite") if file.suffix == ".toml" else file
