"""How many games a second has a tournament that starts its bots for each game?

    python bench/fresh_nights.py REVISION [--rounds 7] [--games 120] [--jobs 2]

Both versions play the same games with trivial C bots in the whole sandbox (`restart = "game"`, two seats), on as many
workers as --jobs says, in turns, in a group that outweighs other work. Workers are warm; no store is written. The
ratio is that of the medians, and of the best rounds.
"""

import argparse
import subprocess
import sys
from pathlib import Path
from statistics import median

from _bots import compiled
from _quiet import outweighing
from _revision import HERE, checked_out
from _timing import spread

AIM = 1.8
WORKER = """
import sys, time
import trio
from peloarena.game import make_options
from peloarena.referee.job import GameJob, SeatJob
try:
    from peloarena.tournament.game_runner import open_workers
except ImportError:  # a revision before the module was renamed
    from peloarena.tournament.runner import open_workers

program, jobs, games = sys.argv[1], int(sys.argv[2]), int(sys.argv[3])
seats = tuple(SeatJob(program, f"bot{number}") for number in range(2))

async def play(workers, numbers):
    for number in numbers:
        report = await workers.play(GameJob("bench", make_options(2), f"n{number}", seats, restart="game"))
        assert report.verdicts == ()

async def all_of(workers, games):
    async with trio.open_nursery() as nursery:
        for slot in range(jobs):
            nursery.start_soon(play, workers, range(slot, games, jobs))

async def main():
    async with open_workers(jobs, "auto") as workers:
        await all_of(workers, 4 * jobs)
        start = time.perf_counter()
        await all_of(workers, games)
        print(games / (time.perf_counter() - start))

trio.run(main)
"""


def rate(tree: Path, program: Path, jobs: int, games: int) -> float:
    command = [sys.executable, "-c", WORKER, str(program), str(jobs), str(games)]
    return float(subprocess.run(command, cwd=tree, check=True, capture_output=True, text=True).stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("revision")
    parser.add_argument("--rounds", type=int, default=7)
    parser.add_argument("--games", type=int, default=120)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    rates: dict[str, list[float]] = {"before": [], "now": []}
    with checked_out(options.revision) as other, compiled("trivial") as program, outweighing() as group:
        program.parent.chmod(0o755)
        print(f"{options.rounds} rounds of {options.games} games, jobs = {options.jobs}, {group}")
        for number in range(options.rounds):
            for version, tree in [("before", other), ("now", HERE)][:: 1 if number % 2 else -1]:
                rates[version].append(rate(tree, program, options.jobs, options.games))
    for version, found in rates.items():
        print(f"{version}: {spread(found, '.1f')} games/s")
    gain, best = median(rates["now"]) / median(rates["before"]), max(rates["now"]) / max(rates["before"])
    print(f"gain {gain:.2f}, of the best rounds {best:.2f}; aim {AIM}: {'met' if gain >= AIM else 'missed'}")


if __name__ == "__main__":
    main()
