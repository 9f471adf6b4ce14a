"""The processes of one bot: which are alive, how much CPU they used, stopping and killing them.

With a group, all are found in it; without one, from the processes that were started, by parent and by mark.
"""

from __future__ import annotations

import signal
from typing import Protocol

from . import processes
from .bot_cgroup import BotCgroup

STOP_ROUNDS = 50
"""Forty processes that wake each other are all stopped after two to four."""


class ChildProcess(Protocol):
    """Our child process: Popen, or a process that the zygote started."""

    @property
    def pid(self) -> int: ...

    def poll(self) -> int | None: ...


class ProcessTree:
    def __init__(self, group: BotCgroup | None, mark: str) -> None:
        self._group = group
        self._mark = mark
        self._roots: list[tuple[ChildProcess, int]] = []
        """The processes that we started, each with its start time."""

    def add(self, process: ChildProcess) -> None:
        started = processes.start_time(process.pid)
        if started is not None:
            self._roots.append((process, started))

    def pids(self) -> list[int]:
        """The living pids. Without sandbox and group, strays are searched for only before killing."""
        roots = [process.pid for process, start in self._roots if processes.is_alive(process.pid, start)]
        if self._group is not None:
            return sorted({*roots, *self._group.members()})
        return sorted({*roots, *(pid for root in roots for pid in processes.descendants(root))})

    def cpu_ns(self) -> int | None:
        """For where no group counts: CPU time of the processes that are alive now."""
        return processes.cpu_ns(self.pids()) if self._roots else None

    def freeze(self) -> None:
        if self._group is not None and self._group.supports("freeze"):
            self._group.freeze()
        else:
            self._stop_all()

    def _stop_all(self) -> None:
        """Repeats until all are found stopped: one may have forked while its parent was being stopped, or have woken
        others. A process that a timer of its own wakes afterwards runs on: only groups prevent that."""
        for _ in range(STOP_ROUNDS):
            awake = [pid for pid in self.pids() if not processes.is_stopped_or_dead(pid)]
            if not awake:
                return
            processes.send_signal(awake, signal.SIGSTOP)

    def thaw(self) -> None:
        if self._group is not None and self._group.supports("freeze"):
            self._group.thaw()
        else:
            processes.send_signal(self.pids(), signal.SIGCONT)

    def kill_all(self) -> bool:
        """Sends SIGKILL to all; True when none was left. Safe from any thread."""
        living = self._find_pids_to_kill()
        if living and self._group is not None:
            self._group.kill_members()
        processes.send_signal(living, signal.SIGKILL)
        return not living and all(process.poll() is not None for process, _ in self._roots)

    def _find_pids_to_kill(self) -> list[int]:
        """Without a group, stops the processes first, so that none forks between being found and being killed: a
        bubblewrap killed while it opens the sandbox would leave an orphan that has no death signal yet."""
        if self._group is not None:
            return self.pids()
        self._stop_all()
        return sorted({*self.pids(), *processes.find_marked(self._mark)})
