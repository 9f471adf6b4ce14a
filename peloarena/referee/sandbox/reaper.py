"""Ends the trees that do not die at once, in a thread of its own: no game waits for them.

A bot decides how long its exit takes: the kernel walks its locks and descriptors one by one, which can be made to last
a minute. What the tree holds (uid, group, folder) is given back when its last process is gone, not before. Does not
know cages: it calls what it was given, again and again, until that says that it is done.
"""

from __future__ import annotations

import subprocess
import threading
import time
from collections.abc import Callable

PAUSE = 0.02
"""Seconds between two looks at the dying: rare enough to cost a referee nothing, soon enough for whoever waits."""


class Reaper:
    def __init__(self) -> None:
        self._changed = threading.Condition()
        self._left: list[Callable[[], bool]] = []
        self._running = False

    @property
    def left(self) -> int:
        return len(self._left)

    def chase(self, finish: Callable[[], bool]) -> None:
        """Calls finish until it returns True. An OSError, or a program that failed, means that it has to be tried
        again: this thread is the only one there is."""
        with self._changed:
            self._left.append(finish)
            if not self._running:
                self._running = True
                # A daemon: a referee that leaves does not wait for it, the keeper goes on with what is left.
                threading.Thread(target=self._run, name="peloarena-reaper", daemon=True).start()

    def wait(self, patience: float) -> bool:
        """True when nothing is left to do."""
        with self._changed:
            return self._changed.wait_for(lambda: not self._left, patience)

    def _run(self) -> None:
        while True:
            done = [finish for finish in list(self._left) if _finished(finish)]
            with self._changed:
                for finish in done:
                    self._left.remove(finish)
                if not self._left:
                    self._running = False
                    self._changed.notify_all()
                    return
            time.sleep(PAUSE)


def _finished(finish: Callable[[], bool]) -> bool:
    try:
        return finish()
    except (OSError, subprocess.SubprocessError):
        return False
