"""The store: one SQLite file per tournament. A finished game is one transaction that holds its whole record.

    with Store.open_to_play(path) as store:    for the runner; created if missing
    with Store.open_to_change(path) as store:   for host actions
    with Store.open_to_read(path) as store:     for everybody else; read-only; includes older stores

Knows tables and rows; decides nothing. Only `run` plays; other processes add requests.
"""

from __future__ import annotations

import contextlib
import sqlite3
import time
import zlib
from pathlib import Path
from typing import Literal, Self

from ..game import ConfigError
from ..referee.job import GameReport
from .cached_rows import CachedRows
from .database import Database, check_store_exists, check_writable, connect, connect_read_only, create_private_file
from .deals import Deal
from .entries import Entry, Version
from .fixtures import Fixture, Round
from .rows import (
    GAME_COLUMNS,
    DamagedStoreError,
    GameRow,
    HostAction,
    VoidRow,
    convert_stored,
    from_columns,
    from_json,
    parse_game_row,
    to_json,
)

STORE_VERSION = 2
OLD_STORE_VERSION = 1
LARGEST_RECORD = 64 * 1024 * 1024
"""A compressed record from elsewhere could expand without limit."""
COMPRESSION_LEVEL = 3
"""For records: a third of the time of zlib's default, with a sixth more bytes."""
SCHEMA = """
CREATE TABLE meta (key TEXT PRIMARY KEY, value TEXT NOT NULL);
CREATE TABLE entries (
    number INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, author TEXT NOT NULL, path TEXT NOT NULL,
    listed INTEGER NOT NULL, house INTEGER NOT NULL);
CREATE TABLE versions (
    entry INTEGER NOT NULL, edition INTEGER NOT NULL, hash TEXT NOT NULL, version TEXT NOT NULL,
    language TEXT NOT NULL, state TEXT NOT NULL, problem TEXT NOT NULL, details TEXT NOT NULL, copy TEXT NOT NULL,
    at REAL NOT NULL, start REAL NOT NULL, seconds REAL NOT NULL, PRIMARY KEY (entry, edition));
CREATE TABLE rounds (id INTEGER PRIMARY KEY, round TEXT NOT NULL, at REAL NOT NULL);
CREATE TABLE games (
    game TEXT PRIMARY KEY, round INTEGER NOT NULL, place INTEGER NOT NULL, fixture TEXT NOT NULL,
    played INTEGER NOT NULL, outcome TEXT NOT NULL, verdicts TEXT NOT NULL, evidence TEXT NOT NULL,
    stats TEXT NOT NULL, record BLOB NOT NULL, at REAL NOT NULL);
CREATE INDEX games_in_order ON games (round, place);
CREATE TABLE stderr (game TEXT NOT NULL, seat INTEGER NOT NULL, text TEXT NOT NULL, PRIMARY KEY (game, seat));
CREATE TABLE redraws (deal TEXT PRIMARY KEY, times INTEGER NOT NULL);
CREATE TABLE voids (
    id INTEGER PRIMARY KEY, game TEXT NOT NULL, reason TEXT NOT NULL, origin TEXT NOT NULL, fixture TEXT, record BLOB,
    at REAL NOT NULL);
CREATE TABLE orders (
    id INTEGER PRIMARY KEY, kind TEXT NOT NULL, target TEXT NOT NULL, reason TEXT NOT NULL, at REAL NOT NULL);
"""
CREATE_SCRIPT = f"BEGIN IMMEDIATE; {SCHEMA} INSERT INTO meta VALUES ('version', '{STORE_VERSION}'); COMMIT;"
"""All tables or none: a runner may be killed even here."""
ENTRY_COLUMNS = "number, name, author, path, listed, house"
VERSION_COLUMNS = "entry, edition, hash, version, language, state, problem, details, copy, at, start, seconds"
LATER_COLUMNS = {"entries": ("house",), "versions": ("start", "seconds")}
"""Columns that the first stores of this version lack: read as 0, and added when such a tournament is resumed."""
HOST_ACTION_COLUMNS = "id, kind, target, reason, at"
VOID_COLUMNS = "game, reason, origin, at"

HostActionKind = Literal[
    "pause",
    "pause-after-round",
    "resume",
    "withdraw",
    "readmit",
    "remove",
    "restore",
    "void",
    "accept-changes",
    "lock",
    "unlock",
    "finish",
]
VoidOrigin = Literal["machine", "host", "schedule"]
"""Who voided a game; the schedule, in old stores, if a game no longer belonged to it."""


class Store(Database):
    """Open one with `open_to_play`, `open_to_change` or `open_to_read`."""

    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        super().__init__(path, connection)
        self._entries = CachedRows(self, self._read_entries)
        self._versions = CachedRows(self, self._read_versions)
        self._host_actions = CachedRows(self, self._read_host_actions)

    @classmethod
    def open_to_play(cls, path: Path) -> Self:
        """To play a tournament: created if missing. Another program's database is left unchanged."""
        if path.exists():
            check_writable(path)
        else:
            create_private_file(path)
        return cls._open(path, connect(path, "rwc"), create=True)

    @classmethod
    def open_to_change(cls, path: Path) -> Self:
        """To store host actions in a tournament that has begun."""
        check_store_exists(path)
        check_writable(path)
        return cls._open(path, connect(path, "rw"))

    @classmethod
    def open_to_read(cls, path: Path) -> Store:
        """To observe a tournament, even during play, and to read one of an older version."""
        from .old_store import OldStore  # a subclass of Store

        check_store_exists(path)
        store = OldStore(path, connect_read_only(path))
        with contextlib.ExitStack() as stack:
            stack.callback(store.close)
            store._check_is_store()
            old = store.meta("version") == str(OLD_STORE_VERSION)
            opened = store if old else cls(path, store._db)
            opened._check_version(old)
            stack.pop_all()
        return opened

    @classmethod
    def _open(cls, path: Path, connection: sqlite3.Connection, *, create: bool = False) -> Self:
        store = cls(path, connection)
        with contextlib.ExitStack() as stack:
            stack.callback(store.close)
            store._set_up(create)
            stack.pop_all()
        return store

    def _set_up(self, create: bool) -> None:
        with self._translate_errors():
            empty = self._check_is_store(create)
            self._db.execute("PRAGMA synchronous = FULL")  # a power cut loses nothing that was reported
            if empty:
                self._db.execute("PRAGMA journal_mode = WAL")
                self._db.executescript(CREATE_SCRIPT)
        self._check_version()
        if missing := self._missing_columns():
            with self.transaction():
                for table, column in missing:
                    self._write(f"ALTER TABLE {table} ADD COLUMN {column} REAL NOT NULL DEFAULT 0")

    def _check_is_store(self, create: bool = False) -> bool:
        """Whether it is empty and may become a store."""
        tables = {row[0] for row in self._rows("SELECT name FROM sqlite_master WHERE type = 'table'")}
        if "meta" not in tables and (tables or not create):
            raise ConfigError(f"{str(self.path)!r} is not a tournament store")
        return not tables

    def _check_version(self, old: bool = False) -> None:
        version = self.meta("version")
        if version == str(OLD_STORE_VERSION) and not old:
            raise ConfigError(
                f"{str(self.path)!r} was played by an older peloarena (store version {OLD_STORE_VERSION}): its "
                f"standings, report and export can be read, but it cannot continue: "
                "start a second tournament with another --store"
            )
        if version != str(OLD_STORE_VERSION if old else STORE_VERSION):
            raise ConfigError(
                f"{str(self.path)!r}: store version {version or 'unknown'}; this peloarena reads {STORE_VERSION}"
            )

    def _missing_columns(self) -> list[tuple[str, str]]:
        """Table and name of each column of LATER_COLUMNS that this store lacks."""
        has = {table: {row[1] for row in self._rows(f"PRAGMA table_info({table})")} for table in LATER_COLUMNS}
        return [(table, name) for table, names in LATER_COLUMNS.items() for name in names if name not in has[table]]

    def _columns(self, table: str, columns: str) -> str:
        """For SELECT: columns that this store lacks are 0."""
        missing = self._missing_columns()
        return ", ".join("0" if (table, name) in missing else name for name in columns.split(", "))

    # ---- entries

    def entries(self) -> list[Entry]:
        """In order of entry."""
        return self._entries.rows()

    def _read_entries(self) -> list[Entry]:
        rows = self._rows(f"SELECT {self._columns('entries', ENTRY_COLUMNS)} FROM entries ORDER BY number")
        return [from_columns(Entry, ENTRY_COLUMNS, (*row[:4], bool(row[4]), bool(row[5]))) for row in rows]

    def set_entry(self, entry: Entry) -> None:
        values = (entry.number, entry.name, entry.author, entry.path, int(entry.listed), int(entry.house))
        self._entries.invalidate()
        self._write("INSERT OR REPLACE INTO entries VALUES (?, ?, ?, ?, ?, ?)", *values)

    def versions(self) -> list[Version]:
        return self._versions.rows()

    def _read_versions(self) -> list[Version]:
        rows = self._rows(f"SELECT {self._columns('versions', VERSION_COLUMNS)} FROM versions ORDER BY entry, edition")
        return [from_columns(Version, VERSION_COLUMNS, row) for row in rows]

    def set_version(self, version: Version) -> None:
        values = [getattr(version, name) for name in VERSION_COLUMNS.split(", ")]
        self._versions.invalidate()
        self._write("INSERT OR REPLACE INTO versions VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", *values)

    # ---- rounds and games

    def rounds(self) -> list[Round]:
        """Rounds that began, in that order."""
        return self.rounds_after(0)

    def rounds_after(self, last: int) -> list[Round]:
        """Rounds that began after the one with this id."""
        rows = self._rows("SELECT round FROM rounds WHERE id > ? ORDER BY id", last)
        return [from_json(row[0], Round) for row in rows]

    def add_round(self, round: Round) -> None:
        self._write("INSERT INTO rounds VALUES (?, ?, ?)", round.id, to_json(round), time.time())

    def redraws(self) -> dict[Deal, int]:
        """How often deals (written with redraw 0) were redrawn."""
        rows = self._rows("SELECT deal, times FROM redraws")
        return {from_json(deal, Deal): convert_stored(times, int) for deal, times in rows}

    def redraw_deal(self, deal: Deal) -> None:
        self._write("INSERT INTO redraws VALUES (?, 1) ON CONFLICT DO UPDATE SET times = times + 1", to_json(deal))

    def add_game(self, round: int, fixture: Fixture, report: GameReport, played: bool) -> None:
        """Add the whole game in one transaction; an existing game stays unchanged. `round`: its id."""
        values = (
            fixture.game,
            round,
            fixture.place,
            to_json(fixture),
            int(played),
            to_json(report.outcome),
            to_json(report.verdicts),
            to_json(report.evidence),
            to_json(report.stats),
            zlib.compress(report.record, COMPRESSION_LEVEL),
            time.time(),
        )
        with self.transaction():
            self._write("INSERT OR IGNORE INTO games VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", *values)
            for seat, text in enumerate(report.stderr):
                if text:
                    self._write("INSERT OR REPLACE INTO stderr VALUES (?, ?, ?)", fixture.game, seat, text)

    def games(self, round: int | None = None) -> list[GameRow]:
        """Finished games of one round (its id) or of all, in the order of the schedule."""
        where, values = _where_round(round)
        query = f"SELECT {GAME_COLUMNS} FROM games{where} ORDER BY round, place"
        return [parse_game_row(row) for row in self._rows(query, *values)]

    def games_after(self, last: int) -> tuple[list[GameRow], int]:
        """Games added after `last`, and the new last one. Valid while none is voided."""
        rows = self._rows(f"SELECT {GAME_COLUMNS}, rowid FROM games WHERE rowid > ? ORDER BY rowid", last)
        return [parse_game_row(row[:-1]) for row in rows], convert_stored(rows[-1][-1], int) if rows else last

    def finished_game_names(self, round: int | None = None) -> set[str]:
        """Of finished games."""
        where, values = _where_round(round)
        return {convert_stored(row[0], str) for row in self._rows(f"SELECT game FROM games{where}", *values)}

    def record(self, game: str) -> bytes:
        return decompress_record(game, self._packed_record(game))

    def _packed_record(self, game: str) -> object:
        rows = self._rows("SELECT record FROM games WHERE game = ?", game)
        if not rows:
            raise ConfigError(f"no finished game {game!r} in {str(self.path)!r}")
        return rows[0][0]

    def stderr(self, game: str) -> dict[int, str]:
        """By seat; only for the host and the bot's author."""
        rows = self._rows("SELECT seat, text FROM stderr WHERE game = ?", game)
        return {convert_stored(seat, int): convert_stored(text, str) for seat, text in rows}

    # ---- voids and host actions

    def void_game(self, game: str, reason: str, origin: VoidOrigin) -> None:
        """Void a game, which is then played again; its data is kept."""
        with self.transaction():
            self._write(
                "INSERT INTO voids (game, reason, origin, fixture, record, at) VALUES (?, ?, ?, "
                "(SELECT fixture FROM games WHERE game = ?), (SELECT record FROM games WHERE game = ?), ?)",
                *(game, reason, origin, game, game, time.time()),
            )
            self._write("DELETE FROM games WHERE game = ?", game)
            self._write("DELETE FROM stderr WHERE game = ?", game)

    def voids(self) -> list[VoidRow]:
        rows = self._rows(f"SELECT {VOID_COLUMNS} FROM voids ORDER BY id")
        return [from_columns(VoidRow, VOID_COLUMNS, row) for row in rows]

    def voided_games(self) -> list[tuple[VoidRow, Fixture | None, bytes | None]]:
        """With the data of each: none for a game that the machine spoiled."""
        rows = self._rows(f"SELECT {VOID_COLUMNS}, fixture, record FROM voids ORDER BY id")
        return [_parse_voided_game(from_columns(VoidRow, VOID_COLUMNS, row[:-2]), *row[-2:]) for row in rows]

    def void_count(self) -> int:
        return convert_stored(self._rows("SELECT count(*) FROM voids")[0][0], int)

    def add_host_action(self, kind: HostActionKind, target: str, reason: str) -> None:
        values = (kind, target, reason, time.time())
        self._host_actions.invalidate()
        with self.transaction():
            self._write("INSERT INTO orders (kind, target, reason, at) VALUES (?, ?, ?, ?)", *values)

    def host_actions(self, after: int = 0) -> list[HostAction]:
        return [action for action in self._host_actions.rows() if action.id > after]

    def _read_host_actions(self) -> list[HostAction]:
        rows = self._rows(f"SELECT {HOST_ACTION_COLUMNS} FROM orders ORDER BY id")
        return [from_columns(HostAction, HOST_ACTION_COLUMNS, row) for row in rows]


def _parse_voided_game(row: VoidRow, fixture: object, record: object) -> tuple[VoidRow, Fixture | None, bytes | None]:
    if fixture is None or record is None:
        return row, None, None
    return row, from_json(fixture, Fixture), decompress_record(row.game, record)


def _where_round(round: int | None) -> tuple[str, tuple[int, ...]]:
    return ("", ()) if round is None else (" WHERE round = ?", (round,))


def decompress_record(game: str, packed: object) -> bytes:
    """A record as it was written."""
    try:
        unfolding = zlib.decompressobj()
        record = unfolding.decompress(convert_stored(packed, bytes), LARGEST_RECORD)
    except zlib.error:
        record = b""
    if not record or unfolding.unconsumed_tail:
        raise DamagedStoreError(f"the record of {game!r} cannot be read")
    return record


def default_store_path(file: Path) -> Path:
    """Next to the tournament file; a path to a store stays unchanged."""
    return file.with_suffix(".sqlite") if file.suffix == ".toml" else file
