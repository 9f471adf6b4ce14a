"""Hand out games to several slots, but never two at a time that one bot could compare.

Two seatings of one deal have the same tiles. A bot that sits in both at once can signal across: by load, by locks on
shared files, by anything that two sandboxes on one machine share. Played in sequence, its processes never meet. Does
not know how games are played.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Set
from contextlib import asynccontextmanager
from typing import Generic, TypeVar

import trio
from msgspec import Struct

T = TypeVar("T")


class DealPlayers(Struct, frozen=True):
    """A deal and its participants."""

    seed: str
    names: Set[str]

    def clashes(self, other: DealPlayers) -> bool:
        return self.seed == other.seed and not self.names.isdisjoint(other.names)


class GameQueue(Generic[T]):
    """In the given order, except for games that must wait for another one of their deal."""

    def __init__(self, games: Iterable[T], players_of: Callable[[T], DealPlayers]) -> None:
        self._games = iter(games)
        self._players_of = players_of
        self._passed_over: list[T] = []
        self._playing: list[DealPlayers] = []
        self._changed = trio.lowlevel.ParkingLot()

    @asynccontextmanager
    async def next_game(self) -> AsyncIterator[T | None]:
        """The next game, which counts as running inside `with`; None if there are no more."""
        while (game := self._take()) is None and self._passed_over:
            await self._changed.park()
        if game is None:
            yield None
            return
        sitting = self._players_of(game)
        self._playing.append(sitting)
        try:
            yield game
        finally:
            self._playing.remove(sitting)
            self._changed.unpark_all()

    def _take(self) -> T | None:
        for number, game in enumerate(self._passed_over):
            if self._is_free(game):
                return self._passed_over.pop(number)
        for game in self._games:
            if self._is_free(game):
                return game
            self._passed_over.append(game)
        return None

    def _is_free(self, game: T) -> bool:
        sitting = self._players_of(game)
        return not any(sitting.clashes(other) for other in self._playing)
