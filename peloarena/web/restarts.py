"""Decides when to restart a web process that ended, and when the backend gives up. Knows no process and no clock.

A process that never became ready cannot run here: a few tries suffice. One that was ready may have been killed, or a
visitor has found a way to crash it: it gets many more tries, so that nobody can take the pages down quickly and for
good.
"""

from __future__ import annotations

FIRST_PAUSE = 0.05
"""Seconds before the next start; doubled for each process that did not last ..."""
LONGEST_PAUSE = 2.0
STABLE_AFTER_SECONDS = 10.0
"""... this many seconds."""
MAX_FAILED_STARTS = 3
"""In a row, without becoming ready."""
MAX_QUICK_DEATHS = 20
"""In a row, without lasting. With the pauses this takes more than half a minute."""


class Restarts:
    def __init__(self) -> None:
        self.failed_starts = 0
        self.quick_deaths = 0

    def pause_after(self, lifetime: float, was_ready: bool) -> float | None:
        """Seconds to wait before the next start, after a process that lived for this time; None: give up."""
        self.failed_starts = 0 if was_ready else self.failed_starts + 1
        if was_ready and lifetime >= STABLE_AFTER_SECONDS:
            self.quick_deaths = 0
            return FIRST_PAUSE
        self.quick_deaths += 1
        if self.failed_starts >= MAX_FAILED_STARTS or self.quick_deaths >= MAX_QUICK_DEATHS:
            return None
        return float(min(FIRST_PAUSE * 2**self.quick_deaths, LONGEST_PAUSE))
