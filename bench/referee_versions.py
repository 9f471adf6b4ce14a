"""Does a refereed game cost more than in another version? `python bench/referee_versions.py REVISION [--rounds 8]`.

Workers of both versions play the same deals with trivial C bots in the whole sandbox, in turns: living processes (a
decision), two and four seats, and fresh ones (a start and an end). Where processes live on, worker and bots are pinned
to one core: on two it depends on the scheduler's mood whether they share one, which is worth a third of a game. Each
round has processes of its own, for two processes of one version differ by some percent, too. The minimum of each deal
counts, for noise only adds; then the mean over the deals.
"""

import argparse
import json
import os
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from statistics import mean

import msgspec
from _bots import compiled
from _quiet import outweighing
from _revision import HERE, checked_out

from peloarena.game import make_options

DEALS = 20
RUNS = 3
"""Of every deal, in a round."""
KINDS = {"2 seats": (2, "never"), "4 seats": (4, "never"), "2 seats, fresh processes": (2, "game")}
CORE = max(os.sched_getaffinity(0))
Best = dict[tuple[str, str, int], float]
"""Seconds on the clock by version, kind and deal."""


class Worker:
    """A worker process of one version; it speaks JSON lines."""

    def __init__(self, tree: Path, sandbox: str, pinned: bool) -> None:
        command = ["taskset", "--cpu-list", str(CORE)] if pinned else []
        command += [sys.executable, "-m", "peloarena.tournament.worker", sandbox]
        self.process = subprocess.Popen(command, cwd=tree, stdin=subprocess.PIPE, stdout=subprocess.PIPE)

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


def play_round(
    kind: str, workers: dict[str, Worker], program: Path, best: Best, decisions: dict[tuple[str, int], int]
) -> None:
    for run in range(RUNS):
        for version, worker in list(workers.items())[:: 1 if run % 2 else -1]:
            for deal in range(DEALS):
                took, decisions[kind, deal] = worker.play(program, *KINDS[kind], deal)
                best[version, kind, deal] = min(took, best[version, kind, deal])
    for worker in workers.values():
        worker.end()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("revision")
    parser.add_argument("--rounds", type=int, default=8)
    parser.add_argument("--sandbox", choices=["auto", "off"], default="auto")
    options = parser.parse_args()
    best: Best = defaultdict(lambda: float("inf"))
    decisions: dict[tuple[str, int], int] = {}
    with checked_out(options.revision) as other, compiled("trivial") as program, outweighing() as group:
        print(f"{options.rounds} rounds of {RUNS} runs, {DEALS} deals, sandbox {options.sandbox}, {group}")
        trees = {"before": other, "now": HERE}
        for kind in list(KINDS) * options.rounds:
            pinned = KINDS[kind][1] == "never"
            workers = {version: Worker(tree, options.sandbox, pinned) for version, tree in trees.items()}
            play_round(kind, workers, program, best, decisions)
    for kind in KINDS:
        games = {version: mean(best[version, kind, deal] for deal in range(DEALS)) for version in trees}
        asked = mean(decisions[kind, deal] for deal in range(DEALS))
        ratio = games["now"] / games["before"]
        each = {version: games[version] / asked * 1e6 for version in trees}
        print(f"{kind}: a game {games['before'] * 1e3:.2f} → {games['now'] * 1e3:.2f} ms ({ratio:.3f}),", end=" ")
        print(f"{asked:.0f} decisions, {each['before']:.1f} → {each['now']:.1f} µs for each")


if __name__ == "__main__":
    main()
