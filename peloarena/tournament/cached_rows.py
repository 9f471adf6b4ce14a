"""The rows of a small table of the store, read again only if they may have changed.

The runner asks for host actions and versions before every game; reading them took a tenth of its time per game. Knows
when a table may have changed, not its contents.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from .database import Database

T = TypeVar("T")


class CachedRows(Generic[T]):
    """Call `invalidate` after writing the table through the same connection; writes by others are detected."""

    def __init__(self, database: Database, read: Callable[[], list[T]]) -> None:
        self._database = database
        self._read = read
        self._rows: list[T] = []
        self._version: int | None = None
        """The data version of the last read; None if there is none, or it is outdated."""

    def rows(self) -> list[T]:
        if self._database.in_transaction:  # it may still be rolled back
            return self._read()
        version = self._database.data_version()  # before the rows: concurrent writes are read twice, not missed
        if version != self._version:
            self._rows, self._version = self._read(), version
        return list(self._rows)

    def invalidate(self) -> None:
        self._version = None
