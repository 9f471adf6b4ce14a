"""One bot's sandbox, from its first process to its last. Isolation.make_sandbox makes it and decides what protects it.

Starts no bot by itself: the referee calls `sandbox.command(words).start(...)` from the main thread, and then
`sandbox.track(process)`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from .bot_cgroup import BOT_WEIGHT, KILL_POLL_SECONDS, MIN_WEIGHT, TERMINATING_WEIGHT, BotCgroup, CpuWeight
from .launch import Launch, LaunchBuilder
from .process_tree import ChildProcess, ProcessTree
from .reaper import Reaper
from .zygote_client import ZygoteLaunch

KILL_WAIT_SECONDS = 0.1
"""Seconds that ending a tree may block the referee. An ordinary tree is gone in 3 ms; the reaper takes over any that
takes longer, on purpose or on a busy machine. No bot's clock runs meanwhile: a table asks one bot at a time, and ends
none while it asks."""


class Sandbox:
    def __init__(
        self, launch_builder: LaunchBuilder, group: BotCgroup | None, reaper: Reaper, try_release: Callable[[], bool]
    ) -> None:
        """`try_release` frees uid, group and folder after the last process; it returns False while the group is not
        empty."""
        self._launch_builder = launch_builder
        self._group = group
        self._reaper = reaper
        self._try_release = try_release
        self.is_gone = False
        """The sandbox is closed, and nothing is left of it."""
        self._tree = ProcessTree(group, launch_builder.mark)
        self._last_cpu: int | None = None
        self._was_oom_killed = False
        self._was_oom_killed_by_host = False
        self._closed = False

    # -- starting ---------------------------------------------------------------------------------------------

    def command(self, argv: list[str], cwd_in_bot: str = ".") -> Launch | ZygoteLaunch:
        """The command to start once, from this very process: the start fails if its parent is another process."""
        return self._launch_builder.make_launch(argv, cwd_in_bot)

    def track(self, process: ChildProcess) -> None:
        """Registers the process that was started in the sandbox."""
        self._tree.add(process)

    def never_started(self, status: int, stderr: bytes) -> bool:
        """True when the machine failed to start the bot: not the bot's fault. Call it after the process has ended."""
        return self._launch_builder.never_started(status, stderr, out_of_memory=self.was_oom_killed())

    # -- the living tree --------------------------------------------------------------------------------------

    def pids(self) -> list[int]:
        return self._tree.pids()

    @property
    def group_folders(self) -> tuple[Path, ...]:
        """The group's folders, which exist until the last process is gone; none where there are no groups."""
        return () if self._group is None else self._group.folders

    def cpu_ns(self) -> int | None:
        """CPU used by the whole tree so far, its start included; callers use differences."""
        if not self._closed:
            counted = None if self._group is None else self._group.cpu_ns()
            self._last_cpu = self._tree.cpu_ns() if counted is None else counted
        return self._last_cpu

    def was_oom_killed(self) -> bool:
        """True when the kernel killed a process inside because the bot or the machine ran out of memory."""
        if not self._closed and self._group is not None:
            self._was_oom_killed = self._group.oom_kills() > 0
            self._was_oom_killed_by_host = self._was_oom_killed and not self._group.reached_memory_limit()
        return self._was_oom_killed

    def was_oom_killed_by_host(self) -> bool:
        """True when the kernel killed a process inside although the bot kept to its own limit: not the bot's fault."""
        return self.was_oom_killed() and self._was_oom_killed_by_host

    def memory_bytes(self) -> int:
        """Memory that the tree holds now; 0 where nothing counts it."""
        return 0 if self._closed or self._group is None else self._group.memory_used()

    def freeze(self) -> None:
        if not self._closed:
            self._tree.freeze()

    def thaw(self) -> None:
        if not self._closed:
            self._tree.thaw()

    def lower_priority(self) -> None:
        """Lets the bot run only when nobody else wants the CPU. Does nothing where there are no weights."""
        self._set_weight(MIN_WEIGHT)

    def restore_priority(self) -> None:
        """Gives the bot the share of any other program again."""
        self._set_weight(BOT_WEIGHT)

    def _set_weight(self, weight: CpuWeight) -> None:
        if not self._closed and self._group is not None:
            self._group.set_weight(weight)

    # -- the end ----------------------------------------------------------------------------------------------

    def kill(self) -> bool:
        """Kills the whole tree; True when no process is left, False when the reaper carries on. Can be called
        repeatedly."""
        if self._closed:
            return self.is_gone
        if _retry_until_timeout(self._tree.kill_all):
            return True
        self._set_weight(TERMINATING_WEIGHT)
        self._reaper.retry_until_done(self._tree.kill_all)
        return False

    def close(self) -> bool:
        """Kills the tree and removes what was made for it; False when the reaper has to finish the job. Can be called
        repeatedly; `is_gone` becomes true later."""
        if self._closed:
            return self.is_gone
        ended = _retry_until_timeout(self._tree.kill_all)
        self.cpu_ns()
        self.was_oom_killed()
        if not ended:
            self._set_weight(TERMINATING_WEIGHT)
        self._closed = True
        self._launch_builder.close()
        if not (ended and _retry_until_timeout(self._try_finish)):
            self._reaper.retry_until_done(self._try_finish)
        return self.is_gone

    def _try_finish(self) -> bool:
        self.is_gone = self._tree.kill_all() and self._try_release()
        return self.is_gone

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _retry_until_timeout(attempt: Callable[[], bool]) -> bool:
    """Retries until done or out of time. Sleeps rather than waits on pidfds: we have no pidfd of a tree's strays."""
    deadline = time.monotonic() + KILL_WAIT_SECONDS
    while not attempt():
        if time.monotonic() > deadline:
            return False
        time.sleep(KILL_POLL_SECONDS)
    return True
