"""What the bench of the cluster plays: bots that wait, jobs with them, a Dask cluster on loopback."""

from __future__ import annotations

import sys
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import AbstractAsyncContextManager, asynccontextmanager, contextmanager, nullcontext
from pathlib import Path

import msgspec
import trio
from msgspec import Struct
from msgspec.structs import replace

from peloarena.cluster.address import ClusterAddress
from peloarena.cluster.cluster_runner import ClusterRunner, open_cluster
from peloarena.cluster.verifier import VerifiedReport, VerifyRequest
from peloarena.game import make_options
from peloarena.referee.bot_copies import copy_and_compile
from peloarena.referee.bot_finder import find_bot
from peloarena.referee.job import GameJob, GameReport, SeatJob
from peloarena.referee.sandbox.isolation import prepare
from peloarena.tournament.game_runner import open_runner

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "cluster"))
from clusters import LocalCluster

PAUSE = 0.0022
"""Seconds that a bot waits before each answer: a game takes about 100 ms, as the aim says."""
WAITS = """
import json, sys, time
for line in sys.stdin:
    message = json.loads(line)
    if message["type"] == "hello":
        print('{"type":"hello","name":"waits","wants":"events"}', flush=True)
    elif message["type"] == "newgame":
        print('{"type":"ready"}', flush=True)
    elif message["type"] == "decide":
        time.sleep(PAUSE)
        print(json.dumps({"type": "answer", "id": message["id"], "index": 0}), flush=True)
"""

Play = Callable[[GameJob], Awaitable[GameReport]]
Room = Callable[[], AbstractAsyncContextManager[None]]


class Hall:
    """A folder with a bot that waits, kept as a night keeps it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        source = folder / "source"
        source.mkdir()
        (source / "main.py").write_text(WAITS.replace("PAUSE", str(PAUSE)))
        self.keeping = folder / "night.bots"
        self.keeping.mkdir()
        with prepare("off") as isolation:
            self.place = str(copy_and_compile(find_bot(source), self.keeping, isolation))

    def job(self, game: str) -> GameJob:
        """Always the same deal: games differ in their names alone, and take equally long."""
        seats = tuple(SeatJob(self.place, name) for name in ("one", "two"))
        return GameJob(game, make_options(2), "bench", seats, sandbox="off")

    def travelling(self, game: str) -> GameJob:
        """As a node gets it."""
        job = self.job(game)
        seats = tuple(replace(seat, path=str(Path(seat.path).relative_to(self.keeping))) for seat in job.seats)
        return replace(job, seats=seats)

    def report(self) -> GameReport:
        """Of one real game, played here."""
        found: list[GameReport] = []

        async def one() -> None:
            async with open_runner(1, "off") as here:
                found.append(await here.play(self.job("game")))

        trio.run(one)
        return found[0]

    @contextmanager
    def dask(self, nodes: int, threads: int, preload: Path | None = None) -> Iterator[LocalCluster]:
        with LocalCluster(self.folder) as cluster:
            for number in range(nodes):
                cluster.start_node(f"node{number}", threads, preload=preload)
            yield cluster

    @asynccontextmanager
    async def cluster(self, dask: LocalCluster, slots: int) -> AsyncIterator[ClusterRunner]:
        """With all its slots; no game is played twice while it is timed."""
        address = ClusterAddress(dask.address, dask.address)
        async with open_cluster(address, "off", self.keeping, lambda _: None, print) as cluster:
            while sum(node.slots for node in cluster.fleet.nodes.values()) < slots:
                await trio.sleep(0.1)
            cluster.spot_checks.is_drawn = lambda: False  # type: ignore[method-assign]
            cluster.fleet.pin = lambda deal, node: None  # type: ignore[method-assign]  # it is one deal all the time
            yield cluster


async def played(play: Play, hall: Hall, names: list[str], at_once: int, room: Room = nullcontext) -> float:
    """Seconds from the first game's start to the last one's end. `at_once`: places, as a night has them; more of them
    than `room` lets in do no harm."""
    left = iter(names)

    async def place() -> None:
        while True:
            async with room():
                if (name := next(left, None)) is None:
                    return
                await play(hall.job(name))

    began = time.perf_counter()
    async with trio.open_nursery() as nursery:
        for _ in range(at_once):
            nursery.start_soon(place)
    return time.perf_counter() - began


def names_of(run: str, count: int) -> list[str]:
    return [f"{run}-{number}" for number in range(count)]


class RawPlayed(Struct, tag="played"):
    report: msgspec.Raw


async def believed(doubt: VerifyRequest) -> VerifiedReport:
    """In place of a verifier: what a game costs without."""
    return VerifiedReport(bytes(msgspec.json.decode(doubt.data, type=RawPlayed).report), "")
