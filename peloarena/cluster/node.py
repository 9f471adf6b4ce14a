"""A node: the tasks of a Dask worker. Its functions are called as tasks, by name; bytes in, bytes out.

Bots never run in the Dask worker itself: each slot is a process of its own. One thread that lives as long as the worker
starts all of them, because a parent-death signal follows the thread that forked, and Dask's threads come and go.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import queue
import subprocess
import threading
from collections.abc import Callable
from concurrent.futures import Future
from typing import IO, TYPE_CHECKING

import msgspec
from msgspec.structs import replace

from ..game import ConfigError, encode
from ..referee.job import GameJob
from ..referee.module_command import module_command
from ..referee.sandbox.isolation import GameSlot, SandboxPolicy
from ..tournament.game_runner import LARGEST_REPORT, JobFailed, JobRefused
from .bundle_install import InstallResult, installed_bots_folder
from .bundles import BundlePiece, max_bundle_bytes, parse_bot_path

if TYPE_CHECKING:
    from distributed import Worker as DaskWorker

DASK_RESOURCE = "peloarena"
"""The Dask resource: how many games a worker plays at a time. By default its threads; `--resources` changes it."""
NODE_PROBE_TIMEOUT_SECONDS = 120.0
INSTALL_TIMEOUT_SECONDS = 300.0
"""Seconds; a build may take 120 s, and a busy machine is slow to start it."""
DEPARTURE_PREFIX = b'{"type":"told"'
"""A report of a bot that exited badly between two games: for its author, on the host's machine. Not sent."""


class Forker:
    """The thread that forks. It never ends before its process."""

    def __init__(self) -> None:
        self._requests: queue.SimpleQueue[tuple[Callable[[], subprocess.Popen[bytes]], Future[subprocess.Popen[bytes]]]]
        self._requests = queue.SimpleQueue()
        threading.Thread(target=self._serve, name="peloarena forker", daemon=True).start()

    def start(self, module: str, *arguments: str) -> subprocess.Popen[bytes]:
        argv = [*module_command(f"cluster.{module}"), *arguments, str(os.getpid())]
        future: Future[subprocess.Popen[bytes]] = Future()
        self._requests.put((lambda: _popen(argv), future))
        return future.result()

    def _serve(self) -> None:
        while True:
            start, future = self._requests.get()
            try:
                future.set_result(start())
            except OSError as error:
                future.set_exception(error)

    def run_module(self, seconds: float, data: bytes, module: str, *arguments: str) -> bytes:
        """The output of a process that succeeded; otherwise OSError."""
        with self.start(module, *arguments) as process:
            try:
                output, _ = process.communicate(data, timeout=seconds)
            except subprocess.TimeoutExpired:
                process.kill()
                raise OSError(f"{module} did not finish within {seconds:g} s") from None
        if process.returncode != 0:
            raise OSError(f"{module} ended with exit status {process.returncode}")
        return output


def _popen(argv: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)


class SlotProcess:
    """A process that plays games, once started."""

    def __init__(self, forker: Forker, slot: GameSlot) -> None:
        self._forker = forker
        self._slot = slot
        self._policy: SandboxPolicy | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def play(self, job: GameJob) -> bytes:
        """Its output, unchanged. Any problem with it is the machine's fault."""
        try:
            process = self._ensure_running(job.sandbox)
            return _exchange_line(process, encode(job) + b"\n")
        except OSError as error:
            self.end()
            return encode(JobFailed(f"a slot of the node failed: {error}"))

    def _ensure_running(self, policy: SandboxPolicy) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None or self._policy != policy:
            self.end()
            self._policy = policy
            self._process = self._forker.start("slot", policy, str(self._slot))
        return self._process

    def end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with contextlib.suppress(OSError):
                    _require_pipe(pipe).close()


def _exchange_line(process: subprocess.Popen[bytes], line: bytes) -> bytes:
    stdin, stdout = _require_pipe(process.stdin), _require_pipe(process.stdout)
    stdin.write(line)
    stdin.flush()
    while True:
        line_read = stdout.readline(LARGEST_REPORT + 1)
        if not line_read.endswith(b"\n"):
            raise OSError(
                "its process ended in the middle of a game"
                if len(line_read) <= LARGEST_REPORT
                else "its report is too long"
            )
        if not line_read.startswith(DEPARTURE_PREFIX):
            return line_read[:-1]


def _require_pipe(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe


class Node:
    """This Dask worker's node: its forker and its slots."""

    def __init__(self, slots: int) -> None:
        self.slots = slots
        self.forker = Forker()
        self._idle: queue.SimpleQueue[SlotProcess] = queue.SimpleQueue()
        for number in range(slots):
            self._idle.put(SlotProcess(self.forker, GameSlot(number, slots)))
        self._partial_bundles: dict[str, bytearray] = {}

    def play(self, job: GameJob) -> bytes:
        slot = self._idle.get()
        try:
            return slot.play(job)
        finally:
            self._idle.put(slot)

    def receive_piece(self, piece: BundlePiece) -> InstallResult:
        """Receive a bot in pieces; the last piece installs it."""
        parts = self._partial_bundles.setdefault(piece.parcel, bytearray())
        if piece.number == 0:
            parts.clear()
        parts += piece.data
        if len(parts) > max_bundle_bytes():
            del self._partial_bundles[piece.parcel]
            return InstallResult("it is larger than this node accepts (PELOARENA_FOLDER_MIB sets the limit)")
        if not piece.last:
            return InstallResult()
        del self._partial_bundles[piece.parcel]
        try:
            output = self.forker.run_module(
                INSTALL_TIMEOUT_SECONDS, bytes(parts), "bundle_install", piece.place, piece.sandbox
            )
            return msgspec.json.decode(output, type=InstallResult)
        except (OSError, msgspec.DecodeError) as error:
            return InstallResult(f"the bot could not be installed: {error}")


_node_lock = threading.Lock()
_node: list[Node] = []
"""This process's node, created on first use."""


def _this_node() -> Node:
    from distributed import get_worker

    with _node_lock:
        if not _node:
            _node.append(Node(_announce_slots(get_worker())))
        return _node[0]


def _announce_slots(worker: DaskWorker) -> int:
    """As it was started; by default a worker plays with all its threads, and reports that to the scheduler."""
    given = int(worker.state.total_resources.get(DASK_RESOURCE, 0))
    slots = min(given or worker.state.nthreads, worker.state.nthreads)
    loop = worker.loop.asyncio_loop  # type: ignore[attr-defined]
    asyncio.run_coroutine_threadsafe(worker.set_resources(**{DASK_RESOURCE: slots}), loop).result(timeout=30)
    return slots


# ---- the tasks


def survey(data: bytes) -> bytes:
    """`data`: the sandbox policy of the tournament."""
    node = _this_node()
    return node.forker.run_module(NODE_PROBE_TIMEOUT_SECONDS, b"", "probe", data.decode(), str(node.slots))


def take(data: bytes) -> bytes:
    """Receive a piece of a bot."""
    return encode(_this_node().receive_piece(msgspec.msgpack.decode(data, type=BundlePiece)))


def play(data: bytes) -> bytes:
    """Play a game job whose bots are already installed."""
    node = _this_node()
    job = msgspec.json.decode(data, type=GameJob)
    try:
        seats = tuple(
            replace(seat, path=_installed_path(seat.path)) if not seat.forfeit else seat for seat in job.seats
        )
    except ConfigError as error:
        return encode(JobRefused(str(error)))
    return node.play(replace(job, seats=seats))


def _installed_path(bot_path: str) -> str:
    parse_bot_path(bot_path)
    return str(installed_bots_folder() / bot_path)
