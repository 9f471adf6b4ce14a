"""The broker: the host's only process that speaks Dask. Carries out requests, decides nothing, stores nothing.

    python -m peloarena.cluster.broker

Its stdin is a socket to the runner. Dask unpickles whatever a member of the cluster sends: any member can take over
this process. Therefore it runs in a sandbox without the host's files, knows no secret except its own certificate, and
sends only bytes, which others decode by type.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
import time
from collections.abc import Callable
from typing import Any

from distributed import Client, Security, wait
from distributed.client import FutureCancelledError, FuturesCancelledError

from ..referee.unprivileged import become_unprivileged
from ..tournament.runner import LARGEST_REPORT
from . import node
from .words import (
    LENGTH,
    LONGEST_NAME,
    BadWord,
    Carry,
    Errand,
    Forget,
    Join,
    Membership,
    NodeFault,
    NodeLost,
    SeenNode,
    TaskAnswer,
    Tidings,
    cut,
    length_of,
    packed,
    unpacked,
)

STDIN = 0
LOOK_EVERY = 0.5
"""Seconds between two looks at the members of the cluster."""
ANSWER_SECONDS = 10.0
"""Seconds for the scheduler to answer anything; after that it counts as gone."""
SILENT_SECONDS = 20.0
"""Seconds without a heartbeat of a node, which sends one about every second: it is cut off, or it hangs."""
FETCH_SECONDS = 120.0
"""Seconds to fetch a node's result once it is done: milliseconds, unless it is endless."""
TRY_AGAIN = 1.0
BATCH_SECONDS = 0.002
"""Seconds that a message to the scheduler may wait for others, as the scheduler's own do; Dask's clients wait for 10
ms.
"""
LAZY_PACKAGES = ("importlib_metadata", "tornado.platform", "cryptography.x509")
"""Packages that import parts of themselves on first use; the rehearsal may miss one."""
REHEARSAL_SECONDS = 0.1
MOST_THREADS = 100_000
LARGE = 64 * 1024
"""Bytes from which data goes through Dask's data channel, not with the task."""


class Broker:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._client: Client | None = None
        self._errands: dict[int, tuple[Carry, asyncio.Task[None]]] = {}
        self._heard: dict[str, tuple[object, float]] = {}
        """By node: its last heartbeat as the scheduler reports it, and when we first saw it."""
        self._present: set[str] = set()

    async def serve(self) -> None:
        first = await self._errand()
        if not isinstance(first, Join):
            return
        staying = asyncio.create_task(self._stay(first))
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError, BadWord):
            while True:
                self._begin(await self._errand())
        staying.cancel()

    async def _errand(self) -> Errand:
        size = length_of(await self._reader.readexactly(LENGTH.size))
        return unpacked(await self._reader.readexactly(size), Errand)  # type: ignore[arg-type]

    def _say(self, tidings: Tidings) -> None:
        self._writer.write(packed(tidings))

    # ---- the cluster

    async def _stay(self, join: Join) -> None:
        """Stay in the cluster; use a new client whenever the scheduler was gone."""
        while True:
            trouble = "it went away"
            try:
                await self._follow(join)
            except Exception as error:  # whatever Dask, or an object that it received, raises
                silence = f"no answer within {ANSWER_SECONDS:g} s"
                trouble = cut(error) or (silence if isinstance(error, TimeoutError) else type(error).__name__)
            self._client = None
            self._lose(lambda carry: True, "the scheduler went away")
            self._say(Membership((), trouble))
            await asyncio.sleep(TRY_AGAIN)

    async def _follow(self, join: Join) -> None:
        client = Client(
            join.address,
            asynchronous=True,
            security=security_of(join),
            timeout=ANSWER_SECONDS,
        )
        try:
            self._client = await asyncio.wait_for(client, 2 * ANSWER_SECONDS)
            if (line := getattr(client, "scheduler_comm", None)) is not None:
                line.interval = BATCH_SECONDS
            self._heard.clear()
            while client.status == "running":
                scheduler: Any = client.scheduler
                told = await asyncio.wait_for(scheduler.identity(n_workers=-1), ANSWER_SECONDS)
                self._look(told["workers"])
                await asyncio.sleep(LOOK_EVERY)
        finally:
            with contextlib.suppress(Exception, asyncio.CancelledError):
                await asyncio.wait_for(client.close(), ANSWER_SECONDS)

    def _look(self, workers: dict[str, dict[str, Any]]) -> None:
        now = time.monotonic()
        self._heard = {address: heard for address, heard in self._heard.items() if address in workers}
        for address, told in workers.items():
            if self._heard.get(address, ("",))[0] != told.get("last_seen"):
                self._heard[address] = (told.get("last_seen"), now)
        living = {
            address: told
            for address, told in workers.items()
            if told.get("status") == "running" and not self._is_silent(address, now)
        }
        self._present = set(living)
        self._lose(lambda carry: carry.node not in workers, "it left the cluster")
        self._lose(lambda carry: self._is_silent(carry.node, now), f"silent for {SILENT_SECONDS:g} s")
        seen = (seen_node(address, told) for address, told in living.items())
        self._say(Membership(tuple(node for node in seen if node is not None)))

    def _is_silent(self, address: str, now: float) -> bool:
        return now - self._heard[address][1] >= SILENT_SECONDS

    def _lose(self, which: Callable[[Carry], bool], reason: str) -> None:
        for number, (carry, task) in list(self._errands.items()):
            if which(carry):
                del self._errands[number]
                task.cancel()
                self._say(NodeLost(number, reason))

    # ---- requests

    def _begin(self, errand: Errand) -> None:
        match errand:
            case Carry():
                if self._client is None or errand.node not in self._present:
                    self._say(NodeLost(errand.number, "it left the cluster"))
                else:
                    task = asyncio.create_task(self._carry(self._client, errand))
                    self._errands[errand.number] = (errand, task)
            case Forget():
                if (known := self._errands.pop(errand.number, None)) is not None:
                    known[1].cancel()

    async def _carry(self, client: Client, carry: Carry) -> None:
        try:
            tidings = await self._carried(client, carry)
        except (FutureCancelledError, FuturesCancelledError):  # Dask has several names for it
            tidings = NodeLost(carry.number, "it left the cluster")
        except Exception as error:
            tidings = NodeLost(carry.number, cut(error) or type(error).__name__)
        if self._errands.pop(carry.number, None) is not None:
            self._say(tidings)
            await self._writer.drain()

    async def _carried(self, client: Client, carry: Carry) -> Tidings:
        data: Any = carry.data
        if len(carry.data) > LARGE:
            data = await client.scatter(carry.data, workers=[carry.node], hash=False)
        future = client.submit(
            getattr(node, carry.task),
            data,
            key=f"peloarena-{carry.task}-{os.urandom(8).hex()}",
            workers=[carry.node],
            allow_other_workers=False,
            resources={node.RESOURCE: 1} if carry.task == "play" else None,
            pure=False,
        )
        try:
            await wait([future])
            if future.status == "error":
                return NodeFault(carry.number, cut(f"{type(error := await future.exception()).__name__}: {error}"))
            if future.status != "finished":
                return NodeLost(carry.number, "it left the cluster")
            result = await asyncio.wait_for(future.result(), FETCH_SECONDS)
        except TimeoutError:
            return NodeFault(carry.number, f"its result did not arrive within {FETCH_SECONDS:g} s")
        finally:
            future.release()
        problem = what_is_wrong_with(result)
        return NodeFault(carry.number, problem) if problem else TaskAnswer(carry.number, result)


def what_is_wrong_with(result: object) -> str:
    """Empty if the result can be passed to the runner, who checks its contents."""
    if not isinstance(result, bytes):
        return cut(f"it returned a {type(result).__name__}, not bytes")
    return f"it returned {len(result)} bytes" if len(result) > LARGEST_REPORT else ""


def seen_node(address: str, told: dict[str, Any]) -> SeenNode | None:
    """A node as the scheduler repeats its own description; None if that is impossible, because it would prevent any
    report about the other nodes."""
    name = cut(told.get("name", ""), LONGEST_NAME)
    identity = cut(told.get("local_directory", ""), 500)
    threads = told.get("nthreads", 1)
    if not isinstance(threads, int) or not 1 <= threads <= MOST_THREADS:
        return None
    return SeenNode(address, "" if name == address else name, identity, threads)


def security_of(join: Join) -> Security | None:
    if not join.ca:
        return None
    pem = {"tls_ca_file": join.ca, "tls_client_cert": join.certificate, "tls_client_key": join.certificate}
    return Security(require_encryption=True, **pem)


def rehearse() -> None:
    """Connect to a scheduler that does not exist: its port belongs to our own socket, which does not listen."""

    async def join() -> None:
        with socket.socket() as nobody:
            nobody.bind(("127.0.0.1", 0))
            with contextlib.suppress(OSError, TimeoutError):
                await Client(f"tcp://127.0.0.1:{nobody.getsockname()[1]}", asynchronous=True, timeout=REHEARSAL_SECONDS)

    asyncio.run(join())


async def main() -> None:
    connection = socket.socket(fileno=os.dup(STDIN))
    reader, writer = await asyncio.open_connection(sock=connection, limit=1 << 20)
    await Broker(reader, writer).serve()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    become_unprivileged("the broker", LAZY_PACKAGES, rehearse)
    asyncio.run(main())
