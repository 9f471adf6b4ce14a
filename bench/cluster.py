"""What does a cluster cost a game? Beside local workers, hop by hop, verify apart; many slots; when it is full.

    python bench/cluster.py [hops] [overhead] [waiting] [full] [--games 60] [--repeats 5] [--seconds 20]

overhead  games of about 100 ms (bots that wait) on local workers and on a Dask worker on loopback with as many slots,
          in turns: at home, on the cluster without verify, on the cluster as it is
hops      where a game was when, by stamps in every process (medians)
waiting   jobs that only wait, on 8 to 500 slots at the same games a second: CPU time of a game by process
full      jobs that hardly wait: games a second when no more is possible, and whose CPU it is

Starts a scheduler and workers of its own and ends them.
"""

from __future__ import annotations

import argparse
import functools
import os
import signal
import subprocess
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median
from typing import Any

import _cluster_hops as hops
import trio
from _cluster_games import ClusterBench, ReserveCapacity, names_of, seconds_to_play, skip_verification
from _quiet import outweighing
from _timing import spread

from peloarena.cluster import broker_client
from peloarena.cluster.verifier import VerifyRequest, check_request
from peloarena.cluster.verifier_pool import VERIFIER_COUNT
from peloarena.game import encode
from peloarena.referee.job import GameReport
from peloarena.tournament.game_runner import GamePlayed, open_workers

PARTS = ("overhead", "hops", "waiting", "full")
CONCURRENT_GAMES = 1024
"""Games that a tournament starts at a time on a cluster; `reserve_capacity` lets in as many as it has slots for."""
MAX_MS, MAX_SHARE = 5.0, 0.10
RATE = 40.0
"""Games a second at which numbers of slots are compared."""
FLEETS = ((1, 8), (1, 50), (1, 125), (4, 125))
"""Nodes and threads of each."""
WAITING = """
import time
from peloarena.cluster import node

REPORT = open(REPORT_FILE, "rb").read()

def play(data):
    time.sleep(SECONDS)
    return REPORT

node.play = play
"""
PROCESSES = {
    "broker": b"peloarena.cluster.broker",
    "verifier": b"peloarena.cluster.verifier",
    "scheduler": b"dask\0scheduler",
    "nodes": b"dask\0worker",
}
TICKS = os.sysconf("SC_CLK_TCK")


# ---- one and two slots beside local workers


async def overhead(bench: ClusterBench, slots: int, games: int, repeats: int) -> None:
    home: list[float] = []
    plain: list[float] = []
    whole: list[float] = []
    with bench.dask(1, slots) as dask:
        async with bench.cluster(dask, slots) as cluster, open_workers(slots, "off") as here:
            verify = cluster._verifier_pool.verify

            async def on_cluster(run: str, count: int) -> float:
                return (
                    await seconds_to_play(
                        cluster.play, bench, names_of(run, count), CONCURRENT_GAMES, cluster.reserve_capacity
                    )
                    / count
                    * slots
                )

            await on_cluster("first", 10 * slots)  # bots and slots are there
            await seconds_to_play(here.play, bench, names_of("first", 4 * slots), slots)
            for turn in range(repeats):
                home.append(await seconds_to_play(here.play, bench, names_of(f"h{turn}", games), slots) / games * slots)
                cluster._verifier_pool.verify = skip_verification
                plain.append(await on_cluster(f"p{turn}", games))
                cluster._verifier_pool.verify = verify
                whole.append(await on_cluster(f"w{turn}", games))
    print(f"{slots} slot{'s' if slots > 1 else ''}, ms a game and slot, median (best – worst) of {repeats} in turns:")
    for name, column in (("at home", home), ("cluster, without verify", plain), ("cluster, as it is", whole)):
        ms = [value * 1e3 for value in column]
        more = [(there - here) * 1e3 for here, there in zip(home, column, strict=True)]
        share = median(there / here - 1 for here, there in zip(home, column, strict=True))
        added = "" if column is home else f"  {spread(more, '+.1f')} ms, {share:+.1%}"
        verdict = (
            f" ({'met' if median(more) <= MAX_MS and share <= MAX_SHARE else 'MISSED'})" if column is plain else ""
        )
        print(f"  {name:26} {spread(ms, '.1f'):24} {slots / median(column):5.1f} games/s{added}{verdict}", flush=True)


def verify_ms(bench: ClusterBench, report: GameReport) -> float:
    """CPU time of one verification, best of 20."""
    descriptions = (("", "", ""),) * 2  # version, author and language of each bot
    request = VerifyRequest(encode(bench.node_job("game")), "node", 1.0, encode(GamePlayed(report)), descriptions)
    times = []
    for _ in range(20):
        began = time.process_time()
        check_request(request)
        times.append(time.process_time() - began)
    return min(times) * 1e3


# ---- hop by hop


@contextmanager
def stamping(bench: ClusterBench) -> Iterator[Path]:
    """Every process that is started inside stamps into the folder."""
    folder = Path(tempfile.mkdtemp(dir=bench.folder))
    folder.chmod(0o777)
    words = {
        hops.FOLDER: str(folder),
        "DASK_DISTRIBUTED__SCHEDULER__PRELOAD": hops.__file__,
        "DASK_DISTRIBUTED__WORKER__PRELOAD": hops.__file__,
    }
    os.environ.update(words)
    plain = broker_client.run_untrusted
    broker_client.run_untrusted = functools.partial(hops.traced_untrusted, plain)
    try:
        yield folder
    finally:
        broker_client.run_untrusted = plain
        for word in words:
            del os.environ[word]


async def hop_by_hop(bench: ClusterBench, slots: int, at_once: int, games: int) -> None:
    """`at_once`: games at a time; with one, no next game is ready, so the whole way is a break."""
    names = names_of("hop", games)
    with stamping(bench) as folder, bench.dask(1, slots) as dask:
        async with bench.cluster(dask, slots) as cluster:
            await seconds_to_play(cluster.play, bench, names_of("first", 10 * slots), at_once, cluster.reserve_capacity)
            hops.trace_runner(cluster)
            await seconds_to_play(cluster.play, bench, names, at_once, cluster.reserve_capacity)
    rows = hops.way_table(folder, set(names))
    title = f"{slots} slot{'s' if slots > 1 else ''}" if at_once > 1 else "one game after the other"
    print(f"{title}, where a game was, medians of {games} (stamps cost some of it):")
    for what, ms in rows:
        print(f"  {ms:7.2f} ms  {what}")
    print(f"  {hops.idle_ms(folder, set(names), slots):7.2f} ms  A SLOT STOOD STILL between two games", flush=True)


# ---- jobs that only wait


def cpu_now() -> dict[str, float]:
    """CPU seconds of this process and of those that it started, by what they are."""
    used = {"runner": time.process_time()} | dict.fromkeys(PROCESSES, 0.0)
    commands: dict[int, bytes] = {}
    parents: dict[int, int] = {}
    seconds: dict[int, float] = {}
    for pid in map(int, filter(str.isdigit, os.listdir("/proc"))):
        try:
            commands[pid] = Path(f"/proc/{pid}/cmdline").read_bytes()
            numbers = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        except OSError:
            continue
        parents[pid], seconds[pid] = int(numbers[1]), (int(numbers[11]) + int(numbers[12])) / TICKS
    for pid, command in commands.items():
        name = next((name for name, mark in PROCESSES.items() if mark in command), None)
        helper = any(word in command.split(b"\0")[0] for word in (b"bwrap", b"setpriv"))
        if name and pid in seconds and not helper and is_ours(pid, parents):
            used[name] += seconds[pid]
    return used


def is_ours(pid: int, parents: dict[int, int]) -> bool:
    """Others may bench, too."""
    while pid > 1 and pid != os.getpid():
        pid = parents.get(pid, 0)
    return pid == os.getpid()


async def waiting(
    bench: ClusterBench, report: Path, nodes: int, threads: int, pause: float, seconds: float
) -> dict[str, float]:
    """CPU ms of a game by process, and "rate": games a second. Each slot waits `pause`; all begin at moments of it."""
    slots = nodes * threads
    preload = bench.folder / "waiting.py"
    preload.write_text(f"REPORT_FILE, SECONDS = {str(report)!r}, {pause}\n{WAITING}")
    done = 0

    async def play_repeatedly(reserve: ReserveCapacity, play: Any, number: int) -> None:
        nonlocal done
        await trio.sleep(pause * number / slots)
        while True:
            async with reserve():
                await play(bench.job("game"))
            done += 1

    with bench.dask(nodes, threads, preload) as dask:
        async with bench.cluster(dask, slots) as cluster, trio.open_nursery() as nursery:
            for number in range(slots):
                nursery.start_soon(play_repeatedly, cluster.reserve_capacity, cluster.play, number)
            await trio.sleep(2 * pause + 3)
            games, before, began = done, cpu_now(), time.perf_counter()
            await trio.sleep(seconds)
            games, after, passed = done - games, cpu_now(), time.perf_counter() - began
            nursery.cancel_scope.cancel()
    used = {name: (after[name] - before[name]) / max(1, games) * 1e3 for name in after}
    return used | {"rate": games / passed}


def waiting_rows(bench: ClusterBench, report: Path, seconds: float) -> None:
    print(f"jobs that only wait, about {RATE:g} games/s on all of them; CPU ms of a game:")
    for nodes, threads in FLEETS:
        slots = nodes * threads
        used = trio.run(waiting, bench, report, nodes, threads, slots / RATE, seconds)
        print_used(f"{slots} slots", used)


def full_row(bench: ClusterBench, report: Path, nodes: int, threads: int, pause: float, seconds: float) -> None:
    used = trio.run(waiting, bench, report, nodes, threads, pause, seconds)
    print_used(f"{nodes * threads} slots of {pause:g} s", used)
    rate = used.pop("rate")
    shares = ", ".join(f"{name} {value * rate / 10:.0f} %" for name, value in used.items())
    print(f"  of a core: {shares}")
    alone = min(1e3 / used["runner"], 1e3 / used["broker"], VERIFIER_COUNT * 1e3 / used["verifier"])
    print(f"  with a core for each process: near {alone:.0f} games/s", flush=True)


def print_used(name: str, used: dict[str, float]) -> None:
    costs = ", ".join(f"{process} {ms:.2f}" for process, ms in used.items() if process != "rate")
    print(f"  {name:20} {used['rate']:6.1f} games/s: {costs}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"{', '.join(PARTS)}; all of them unless named")
    parser.add_argument("--games", type=int, default=60)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--seconds", type=float, default=20.0)
    args = parser.parse_args()
    parts = args.parts or PARTS
    if unknown := set(parts) - set(PARTS):
        parser.error(f"no part {', '.join(sorted(unknown))}; there are {', '.join(PARTS)}")
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with tempfile.TemporaryDirectory(prefix="peloarena-bench-") as name, outweighing() as group:
        print(f"{group}; {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
        bench = ClusterBench(Path(name))
        report = bench.report()
        kept = bench.folder / "report"
        kept.write_bytes(encode(GamePlayed(report)))
        print(f"verify: {verify_ms(bench, report):.1f} ms of CPU a game, in a process of its own", flush=True)
        for slots in (1, 2):
            if "overhead" in parts:
                trio.run(overhead, bench, slots, args.games * slots, args.repeats)
            if "hops" in parts:
                trio.run(hop_by_hop, bench, slots, CONCURRENT_GAMES, args.games * slots)
        if "hops" in parts:
            trio.run(hop_by_hop, bench, 1, 1, args.games)
        if "waiting" in parts:
            waiting_rows(bench, kept, args.seconds)
        if "full" in parts:
            print("jobs that hardly wait:")
            full_row(bench, kept, 4, 125, 0.5, args.seconds)
        subprocess.run(["chmod", "-R", "u+w", name], check=True)


if __name__ == "__main__":
    main()
