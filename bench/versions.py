"""Are base-game playouts slower than in another version? `python bench/versions.py REVISION [--runs 20]`.

Checks the revision out into a temporary folder and plays the same random two-player games with both, in processes of
their own, in turns. The minimum of CPU time counts: noise only ever adds.
"""

import argparse
import subprocess
import sys
from pathlib import Path

from _revision import HERE, checked_out

GAMES = 300
PLAY = """
import random, sys, time
from peloarena.game import Game, make_options
options = make_options(2)
def play(games):
    random.seed(7)
    for number in range(games):
        game = Game(options, f"v{number}")
        while game.decision is not None:
            legal = game.decision.legal
            game.choose(legal[random.randrange(len(legal))])
play(20)
start = time.process_time()
play(int(sys.argv[1]))
print(time.process_time() - start)
"""


def seconds(folder: Path) -> float:
    command = [sys.executable, "-c", PLAY, str(GAMES)]
    # -c puts the working directory first on the path: each version imports its own package
    done = subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True)
    return float(done.stdout)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("revision")
    parser.add_argument("--runs", type=int, default=20)
    options = parser.parse_args()
    with checked_out(options.revision) as other:
        times: dict[Path, list[float]] = {other: [], HERE: []}
        for _ in range(options.runs):
            for folder in (other, HERE):
                times[folder].append(seconds(folder))
    before, now = min(times[other]), min(times[HERE])
    print(f"{options.revision}: {before / GAMES * 1e6:.0f} µs a game; now: {now / GAMES * 1e6:.0f} µs a game")
    print(f"now takes {now / before:.3f} of the time ({options.runs} interleaved runs, CPU-time minima)")


if __name__ == "__main__":
    main()
