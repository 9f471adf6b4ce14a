"""What does a cluster cost a game? Games a second with 1 and 2 slots beside local workers; verify apart; many slots.

    python bench/cluster.py [--games 60] [--waiting 4] [--threads 125] [--seconds 20]

First the same games (bots that wait, so that a game takes about 100 ms) on local workers and on a Dask worker on
loopback, with as many slots. Then jobs that only wait: a node whose `play` sleeps and gives back a report of one real
game under the job's name, on 8 slots and on all of them; the CPU time that runner, broker and verifiers use for a game.
Starts a scheduler and workers of its own and ends them.
"""

from __future__ import annotations

import argparse
import os
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import trio
from msgspec.structs import replace

from peloarena.cluster.address import ClusterAddress
from peloarena.cluster.runner import Cluster, open_cluster
from peloarena.cluster.verifier import Doubt, opinion_of
from peloarena.game import encode, make_options
from peloarena.referee.bots import find_bot
from peloarena.referee.copies import keep_copy
from peloarena.referee.job import GameJob, GameReport, SeatJob
from peloarena.referee.sandbox.isolation import prepare
from peloarena.tournament.runner import Played, open_runner, open_workers

sys.path.insert(0, str(Path(__file__).resolve().parents[1] / "tests" / "cluster"))
from clusters import LocalCluster

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
WAITING = """
import time
from peloarena.cluster import node
import msgspec
from peloarena.game import encode
from peloarena.referee.job import GameJob

REPORT = open(REPORT_FILE, "rb").read()

def play(data):
    time.sleep(SECONDS)
    return REPORT

node.play = play
"""
TICKS = os.sysconf("SC_CLK_TCK")


def job_of(place: str, number: int) -> GameJob:
    seats = tuple(SeatJob(place, name) for name in ("one", "two"))
    return GameJob("game", make_options(2), f"bench-{number}", seats, sandbox="off")


def waiting_bot(folder: Path, pause: float) -> tuple[Path, str]:
    """The keeping that it lies in, and its place there."""
    source = folder / "source"
    source.mkdir()
    (source / "main.py").write_text(WAITS.replace("PAUSE", str(pause)))
    keeping = folder / "night.bots"
    keeping.mkdir()
    with prepare("off") as isolation:
        place = keep_copy(find_bot(source), keeping, isolation)
    return keeping, str(place)


@contextmanager
def cluster_of(folder: Path, nodes: int, threads: int, preload: Path | None = None) -> Iterator[LocalCluster]:
    with LocalCluster(folder) as cluster:
        for number in range(nodes):
            cluster.start_node(f"node{number}", threads, preload=preload)
        yield cluster


async def until_there(cluster: Cluster, slots: int) -> None:
    while cluster.fleet.places < slots:
        await trio.sleep(0.1)
    cluster.checks.is_drawn = lambda: False  # type: ignore[method-assign]  # no game twice while it is timed


async def timed(play: object, place: str, games: int, at_once: int, first: int) -> float:
    """Seconds a game and slot."""
    left = iter(range(first, first + games))

    async def slot() -> None:
        for number in left:
            await play(job_of(place, number))  # type: ignore[operator]

    began = time.perf_counter()
    async with trio.open_nursery() as nursery:
        for _ in range(at_once):
            nursery.start_soon(slot)
    return (time.perf_counter() - began) / games * at_once


async def overhead(folder: Path, keeping: Path, place: str, games: int, slots: int) -> None:
    with cluster_of(folder, 1, slots) as dask:
        address = ClusterAddress(dask.address, dask.address)
        async with open_cluster(address, "off", keeping, lambda _: None) as cluster, open_workers(slots, "off") as here:
            await until_there(cluster, slots)
            for runner in (cluster, here):
                await timed(runner.play, place, 2 * slots, slots, 10**6)  # bots and slots are there
            rows = [
                (
                    await timed(here.play, place, games, slots, n * games),
                    await timed(cluster.play, place, games, slots, n * games),
                )
                for n in range(3)
            ]
    home, there = (min(column) for column in zip(*rows, strict=True))
    print(
        f"{slots} slot(s): at home {home * 1e3:.1f} ms a game, on the cluster {there * 1e3:.1f} ms: "
        f"{(there - home) * 1e3:+.1f} ms, {there / home - 1:+.1%}, verify included (best of 3 in turns)"
    )


def verify_seconds(job: GameJob, report: GameReport) -> float:
    doubt = Doubt(encode(job), "node", 1.0, encode(Played(report)))
    best = 1.0
    for _ in range(20):
        began = time.process_time()
        opinion_of(doubt)
        best = min(best, time.process_time() - began)
    return best


def cpu_of_children(own: int) -> dict[str, float]:
    """CPU seconds of our processes by what they are."""
    found = {"runner": time.process_time()}
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = Path("/proc", pid, "cmdline").read_bytes().split(b"\0")
            numbers = Path("/proc", pid, "stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        name = next((n for n in ("broker", "verifier") if f"peloarena.cluster.{n}".encode() in b" ".join(words)), None)
        if name and b"bwrap" not in words[0] and b"setpriv" not in words[0]:
            found[name] = found.get(name, 0.0) + (int(numbers[11]) + int(numbers[12])) / TICKS
    return found


async def waiting(
    folder: Path, keeping: Path, place: str, report: Path, nodes: int, threads: int, seconds: float
) -> None:
    """Each slot waits a second, or as long as keeps the machine that plays everybody's part below its limit."""
    slots = nodes * threads
    pause = max(1.0, slots / 40)
    preload = folder / "waiting.py"
    preload.write_text(f"REPORT_FILE, SECONDS = {str(report)!r}, {pause}\n{WAITING}")
    with cluster_of(folder, nodes, threads, preload) as dask:
        address = ClusterAddress(dask.address, dask.address)
        async with open_cluster(address, "off", keeping, lambda _: None) as cluster:
            await until_there(cluster, slots)
            cluster.fleet.pin = lambda deal, node: None  # type: ignore[method-assign]  # it is one deal all the time
            done = 0

            async def slot() -> None:
                nonlocal done
                while True:
                    await cluster.play(job_of(place, 0))
                    done += 1

            async with trio.open_nursery() as nursery:
                for _ in range(slots):
                    nursery.start_soon(slot)
                await trio.sleep(2 * pause)
                games, before, began = done, cpu_of_children(os.getpid()), time.perf_counter()
                await trio.sleep(seconds)
                games, after, passed = done - games, cpu_of_children(os.getpid()), time.perf_counter() - began
                nursery.cancel_scope.cancel()
    used = {name: (after[name] - before.get(name, 0.0)) / max(1, games) * 1e3 for name in after}
    told = ", ".join(f"{name} {value:.2f} ms" for name, value in sorted(used.items()))
    busiest = max(used.get("runner", 0.0), used.get("broker", 0.0), used.get("verifier", 0.0) / 2)
    print(
        f"{slots} waiting slots: {games / passed:.1f} games/s; CPU a game: {told}; saturates near {1e3 / busiest:.0f}/s"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--nodes", type=int, default=4)
    parser.add_argument("--threads", type=int, default=125)
    parser.add_argument("--seconds", type=float, default=20.0)
    args = parser.parse_args()
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="peloarena-bench-") as name:
        folder = Path(name)
        keeping, place = waiting_bot(folder, 0.003)
        reports: list[GameReport] = []

        async def one() -> None:
            async with open_runner(1, "off") as here:
                reports.append(await here.play(job_of(place, 0)))

        trio.run(one)
        print(f"verify: {verify_seconds(travelling(job_of(place, 0), keeping), reports[0]) * 1e3:.1f} ms of CPU a game")
        report = folder / "report"
        report.write_bytes(encode(Played(reports[0])))
        for slots in (1, 2):
            trio.run(overhead, folder, keeping, place, args.games, slots)
        for nodes, threads in ((1, 8), (args.nodes, args.threads)):
            trio.run(waiting, folder, keeping, place, report, nodes, threads, args.seconds)
        subprocess.run(["chmod", "-R", "u+w", name], check=True)


def travelling(job: GameJob, keeping: Path) -> GameJob:
    seats = tuple(replace(seat, path=str(Path(seat.path).relative_to(keeping))) for seat in job.seats)
    return replace(job, seats=seats)


if __name__ == "__main__":
    main()
