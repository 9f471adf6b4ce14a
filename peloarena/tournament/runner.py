"""Runners: play game jobs in this process or in worker processes. One job type, one interface; a cluster can come
later.

    async with open_runner(jobs=2, policy="auto") as runner:
        report = await runner.play(job)

A game spoiled by the machine raises Spoiled; no bot is ever blamed for it.
"""

from __future__ import annotations

import contextlib
import os
import subprocess
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Protocol

import msgspec
import trio
from msgspec import Struct

from ..game import ConfigError, encode
from ..referee.arena import Arena, open_arena
from ..referee.job import GameJob, GameReport
from ..referee.members import Departed, Departure, Log
from ..referee.own_module import own_module
from ..referee.sandbox.errors import SandboxError
from ..referee.sandbox.isolation import LAST_PATIENCE, Place, Policy
from ..referee.table import Watcher

TRIES = 3
"""How often a game is attempted in all if the machine spoils it."""
MOST_LOSSES = 50
"""A lost machine is not the game's fault and does not count as an attempt, but there must be a limit."""
PIPE = 64 * 1024
"""The capacity of a pipe in bytes: no read returns more."""
LARGEST_REPORT = 64 * 1024 * 1024
"""The most bytes of one report: input from another process is bounded, even from our own."""
END_PATIENCE = 5.0
"""Seconds that a worker has to end its bots and itself after an interrupt; the guardian cleans up the rest."""
PEACEFUL_END_PATIENCE = LAST_PATIENCE + END_PATIENCE
"""At the normal end: a bot may delay its own exit, and no process may remain after a run."""


class Spoiled(Exception):
    """The machine, not a bot, spoiled a game: it is void and may be played again."""


class MachineLost(Spoiled):
    """One of several machines disappeared or is no longer trusted: its games are played elsewhere, however often."""


class Runner(Protocol):
    async def play(self, job: GameJob) -> GameReport:
        """Accepts any number of concurrent calls; plays as many games at a time as there are slots."""


async def play_soundly(
    play: Callable[[GameJob], Awaitable[GameReport]], job: GameJob, tell: Callable[[Spoiled, bool], None] | None = None
) -> GameReport:
    """Repeat until an attempt is not spoiled; Spoiled after the last one. `tell` receives each, and whether it was the
    last."""
    tries = losses = 0
    while True:
        try:
            return await play(job)
        except Spoiled as error:
            lost = isinstance(error, MachineLost)
            tries, losses = tries + (not lost), losses + lost
            last = tries == TRIES or losses == MOST_LOSSES
            if tell is not None:
                tell(error, last)
            if last:
                raise


class Here:
    """In this process, one game at a time; can be watched."""

    def __init__(self, arena: Arena, watch: Watcher | None, log: Log | None) -> None:
        self._arena = arena
        self._watch = watch
        self._log = log
        self._turn = trio.Lock()

    async def play(self, job: GameJob) -> GameReport:
        async with self._turn:
            try:
                return await self._arena.play(job, self._watch, self._log)
            except SandboxError as error:
                raise Spoiled(str(error)) from None


class Played(Struct, frozen=True, tag="played"):
    report: GameReport


class Refused(Struct, frozen=True, tag="refused"):
    """The user's mistake (ConfigError)."""

    problem: str


class Failed(Struct, frozen=True, tag="failed"):
    """The machine's failure."""

    problem: str


class Told(Struct, frozen=True, tag="told"):
    """At any time: a bot exited badly between two games."""

    departure: Departure


WorkerSays = Played | Refused | Failed | Told


class Worker:
    """A process of peloarena that plays the jobs written to it, one at a time."""

    def __init__(
        self, policy: Policy, place: Place, departed: Departed | None = None, feed: Path | None = None
    ) -> None:
        self.place = place
        self._departed = departed
        words = [*own_module("tournament.worker"), policy, str(place)]
        self._process = subprocess.Popen(
            words if feed is None else [*words, str(feed)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            bufsize=0,
            start_new_session=True,  # only the runner gets Ctrl-C, and then ends its workers
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._stdin, self._stdout = self._process.stdin, self._process.stdout
        os.set_blocking(self._stdout.fileno(), False)
        self._buffer = bytearray()
        self.lost = False
        """It exited, or is busy with a game that nobody waits for: it must be replaced."""

    async def play(self, job: GameJob) -> GameReport:
        self.lost = True  # until it answers: a cancelled game leaves a busy worker behind
        try:
            self._stdin.write(encode(job) + b"\n")
            while isinstance(said := self._heard(await self._line()), Told):
                pass
        except (OSError, msgspec.DecodeError) as error:
            raise Spoiled(f"a worker was lost: {error}") from None
        self.lost = False
        if isinstance(said, Played):
            return said.report
        raise ConfigError(said.problem) if isinstance(said, Refused) else Spoiled(said.problem)

    def _heard(self, line: bytes) -> WorkerSays:
        said: WorkerSays = msgspec.json.decode(line, type=WorkerSays)
        if isinstance(said, Told) and self._departed is not None:
            self._departed(said.departure)
        return said

    async def _line(self) -> bytes:
        while (end := self._buffer.find(b"\n")) < 0:
            await trio.lowlevel.wait_readable(self._stdout.fileno())
            data = self._stdout.read(PIPE)
            if not data or len(self._buffer) > LARGEST_REPORT:
                raise OSError("it ended in the middle of a game")
            self._buffer += data
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return line

    @property
    def pid(self) -> int:
        return self._process.pid

    async def end(self, patience: float = END_PATIENCE) -> None:
        """Closing its input ends a worker and its bots; otherwise it is killed."""
        with contextlib.suppress(OSError):
            self._stdin.close()
        with trio.move_on_after(patience):
            with contextlib.suppress(OSError, msgspec.DecodeError):
                while True:  # until its output ends: the last messages about its bots
                    self._heard(await self._line())
            # Polled: this waits a few milliseconds once per tournament, and needs neither a thread nor a pidfd.
            while self._process.poll() is None:
                await trio.sleep(0.005)
        self._process.kill()
        self._process.wait()
        self._stdout.close()


class Workers:
    """Several workers, each started when first needed; a lost one is replaced when it is needed again.

    Each slot has its own cores (sandbox/isolation.py); a replacement takes over the slot of its worker.
    """

    def __init__(self, count: int, policy: Policy, departed: Departed | None = None, feed: Path | None = None) -> None:
        self._policy: Policy = policy
        self._departed = departed
        self._feed = feed
        self.workers: list[Worker] = []
        self._send, self._idle = trio.open_memory_channel[Worker | Place](count)
        for number in range(count):
            self._send.send_nowait(Place(number, count))

    async def play(self, job: GameJob) -> GameReport:
        worker = await self._idle.receive()
        try:
            if isinstance(worker, Place) or worker.lost:
                worker = await self._replace(worker)
            return await worker.play(job)
        finally:
            self._send.send_nowait(worker)

    async def _replace(self, worker: Worker | Place) -> Worker:
        place = worker if isinstance(worker, Place) else worker.place
        if isinstance(worker, Worker):
            with trio.CancelScope(shield=True):
                await worker.end()
        try:
            fresh = Worker(self._policy, place, self._departed, self._feed)
        except OSError as error:
            raise Spoiled(f"no worker could be started: {error}") from None
        if isinstance(worker, Worker):
            self.workers.remove(worker)
        self.workers.append(fresh)
        return fresh

    async def close(self, patience: float = END_PATIENCE) -> None:
        async with trio.open_nursery() as nursery:
            for worker in self.workers:
                nursery.start_soon(worker.end, patience)


@asynccontextmanager
async def open_runner(
    jobs: int,
    policy: Policy,
    watch: Watcher | None = None,
    log: Log | None = None,
    departed: Departed | None = None,
) -> AsyncIterator[Runner]:
    """In this process for one job at a time or when watched, else in workers."""
    if jobs == 1 or watch is not None or log is not None:
        async with open_arena(policy, departed=departed) as arena:
            yield Here(arena, watch, log)
        return
    async with open_workers(jobs, policy, departed) as workers:
        yield workers


@asynccontextmanager
async def open_workers(
    count: int, policy: Policy, departed: Departed | None = None, feed: Path | None = None
) -> AsyncIterator[Workers]:
    """Worker processes that end with the context. `feed`: where they write running games (feed.py)."""
    workers = Workers(count, policy, departed, feed)
    patience = END_PATIENCE
    try:
        yield workers
        patience = PEACEFUL_END_PATIENCE
    finally:
        with trio.CancelScope(shield=True):
            await workers.close(patience)
