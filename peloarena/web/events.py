"""Server-sent events: the sections of a page that changed, as finished markup. One stream per page.

A section is a state, not a message: a slow reader skips intermediate versions and gets the newest, so that nothing is
queued. After a break the browser sends the last version that it saw and gets what has changed since.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import AsyncIterator, Callable, Mapping

import trio

from .answers import number_of

ALIVE_EVERY = 15.0
"""Seconds of silence before a comment is sent: sending it detects a browser that is gone."""
RETRY = 2000
"""Milliseconds before a browser reconnects."""


class Bulletin:
    """Versions of sections; `wait` returns when there is a newer one."""

    def __init__(self) -> None:
        self.version = 0
        self.life = secrets.token_hex(4)
        """Version numbers of an earlier web process mean nothing to this one."""
        self._sections: dict[str, tuple[int, str]] = {}
        self._news = trio.Event()
        self.over = False

    def post(self, sections: Mapping[str, str]) -> None:
        changed = [key for key, text in sections.items() if self._sections.get(key, (0, None))[1] != text]
        if not changed:
            return
        self.version += 1
        for key in changed:
            self._sections[key] = (self.version, sections[key])
        self._ring()

    def end(self) -> None:
        self.over = True
        self._ring()

    def _ring(self) -> None:
        self._news.set()
        self._news = trio.Event()

    def since(self, version: int) -> list[tuple[str, str]]:
        return [(key, text) for key, (changed, text) in self._sections.items() if changed > version]

    async def wait(self, version: int) -> None:
        while self.version <= version and not self.over:
            await self._news.wait()


async def stream(bulletin: Bulletin, last: str, wanted: Callable[[str], bool]) -> AsyncIterator[bytes]:
    """The body of an event stream, from the version after `last`. Ends with the web process."""
    life, _, number = last.partition("-")
    seen = (number_of(number) or 0) if life == bulletin.life else 0
    yield f"retry: {RETRY}\n\n".encode()
    while not bulletin.over:
        now = bulletin.version
        for key, text in bulletin.since(seen):
            if wanted(key):
                yield section_event(f"{bulletin.life}-{now}", key, text)
        seen = now
        with trio.move_on_after(ALIVE_EVERY) as waited:
            await bulletin.wait(seen)
        if waited.cancelled_caught:
            yield b": alive\n\n"


def section_event(version: str, key: str, text: str) -> bytes:
    return f"id: {version}\nevent: section\ndata: {json.dumps({'id': key, 'html': text})}\n\n".encode()
