"""Pauses idle bots: one task for all games of an arena looks every 5 ms.

Not a nursery for each game: that would cost as much as two decisions. Knows when to look, not which bots to pause.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import trio

REST_AFTER = 0.005
"""Seconds after its answer until a bot is paused: frozen or, with pondering, at the lowest CPU share. Bots that answer
quickly are asked again sooner, so their games never pay for it."""


class Resting:
    """Looks periodically instead of pausing after each answer: that would cost two writes to a control group a
    question, and bots that answer in microseconds would be paused for less time than that takes. It is safe: a look has
    no checkpoint in it, and a player is woken in the step that asks it, so none is paused while asked."""

    def __init__(self) -> None:
        self._look: Callable[[], None] | None = None
        self._begun = trio.Event()

    async def watch(self) -> None:
        """Runs concurrently with the games, and sleeps while there is none."""
        while True:
            if self._look is None:
                self._begun = trio.Event()
                await self._begun.wait()
            await trio.sleep(REST_AFTER)
            if self._look is not None:
                self._look()

    @contextmanager
    def during(self, look: Callable[[], None]) -> Iterator[None]:
        self._look = look
        self._begun.set()
        try:
            yield
        finally:
            self._look = None
