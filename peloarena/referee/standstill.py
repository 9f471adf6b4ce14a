"""Whether we ourselves stood still: stopped by a signal, or with the whole machine. No bot can cause that.

A bot can do two other things. It can keep every core busy, so that we queue for one: the kernel counts, by thread, its
time at work and its time in that queue, and neither is a standstill. And it can hold our own read or write of its
stream inside the kernel, where nothing counts the time. Therefore only a wait in poll, `select.poll`'s or Trio's, that
lasted longer than requested can be a standstill (`WaitMonitor`); poll takes no lock that a bot could hold.
"""

from __future__ import annotations

import os

import trio

SCHEDSTAT_FILE = "/proc/thread-self/schedstat"
"""Nanoseconds at work, nanoseconds in the queue, turns on a core (the kernel's Documentation/scheduler/sched-stats)."""
NOISE_SECONDS = 0.05
"""Seconds: the grace of a clock covers shorter standstills."""


class WaitMonitor(trio.abc.Instrument):
    """Adds up by how many seconds our waits in poll exceeded the requested time."""

    def __init__(self) -> None:
        self.overslept = 0.0
        self._began = 0.0

    def before_io_wait(self, timeout: float) -> None:
        self._began = trio.current_time()

    def after_io_wait(self, timeout: float) -> None:
        self.overslept += max(0.0, trio.current_time() - self._began - timeout)


wait_monitor = WaitMonitor()
"""One for the process, in which one thread plays. A link makes Trio report to it."""


def runnable_seconds() -> float | None:
    """How long this thread was ever at work or in the queue for a core; None where the kernel does not say."""
    try:
        descriptor = os.open(SCHEDSTAT_FILE, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        worked, queued, _ = os.read(descriptor, 100).split()
    except (OSError, ValueError):
        return None
    finally:
        os.close(descriptor)
    return (int(worked) + int(queued)) / 1e9


def standstill_seconds(overslept: float, runnable_before: float | None) -> float:
    """Of the seconds by which a wait lasted too long, those in which we could not even have run; 0 where that is
    unknown. `runnable_before`: the result of `runnable_seconds` when the wait began, or earlier."""
    if overslept <= NOISE_SECONDS or runnable_before is None:
        return 0.0
    after = runnable_seconds()
    still = 0.0 if after is None else overslept - (after - runnable_before)
    return still if still > NOISE_SECONDS else 0.0
