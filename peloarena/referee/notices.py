"""Lines for the host's terminal from processes that must never wait for it, nor be trusted with it.

A terminal can block (Ctrl-S, a stopped reader): then lines are dropped, and no process waits.
"""

from __future__ import annotations

import contextlib
import queue
import threading
from collections.abc import Callable
from typing import IO

from .plain_text import to_plain_text

MAX_WAITING_LINES = 500
"""Lines that are not shown yet; further ones are dropped."""
MAX_LINES_PER_PROCESS = 200
"""Limit for one process: a hostile one cannot fill the terminal."""
MAX_NOTICE_BYTES = 1000
CLOSE_SECONDS = 1.0


class Notices:
    """Writes them in a thread of its own, so that `say` returns at once."""

    def __init__(self, write: Callable[[str], object]) -> None:
        self._write = write
        self._waiting: queue.Queue[str | None] = queue.Queue(MAX_WAITING_LINES)
        self._thread = threading.Thread(target=self._write_all, name="notices", daemon=True)
        self._thread.start()

    def say(self, line: str) -> None:
        with contextlib.suppress(queue.Full):
            self._waiting.put_nowait(line)

    def close(self) -> None:
        """Writes the waiting lines, if that takes no longer than a moment."""
        with contextlib.suppress(queue.Full):
            self._waiting.put_nowait(None)
        self._thread.join(CLOSE_SECONDS)

    def _write_all(self) -> None:
        while (line := self._waiting.get()) is not None:
            with contextlib.suppress(OSError, ValueError):  # its reader is gone, and the line with it
                self._write(line)


class RelayedLines:
    """A process's output on a pipe, read at once and to its end; passed on by lines, without control characters."""

    def __init__(self, pipe: IO[bytes], say: Callable[[str], object], prefix: str = "") -> None:
        self.last = ""
        """The last line that is not empty."""
        self._pipe = pipe
        self._say = say
        self._prefix = prefix
        self._thread = threading.Thread(target=self._read_all, name="relayed lines", daemon=True)
        self._thread.start()

    def wait(self, seconds: float) -> None:
        """Waits until the pipe has ended. A grandchild may hold it open: then what was read so far must do."""
        self._thread.join(seconds)

    def _read_all(self) -> None:
        with self._pipe:
            for number, line in enumerate(iter(lambda: self._pipe.readline(MAX_NOTICE_BYTES), b""), 1):
                text = to_plain_text(line.decode(errors="replace").rstrip("\r\n"))
                self.last = text.strip() or self.last
                if number <= MAX_LINES_PER_PROCESS:
                    self._say(self._prefix + text)
                elif number == MAX_LINES_PER_PROCESS + 1:
                    self._say(f"{self._prefix}(more output is not shown)")
