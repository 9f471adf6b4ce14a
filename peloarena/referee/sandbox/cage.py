"""One bot's sandbox, from its first process to its last. Isolation.cage makes it and decides what protects it.

Starts no bot by itself: the referee calls `cage.command(words).start(...)` from the main thread, and then
`cage.watch(process)`.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path
from types import TracebackType
from typing import Self

from .bot_group import BOT, DYING, LEAST, PAUSE, Group, Weight
from .launch import Launch, Starter
from .opening import Opening
from .reaper import Reaper
from .tree import Child, Tree

PATIENCE = 0.1
"""Seconds that ending a tree may block the referee. An ordinary tree is gone in 3 ms; the reaper takes over any that
takes longer, on purpose or on a busy machine. No bot's clock runs meanwhile: a table asks one bot at a time, and ends
none while it asks."""


class Cage:
    def __init__(self, starter: Starter, group: Group | None, reaper: Reaper, give_back: Callable[[], bool]) -> None:
        """`give_back` frees uid, group and folder after the last process; it returns False while the group is not
        empty."""
        self._starter = starter
        self._group = group
        self._reaper = reaper
        self._give_back = give_back
        self.gone = False
        """The sandbox is closed, and nothing is left of it."""
        self._tree = Tree(group, starter.mark)
        self._last_cpu: int | None = None
        self._last_oom = False
        self._last_starved = False
        self._closed = False

    # -- starting ---------------------------------------------------------------------------------------------

    def command(self, argv: list[str], cwd_in_bot: str = ".") -> Launch | Opening:
        """The command to start once, from this very process: the start fails if its parent is another process."""
        return self._starter.launch(argv, cwd_in_bot)

    def watch(self, process: Child) -> None:
        """Registers the process that was started in the sandbox."""
        self._tree.add(process)

    def never_started(self, status: int, stderr: bytes) -> bool:
        """True when the machine failed to start the bot: not the bot's fault. Call it after the process has ended."""
        return self._starter.never_started(status, stderr, out_of_memory=self.oom())

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

    def oom(self) -> bool:
        """True when the kernel killed a process inside because the bot or the machine ran out of memory."""
        if not self._closed and self._group is not None:
            self._last_oom = self._group.oom_kills() > 0
            self._last_starved = self._last_oom and not self._group.reached_its_memory()
        return self._last_oom

    def starved(self) -> bool:
        """True when the kernel killed a process inside although the bot kept to its own limit: not the bot's fault."""
        return self.oom() and self._last_starved

    def memory_bytes(self) -> int:
        """Memory that the tree holds now; 0 where nothing counts it."""
        return 0 if self._closed or self._group is None else self._group.memory_used()

    def freeze(self) -> None:
        if not self._closed:
            self._tree.freeze()

    def thaw(self) -> None:
        if not self._closed:
            self._tree.thaw()

    def background(self) -> None:
        """Lets the bot run only when nobody else wants the CPU. Does nothing where there are no weights."""
        self._weigh(LEAST)

    def foreground(self) -> None:
        """Gives the bot the share of any other program again."""
        self._weigh(BOT)

    def _weigh(self, weight: Weight) -> None:
        if not self._closed and self._group is not None:
            self._group.weigh(weight)

    # -- the end ----------------------------------------------------------------------------------------------

    def kill(self) -> bool:
        """Kills the whole tree; True when no process is left, False when the reaper carries on. Can be called
        repeatedly."""
        if self._closed:
            return self.gone
        if _within_patience(self._tree.strike):
            return True
        self._weigh(DYING)
        self._reaper.chase(self._tree.strike)
        return False

    def close(self) -> bool:
        """Kills the tree and removes what was made for it; False when the reaper has to finish the job. Can be called
        repeatedly; `gone` becomes true later."""
        if self._closed:
            return self.gone
        ended = _within_patience(self._tree.strike)
        self.cpu_ns()
        self.oom()
        if not ended:
            self._weigh(DYING)
        self._closed = True
        self._starter.close()
        if not (ended and _within_patience(self._finish)):
            self._reaper.chase(self._finish)
        return self.gone

    def _finish(self) -> bool:
        self.gone = self._tree.strike() and self._give_back()
        return self.gone

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()


def _within_patience(done: Callable[[], bool]) -> bool:
    """Retries until done or out of time. Sleeps rather than waits on pidfds: we have no pidfd of a tree's strays."""
    deadline = time.monotonic() + PATIENCE
    while not done():
        if time.monotonic() > deadline:
            return False
        time.sleep(PAUSE)
    return True
