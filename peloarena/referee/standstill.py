"""Whether we ourselves stood still: stopped by a signal, or with the whole machine. No bot can bring that about.

What a bot can do is keep every core busy; then we stand in the queue for one. The kernel counts, for each thread, its
time at work and its time in that queue, and only what is left of a wait that lasted too long is a standstill.
"""

from __future__ import annotations

import os

SCHEDSTAT = "/proc/thread-self/schedstat"
"""Nanoseconds at work, nanoseconds in the queue, turns on a core (the kernel's Documentation/scheduler/sched-stats)."""
NOISE = 0.05
"""Seconds: shorter standstills are what the grace of a clock is for."""


def runnable_seconds() -> float | None:
    """How long this thread was at work or in the queue for a core, ever; None where the kernel does not tell."""
    try:
        descriptor = os.open(SCHEDSTAT, os.O_RDONLY | os.O_CLOEXEC)
    except OSError:
        return None
    try:
        worked, queued, _ = os.read(descriptor, 100).split()
    except (OSError, ValueError):
        return None
    finally:
        os.close(descriptor)
    return (int(worked) + int(queued)) / 1e9


def stood_still(overslept: float, before: float | None) -> float:
    """Of the seconds by which a wait lasted too long, those in which we could not even have run; 0 where that is not
    known. `before`: what `runnable_seconds` said when the wait began, or earlier."""
    if overslept <= NOISE or before is None:
        return 0.0
    after = runnable_seconds()
    still = 0.0 if after is None else overslept - (after - before)
    return still if still > NOISE else 0.0
