"""Ends the trees that do not die at once, in a thread of its own: no game waits for them.

A bot decides how long its exit takes: the kernel walks its locks and descriptors one by one, and a bot can make that
last a minute. What the tree holds (uid, group, folder) is freed only when its last process is gone. Does not know
sandboxes: it calls the function that it was given until that returns True.
"""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable

REAPER_POLL_SECONDS = 0.02
"""Seconds between two looks at terminating trees: rare enough to cost a referee nothing, and soon enough for a waiting
caller."""


class Reaper:
    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._pending: list[Callable[[], bool]] = []
        self._running = False

    @property
    def pending_count(self) -> int:
        return len(self._pending)

    def retry_until_done(self, try_finish: Callable[[], bool]) -> None:
        """Calls `try_finish` until it returns True. Retries after an OSError or a failed program, because this thread
        is the only one."""
        with self._changed:
            self._pending.append(try_finish)
            if not self._running:
                self._running = True
                # A daemon: a referee that exits does not wait for it, and the guardian goes on with what is left.
                threading.Thread(target=self._run, name="peloarena-reaper", daemon=True).start()

    def wait(self, patience: float) -> bool:
        """True when nothing is left to do."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._pending, patience)

    def _run(self) -> None:
        while True:
            done = [finish for finish in list(self._pending) if _call_safely(finish)]
            with self._changed:
                for finish in done:
                    self._pending.remove(finish)
                if not self._pending:
                    self._running = False
                    self._changed.notify_all()
                    return
            time.sleep(REAPER_POLL_SECONDS)


def _call_safely(try_finish: Callable[[], bool]) -> bool:
    try:
        return try_finish()
    except (OSError, subprocess.SubprocessError):
        return False
