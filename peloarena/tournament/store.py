"""The store: one SQLite file (WAL) per tournament. A finished game is one transaction holding its whole record.

    with Store.begin(path) as store:    made if it is not there: for the runner
    with Store.change(path) as store:   for the host's orders
    with Store.read(path) as store:     for everybody else; nothing is written

Knows tables and rows; decides nothing. Every trouble with the file is a ConfigError of one line.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import sqlite3
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import IO, Literal

from ..game import ConfigError
from ..referee.job import GameReport
from .rows import (
    GAME_COLUMNS,
    BotRow,
    Damaged,
    GameRow,
    Order,
    VoidRow,
    checked,
    from_columns,
    from_json,
    game_row,
    to_json,
)
from .schedule import Fixture, schedule_order

VERSION = 1
PATIENCE = 30.0
"""Seconds that a write waits for that of another process."""
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
NEW = f"BEGIN IMMEDIATE; {SCHEMA} INSERT OR IGNORE INTO meta VALUES ('version', '{VERSION}'); COMMIT;"
"""All tables or none: a runner may be killed here as well."""
BOT_COLUMNS = "name, path, digest, version, author, language, problem"
ORDER_COLUMNS = "id, kind, target, reason, at"
VOID_COLUMNS = "game, reason, origin, at"

TROUBLES = {
    sqlite3.SQLITE_BUSY: "is being written by another process",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened",
    sqlite3.SQLITE_FULL: "cannot be written: database or disk is full",
    sqlite3.SQLITE_IOERR: "cannot be read or written: disk I/O error",
    sqlite3.SQLITE_NOTADB: "is not a tournament store",
    sqlite3.SQLITE_PERM: "cannot be opened: permission denied",
    sqlite3.SQLITE_READONLY: "cannot be written: it, or its folder, is read-only",
}
"""What SQLite's primary result codes mean for a host; any other says that the file is damaged."""

OrderKind = Literal["pause", "resume", "withdraw", "void", "accept-changes"]
Origin = Literal["machine", "host", "schedule"]
"""Who made a game void; the schedule, when a game no longer belongs to it."""


class Store:
    """Open one with `begin`, `change` or `read`."""

    def __init__(self, path: Path, database: sqlite3.Connection) -> None:
        self.path = path
        self._db = database
        self._lock: IO[bytes] | None = None
        self.orders_before = 0
        """The last order given before the store was opened."""

    @classmethod
    def begin(cls, path: Path) -> Store:
        """To play a night: made where there is none. Another program's database is left as it is."""
        if path.exists():
            check_writable(path)
        return cls._opened(path, "rwc", create=True)

    @classmethod
    def change(cls, path: Path) -> Store:
        """To give orders to a night that was begun."""
        check_there(path)
        check_writable(path)
        return cls._opened(path, "rw")

    @classmethod
    def read(cls, path: Path) -> Store:
        """To look at a night, also while it is played: nothing can be written through this connection.

        Not simply SQLite's mode=ro, which leaves `-shm` and `-wal` files behind in every folder that it reads in and,
        if the runner ends meanwhile, games in the `-wal` that a host who copies the store would lose. So where we may
        write, SQLite may tidy up after itself, but no statement may write (query_only). Where we may not: mode=ro; and
        if nobody is writing, so that there is no `-wal`, SQLite must be told that none is needed (immutable).
        """
        check_there(path)
        if os.access(path, os.W_OK) and os.access(path.resolve().parent, os.W_OK):
            return cls._opened(path, "rw", only="PRAGMA query_only = ON")
        has_wal = Path(f"{path.resolve()}-wal").exists()
        return cls._opened(path, "ro" if has_wal else "ro&immutable=1")

    @classmethod
    def _opened(cls, path: Path, mode: str, *, create: bool = False, only: str = "") -> Store:
        with contextlib.ExitStack() as stack:
            try:
                database = sqlite3.connect(
                    f"{path.resolve().as_uri()}?mode={mode}", uri=True, isolation_level=None, timeout=PATIENCE
                )
            except sqlite3.DatabaseError as error:
                raise trouble(path, error) from None
            stack.callback(database.close)
            store = cls(path, database)
            store._set_up(create, only)
            stack.pop_all()
        return store

    def _set_up(self, create: bool, only: str) -> None:
        with self._troubles():
            if only:
                self._db.execute(only)
            tables = {row[0] for row in self._db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
            if "meta" not in tables and (tables or not create):
                raise ConfigError(f"{str(self.path)!r} is not a tournament store")
            if not only:
                self._db.execute("PRAGMA synchronous = FULL")  # a power cut loses nothing that was reported
            if create and not tables:
                self._db.execute("PRAGMA journal_mode = WAL")
                self._db.executescript(NEW)
        self._check_version()
        self.orders_before = max((order.id for order in self.orders()), default=0)

    def _check_version(self) -> None:
        found = self.meta("version")
        if found != str(VERSION):
            raise ConfigError(
                f"{str(self.path)!r}: store version {found or 'unknown'}; this peloarena knows version {VERSION}"
            )

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
        try:
            self._lock = Path(f"{self.path.resolve()}.lock").open("ab")  # noqa: SIM115 - held as long as the store
        except OSError as error:
            raise ConfigError(f"{str(self.path)!r} cannot be locked: {error.strerror}") from None
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            raise ConfigError(f"{str(self.path)!r} is being played by another process") from None

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing; within another one, a part of it. A disk that is full is the host's to mend."""
        if self._db.in_transaction:
            yield
            return
        with self._troubles():
            try:
                self._db.execute("BEGIN IMMEDIATE")
                yield
                self._db.execute("COMMIT")
            except BaseException:
                if self._db.in_transaction:  # some errors have ended it already
                    self._db.execute("ROLLBACK")
                raise

    @contextlib.contextmanager
    def _troubles(self) -> Iterator[None]:
        """SQLite's words for what is wrong with the file become ours. A mistake in our own SQL stays what it is."""
        try:
            yield
        except (sqlite3.IntegrityError, sqlite3.ProgrammingError):
            raise
        except sqlite3.DatabaseError as error:
            raise trouble(self.path, error) from None

    def _rows(self, query: str, *values: object) -> list[tuple[object, ...]]:
        with self._troubles():
            return self._db.execute(query, values).fetchall()

    def _write(self, statement: str, *values: object) -> None:
        with self._troubles():
            self._db.execute(statement, values)

    # ---- what the night is

    def meta(self, key: str) -> str | None:
        rows = self._rows("SELECT value FROM meta WHERE key = ?", key)
        return checked(rows[0][0], str) if rows else None

    def set_meta(self, key: str, value: str) -> None:
        self._write("INSERT OR REPLACE INTO meta VALUES (?, ?)", key, value)

    def bots(self) -> list[BotRow]:
        rows = self._rows(f"SELECT {BOT_COLUMNS} FROM bots ORDER BY place")
        return [from_columns(BotRow, BOT_COLUMNS, row) for row in rows]

    def set_night(self, bots: Sequence[BotRow], meta: Mapping[str, str]) -> None:
        """The field and what it plays, together or not at all."""
        with self.transaction():
            self.set_bots(bots)
            for key, value in meta.items():
                self.set_meta(key, value)

    def set_bots(self, bots: Sequence[BotRow]) -> None:
        with self.transaction():
            self._write("DELETE FROM bots")
            for place, bot in enumerate(bots):
                values = (bot.name, place, bot.path, bot.digest, bot.version, bot.author, bot.language, bot.problem)
                self._write("INSERT INTO bots VALUES (?, ?, ?, ?, ?, ?, ?, ?)", *values)

    # ---- games

    def add_game(self, fixture: Fixture, report: GameReport, played: bool) -> None:
        """The whole game in one transaction; a game that is there already stays as it is."""
        values = (
            fixture.game,
            fixture.round,
            to_json(fixture),
            int(played),
            to_json(report.outcome),
            to_json(report.verdicts),
            to_json(report.evidence),
            to_json(report.stats),
            to_json(report.stderr),
            report.record,
            time.time(),
        )
        with self.transaction():
            self._write("INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", *values)

    def games(self, number: int | None = None) -> list[GameRow]:
        """Finished games, of one round or of all, in the order of the schedule."""
        where, values = of_round(number)
        rows = [game_row(row) for row in self._rows(f"SELECT {GAME_COLUMNS} FROM games{where}", *values)]
        return sorted(rows, key=lambda row: schedule_order(row.fixture.game))

    def names(self, number: int | None = None) -> set[str]:
        """Of finished games."""
        where, values = of_round(number)
        return {checked(row[0], str) for row in self._rows(f"SELECT game FROM games{where}", *values)}

    def last_round(self) -> int:
        """Of which a game is finished."""
        return checked(self._rows("SELECT coalesce(max(round), 0) FROM games")[0][0], int)

    def record(self, game: str) -> bytes:
        rows = self._rows("SELECT record FROM games WHERE game = ?", game)
        if not rows:
            raise ConfigError(f"no finished game {game!r} in {str(self.path)!r}")
        if not isinstance(rows[0][0], bytes):
            raise Damaged(f"the record of {game!r} is no record")
        return rows[0][0]

    def stderr(self, game: str) -> tuple[str, ...]:
        rows = self._rows("SELECT stderr FROM games WHERE game = ?", game)
        return from_json(rows[0][0], tuple[str, ...]) if rows else ()

    # ---- voids and orders

    def void(self, game: str, reason: str, origin: Origin) -> None:
        """A game that does not count and is played again; what there was of it is kept."""
        with self.transaction():
            self._write(
                "INSERT INTO voids (game, reason, origin, record, at) "
                "VALUES (?, ?, ?, (SELECT record FROM games WHERE game = ?), ?)",
                *(game, reason, origin, game, time.time()),
            )
            self._write("DELETE FROM games WHERE game = ?", game)

    def voids(self) -> list[VoidRow]:
        rows = self._rows(f"SELECT {VOID_COLUMNS} FROM voids ORDER BY id")
        return [from_columns(VoidRow, VOID_COLUMNS, row) for row in rows]

    def order(self, kind: OrderKind, target: str, reason: str) -> None:
        values = (kind, target, reason, time.time())
        with self.transaction():
            self._write("INSERT INTO orders (kind, target, reason, at) VALUES (?, ?, ?, ?)", *values)

    def orders(self, after: int = 0) -> list[Order]:
        rows = self._rows(f"SELECT {ORDER_COLUMNS} FROM orders WHERE id > ? ORDER BY id", after)
        return [from_columns(Order, ORDER_COLUMNS, row) for row in rows]


def of_round(number: int | None) -> tuple[str, tuple[int, ...]]:
    return ("", ()) if number is None else (" WHERE round = ?", (number,))


def trouble(path: Path, error: sqlite3.DatabaseError) -> ConfigError:
    """What is wrong with a store, in words for its host."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the extended codes say more than a host needs
    if code in TROUBLES:
        return ConfigError(f"{str(path)!r} {TROUBLES[code]}")
    return ConfigError(f"{str(path)!r}: {Damaged(error)}")


def check_there(path: Path) -> None:
    if not path.is_file():
        raise ConfigError(f"no tournament store at {str(path)!r}: run the tournament first")


def check_writable(path: Path) -> None:
    """SQLite opens what it may not write without a word and says so at the first write only."""
    if not os.access(path, os.W_OK):
        raise ConfigError(f"{str(path)!r} {TROUBLES[sqlite3.SQLITE_READONLY]}")


def default_store(file: Path) -> Path:
    """Beside the tournament file; a store is named as it is."""
    return file.with_suffix(".sqlite") if file.suffix == ".toml" else file
