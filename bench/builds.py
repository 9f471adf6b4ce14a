"""How long does a roster take to build: one by one, and on all cores as a tournament does before its first game?

    python bench/builds.py [--bots 8] [--repeats 5] [--kits c,python] [--sandbox auto]

A roster of first bots as `peloarena new` makes them: of C, whose build is one process that keeps one core busy, and of
Python, whose copies are compiled in the sandbox. Each is built from nothing, in a cache of the bench's own; one by one
and side by side take turns. Two plain loops beside each other say what two cores of this machine give at all.
"""

import argparse
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from statistics import median

import trio
from _quiet import outweighing
from _timing import spread

from peloarena.referee.bot_builder import BotBuilder
from peloarena.referee.bot_copies import copy_bot
from peloarena.referee.bot_finder import Bot, find_bot
from peloarena.referee.build import builds_folder
from peloarena.referee.kits import kit_of, make_kit
from peloarena.referee.sandbox.isolation import Isolation, prepare
from peloarena.referee.temporary_folders import remove_folder

LOOP = "for _ in range(20_000_000): pass"


def roster(kit: str, bots: int, folder: Path) -> list[Bot]:
    """Each with files of its own: what two have in common is built once."""
    for number in range(bots):
        make_kit(kit_of(kit), f"{kit}{number}", folder / f"{kit}{number}")
    return [find_bot(folder / f"{kit}{number}") for number in range(bots)]


def seconds_to_build(bots: Sequence[Bot], at_once: int, isolation: Isolation) -> float:
    """From nothing."""
    remove_folder(builds_folder())
    builder = BotBuilder(isolation)
    builder.max_tasks = at_once
    start = time.perf_counter()
    trio.run(builder.build_all, bots)
    taken = time.perf_counter() - start
    assert all(builder.has_built(bot.digest) for bot in bots)
    return taken


def seconds_to_compile(bots: Sequence[Bot], at_once: int, isolation: Isolation) -> float:
    with tempfile.TemporaryDirectory(prefix="peloarena-builds-") as name:
        home = Path(name)
        home.chmod(0o755)
        for bot in bots:
            copy_bot(bot, home)
        builder = BotBuilder(isolation)
        builder.max_tasks = at_once
        start = time.perf_counter()
        trio.run(builder.compile_all, bots, home)
        return time.perf_counter() - start


def machine_gain() -> float:
    """What all cores do more than one, of a loop that needs nothing but them."""
    words = [sys.executable, "-S", "-c", LOOP]
    alone = _seconds([words])
    cores = len(os.sched_getaffinity(0))
    return alone * cores / _seconds([words] * cores)


def _seconds(commands: list[list[str]]) -> float:
    start = time.perf_counter()
    for process in [subprocess.Popen(words) for words in commands]:
        process.wait()
    return time.perf_counter() - start


def compare(name: str, bots: Sequence[Bot], repeats: int, isolation: Isolation) -> None:
    """One by one and side by side in turns, each first as often as the other."""
    taken_by: Callable[[Sequence[Bot], int, Isolation], float] = (
        seconds_to_build if bots[0].build else seconds_to_compile
    )
    at_once = (1, BotBuilder(isolation).max_tasks)
    taken: dict[int, list[float]] = {count: [] for count in at_once}
    for repeat in range(repeats):
        for count in at_once if repeat % 2 == 0 else at_once[::-1]:
            taken[count].append(taken_by(bots, count, isolation))
    one, all_cores = (taken[count] for count in at_once)
    gains = [slow / quick for slow, quick in zip(one, all_cores, strict=True)]
    print(f"{len(bots)} bots in {name}, one by one: {spread(one, '.2f')} s")
    print(f"  {at_once[1]} at a time: {spread(all_cores, '.2f')} s")
    print(f"  gain {spread(gains, '.2f')}", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--bots", type=int, default=8)
    parser.add_argument("--repeats", type=int, default=5)
    parser.add_argument("--kits", default="c,python")
    parser.add_argument("--sandbox", choices=("auto", "strict", "off"), default="auto")
    given = parser.parse_args()
    with outweighing() as how, tempfile.TemporaryDirectory(prefix="peloarena-builds-") as name:
        print(f"{how}; load {os.getloadavg()[0]:.1f}; sandbox {given.sandbox}")
        os.environ["XDG_CACHE_HOME"] = str(Path(name, "cache"))
        Path(name).chmod(0o755)
        gains = []
        with prepare(given.sandbox) as isolation:
            for kit in given.kits.split(","):
                gains.append(machine_gain())
                compare(kit_of(kit).language, roster(kit, given.bots, Path(name)), given.repeats, isolation)
            gains.append(machine_gain())
        print(f"plain loops on all cores, meanwhile: {median(gains):.2f} times what one does alone")


if __name__ == "__main__":
    main()
