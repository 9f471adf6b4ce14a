"""Processes as /proc describes them: which are alive, whose children, how much CPU. Standard library (see keeper.py).

Does not know sandboxes or cgroups. Pids are reused, so a pid goes with the process's start time.
"""

import contextlib
import os
import signal
import time
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

PROC = Path("/proc")
OOM_SCORE = PROC / "self" / "oom_score_adj"
SPARED = -500
"""The out-of-memory killer overlooks half of the machine's memory."""
DEAD = "ZX"
CPUCLOCK_SCHED = 2
"""From linux/posix-timers.h: the process-wide scheduler clock in nanoseconds."""
NS_PER_SECOND = 1_000_000_000


class Stat(NamedTuple):
    """The fields of /proc/<pid>/stat that are used here."""

    pid: int
    state: str
    parent: int
    start: int
    reaped_ticks: int


def stat(pid: int) -> Stat | None:
    """None when there is no such process (any more)."""
    try:
        text = (PROC / str(pid) / "stat").read_text(errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return None
    # The name in parentheses may itself hold blanks and parentheses: a bot chooses it.
    fields = text.rpartition(")")[2].split()
    return Stat(pid, fields[0], int(fields[1]), int(fields[19]), int(fields[13]) + int(fields[14]))


def start_time(pid: int) -> int | None:
    found = stat(pid)
    return found.start if found else None


def alive(pid: int, start: int) -> bool:
    """A zombie is dead: it waits for its parent, it does nothing more."""
    found = stat(pid)
    return found is not None and found.start == start and found.state not in DEAD


def stands_still(pid: int) -> bool:
    """Stopped, or dead."""
    found = stat(pid)
    return found is None or found.state in "Tt" + DEAD


def every() -> list[Stat]:
    found = (stat(int(name)) for name in os.listdir(PROC) if name.isdigit())
    return [one for one in found if one is not None]


def descendants(root: int) -> list[int]:
    """The living descendants of root, without root. Walks only that tree: a look at all of /proc takes milliseconds."""
    found: list[int] = []
    waiting = [root]
    while waiting:
        below = children(waiting.pop())
        waiting += below
        found += below
    return found


def children(parent: int) -> list[int]:
    """The living ones."""
    return [one.pid for one in _recorded_children(parent) if one.parent == parent and one.state not in DEAD]


def _recorded_children(parent: int) -> list[Stat]:
    """Each thread has its own list; kernels without it (no CONFIG_PROC_CHILDREN) need the slow way."""
    try:
        lists = [path.read_text().split() for path in (PROC / str(parent) / "task").glob("*/children")]
    except (FileNotFoundError, ProcessLookupError):
        return []
    if not lists:
        return every()
    found = (stat(int(pid)) for words in lists for pid in words)
    return [one for one in found if one is not None]


def marked(mark: str) -> list[int]:
    """The living processes whose first environment held this text; a process can hide from this only on purpose.

    Not as their sub-reaper, which would find no more, and would have to reap every stray that dies unnoticed.
    """
    return [one.pid for one in every() if one.state not in DEAD and mark.encode() in _environment(one.pid)]


def are_left_of(uid: int) -> bool:
    """Whether any process of this user is alive. One that the kernel is still ending has no environment, but it has a
    uid."""
    found = (int(name) for name in os.listdir(PROC) if name.isdigit() and _owner(int(name)) == uid)
    return any(one is not None and one.state not in DEAD for one in map(stat, found))


def _owner(pid: int) -> int | None:
    try:
        return (PROC / str(pid)).stat().st_uid
    except (FileNotFoundError, ProcessLookupError):
        return None


def _environment(pid: int) -> bytes:
    try:
        return (PROC / str(pid) / "environ").read_bytes()
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return b""


def spare_from_oom() -> str:
    """Asks the kernel to kill a bot rather than this process, where we may (root). Returns the previous value."""
    before = OOM_SCORE.read_text().strip()
    if int(before) > SPARED:
        set_oom_score(str(SPARED))
    return before


def set_oom_score(score: str) -> None:
    with contextlib.suppress(PermissionError):
        OOM_SCORE.write_text(score)


def send(pids: Iterable[int], number: signal.Signals) -> None:
    for pid in pids:
        try:
            os.kill(pid, number)
        except ProcessLookupError:
            continue


def cpu_ns(pids: Iterable[int]) -> int:
    """CPU of these processes (all threads, including dead ones) and of the children that they have reaped.

    The process clock is better than /proc/<pid>/schedstat, which covers only the main thread. Reaped children are
    counted in ticks (10 ms); children that nobody waited for are lost. A cgroup has neither fault.
    """
    return sum(_own_cpu(pid) + _reaped_cpu(pid) for pid in pids)


def _own_cpu(pid: int) -> int:
    try:
        return time.clock_gettime_ns(~pid << 3 | CPUCLOCK_SCHED)
    except OSError:
        return 0


def _reaped_cpu(pid: int) -> int:
    found = stat(pid)
    return found.reaped_ticks * (NS_PER_SECOND // os.sysconf("SC_CLK_TCK")) if found else 0
