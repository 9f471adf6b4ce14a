"""A store opened to be read: another program's database is left as it is, a damaged one is told in a line."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from peloarena.game import ConfigError

from .store import Store


@contextlib.contextmanager
def open_store(path: Path) -> Iterator[Store]:
    if path.is_file() and not has_meta(path):
        raise ConfigError(f"{str(path)!r} is not a tournament store")
    with Store(path) as store:
        try:
            yield store
        except sqlite3.DatabaseError as error:
            raise ConfigError(f"{str(path)!r}: the tournament store is damaged: {error}") from None


def has_meta(path: Path) -> bool:
    """Looked up without making anything: opening a Store makes its tables."""
    try:
        with contextlib.closing(
            sqlite3.connect(f"{path.resolve().as_uri()}?mode=ro", uri=True, timeout=30)
        ) as database:
            found = database.execute("SELECT 1 FROM sqlite_master WHERE type = 'table' AND name = 'meta'").fetchone()
    except sqlite3.DatabaseError:
        return False
    return found is not None
