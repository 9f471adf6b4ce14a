"""What does a refereed game cost beside another version, and with compiled rules?

    python bench/referee_versions.py [REVISION] [--compiled .venv-fast] [--compiled-before VENV] [--rounds 8]
                                     [--kinds 2,4,fresh,stderr]

Workers of all versions play the same deals with trivial C bots in the whole sandbox, in turns: living processes (a
decision), two and four seats, fresh ones (a start and an end), and two seats that write 10,000 single bytes to stderr
before each answer. Where processes live on, worker and bots are pinned
to one core: on two it depends on the scheduler's mood whether they share one, which is worth a third of a game. Each
round has processes of its own, for two processes of one version differ by some percent, too. Of each deal the minimum
counts, for noise only adds, and then the mean over the deals; in brackets the same of the medians.
"""

import argparse
import json
import os
import subprocess
import time
from collections import defaultdict
from pathlib import Path
from statistics import mean, median

import msgspec
from _bots import compiled, talkative
from _quiet import outweighing
from _revision import Version, add_options, compared

from peloarena.game import make_options

DEALS = 20
RUNS = 3
"""Of every deal, in a round."""
STDERR_WRITES = 10_000
KINDS = {
    "2": ("2 seats", 2, "never"),
    "4": ("4 seats", 4, "never"),
    "fresh": ("2 seats, fresh processes", 2, "game"),
    "stderr": (f"2 seats, {STDERR_WRITES} single bytes to stderr before each answer", 2, "never"),
}
CORE = max(os.sched_getaffinity(0))
Times = dict[tuple[str, int], list[float]]
"""Seconds on the clock by version and deal."""


class Worker:
    """A worker process of one version; it speaks JSON lines."""

    def __init__(self, version: Version, sandbox: str, pinned: bool) -> None:
        self.name = version.name
        command = ["taskset", "--cpu-list", str(CORE)] if pinned else []
        command += [version.python, "-m", "peloarena.tournament.worker", sandbox]
        # -m puts the working directory first on the path: each version imports its own package
        self.process = subprocess.Popen(command, cwd=version.folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def play(self, program: Path, seats: int, restart: str, deal: int) -> tuple[float, int]:
        """Seconds on the clock, and decisions."""
        job = {
            "game": "bench",
            "options": json.loads(msgspec.json.encode(make_options(seats))),
            "seed": f"bench-{deal}",
            "seats": [{"path": str(program), "name": f"bot{number}"} for number in range(seats)],
            "restart": restart,
            "pondering": False,
        }
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        line = json.dumps(job).encode() + b"\n"
        start = time.perf_counter()
        self.process.stdin.write(line)
        self.process.stdin.flush()
        line = self.process.stdout.readline()
        took = time.perf_counter() - start
        report = json.loads(line)["report"]
        assert report["verdicts"] == []
        return took, sum(stats["decisions"] for stats in report["stats"])

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def play_round(workers: list[Worker], program: Path, kind: str, times: Times, decisions: dict[int, int]) -> None:
    _, seats, restart = KINDS[kind]
    for run in range(RUNS):
        for worker in workers[run % len(workers) :] + workers[: run % len(workers)]:
            for deal in range(DEALS):
                took, decisions[deal] = worker.play(program, seats, restart, deal)
                times[worker.name, deal].append(took)
    for worker in workers:
        worker.end()


def print_kind(kind: str, names: list[str], times: Times, decisions: dict[int, int]) -> None:
    """Each version beside the first."""
    asked = mean(decisions.values())
    print(f"{KINDS[kind][0]}, {asked:.0f} decisions a game")
    best, usual = (
        {name: mean(of(times[name, deal]) for deal in range(DEALS)) for name in names} for of in (min, median)
    )
    for name in names:
        line = f"  {name:15} a game {best[name] * 1e3:.2f} ms (medians {usual[name] * 1e3:.2f})"
        line += f", {best[name] / asked * 1e6:.1f} µs a decision ({usual[name] / asked * 1e6:.1f})"
        gain, usually = best[names[0]] / best[name], usual[names[0]] / usual[name]
        print(line + (f"; {gain:.2f} times as fast ({usually:.2f})" if name != names[0] else ""), flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    add_options(parser)
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--kinds", default="2,4,fresh")
    parser.add_argument("--sandbox", choices=["auto", "off"], default="auto")
    arguments = parser.parse_args()
    with compared(arguments) as versions, compiled("trivial") as program, outweighing() as group:
        print(f"{arguments.rounds} rounds of {RUNS} runs, {DEALS} deals, sandbox {arguments.sandbox}, {group}")
        for kind in arguments.kinds.split(","):
            times: Times = defaultdict(list)
            decisions: dict[int, int] = {}
            for _ in range(arguments.rounds):
                pinned = KINDS[kind][2] == "never"
                workers = [Worker(version, arguments.sandbox, pinned) for version in versions]
                path = talkative(program, STDERR_WRITES) if kind == "stderr" else program
                play_round(workers, path, kind, times, decisions)
            print_kind(kind, [version.name for version in versions], times, decisions)


if __name__ == "__main__":
    main()
