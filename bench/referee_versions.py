"""Does a refereed game cost more than in another version? `python bench/referee_versions.py REVISION [--runs 12]`.

Workers of both versions play the same deals with trivial C bots in the whole sandbox, in turns: living processes (a
decision), two and four seats, and fresh ones (a start and an end). The minimum of each deal counts, for noise only
adds; then the mean over the deals.
"""

import argparse
import json
import subprocess
import sys
import time
from collections import defaultdict
from pathlib import Path
from statistics import mean

import msgspec
from _bots import compiled
from _revision import HERE, checked_out

from peloarena.game import make_options

DEALS = 20
KINDS = {"2 seats": (2, "never"), "4 seats": (4, "never"), "2 seats, fresh processes": (2, "game")}


class Worker:
    """A worker process of one version; it speaks JSON lines."""

    def __init__(self, tree: Path) -> None:
        command = [sys.executable, "-m", "peloarena.tournament.worker", "auto"]
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
        start = time.perf_counter()
        self.process.stdin.write(json.dumps(job).encode() + b"\n")
        self.process.stdin.flush()
        report = json.loads(self.process.stdout.readline())["report"]
        took = time.perf_counter() - start
        assert report["verdicts"] == []
        return took, sum(stats["decisions"] for stats in report["stats"])

    def end(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait()


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("revision")
    parser.add_argument("--runs", type=int, default=12)
    options = parser.parse_args()
    best: dict[tuple[str, str, int], float] = defaultdict(lambda: float("inf"))
    decisions: dict[tuple[str, int], int] = {}
    with checked_out(options.revision) as other, compiled("trivial") as program:
        workers = {"before": Worker(other), "now": Worker(HERE)}
        for run in range(options.runs):
            for version, worker in list(workers.items())[:: 1 if run % 2 else -1]:
                for kind, (seats, restart) in KINDS.items():
                    for deal in range(DEALS):
                        took, decisions[kind, deal] = worker.play(program, seats, restart, deal)
                        best[version, kind, deal] = min(took, best[version, kind, deal])
        for worker in workers.values():
            worker.end()
    for kind in KINDS:
        games = {v: mean(best[v, kind, deal] for deal in range(DEALS)) for v in workers}
        asked = mean(decisions[kind, deal] for deal in range(DEALS))
        ratio = games["now"] / games["before"]
        each = {v: games[v] / asked * 1e6 for v in workers}
        print(f"{kind}: a game {games['before'] * 1e3:.2f} → {games['now'] * 1e3:.2f} ms ({ratio:.3f}),", end=" ")
        print(f"{asked:.0f} decisions, {each['before']:.1f} → {each['now']:.1f} µs for each")


if __name__ == "__main__":
    main()
