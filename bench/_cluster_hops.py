"""Stamps on a game's way through a cluster: who had it when, in runner, broker, scheduler and node.

    python bench/_cluster_hops.py            the broker, stamping (its stdin is the runner's socket)
    dask scheduler|worker --preload bench/_cluster_hops.py

Stamps go to files of the folder PELOARENA_HOPS; the clock is the machine's, so all processes must be on one. Only for
the bench: what it counts without stamps is the product as it is.
"""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from pathlib import Path
from statistics import median
from typing import Any

import msgspec

FOLDER = "PELOARENA_HOPS"
WAY = (
    ("asked", ""),
    ("carried", "runner: a slot, and the job on its way to the broker"),
    ("received", "socket to the broker"),
    ("submitted", "broker: Dask's client takes the task"),
    ("scheduled", "client's batch to the scheduler, its graph, the choice of the node"),
    ("thread", "scheduler's batch to the node, its queue, a thread of its own"),
    ("slot", "node: job decoded, a free slot"),
    ("played", "THE GAME in the slot"),
    ("done", "node to scheduler: the task is done"),
    ("notified", "scheduler's batch to the client: it is done"),
    ("gathered", "broker fetches the report (client, scheduler, node and back)"),
    ("answered", "socket to the runner"),
    ("verified", "VERIFY: a verifier replays it"),
    ("returned", "runner: report decoded"),
)
"""Stamps in order; with each, what lies between the one before and it."""


class Named(msgspec.Struct):
    game: str


def game_in(data: bytes) -> str:
    return msgspec.json.decode(data, type=Named).game


class Stamps:
    """Of this process. `alias` says which game a task's key means."""

    def __init__(self) -> None:
        self._file = os.open(Path(os.environ[FOLDER], str(os.getpid())), os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o666)

    def stamp(self, point: str, game: str) -> None:
        os.write(self._file, f"{time.monotonic_ns()} {point} {game}\n".encode())

    def alias(self, key: str, game: str) -> None:
        os.write(self._file, f"0 {key} {game}\n".encode())


# ---- the runner, which is the bench itself


@contextmanager
def traced_untrusted(
    plain: Callable[..., Any], isolation: object, module: str, *, network: bool = False
) -> Iterator[Any]:
    """Like `run_untrusted`; a broker stamps, and runs outside of a sandbox, where it finds the folder."""
    from peloarena.cluster.untrusted_process import UntrustedProcess

    if module != "broker":
        with plain(isolation, module, network=network) as process:
            yield process
        return
    ours, its = socket.socketpair()
    with ours, tempfile.TemporaryFile() as errors:
        process = subprocess.Popen([sys.executable, __file__], stdin=its, stdout=subprocess.DEVNULL, stderr=errors)
        its.close()
        try:
            yield UntrustedProcess(ours, errors)
        finally:
            process.kill()
            process.wait()


def trace_runner(cluster: Any) -> None:
    """Stamps in front of and behind what `play` calls."""
    stamps, play, run_task, verify = Stamps(), cluster.play, cluster.run_task, cluster._verifier_pool.verify

    async def traced_play(job: Any) -> Any:
        stamps.stamp("asked", job.game)
        report = await play(job)
        stamps.stamp("returned", job.game)
        return report

    async def traced_run_task(node: Any, task: str, data: bytes, *more: Any) -> Any:
        if task != "play":
            return await run_task(node, task, data, *more)
        stamps.stamp("carried", game_in(data))
        answer = await run_task(node, task, data, *more)
        stamps.stamp("answered", game_in(data))
        return answer

    async def traced_verify(request: Any) -> Any:
        answer = await verify(request)
        stamps.stamp("verified", game_in(request.job))
        return answer

    cluster.play, cluster.run_task, cluster._verifier_pool.verify = traced_play, traced_run_task, traced_verify


# ---- scheduler and node, by --preload


def dask_setup(server: Any) -> None:
    from distributed import Scheduler

    if isinstance(server, Scheduler):
        trace_scheduler(server)
    else:
        trace_node()


def trace_scheduler(scheduler: Any) -> None:
    from distributed import SchedulerPlugin

    points, stamps = {"processing": "scheduled", "memory": "done"}, Stamps()

    class Watch(SchedulerPlugin):
        def transition(self, key: Any, start: str, finish: str, *_: Any, **__: Any) -> None:
            if finish in points:
                stamps.stamp(points[finish], str(key))

    scheduler.add_plugin(Watch())


def trace_node() -> None:
    from peloarena.cluster import node

    stamps, play, slot_play = Stamps(), node.play, node.SlotProcess.play

    def traced_play(data: bytes) -> bytes:
        stamps.stamp("thread", game_in(data))
        return play(data)

    def traced_slot(self: Any, job: Any) -> bytes:
        stamps.stamp("slot", job.game)
        report = slot_play(self, job)
        stamps.stamp("played", job.game)
        return report

    node.play, node.SlotProcess.play = traced_play, traced_slot  # type: ignore[method-assign]


# ---- the broker


def trace_broker() -> None:
    from distributed import Client

    from peloarena.cluster import broker
    from peloarena.cluster.wire_messages import RunTask, TaskAnswer

    stamps, games, on = Stamps(), {}, ContextVar("game", default="")
    handle_request, submit_task, send, submit, wait = (
        broker.Broker._handle_request,
        broker.Broker._submit_task,
        broker.Broker._send,
        Client.submit,
        broker.wait,
    )

    def traced_handle_request(self: Any, request: Any) -> None:
        if isinstance(request, RunTask) and request.task == "play":
            games[request.number] = game_in(request.data)
            stamps.stamp("received", games[request.number])
        handle_request(self, request)

    async def traced_submit_task(self: Any, client: Any, request: Any) -> Any:
        on.set(games.get(request.number, ""))
        return await submit_task(self, client, request)

    def traced_submit(self: Any, *args: Any, **named: Any) -> Any:
        future = submit(self, *args, **named)
        if on.get():
            stamps.alias(named["key"], on.get())
            stamps.stamp("submitted", on.get())
        return future

    async def traced_wait(futures: Any) -> Any:
        done = await wait(futures)
        if on.get():
            stamps.stamp("notified", on.get())
        return done

    def traced_send(self: Any, message: Any) -> None:
        if isinstance(message, TaskAnswer) and message.number in games:
            stamps.stamp("gathered", games.pop(message.number))
        send(self, message)

    broker.Broker._handle_request, broker.Broker._submit_task, broker.Broker._send = (
        traced_handle_request,
        traced_submit_task,
        traced_send,
    )
    Client.submit, broker.wait = traced_submit, traced_wait


# ---- reading


def stamps_in(folder: Path) -> dict[str, dict[str, float]]:
    """By game and point: seconds."""
    rows = [line.split(" ", 2) for file in folder.iterdir() for line in file.read_text().splitlines()]
    aliases = {point: game for moment, point, game in rows if moment == "0"}
    by_game: dict[str, dict[str, float]] = {}
    for moment, point, name in rows:
        if moment != "0":
            by_game.setdefault(aliases.get(name, name), {}).setdefault(point, int(moment) / 1e9)
    return by_game


def way_table(folder: Path, games: set[str]) -> list[tuple[str, float]]:
    """What lies between two stamps, and its median in ms, of those games that have all of them."""
    ways = [way for game, way in stamps_in(folder).items() if game in games and len(way) == len(WAY)]
    points = [point for point, _ in WAY]
    return [
        (what, median(way[point] - way[before] for way in ways) * 1e3)
        for before, (point, what) in zip(points, WAY[1:], strict=False)
    ]


def idle_ms(folder: Path, games: set[str], slots: int) -> float:
    """Median of how long a slot stood still between two games: the n-th start after the n-th earlier end."""
    ways = [way for game, way in stamps_in(folder).items() if game in games and {"slot", "played"} <= way.keys()]
    begins, ends = sorted(way["slot"] for way in ways), sorted(way["played"] for way in ways)
    return median(begin - end for begin, end in zip(begins[slots:], ends, strict=False)) * 1e3


if __name__ == "__main__":
    import asyncio
    import logging

    from peloarena.cluster import broker

    logging.getLogger("distributed").setLevel(logging.CRITICAL)
    trace_broker()
    asyncio.run(broker.main())
