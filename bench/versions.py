"""How fast are the rules beside those of another revision, and how fast are they compiled?

    python bench/versions.py [REVISION] [--compiled .venv-fast] [--rounds 40]

A worker process for each version; they do the same piece of work in turns on one core: random games, or clones with one
move, the next listing included. Each work and each fifth of the rounds has processes of its own, for two processes of
one version differ by some percent, too. CPU time counts. Noise only ever adds, so the minima say most; beside them
stand the medians, of the ratios those within a round.
"""

import argparse
import os
import subprocess
from pathlib import Path
from statistics import median

from _quiet import outweighing
from _revision import Version, add_options, compared

WORKER = Path(__file__).with_name("_rules_worker.py")
WORKS = {"2 players": "a game", "4 players": "a game", "4 players, eight modules": "a game", "clone + move": "each"}
PROCESSES = 5
"""Of each version, one after another."""
Times = dict[str, list[float]]
"""CPU seconds by version, one for each round."""


class Worker:
    def __init__(self, version: Version) -> None:
        self.name = version.name
        self._process = subprocess.Popen(
            [version.python, str(WORKER)],
            env={**os.environ, "PYTHONPATH": str(version.folder)},
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )

    def seconds(self, work: str) -> float:
        """For one game or one clone."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        print(work, file=self._process.stdin, flush=True)
        return float(self._process.stdout.readline())

    def end(self) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()


def add_times(times: Times, versions: list[Version], work: str, rounds: int) -> None:
    workers = [Worker(version) for version in versions]
    try:
        for number in range(-1, rounds):
            first = number % len(workers)  # nobody is always the one that runs twice in a row, its caches warm
            for worker in workers[first:] + workers[:first]:
                took = worker.seconds(work)
                if number >= 0:  # the round before warms them up
                    times[worker.name].append(took)
    finally:
        for worker in workers:
            worker.end()


def print_times(times: Times) -> None:
    """Each version beside the one above it."""
    above: list[float] = []
    for name, own in times.items():
        line = f"  {name:9} lowest {min(own) * 1e6:8.1f}, median {median(own) * 1e6:8.1f}"
        if above:
            gains = [one / other for one, other in zip(above, own, strict=True)]
            line += f"; {min(above) / min(own):.2f} times as fast as the one above (median {median(gains):.2f})"
        print(line, flush=True)
        above = own


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser)
    parser.add_argument("--rounds", type=int, default=40, help="for each of five processes")
    arguments = parser.parse_args()
    load = os.getloadavg()[0]
    with compared(arguments) as versions, outweighing() as group:
        print(f"{PROCESSES} processes, {arguments.rounds} rounds each, in turns; CPU time; load {load:.1f}, {group}")
        for work, piece in WORKS.items():
            times: Times = {version.name: [] for version in versions}
            for _ in range(PROCESSES):
                add_times(times, versions, work, arguments.rounds)
            print(f"{work}, µs {piece}")
            print_times(times)


if __name__ == "__main__":
    main()
