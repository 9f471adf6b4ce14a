"""The rows of a small table of the store, read again only when they may have changed.

The runner asks for orders and versions before every game; reading them took a tenth of its time for a game. Knows when
a table may have changed, not what is in it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Generic, TypeVar

from .database import Database

T = TypeVar("T")


class TableRows(Generic[T]):
    """Whoever writes the table through the same connection says `forget`; what others write is noticed."""

    def __init__(self, database: Database, read: Callable[[], list[T]]) -> None:
        self._database = database
        self._read = read
        self._rows: list[T] = []
        self._version: int | None = None
        """Of the data when they were read; None: not, or not any more."""

    def rows(self) -> list[T]:
        if self._database.in_transaction:  # of which nobody knows whether it will hold
            return self._read()
        version = self._database.data_version()  # before the rows: what is written between is read twice, not missed
        if version != self._version:
            self._rows, self._version = self._read(), version
        return list(self._rows)

    def forget(self) -> None:
        self._version = None
