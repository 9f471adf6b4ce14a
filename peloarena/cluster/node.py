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
from ..referee.own_module import own_module
from ..referee.sandbox.isolation import Place, Policy
from ..tournament.runner import LARGEST_REPORT, Failed, Refused
from .arrival import Arrived, bots_home
from .parcels import Piece, largest_parcel, place_of

if TYPE_CHECKING:
    from distributed import Worker as DaskWorker

RESOURCE = "peloarena"
"""The Dask resource: how many games a worker plays at a time. By default its threads; `--resources` changes it."""
SURVEY_SECONDS = 120.0
ARRIVAL_SECONDS = 300.0
"""Seconds; a build may take 120 s, and a busy machine is slow to start it."""
TOLD = b'{"type":"told"'
"""A report of a bot that exited badly between two games: for its author, on the host's machine. Not sent."""


class Forker:
    """The thread that forks. It never ends before its process."""

    def __init__(self) -> None:
        self._wishes: queue.SimpleQueue[tuple[Callable[[], subprocess.Popen[bytes]], Future[subprocess.Popen[bytes]]]]
        self._wishes = queue.SimpleQueue()
        threading.Thread(target=self._serve, name="peloarena forker", daemon=True).start()

    def start(self, module: str, *words: str) -> subprocess.Popen[bytes]:
        argv = [*own_module(f"cluster.{module}"), *words, str(os.getpid())]
        future: Future[subprocess.Popen[bytes]] = Future()
        self._wishes.put((lambda: _popen(argv), future))
        return future.result()

    def _serve(self) -> None:
        while True:
            wish, future = self._wishes.get()
            try:
                future.set_result(wish())
            except OSError as error:
                future.set_exception(error)

    def output(self, seconds: float, data: bytes, module: str, *words: str) -> bytes:
        """The output of a process that succeeded; otherwise OSError."""
        with self.start(module, *words) as process:
            try:
                said, _ = process.communicate(data, timeout=seconds)
            except subprocess.TimeoutExpired:
                process.kill()
                raise OSError(f"{module}: not done after {seconds:g} s") from None
        if process.returncode != 0:
            raise OSError(f"{module}: exit status {process.returncode}")
        return said


def _popen(argv: list[str]) -> subprocess.Popen[bytes]:
    return subprocess.Popen(argv, stdin=subprocess.PIPE, stdout=subprocess.PIPE, start_new_session=True)


class Slot:
    """A process that plays games, once started."""

    def __init__(self, forker: Forker, place: Place) -> None:
        self._forker = forker
        self._place = place
        self._policy: Policy | None = None
        self._process: subprocess.Popen[bytes] | None = None

    def play(self, job: GameJob) -> bytes:
        """Its output, unchanged. Any problem with it is the machine's fault."""
        try:
            process = self._running(job.sandbox)
            return _answer(process, encode(job) + b"\n")
        except OSError as error:
            self.end()
            return encode(Failed(f"a slot was lost: {error}"))

    def _running(self, policy: Policy) -> subprocess.Popen[bytes]:
        if self._process is None or self._process.poll() is not None or self._policy != policy:
            self.end()
            self._policy = policy
            self._process = self._forker.start("slot", policy, str(self._place))
        return self._process

    def end(self) -> None:
        process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with contextlib.suppress(OSError):
                    _sure(pipe).close()


def _answer(process: subprocess.Popen[bytes], line: bytes) -> bytes:
    stdin, stdout = _sure(process.stdin), _sure(process.stdout)
    stdin.write(line)
    stdin.flush()
    while True:
        said = stdout.readline(LARGEST_REPORT + 1)
        if not said.endswith(b"\n"):
            raise OSError(
                "it ended in the middle of a game" if len(said) <= LARGEST_REPORT else "its report is too long"
            )
        if not said.startswith(TOLD):
            return said[:-1]


def _sure(pipe: IO[bytes] | None) -> IO[bytes]:
    assert pipe is not None
    return pipe


class Node:
    """This Dask worker's node: its forker and its slots."""

    def __init__(self, slots: int) -> None:
        self.slots = slots
        self.forker = Forker()
        self._idle: queue.SimpleQueue[Slot] = queue.SimpleQueue()
        for number in range(slots):
            self._idle.put(Slot(self.forker, Place(number, slots)))
        self._arriving: dict[str, bytearray] = {}

    def play(self, job: GameJob) -> bytes:
        slot = self._idle.get()
        try:
            return slot.play(job)
        finally:
            self._idle.put(slot)

    def take(self, piece: Piece) -> Arrived:
        """Receive a bot in pieces; the last piece installs it."""
        parts = self._arriving.setdefault(piece.parcel, bytearray())
        if piece.number == 0:
            parts.clear()
        parts += piece.data
        if len(parts) > largest_parcel():
            del self._arriving[piece.parcel]
            return Arrived("larger than this node takes (PELOARENA_FOLDER_MIB)")
        if not piece.last:
            return Arrived()
        del self._arriving[piece.parcel]
        try:
            said = self.forker.output(ARRIVAL_SECONDS, bytes(parts), "arrival", piece.place, piece.sandbox)
            return msgspec.json.decode(said, type=Arrived)
        except (OSError, msgspec.DecodeError) as error:
            return Arrived(f"it could not be installed: {error}")


_making = threading.Lock()
_node: list[Node] = []
"""This process's node, created on first use."""


def _here() -> Node:
    from distributed import get_worker

    with _making:
        if not _node:
            _node.append(Node(_slots_of(get_worker())))
        return _node[0]


def _slots_of(worker: DaskWorker) -> int:
    """As it was started; by default a worker plays with all its threads, and reports that to the scheduler."""
    given = int(worker.state.total_resources.get(RESOURCE, 0))
    slots = min(given or worker.state.nthreads, worker.state.nthreads)
    loop = worker.loop.asyncio_loop  # type: ignore[attr-defined]
    asyncio.run_coroutine_threadsafe(worker.set_resources(**{RESOURCE: slots}), loop).result(timeout=30)
    return slots


# ---- the tasks


def survey(data: bytes) -> bytes:
    """`data`: the sandbox policy of the tournament."""
    node = _here()
    return node.forker.output(SURVEY_SECONDS, b"", "survey", data.decode(), str(node.slots))


def take(data: bytes) -> bytes:
    """Receive a piece of a bot."""
    return encode(_here().take(msgspec.msgpack.decode(data, type=Piece)))


def play(data: bytes) -> bytes:
    """Play a game job whose bots are already installed."""
    node = _here()
    job = msgspec.json.decode(data, type=GameJob)
    try:
        seats = tuple(replace(seat, path=_path_of(seat.path)) if not seat.forfeit else seat for seat in job.seats)
    except ConfigError as error:
        return encode(Refused(str(error)))
    return node.play(replace(job, seats=seats))


def _path_of(place: str) -> str:
    place_of(place)
    return str(bots_home() / place)
