"""One SQLite file (WAL): how to open, lock and write it. Knows no table except `meta`.

Every problem with the file becomes a ConfigError of one line.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Self

from ..game import ConfigError
from ..referee.disk import DiskFull
from ..referee.sandbox.linux import check_linux
from .rows import DamagedStoreError, convert_stored

if sys.platform != "win32":
    import fcntl

WRITE_TIMEOUT_SECONDS = 30.0
"""Seconds that a write waits for another process's write."""
LOCK_TRIES, LOCK_PAUSE_SECONDS = 5, 0.05
"""Checking the lock holds it for an instant; a runner that starts in that instant tries again."""
ERROR_TEXTS = {
    sqlite3.SQLITE_BUSY: "is being written by another process",
    sqlite3.SQLITE_CANTOPEN: "cannot be opened",
    sqlite3.SQLITE_FULL: "cannot be written: database or disk is full",
    sqlite3.SQLITE_IOERR: "cannot be read or written: disk I/O error",
    sqlite3.SQLITE_NOTADB: "is not a tournament store",
    sqlite3.SQLITE_PERM: "cannot be opened: permission denied",
    sqlite3.SQLITE_READONLY: "cannot be written: it, or its folder, is read-only",
}
"""What SQLite's primary result codes mean for a host; any other code means that the file is damaged."""
DISK_FULL_CODES = (sqlite3.SQLITE_IOERR_WRITE, sqlite3.SQLITE_IOERR_SHMSIZE)
"""SQLite's codes for an exhausted quota, and for a disk without space for the index of its log."""
QUERIES_FOR_FORBIDDEN_SCHEMA = (
    "SELECT type FROM sqlite_master WHERE type IN ('view', 'trigger')",
    "SELECT 'virtual table' FROM sqlite_master WHERE sql LIKE 'CREATE VIRTUAL%'",
    "SELECT 'computed column' FROM sqlite_master AS m, pragma_table_xinfo(m.name) "
    "WHERE m.type = 'table' AND hidden > 1",
)
"""Constructs with which a stranger's file could compute forever, on reading a table or through SQLite's extensions."""
MAX_ROW_BYTES = 128 * 1024 * 1024
"""Bytes. Our largest row holds a record of at most 32 MiB. SQLite's own limit is a thousand million."""


class Database:
    def __init__(self, path: Path, connection: sqlite3.Connection) -> None:
        self.path = path
        self._db = connection
        self._lock: IO[bytes] | None = None

    def close(self) -> None:
        self._db.close()
        if self._lock is not None:
            self._lock.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def lock(self) -> None:
        """One runner at a time; the lock ends with the process, however that ends."""
        if sys.platform == "win32":  # no flock; tournaments cannot be played there anyway
            check_linux("a tournament can be played and closed")
        try:
            self._lock = _lock_file(self.path).open("ab")  # held as long as the store
        except OSError as error:
            raise ConfigError(f"{str(self.path)!r} cannot be locked: {error.strerror}") from None
        for _ in range(LOCK_TRIES):
            with contextlib.suppress(OSError):
                fcntl.flock(self._lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
                os.utime(self._lock.fileno())
                return
            time.sleep(LOCK_PAUSE_SECONDS)
        raise ConfigError(f"{str(self.path)!r} is being played by another process")

    def data_version(self) -> int:
        """Changes whenever somebody else has written; nearly free."""
        return convert_stored(self._rows("PRAGMA data_version")[0][0], int)

    @property
    def in_transaction(self) -> bool:
        return self._db.in_transaction

    @contextlib.contextmanager
    def read_transaction(self) -> Iterator[None]:
        """All reads within it see one moment, even while others write."""
        with self._translate_errors():
            self._db.execute("BEGIN")
            try:
                yield
            finally:
                self._db.execute("COMMIT")

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing; a nested one joins the outer one. The host must fix a full disk."""
        if self.in_transaction:
            yield
            return
        with self._translate_errors():
            try:
                self._db.execute("BEGIN IMMEDIATE")
                yield
                self._db.execute("COMMIT")
            except BaseException:  # including Ctrl-C and cancellation: nothing half-written stays; raised again
                if self.in_transaction:  # some errors have already ended it
                    self._db.execute("ROLLBACK")
                raise

    @contextlib.contextmanager
    def _translate_errors(self) -> Iterator[None]:
        """Translate SQLite's errors about the file into our messages. A mistake in our own SQL is raised unchanged."""
        try:
            yield
        except (sqlite3.IntegrityError, sqlite3.ProgrammingError):
            raise
        except sqlite3.DatabaseError as error:
            raise store_error(self.path, error) from None

    def _rows(self, query: str, *values: object) -> list[tuple[object, ...]]:
        with self._translate_errors():
            return self._db.execute(query, values).fetchall()

    def _write(self, statement: str, *values: object) -> None:
        with self._translate_errors():
            self._db.execute(statement, values)

    def meta(self, key: str) -> str | None:
        rows = self._rows("SELECT value FROM meta WHERE key = ?", key)
        return convert_stored(rows[0][0], str) if rows else None

    def set_meta(self, key: str, value: str) -> None:
        self._write("INSERT OR REPLACE INTO meta VALUES (?, ?)", key, value)


def locked_since(path: Path) -> float | None:
    """When the current runner started, according to its lock; None if there is none.

    A caller who may not open the lock assumes that there is a runner.
    """
    if sys.platform == "win32":  # no flock, and no runner
        return None
    try:
        with _lock_file(path).open("rb") as lock:
            began = os.fstat(lock.fileno()).st_mtime
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except FileNotFoundError:
        return None
    except BlockingIOError:
        return began
    except OSError:
        return 0.0
    return None


def _lock_file(path: Path) -> Path:
    return Path(f"{path.resolve()}.lock")


def connect(path: Path, mode: str) -> sqlite3.Connection:
    """`mode`: as in SQLite's URIs."""
    with contextlib.ExitStack() as stack:
        try:
            connection = sqlite3.connect(
                f"{path.resolve().as_uri()}?mode={mode}", uri=True, isolation_level=None, timeout=WRITE_TIMEOUT_SECONDS
            )
            stack.callback(connection.close)
            connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, MAX_ROW_BYTES)
            connection.execute("PRAGMA trusted_schema = OFF")  # the schema calls nothing with side effects
            programs = [row for query in QUERIES_FOR_FORBIDDEN_SCHEMA for row in connection.execute(query)]
        except sqlite3.DatabaseError as error:
            raise store_error(path, error) from None
        if programs:
            problem = f"it holds a {programs[0][0]}, which a store never has"
            raise ConfigError(f"{str(path)!r} is not a tournament store: {problem}")
        stack.pop_all()
    return connection


def connect_read_only(path: Path) -> sqlite3.Connection:
    """A connection that cannot write, even while another process does.

    Not simply SQLite's mode=ro: it leaves `-shm` and `-wal` files behind in every folder and, if the runner ends in the
    meantime, games in the `-wal` that a host who copies the store would lose. So if we may write, SQLite may clean up
    after itself, but statements may not write (query_only). If we may not write: mode=ro; and if nobody is writing, so
    that there is no `-wal`, SQLite needs the hint that none is required (immutable).
    """
    if os.access(path, os.W_OK) and os.access(path.resolve().parent, os.W_OK):
        connection = connect(path, "rw")
        connection.execute("PRAGMA query_only = ON")
        return connection
    has_wal = Path(f"{path.resolve()}-wal").exists()
    return connect(path, "ro" if has_wal else "ro&immutable=1")


def store_error(path: Path, error: sqlite3.DatabaseError) -> ConfigError:
    """Describe a problem with a store to its host."""
    extended = getattr(error, "sqlite_errorcode", 0)
    code = extended & 0xFF  # the extended codes say more than a host needs
    if code == sqlite3.SQLITE_FULL or extended in DISK_FULL_CODES:
        return DiskFull(
            f"{str(path)!r} {ERROR_TEXTS[sqlite3.SQLITE_FULL]}: free some space in {str(path.resolve().parent)!r}"
        )
    if code in ERROR_TEXTS:
        return ConfigError(f"{str(path)!r} {ERROR_TEXTS[code]}")
    return ConfigError(f"{str(path)!r}: {DamagedStoreError(error)}")


def create_private_file(path: Path) -> None:
    """Create an empty file for its owner alone: a store holds the secret of its deals. SQLite gives its additional
    files the same permissions. If creation fails, connecting reports why."""
    with contextlib.suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def check_store_exists(path: Path) -> None:
    if not path.is_file():
        raise ConfigError(f"no tournament store at {str(path)!r}: run the tournament first")


def check_writable(path: Path) -> None:
    """SQLite opens a read-only file without complaint and only reports it at the first write."""
    if not os.access(path, os.W_OK):
        raise ConfigError(f"{str(path)!r} {ERROR_TEXTS[sqlite3.SQLITE_READONLY]}")
