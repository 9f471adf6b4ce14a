"""One bot's cage, from its first process to its last. Made by Isolation.cage, which decides what protects it.

Starts no bot by itself: the referee calls `cage.command(words).start(...)` from the main thread, and then
`cage.watch(process)`.
"""

from __future__ import annotations

import subprocess
from collections.abc import Callable
from types import TracebackType
from typing import Self

from . import cgroup
from .errors import SandboxError
from .launch import Launch, Starter
from .tree import Tree


class Cage:
    def __init__(self, starter: Starter, group: cgroup.Group | None, give_back: Callable[[], None]) -> None:
        """Give_back is called once, when the last process is gone: uid, group and folder are free then."""
        self._starter = starter
        self._group = group
        self._give_back = give_back
        self._tree = Tree(group, starter.mark)
        self._last_cpu: int | None = None
        self._last_oom = False
        self._closed = False

    # -- starting ---------------------------------------------------------------------------------------------

    def command(self, argv: list[str], cwd_in_bot: str = ".") -> Launch:
        """For Popen, once per call, from this very process: the start is refused when its parent is another."""
        return self._starter.launch(argv, cwd_in_bot)

    def watch(self, process: subprocess.Popen[bytes]) -> None:
        """Tells the cage what was started in it."""
        self._tree.add(process)

    def never_started(self, status: int, stderr: bytes) -> bool:
        """True when the machine failed to start the bot: not the bot's fault. For one that has ended."""
        return self._starter.never_started(status, stderr, out_of_memory=self.oom())

    # -- the living tree --------------------------------------------------------------------------------------

    def pids(self) -> list[int]:
        return self._tree.pids()

    def cpu_ns(self) -> int | None:
        """CPU used by the whole tree so far, its start included; differences are what counts."""
        if not self._closed:
            self._last_cpu = self._tree.cpu_ns()
        return self._last_cpu

    def oom(self) -> bool:
        """True when the kernel killed something inside for its memory."""
        if not self._closed and self._group is not None:
            self._last_oom = self._group.oom_kills() > 0
        return self._last_oom

    def freeze(self) -> None:
        if not self._closed:
            self._tree.freeze()

    def thaw(self) -> None:
        if not self._closed:
            self._tree.thaw()

    # -- the end ----------------------------------------------------------------------------------------------

    def kill(self, patience: float = cgroup.KILL_PATIENCE) -> bool:
        """Ends the whole tree; True when nobody is left. Any number of times."""
        return self._closed or self._tree.kill(patience)

    def close(self) -> None:
        """Ends the tree and removes what was made for it. Any number of times."""
        if self._closed:
            return
        if not self.kill():
            raise SandboxError(f"processes {self.pids()} of a bot do not die")
        self.cpu_ns()
        self.oom()
        self._closed = True
        self._starter.close()
        self._give_back()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()
