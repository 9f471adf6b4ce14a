"""The bot builder: compiles and builds the bots of a roster concurrently, before the first game.

As many at a time as there are cores, and as the memory that each may use allows; the same files once. An error in one
bot affects no other, and is raised when that bot is requested. Knows turns and their results; bot_copies.py and
build.py know how to make a bot.
"""

from __future__ import annotations

import contextlib
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import Literal

import trio
from msgspec import Struct

from ..game import ConfigError
from .bot_copies import compile_copy, needs_compiling
from .bot_finder import Bot
from .build import BuildFailed, build_bot, build_limits, is_built
from .bytecode import COMPILER_LIMITS
from .error_groups import unwrap_error_groups
from .sandbox.errors import SandboxError
from .sandbox.isolation import Isolation

MAX_CONCURRENT_TASKS = 32
"""A process can have 64 sandboxes, those of terminating trees included (sandbox/uids.py)."""
PROGRESS_SECONDS = 0.5
"""Seconds between two progress reports."""

BuildKind = Literal["build", "compile"]


class BuildPlanned(Struct, frozen=True):
    """The work to do, before it begins."""

    kind: BuildKind
    names: tuple[str, ...]
    at_once: int


class BuildProgress(Struct, frozen=True):
    """The work in progress, and for how many seconds: the longest first."""

    works: tuple[tuple[str, float], ...]


class BuildFinished(Struct, frozen=True):
    """The end of one task."""

    kind: BuildKind
    name: str
    seconds: float
    problem: str = ""
    again: bool = False
    """It ran out of time or disk space while others ran, and is built once more when they are done."""


BuildNews = BuildPlanned | BuildProgress | BuildFinished
OnBuildNews = Callable[[BuildNews], None]


def ignore_build_news(_: BuildNews) -> None:
    """The default: reports to nobody."""


class _BuildTask(Struct, frozen=True, eq=False):
    kind: BuildKind
    bot: Bot
    mib: int
    do: Callable[[], Awaitable[object]]


class BotBuilder:
    """For one roster, or for one arena: a bot that does not build here is not tried again."""

    def __init__(self, isolation: Isolation, on_build: OnBuildNews = ignore_build_news) -> None:
        self.isolation = isolation
        self.max_tasks = min(len(isolation.cores), MAX_CONCURRENT_TASKS)
        self._on_build = on_build
        self._failed: dict[str, BuildFailed] = {}
        self._built_here: set[str] = set()
        self._running: dict[_BuildTask, float] = {}
        """The start time of each."""
        self._ran_concurrently: set[_BuildTask] = set()
        """Tasks that ran while others did."""
        self._task_ended = trio.Event()

    async def build(self, bot: Bot) -> Bot:
        """Like `build_bot`; for files that failed here before, raises the same error."""
        if (failed := self._failed.get(bot.digest)) is not None:
            raise failed.with_bot_name(bot.name)
        was_built = is_built(bot)
        try:
            ready = await build_bot(bot, self.isolation)
        except BuildFailed as error:
            self._failed[bot.digest] = error
            raise
        if not was_built:
            self._built_here.add(bot.digest)
        return ready

    def has_built(self, digest: str) -> bool:
        """True if this builder built it, not an earlier run."""
        return digest in self._built_here

    async def build_all(self, bots: Iterable[Bot]) -> None:
        """Raises nothing: `build` raises what is wrong with a bot. A build that ran out of time or disk space while
        others ran gets another chance alone: the others may have used it up."""
        new = [bot for bot in _distinct_bots(bots) if not is_built(bot) and bot.digest not in self._failed]
        tasks = [_BuildTask("build", bot, build_limits(bot.limits).memory_mib, partial(self.build, bot)) for bot in new]
        await self._run_concurrently(tasks)
        for task in [task for task in tasks if self._should_retry_alone(task)]:
            del self._failed[task.bot.digest]
            self._ran_concurrently.discard(task)
            await self._run_concurrently([task], planned=False)

    def _should_retry_alone(self, task: _BuildTask) -> bool:
        failed = self._failed.get(task.bot.digest)
        return failed is not None and failed.ran_out_of_resources and task in self._ran_concurrently

    async def compile_all(self, bots: Iterable[Bot], home: Path) -> None:
        """Compiles their copies in `home`."""
        new = [bot for bot in _distinct_bots(bots) if needs_compiling(bot, home)]
        compiled = partial(compile_copy, home=home, isolation=self.isolation)
        await self._run_concurrently(
            [_BuildTask("compile", bot, COMPILER_LIMITS.memory_mib, partial(compiled, bot)) for bot in new]
        )

    # ---- turns

    async def _run_concurrently(self, tasks: Sequence[_BuildTask], *, planned: bool = True) -> None:
        """Starts them in their order. When cancelled, all end at once."""
        if not tasks:
            return
        if planned:
            self._on_build(BuildPlanned(tasks[0].kind, tuple(task.bot.name for task in tasks), self.max_tasks))
        with unwrap_error_groups():
            async with self._reporting_progress(), trio.open_nursery() as nursery:
                for task in tasks:
                    while self._running and not self._fits(task):
                        await self._task_ended.wait()
                    self._running[task] = trio.current_time()
                    if len(self._running) > 1:
                        self._ran_concurrently.update(self._running)
                    nursery.start_soon(self._run_task, task)

    def _fits(self, task: _BuildTask) -> bool:
        """Otherwise the kernel would kill one of them for the memory that all may use together."""
        taken = sum(other.mib for other in self._running)
        return len(self._running) < self.max_tasks and taken + task.mib <= self.isolation.memory_mib

    async def _run_task(self, task: _BuildTask) -> None:
        problem = ""
        try:
            await task.do()
        except (ConfigError, SandboxError) as error:
            problem = str(error)
        finally:
            seconds = trio.current_time() - self._running.pop(task)
            self._task_ended.set()
            self._task_ended = trio.Event()
        self._on_build(BuildFinished(task.kind, task.bot.name, seconds, problem, self._should_retry_alone(task)))

    @contextlib.asynccontextmanager
    async def _reporting_progress(self) -> AsyncIterator[None]:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._report_progress)
            yield
            nursery.cancel_scope.cancel()

    async def _report_progress(self) -> None:
        while True:
            await trio.sleep(PROGRESS_SECONDS)
            now = trio.current_time()
            self._on_build(BuildProgress(tuple((task.bot.name, now - since) for task, since in self._running.items())))


def _distinct_bots(bots: Iterable[Bot]) -> list[Bot]:
    """The first of those with the same files."""
    by_digest: dict[str, Bot] = {}
    for bot in bots:
        by_digest.setdefault(bot.digest, bot)
    return list(by_digest.values())
