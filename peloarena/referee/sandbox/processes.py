"""Processes as /proc describes them: which are alive, whose children, how much CPU. Standard library (see guardian.py).

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
OOM_SCORE_FILE = PROC / "self" / "oom_score_adj"
REFEREE_OOM_SCORE = -500
"""The out-of-memory killer overlooks half of the machine's memory."""
DEAD_STATES = "ZX"
CPUCLOCK_SCHED = 2
"""From linux/posix-timers.h: the process-wide scheduler clock in nanoseconds."""
NS_PER_SECOND = 1_000_000_000


class ProcessStat(NamedTuple):
    """The fields of /proc/<pid>/stat that are used here."""

    pid: int
    state: str
    parent: int
    start: int
    reaped_ticks: int


def read_stat(pid: int) -> ProcessStat | None:
    """None when there is no such process (any more)."""
    try:
        text = (PROC / str(pid) / "stat").read_text(errors="replace")
    except (FileNotFoundError, ProcessLookupError):
        return None
    # The name in parentheses may itself hold blanks and parentheses: a bot chooses it.
    fields = text.rpartition(")")[2].split()
    return ProcessStat(pid, fields[0], int(fields[1]), int(fields[19]), int(fields[13]) + int(fields[14]))


def start_time(pid: int) -> int | None:
    stat = read_stat(pid)
    return stat.start if stat else None


def is_alive(pid: int, start: int) -> bool:
    """A zombie is dead: it waits for its parent, it does nothing more."""
    stat = read_stat(pid)
    return stat is not None and stat.start == start and stat.state not in DEAD_STATES


def is_stopped_or_dead(pid: int) -> bool:
    """Stopped, or dead."""
    stat = read_stat(pid)
    return stat is None or stat.state in "Tt" + DEAD_STATES


def all_processes() -> list[ProcessStat]:
    stats = (read_stat(int(name)) for name in os.listdir(PROC) if name.isdigit())
    return [one for one in stats if one is not None]


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
    return [one.pid for one in _recorded_children(parent) if one.parent == parent and one.state not in DEAD_STATES]


def _recorded_children(parent: int) -> list[ProcessStat]:
    """Each thread has its own list; kernels without it (no CONFIG_PROC_CHILDREN) need the slow way."""
    try:
        lists = [path.read_text().split() for path in (PROC / str(parent) / "task").glob("*/children")]
    except (FileNotFoundError, ProcessLookupError):
        return []
    if not lists:
        return all_processes()
    found = (read_stat(int(pid)) for words in lists for pid in words)
    return [one for one in found if one is not None]


def find_marked(mark: str) -> list[int]:
    """The living processes whose first environment held this text; a process can hide from this only on purpose.

    Not as their sub-reaper, which would find no more, and would have to reap every stray that dies unnoticed.
    """
    return [
        one.pid
        for one in all_processes()
        if one.state not in DEAD_STATES and mark.encode() in _read_environment(one.pid)
    ]


def user_has_processes(uid: int) -> bool:
    """Whether any process of this user is alive. One that the kernel is still ending has no environment, but it has a
    uid."""
    found = (int(name) for name in os.listdir(PROC) if name.isdigit() and _owner_uid(int(name)) == uid)
    return any(one is not None and one.state not in DEAD_STATES for one in map(read_stat, found))


def _owner_uid(pid: int) -> int | None:
    try:
        return (PROC / str(pid)).stat().st_uid
    except (FileNotFoundError, ProcessLookupError):
        return None


def _read_environment(pid: int) -> bytes:
    try:
        return (PROC / str(pid) / "environ").read_bytes()
    except (FileNotFoundError, ProcessLookupError, PermissionError):
        return b""


def spare_from_oom() -> str:
    """Asks the kernel to kill a bot rather than this process, where we may (root). Returns the previous value."""
    before = OOM_SCORE_FILE.read_text().strip()
    if int(before) > REFEREE_OOM_SCORE:
        set_oom_score(str(REFEREE_OOM_SCORE))
    return before


def set_oom_score(score: str) -> None:
    with contextlib.suppress(PermissionError):
        OOM_SCORE_FILE.write_text(score)


def send_signal(pids: Iterable[int], number: signal.Signals) -> None:
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
    return sum(_own_cpu_ns(pid) + _reaped_cpu_ns(pid) for pid in pids)


def _own_cpu_ns(pid: int) -> int:
    try:
        return time.clock_gettime_ns(~pid << 3 | CPUCLOCK_SCHED)
    except OSError:
        return 0


def _reaped_cpu_ns(pid: int) -> int:
    stat = read_stat(pid)
    return stat.reaped_ticks * (NS_PER_SECOND // os.sysconf("SC_CLK_TCK")) if stat else 0
