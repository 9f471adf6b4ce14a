"""Pauses idle bots: one task for all games of an arena looks every 5 ms.

Not a nursery for each game: that would cost as much as two decisions. Knows when to look, not which bots to pause.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

import trio

PAUSE_AFTER_SECONDS = 0.005
"""Seconds after its answer until a bot is paused: frozen or, with pondering, at the lowest CPU share. Bots that answer
quickly are asked again sooner, so their games never pay for it."""


class IdlePauser:
    """Looks periodically instead of pausing after each answer: that would cost two writes to a control group a
    question, and bots that answer in microseconds would be paused for less time than that takes. It is safe: a look has
    no checkpoint in it, and a player is woken in the step that asks it, so none is paused while asked."""

    def __init__(self) -> None:
        self._pause_idle: Callable[[], None] | None = None
        self._game_began = trio.Event()

    async def run(self) -> None:
        """Runs concurrently with the games, and sleeps while there is none."""
        while True:
            if self._pause_idle is None:
                self._game_began = trio.Event()
                await self._game_began.wait()
            await trio.sleep(PAUSE_AFTER_SECONDS)
            if self._pause_idle is not None:
                self._pause_idle()

    @contextmanager
    def pausing(self, pause_idle: Callable[[], None]) -> Iterator[None]:
        self._pause_idle = pause_idle
        self._game_began.set()
        try:
            yield
        finally:
            self._pause_idle = None
