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
from ..tournament.game_runner import LARGEST_REPORT
from . import node
from .wire_messages import (
    LENGTH_PREFIX,
    MAX_NODE_NAME_LENGTH,
    BrokerMessage,
    BrokerRequest,
    CancelTask,
    JoinCluster,
    Membership,
    NodeFault,
    NodeLost,
    RunTask,
    SeenNode,
    TaskAnswer,
    WireMessageError,
    clean_line,
    length_of,
    pack_message,
    unpack_message,
)

STDIN = 0
MEMBERS_POLL_SECONDS = 0.5
"""Seconds between two requests for the members of the cluster."""
SCHEDULER_TIMEOUT_SECONDS = 10.0
"""Seconds for the scheduler to answer anything; after that it counts as gone."""
SILENT_SECONDS = 20.0
"""Seconds without a heartbeat of a node, which sends one about every second: it is cut off, or it hangs."""
FETCH_SECONDS = 120.0
"""Seconds to fetch a node's result once it is done: milliseconds, unless it is endless."""
RECONNECT_SECONDS = 1.0
BATCH_SECONDS = 0.002
"""Seconds that a message to the scheduler may wait for others, as the scheduler's own do; Dask's clients wait for 10
ms.
"""
LAZY_PACKAGES = ("importlib_metadata", "tornado.platform", "cryptography.x509")
"""Packages that import parts of themselves on first use; the rehearsal may miss one."""
REHEARSAL_SECONDS = 0.1
MAX_THREADS = 100_000
MIN_SCATTER_BYTES = 64 * 1024
"""Bytes from which data goes through Dask's data channel, not with the task."""


class Broker:
    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer
        self._client: Client | None = None
        self._running_tasks: dict[int, tuple[RunTask, asyncio.Task[None]]] = {}
        self._heartbeats: dict[str, tuple[object, float]] = {}
        """By node: its last heartbeat as the scheduler reports it, and when we first saw it."""
        self._live_nodes: set[str] = set()

    async def serve(self) -> None:
        first = await self._receive_request()
        if not isinstance(first, JoinCluster):
            return
        connection = asyncio.create_task(self._stay_connected(first))
        with contextlib.suppress(asyncio.IncompleteReadError, ConnectionError, WireMessageError):
            while True:
                self._handle_request(await self._receive_request())
        connection.cancel()

    async def _receive_request(self) -> BrokerRequest:
        size = length_of(await self._reader.readexactly(LENGTH_PREFIX.size))
        return unpack_message(await self._reader.readexactly(size), BrokerRequest)  # type: ignore[arg-type]

    def _send(self, message: BrokerMessage) -> None:
        self._writer.write(pack_message(message))

    # ---- the cluster

    async def _stay_connected(self, join: JoinCluster) -> None:
        """Stay in the cluster; use a new client whenever the scheduler was gone."""
        while True:
            trouble = "the connection was lost"
            try:
                await self._follow_members(join)
            except Exception as error:  # whatever Dask, or an object that it received, raises
                no_answer = f"no answer within {SCHEDULER_TIMEOUT_SECONDS:g} s"
                trouble = clean_line(error) or (no_answer if isinstance(error, TimeoutError) else type(error).__name__)
            self._client = None
            self._report_lost(lambda task: True, "the connection to the scheduler was lost")
            self._send(Membership((), trouble))
            await asyncio.sleep(RECONNECT_SECONDS)

    async def _follow_members(self, join: JoinCluster) -> None:
        client = Client(
            join.address,
            asynchronous=True,
            security=security_of(join),
            timeout=SCHEDULER_TIMEOUT_SECONDS,
        )
        try:
            self._client = await asyncio.wait_for(client, 2 * SCHEDULER_TIMEOUT_SECONDS)
            if (scheduler_stream := getattr(client, "scheduler_comm", None)) is not None:
                scheduler_stream.interval = BATCH_SECONDS
            self._heartbeats.clear()
            while client.status == "running":
                scheduler: Any = client.scheduler
                identity = await asyncio.wait_for(scheduler.identity(n_workers=-1), SCHEDULER_TIMEOUT_SECONDS)
                self._update_members(identity["workers"])
                await asyncio.sleep(MEMBERS_POLL_SECONDS)
        finally:
            with contextlib.suppress(Exception, asyncio.CancelledError):
                await asyncio.wait_for(client.close(), SCHEDULER_TIMEOUT_SECONDS)

    def _update_members(self, workers: dict[str, dict[str, Any]]) -> None:
        now = time.monotonic()
        self._heartbeats = {address: heard for address, heard in self._heartbeats.items() if address in workers}
        for address, description in workers.items():
            if self._heartbeats.get(address, ("",))[0] != description.get("last_seen"):
                self._heartbeats[address] = (description.get("last_seen"), now)
        living = {
            address: description
            for address, description in workers.items()
            if description.get("status") == "running" and not self._is_silent(address, now)
        }
        self._live_nodes = set(living)
        self._report_lost(lambda task: task.node not in workers, "the node left the cluster")
        self._report_lost(
            lambda task: self._is_silent(task.node, now), f"the node has been silent for {SILENT_SECONDS:g} s"
        )
        seen = (parse_seen_node(address, description) for address, description in living.items())
        self._send(Membership(tuple(node for node in seen if node is not None)))

    def _is_silent(self, address: str, now: float) -> bool:
        return now - self._heartbeats[address][1] >= SILENT_SECONDS

    def _report_lost(self, is_lost: Callable[[RunTask], bool], reason: str) -> None:
        for number, (request, task) in list(self._running_tasks.items()):
            if is_lost(request):
                del self._running_tasks[number]
                task.cancel()
                self._send(NodeLost(number, reason))

    # ---- requests

    def _handle_request(self, request: BrokerRequest) -> None:
        match request:
            case RunTask():
                if self._client is None or request.node not in self._live_nodes:
                    self._send(NodeLost(request.number, "the node left the cluster"))
                else:
                    task = asyncio.create_task(self._run_task(self._client, request))
                    self._running_tasks[request.number] = (request, task)
            case CancelTask():
                if (known := self._running_tasks.pop(request.number, None)) is not None:
                    known[1].cancel()

    async def _run_task(self, client: Client, request: RunTask) -> None:
        try:
            message = await self._submit_task(client, request)
        except (FutureCancelledError, FuturesCancelledError):  # Dask has several names for it
            message = NodeLost(request.number, "the node left the cluster")
        except Exception as error:
            message = NodeLost(request.number, clean_line(error) or type(error).__name__)
        if self._running_tasks.pop(request.number, None) is not None:
            self._send(message)
            await self._writer.drain()

    async def _submit_task(self, client: Client, request: RunTask) -> BrokerMessage:
        data: Any = request.data
        if len(request.data) > MIN_SCATTER_BYTES:
            data = await client.scatter(request.data, workers=[request.node], hash=False)
        future = client.submit(
            getattr(node, request.task),
            data,
            key=f"peloarena-{request.task}-{os.urandom(8).hex()}",
            workers=[request.node],
            allow_other_workers=False,
            resources={node.DASK_RESOURCE: 1} if request.task == "play" else None,
            pure=False,
        )
        try:
            await wait([future])
            if future.status == "error":
                return NodeFault(
                    request.number, clean_line(f"{type(error := await future.exception()).__name__}: {error}")
                )
            if future.status != "finished":
                return NodeLost(request.number, "the node left the cluster")
            result = await asyncio.wait_for(future.result(), FETCH_SECONDS)
        except TimeoutError:
            return NodeFault(request.number, f"its result did not arrive within {FETCH_SECONDS:g} s")
        finally:
            future.release()
        problem = result_problem(result)
        return NodeFault(request.number, problem) if problem else TaskAnswer(request.number, result)


def result_problem(result: object) -> str:
    """Empty if the result can be passed to the runner, who checks its contents."""
    if not isinstance(result, bytes):
        return clean_line(f"it returned a {type(result).__name__}, not bytes")
    return f"it returned {len(result)} bytes, which is too much" if len(result) > LARGEST_REPORT else ""


def parse_seen_node(address: str, description: dict[str, Any]) -> SeenNode | None:
    """A node as the scheduler repeats its own description; None if that is impossible, because it would prevent any
    report about the other nodes."""
    name = clean_line(description.get("name", ""), MAX_NODE_NAME_LENGTH)
    identity = clean_line(description.get("local_directory", ""), 500)
    threads = description.get("nthreads", 1)
    if not isinstance(threads, int) or not 1 <= threads <= MAX_THREADS:
        return None
    return SeenNode(address, "" if name == address else name, identity, threads)


def security_of(join: JoinCluster) -> Security | None:
    if not join.ca:
        return None
    pem = {"tls_ca_file": join.ca, "tls_client_cert": join.certificate, "tls_client_key": join.certificate}
    return Security(require_encryption=True, **pem)


def rehearse_connection() -> None:
    """Connect to a scheduler that does not exist: its port belongs to our own socket, which does not listen."""

    async def connect() -> None:
        with socket.socket() as nobody:
            nobody.bind(("127.0.0.1", 0))
            with contextlib.suppress(OSError, TimeoutError):
                await Client(f"tcp://127.0.0.1:{nobody.getsockname()[1]}", asynchronous=True, timeout=REHEARSAL_SECONDS)

    asyncio.run(connect())


async def main() -> None:
    connection = socket.socket(fileno=os.dup(STDIN))
    reader, writer = await asyncio.open_connection(sock=connection, limit=1 << 20)
    await Broker(reader, writer).serve()


if __name__ == "__main__":
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    become_unprivileged("the broker", LAZY_PACKAGES, rehearse_connection)
    asyncio.run(main())
