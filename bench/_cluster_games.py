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
ReserveCapacity = Callable[[], AbstractAsyncContextManager[None]]


class ClusterBench:
    """A folder with the snapshot of a bot that waits, as a tournament has it; games and a cluster for it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        source = folder / "source"
        source.mkdir()
        (source / "main.py").write_text(WAITS.replace("PAUSE", str(PAUSE)))
        self.snapshots = folder / "night.bots"
        self.snapshots.mkdir()
        with prepare("off") as isolation:
            self.bot_path = str(copy_and_compile(find_bot(source), self.snapshots, isolation))

    def job(self, game: str) -> GameJob:
        """Always the same deal: games differ in their names alone, and take equally long."""
        seats = tuple(SeatJob(self.bot_path, name) for name in ("one", "two"))
        return GameJob(game, make_options(2), "bench", seats, sandbox="off")

    def node_job(self, game: str) -> GameJob:
        """As a node gets it."""
        job = self.job(game)
        seats = tuple(replace(seat, path=str(Path(seat.path).relative_to(self.snapshots))) for seat in job.seats)
        return replace(job, seats=seats)

    def report(self) -> GameReport:
        """Of one real game, played here."""
        reports: list[GameReport] = []

        async def one() -> None:
            async with open_runner(1, "off") as here:
                reports.append(await here.play(self.job("game")))

        trio.run(one)
        return reports[0]

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
        async with open_cluster(address, "off", self.snapshots, lambda _: None, print) as cluster:
            while sum(node.slots for node in cluster.fleet.nodes.values()) < slots:
                await trio.sleep(0.1)
            cluster.spot_checks.is_drawn = lambda: False  # type: ignore[method-assign]
            cluster.fleet.pin = lambda deal, node: None  # type: ignore[method-assign]  # it is one deal all the time
            yield cluster


async def seconds_to_play(
    play: Play, bench: ClusterBench, names: list[str], at_once: int, reserve: ReserveCapacity = nullcontext
) -> float:
    """Seconds from the first game's start to the last one's end. `at_once`: games that a tournament
    would start at a time; more of them than `reserve` lets in do no harm."""
    left = iter(names)

    async def play_next() -> None:
        while True:
            async with reserve():
                if (name := next(left, None)) is None:
                    return
                await play(bench.job(name))

    began = time.perf_counter()
    async with trio.open_nursery() as nursery:
        for _ in range(at_once):
            nursery.start_soon(play_next)
    return time.perf_counter() - began


def names_of(run: str, count: int) -> list[str]:
    return [f"{run}-{number}" for number in range(count)]


class RawPlayed(Struct, tag="played"):
    report: msgspec.Raw


async def skip_verification(request: VerifyRequest) -> VerifiedReport:
    """Replaces a verifier, to measure what a game costs without it."""
    return VerifiedReport(bytes(msgspec.json.decode(request.data, type=RawPlayed).report), "")
