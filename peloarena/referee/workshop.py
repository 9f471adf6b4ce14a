"""The workshop: compiles and builds the bots of a roster concurrently, before the first game.

As many at a time as there are cores, and as the memory that each may use allows; the same files once. An error in one
bot affects no other, and is raised when that bot is requested. Knows turns and their results; copies.py and build.py
know how to make a bot.
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
from .bots import Bot
from .build import BuildFailed, build_bot, build_limits, is_built
from .bytecode import LIMITS
from .copies import compile_copy, needs_compiling
from .one_error import ungrouped
from .sandbox.errors import SandboxError
from .sandbox.isolation import Isolation

MOST_AT_ONCE = 32
"""A process can have 64 sandboxes, those of terminating trees included (sandbox/uids.py)."""
TELL_EVERY = 0.5
"""Seconds between two progress reports."""

Kind = Literal["build", "compile"]


class Planned(Struct, frozen=True):
    """The work to do, before it begins."""

    kind: Kind
    names: tuple[str, ...]
    at_once: int


class Working(Struct, frozen=True):
    """The work in progress, and for how many seconds: the longest first."""

    works: tuple[tuple[str, float], ...]


class Made(Struct, frozen=True):
    """The end of one piece of work."""

    kind: Kind
    name: str
    seconds: float
    problem: str = ""
    again: bool = False
    """It ran out of time or disk space while others ran, and is built once more when they are done."""


MakingNews = Planned | Working | Made
TellMaking = Callable[[MakingNews], None]


def nobody(_: MakingNews) -> None:
    """The default: reports to nobody."""


class _Work(Struct, frozen=True, eq=False):
    kind: Kind
    bot: Bot
    mib: int
    do: Callable[[], Awaitable[object]]


class Workshop:
    """For one roster, or for one arena: a bot that does not build here is not tried again."""

    def __init__(self, isolation: Isolation, tell: TellMaking = nobody) -> None:
        self.isolation = isolation
        self.places = min(len(isolation.cores), MOST_AT_ONCE)
        self._tell = tell
        self._failed: dict[str, BuildFailed] = {}
        self._made: set[str] = set()
        self._working: dict[_Work, float] = {}
        """The start time of each."""
        self._crowded: set[_Work] = set()
        """Work that ran while other work did."""
        self._left = trio.Event()

    async def build(self, bot: Bot) -> Bot:
        """Like `build_bot`; for files that failed here before, raises the same error."""
        if (failed := self._failed.get(bot.digest)) is not None:
            raise failed.named(bot.name)
        was_built = is_built(bot)
        try:
            ready = await build_bot(bot, self.isolation)
        except BuildFailed as error:
            self._failed[bot.digest] = error
            raise
        if not was_built:
            self._made.add(bot.digest)
        return ready

    def has_built(self, digest: str) -> bool:
        """True if this workshop built it, not an earlier run."""
        return digest in self._made

    async def build_all(self, bots: Iterable[Bot]) -> None:
        """Raises nothing: `build` raises what is wrong with a bot. A build that ran out of time or disk space while
        others ran gets another chance alone: the others may have used it up."""
        new = [bot for bot in _once_each(bots) if not is_built(bot) and bot.digest not in self._failed]
        works = [_Work("build", bot, build_limits(bot.limits).memory_mib, partial(self.build, bot)) for bot in new]
        await self._side_by_side(works)
        for work in [work for work in works if self._was_crowded_out(work)]:
            del self._failed[work.bot.digest]
            self._crowded.discard(work)
            await self._side_by_side([work], planned=False)

    def _was_crowded_out(self, work: _Work) -> bool:
        failed = self._failed.get(work.bot.digest)
        return failed is not None and failed.crowded_out and work in self._crowded

    async def compile_all(self, bots: Iterable[Bot], home: Path) -> None:
        """Compiles their copies in `home`."""
        new = [bot for bot in _once_each(bots) if needs_compiling(bot, home)]
        compiled = partial(compile_copy, home=home, isolation=self.isolation)
        await self._side_by_side([_Work("compile", bot, LIMITS.memory_mib, partial(compiled, bot)) for bot in new])

    # ---- turns

    async def _side_by_side(self, works: Sequence[_Work], *, planned: bool = True) -> None:
        """Starts them in their order. When cancelled, all end at once."""
        if not works:
            return
        if planned:
            self._tell(Planned(works[0].kind, tuple(work.bot.name for work in works), self.places))
        with ungrouped():
            async with self._telling(), trio.open_nursery() as nursery:
                for work in works:
                    while self._working and not self._fits(work):
                        await self._left.wait()
                    self._working[work] = trio.current_time()
                    if len(self._working) > 1:
                        self._crowded.update(self._working)
                    nursery.start_soon(self._do, work)

    def _fits(self, work: _Work) -> bool:
        """Otherwise the kernel would kill one of them for the memory that all may use together."""
        taken = sum(other.mib for other in self._working)
        return len(self._working) < self.places and taken + work.mib <= self.isolation.memory_mib

    async def _do(self, work: _Work) -> None:
        problem = ""
        try:
            await work.do()
        except (ConfigError, SandboxError) as error:
            problem = str(error)
        finally:
            seconds = trio.current_time() - self._working.pop(work)
            self._left.set()
            self._left = trio.Event()
        self._tell(Made(work.kind, work.bot.name, seconds, problem, self._was_crowded_out(work)))

    @contextlib.asynccontextmanager
    async def _telling(self) -> AsyncIterator[None]:
        async with trio.open_nursery() as nursery:
            nursery.start_soon(self._tell_now_and_then)
            yield
            nursery.cancel_scope.cancel()

    async def _tell_now_and_then(self) -> None:
        while True:
            await trio.sleep(TELL_EVERY)
            now = trio.current_time()
            self._tell(Working(tuple((work.bot.name, now - since) for work, since in self._working.items())))


def _once_each(bots: Iterable[Bot]) -> list[Bot]:
    """The first of those with the same files."""
    found: dict[str, Bot] = {}
    for bot in bots:
        found.setdefault(bot.digest, bot)
    return list(found.values())
