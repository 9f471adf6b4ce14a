"""How many requests a second does `peloarena engine` answer a client in C, beside the same calls in Python?

    python bench/engine.py [--repeats 9] [--games 300]

The same random 2-player games each time: `choose` plays them, `legal` asks for the moves of a first position, 14 bids.
One by one, the client waits for each answer; pipelined, up to 64 requests are open. Both of the clock and of CPU time,
that of client and engine together, less what an engine takes that is only greeted: the clock of a busy machine says
little.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path
from random import Random
from time import perf_counter, process_time
from typing import NamedTuple

from _bots import compiled
from _timing import spread

from peloarena.game import Game, encode, make_options

OPTIONS = make_options(2)
WINDOW = 64
FIRST = "friday-1"
ENGINE = [sys.executable, "-m", "peloarena", "engine"]


def games(number: int) -> list[tuple[str, list[int]]]:
    """Seeds, and the indexes chosen."""
    found = []
    for n in range(number):
        chance, game, indexes = Random(n), Game(OPTIONS, f"bench-{n}"), []
        while game.decision is not None:
            indexes.append(chance.randrange(len(game.decision.legal)))
            game.choose(game.decision.legal[indexes[-1]])
        found.append((f"bench-{n}", indexes))
    return found


def choosing(played: list[tuple[str, list[int]]]) -> list[dict[str, object]]:
    """All games are made before the first move: `new` is not what is measured, and is a small part of the requests."""
    lines: list[dict[str, object]] = [{"type": "hello"}]
    lines += [{"type": "new", "options": {"players": 2}, "seed": seed} for seed, _ in played]
    for number, (_, indexes) in enumerate(played, start=1):
        lines += [{"type": "choose", "game": number, "index": index} for index in indexes]
    return lines


def listing(played: list[tuple[str, list[int]]]) -> list[dict[str, object]]:
    first = {"type": "new", "options": {"players": 2}, "seed": FIRST}
    lines: list[dict[str, object]] = [{"type": "hello"}, first]
    return lines + [{"type": "legal", "game": 1}] * (8 * sum(len(indexes) for _, indexes in played))


class Rate(NamedTuple):
    clock: float
    """Requests a second."""
    cpu: float
    """Requests a second of CPU time."""


def served(client: Path, requests: list[dict[str, object]], window: int) -> Rate:
    idle = spent_on(client, requests[:2], window)[1]
    seconds, cpu = spent_on(client, requests, window)
    return Rate((len(requests) - 1) / seconds, (len(requests) - 2) / max(cpu - idle, 1e-6))


def spent_on(client: Path, requests: list[dict[str, object]], window: int) -> tuple[float, float]:
    """Seconds between the first answer and the last; CPU seconds of both processes."""
    before = os.times()
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.writelines(json.dumps(request) + "\n" for request in requests)
        file.flush()
        words = [str(client), file.name, str(window), *ENGINE]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
    after = os.times()
    used = after.children_user + after.children_system - before.children_user - before.children_system
    return float(done.stdout), used


def choose_here(played: list[tuple[str, list[int]]]) -> Rate:
    made = [(Game(OPTIONS, seed), indexes) for seed, indexes in played]

    def work() -> int:
        for game, indexes in made:
            for index in indexes:
                assert game.decision is not None
                game.choose(game.decision.legal[index])
        return sum(len(indexes) for _, indexes in made)

    return timed(work)


def legal_here() -> Rate:
    """The list of moves as JSON, which is what `legal` adds to a plain attribute."""
    decision = Game(OPTIONS, FIRST).decision
    assert decision is not None

    def work() -> int:
        for _ in range(50_000):
            encode(decision.legal)
        return 50_000

    return timed(work)


def timed(work: Callable[[], int]) -> Rate:
    clock, cpu = perf_counter(), process_time()
    calls = work()
    return Rate(calls / (perf_counter() - clock), calls / (process_time() - cpu))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--games", type=int, default=300)
    arguments = parser.parse_args()
    played = games(arguments.games)
    print(
        f"{arguments.repeats} repeats in turns; requests a second, median (lowest – highest), of the clock; of CPU time"
    )
    with compiled("engine_client") as client:
        rows: dict[str, Callable[[], Rate]] = {}
        for name, requests in (("choose", choosing(played)), ("legal", listing(played))):
            rows[f"{name}, one by one"] = partial(served, client, requests, 1)
            rows[f"{name}, pipelined"] = partial(served, client, requests, WINDOW)
        rows["choose, in process"] = partial(choose_here, played)
        rows["legal, in process"] = legal_here
        found: dict[str, list[Rate]] = {name: [] for name in rows}
        for _ in range(arguments.repeats):
            for name, measure in rows.items():
                found[name].append(measure())
    for name, rates in found.items():
        print(f"{name:20} {spread([rate.clock for rate in rates])};  {spread([rate.cpu for rate in rates])}")


if __name__ == "__main__":
    main()
