"""One SQLite file (WAL): how it is opened, locked and written. Knows no table but `meta`.

Every trouble with the file is a ConfigError of one line.
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
from ..referee.sandbox.linux import check_linux
from .rows import Damaged, checked

if sys.platform != "win32":
    import fcntl

PATIENCE = 30.0
"""Seconds that a write waits for that of another process."""
LOCK_TRIES, LOCK_PAUSE = 5, 0.05
"""A look at the lock holds it for an instant; a runner that begins in that instant tries again."""
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
PROGRAMS = "SELECT type FROM sqlite_master WHERE type IN ('view', 'trigger')"
"""What a stranger's file could have computed without end when a table is read."""


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
        """One runner at a time; the lock goes with the process, however it ends."""
        if sys.platform == "win32":  # no flock; nobody can play there, either
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
            time.sleep(LOCK_PAUSE)
        raise ConfigError(f"{str(self.path)!r} is being played by another process")

    def data_version(self) -> int:
        """Another number whenever somebody else has written; it costs next to nothing."""
        return checked(self._rows("PRAGMA data_version")[0][0], int)

    @property
    def in_transaction(self) -> bool:
        return self._db.in_transaction

    @contextlib.contextmanager
    def one_moment(self) -> Iterator[None]:
        """Whatever is read within it is of one moment, although others write meanwhile."""
        with self._troubles():
            self._db.execute("BEGIN")
            try:
                yield
            finally:
                self._db.execute("COMMIT")

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """All or nothing; within another one, a part of it. A disk that is full is the host's to mend."""
        if self.in_transaction:
            yield
            return
        with self._troubles():
            try:
                self._db.execute("BEGIN IMMEDIATE")
                yield
                self._db.execute("COMMIT")
            except BaseException:  # Ctrl-C and cancellation, too: nothing half-written stays; raised again
                if self.in_transaction:  # some errors have ended it already
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

    def meta(self, key: str) -> str | None:
        rows = self._rows("SELECT value FROM meta WHERE key = ?", key)
        return checked(rows[0][0], str) if rows else None

    def set_meta(self, key: str, value: str) -> None:
        self._write("INSERT OR REPLACE INTO meta VALUES (?, ?)", key, value)


def locked_since(path: Path) -> float | None:
    """When the runner that is at work began, by its lock; None if there is none.

    Whoever may not look at the lock takes a runner for granted.
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


def connected(path: Path, mode: str) -> sqlite3.Connection:
    """`mode`: as SQLite's URIs have it."""
    with contextlib.ExitStack() as stack:
        try:
            connection = sqlite3.connect(
                f"{path.resolve().as_uri()}?mode={mode}", uri=True, isolation_level=None, timeout=PATIENCE
            )
            stack.callback(connection.close)
            programs = connection.execute(PROGRAMS).fetchall()
        except sqlite3.DatabaseError as error:
            raise trouble(path, error) from None
        if programs:
            problem = f"it holds a {programs[0][0]}, which no store does"
            raise ConfigError(f"{str(path)!r} is not a tournament store: {problem}")
        stack.pop_all()
    return connection


def connected_to_read(path: Path) -> sqlite3.Connection:
    """Nothing can be written through this connection, also while another process writes.

    Not simply SQLite's mode=ro, which leaves `-shm` and `-wal` files behind in every folder that it reads in and, if
    the runner ends meanwhile, games in the `-wal` that a host who copies the store would lose. So where we may write,
    SQLite may tidy up after itself, but no statement may write (query_only). Where we may not: mode=ro; and if nobody
    is writing, so that there is no `-wal`, SQLite must be told that none is needed (immutable).
    """
    if os.access(path, os.W_OK) and os.access(path.resolve().parent, os.W_OK):
        connection = connected(path, "rw")
        connection.execute("PRAGMA query_only = ON")
        return connection
    has_wal = Path(f"{path.resolve()}-wal").exists()
    return connected(path, "ro" if has_wal else "ro&immutable=1")


def trouble(path: Path, error: sqlite3.DatabaseError) -> ConfigError:
    """What is wrong with a store, in words for its host."""
    code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the extended codes say more than a host needs
    if code in TROUBLES:
        return ConfigError(f"{str(path)!r} {TROUBLES[code]}")
    return ConfigError(f"{str(path)!r}: {Damaged(error)}")


def make_private(path: Path) -> None:
    """An empty file for its owner alone: a store holds the secret of its deals. SQLite gives the files that it makes
    beside it the same rights. Where none can be made, connecting tells why."""
    with contextlib.suppress(OSError):
        os.close(os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))


def check_there(path: Path) -> None:
    if not path.is_file():
        raise ConfigError(f"no tournament store at {str(path)!r}: run the tournament first")


def check_writable(path: Path) -> None:
    """SQLite opens what it may not write without a word and says so at the first write only."""
    if not os.access(path, os.W_OK):
        raise ConfigError(f"{str(path)!r} {TROUBLES[sqlite3.SQLITE_READONLY]}")
