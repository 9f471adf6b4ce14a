"""Runners: play game jobs in this process or in worker processes. The runner of a cluster has
the same interface (cluster/cluster_runner.py).

    async with open_runner(jobs=2, policy="auto") as runner:
        report = await runner.play(job)

A game spoiled by the machine raises GameSpoiled; no bot is ever blamed for it.
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
from ..referee.bot_pool import LogCallback, OnUnexpectedExit, UnexpectedExit
from ..referee.game_table import Watcher
from ..referee.job import GameJob, GameReport
from ..referee.module_command import module_command
from ..referee.sandbox.errors import SandboxError
from ..referee.sandbox.isolation import CLOSE_TIMEOUT_SECONDS, GameSlot, SandboxPolicy

MAX_ATTEMPTS = 3
"""How often a game is attempted in all if the machine spoils it."""
MAX_MACHINE_LOSSES = 50
"""A lost machine is not the game's fault and does not count as an attempt, but there must be a limit."""
PIPE_BYTES = 64 * 1024
"""The capacity of a pipe in bytes: no read returns more."""
LARGEST_REPORT = 64 * 1024 * 1024
"""The most bytes of one report: input from another process is bounded, even from our own."""
WORKER_STOP_SECONDS = 5.0
"""Seconds that a worker has to end its bots and itself after an interrupt; the guardian cleans up the rest."""
NORMAL_STOP_SECONDS = CLOSE_TIMEOUT_SECONDS + WORKER_STOP_SECONDS
"""At the normal end: a bot may delay its own exit, and no process may remain after a run."""


class GameSpoiled(Exception):
    """The machine, not a bot, spoiled a game: it is void and may be played again."""


class MachineLost(GameSpoiled):
    """One of several machines disappeared or is no longer trusted: its games are played elsewhere, however often."""


class Runner(Protocol):
    async def play(self, job: GameJob) -> GameReport:
        """Accepts any number of concurrent calls; plays as many games at a time as there are slots."""


async def retry_spoiled_game(
    play: Callable[[GameJob], Awaitable[GameReport]],
    job: GameJob,
    on_spoiled: Callable[[GameSpoiled, bool], None] | None = None,
) -> GameReport:
    """Repeat until an attempt is not spoiled; GameSpoiled after the last one. `on_spoiled` receives each, and whether
    it was the last."""
    tries = losses = 0
    while True:
        try:
            return await play(job)
        except GameSpoiled as error:
            lost = isinstance(error, MachineLost)
            tries, losses = tries + (not lost), losses + lost
            last = tries == MAX_ATTEMPTS or losses == MAX_MACHINE_LOSSES
            if on_spoiled is not None:
                on_spoiled(error, last)
            if last:
                raise


class InProcessRunner:
    """In this process, one game at a time; can be watched."""

    def __init__(self, arena: Arena, watch: Watcher | None, log: LogCallback | None) -> None:
        self._arena = arena
        self._watch = watch
        self._log = log
        self._lock = trio.Lock()

    async def play(self, job: GameJob) -> GameReport:
        async with self._lock:
            try:
                return await self._arena.play(job, self._watch, self._log)
            except SandboxError as error:
                raise GameSpoiled(str(error)) from None


class GamePlayed(Struct, frozen=True, tag="played"):
    report: GameReport


class JobRefused(Struct, frozen=True, tag="refused"):
    """The user's mistake (ConfigError)."""

    problem: str


class JobFailed(Struct, frozen=True, tag="failed"):
    """The machine's failure."""

    problem: str


class BotExited(Struct, frozen=True, tag="told"):
    """At any time: a bot exited badly between two games."""

    departure: UnexpectedExit


WorkerMessage = GamePlayed | JobRefused | JobFailed | BotExited


class Worker:
    """A process of peloarena that plays the jobs written to it, one at a time."""

    def __init__(
        self,
        policy: SandboxPolicy,
        slot: GameSlot,
        on_unexpected_exit: OnUnexpectedExit | None = None,
        feed: Path | None = None,
    ) -> None:
        self.slot = slot
        self._on_unexpected_exit = on_unexpected_exit
        words = [*module_command("tournament.worker"), policy, str(slot)]
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
        self.is_lost = False
        """It exited, or is busy with a game that nobody waits for: it must be replaced."""

    async def play(self, job: GameJob) -> GameReport:
        self.is_lost = True  # until it answers: a cancelled game leaves a busy worker behind
        try:
            self._stdin.write(encode(job) + b"\n")
            while isinstance(message := self._handle_message(await self._read_line()), BotExited):
                pass
        except (OSError, msgspec.DecodeError) as error:
            raise GameSpoiled(f"a worker was lost: {error}") from None
        self.is_lost = False
        if isinstance(message, GamePlayed):
            return message.report
        raise ConfigError(message.problem) if isinstance(message, JobRefused) else GameSpoiled(message.problem)

    def _handle_message(self, line: bytes) -> WorkerMessage:
        message: WorkerMessage = msgspec.json.decode(line, type=WorkerMessage)
        if isinstance(message, BotExited) and self._on_unexpected_exit is not None:
            self._on_unexpected_exit(message.departure)
        return message

    async def _read_line(self) -> bytes:
        while (end := self._buffer.find(b"\n")) < 0:
            await trio.lowlevel.wait_readable(self._stdout.fileno())
            data = self._stdout.read(PIPE_BYTES)
            if not data or len(self._buffer) > LARGEST_REPORT:
                raise OSError("it ended in the middle of a game")
            self._buffer += data
        line = bytes(self._buffer[:end])
        del self._buffer[: end + 1]
        return line

    @property
    def pid(self) -> int:
        return self._process.pid

    async def stop(self, patience: float = WORKER_STOP_SECONDS) -> None:
        """Closing its input ends a worker and its bots; otherwise it is killed."""
        with contextlib.suppress(OSError):
            self._stdin.close()
        with trio.move_on_after(patience):
            with contextlib.suppress(OSError, msgspec.DecodeError):
                while True:  # until its output ends: the last messages about its bots
                    self._handle_message(await self._read_line())
            # Polled: this waits a few milliseconds once per tournament, and needs neither a thread nor a pidfd.
            while self._process.poll() is None:
                await trio.sleep(0.005)
        self._process.kill()
        self._process.wait()
        self._stdout.close()


class WorkerPool:
    """Several workers, each started when first needed; a lost one is replaced when it is needed again.

    Each slot has its own cores (sandbox/isolation.py); a replacement takes over the slot of its worker.
    """

    def __init__(
        self,
        count: int,
        policy: SandboxPolicy,
        on_unexpected_exit: OnUnexpectedExit | None = None,
        feed: Path | None = None,
    ) -> None:
        self._policy: SandboxPolicy = policy
        self._on_unexpected_exit = on_unexpected_exit
        self._feed = feed
        self.workers: list[Worker] = []
        self._send, self._idle = trio.open_memory_channel[Worker | GameSlot](count)
        for number in range(count):
            self._send.send_nowait(GameSlot(number, count))

    async def play(self, job: GameJob) -> GameReport:
        worker = await self._idle.receive()
        try:
            if isinstance(worker, GameSlot) or worker.is_lost:
                worker = await self._replace(worker)
            return await worker.play(job)
        finally:
            self._send.send_nowait(worker)

    async def _replace(self, worker: Worker | GameSlot) -> Worker:
        slot = worker if isinstance(worker, GameSlot) else worker.slot
        if isinstance(worker, Worker):
            with trio.CancelScope(shield=True):
                await worker.stop()
        try:
            fresh = Worker(self._policy, slot, self._on_unexpected_exit, self._feed)
        except OSError as error:
            raise GameSpoiled(f"no worker could be started: {error}") from None
        if isinstance(worker, Worker):
            self.workers.remove(worker)
        self.workers.append(fresh)
        return fresh

    async def close(self, patience: float = WORKER_STOP_SECONDS) -> None:
        async with trio.open_nursery() as nursery:
            for worker in self.workers:
                nursery.start_soon(worker.stop, patience)


@asynccontextmanager
async def open_runner(
    jobs: int,
    policy: SandboxPolicy,
    watch: Watcher | None = None,
    log: LogCallback | None = None,
    on_unexpected_exit: OnUnexpectedExit | None = None,
) -> AsyncIterator[Runner]:
    """In this process for one job at a time or when watched, else in workers."""
    if jobs == 1 or watch is not None or log is not None:
        async with open_arena(policy, on_unexpected_exit=on_unexpected_exit) as arena:
            yield InProcessRunner(arena, watch, log)
        return
    async with open_workers(jobs, policy, on_unexpected_exit) as workers:
        yield workers


@asynccontextmanager
async def open_workers(
    count: int, policy: SandboxPolicy, on_unexpected_exit: OnUnexpectedExit | None = None, feed: Path | None = None
) -> AsyncIterator[WorkerPool]:
    """Worker processes that end with the context. `feed`: where they write running games (live_feed.py)."""
    workers = WorkerPool(count, policy, on_unexpected_exit, feed)
    patience = WORKER_STOP_SECONDS
    try:
        yield workers
        patience = NORMAL_STOP_SECONDS
    finally:
        with trio.CancelScope(shield=True):
            await workers.close(patience)
