"""Server-sent events: the sections of a page that changed, as finished markup. One stream per page.

A section is a state, not a message: a slow reader skips intermediate versions and gets the newest, so that nothing is
queued. After a break the browser sends the last version that it saw and gets what has changed since.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import AsyncIterator, Callable, Mapping

import trio

from .responses import parse_number

KEEPALIVE_SECONDS = 15.0
"""Seconds of silence before a comment is sent: sending it detects a browser that is gone."""
RETRY_MILLISECONDS = 2000
"""Milliseconds before a browser reconnects."""


class LiveSections:
    """Versions of sections; `wait` returns when there is a newer one."""

    def __init__(self) -> None:
        self.version = 0
        self.instance_id = secrets.token_hex(4)
        """Version numbers of an earlier web process mean nothing to this one."""
        self._sections: dict[str, tuple[int, str]] = {}
        self._changed = trio.Event()
        self.is_over = False

    def publish(self, sections: Mapping[str, str]) -> None:
        changed = [key for key, text in sections.items() if self._sections.get(key, (0, None))[1] != text]
        if not changed:
            return
        self.version += 1
        for key in changed:
            self._sections[key] = (self.version, sections[key])
        self._notify()

    def end(self) -> None:
        self.is_over = True
        self._notify()

    def _notify(self) -> None:
        self._changed.set()
        self._changed = trio.Event()

    def changed_since(self, version: int) -> list[tuple[str, str]]:
        return [(key, text) for key, (changed, text) in self._sections.items() if changed > version]

    async def wait(self, version: int) -> None:
        while self.version <= version and not self.is_over:
            await self._changed.wait()


async def event_stream(
    live_sections: LiveSections, last_event_id: str, is_wanted: Callable[[str], bool]
) -> AsyncIterator[bytes]:
    """The body of an event stream, from the version after `last_event_id`. Ends with the web process."""
    instance, _, number = last_event_id.partition("-")
    seen = (parse_number(number) or 0) if instance == live_sections.instance_id else 0
    yield f"retry: {RETRY_MILLISECONDS}\n\n".encode()
    while not live_sections.is_over:
        now = live_sections.version
        for key, text in live_sections.changed_since(seen):
            if is_wanted(key):
                yield section_event(f"{live_sections.instance_id}-{now}", key, text)
        seen = now
        with trio.move_on_after(KEEPALIVE_SECONDS) as waited:
            await live_sections.wait(seen)
        if waited.cancelled_caught:
            yield b": alive\n\n"


def section_event(version: str, key: str, text: str) -> bytes:
    return f"id: {version}\nevent: section\ndata: {json.dumps({'id': key, 'html': text})}\n\n".encode()
