"""How many requests a second does `peloarena engine` answer a client in C, beside the same calls in Python?

    python bench/engine.py [--repeats 9] [--games 40]

The same random 2-player games each time: `choose` plays them, `legal` asks for the moves of a first position, 14 bids.
One by one, the client waits for each answer; pipelined, up to 64 requests are open. Seconds are those of the clock, for
two processes are at work; in process, of the CPU.
"""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from random import Random
from statistics import median
from time import perf_counter

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
    return lines + [{"type": "legal", "game": 1}] * sum(len(indexes) for _, indexes in played)


def served(client: Path, requests: list[dict[str, object]], window: int) -> float:
    """Requests a second."""
    with tempfile.NamedTemporaryFile("w", suffix=".jsonl") as file:
        file.writelines(json.dumps(request) + "\n" for request in requests)
        file.flush()
        words = [str(client), file.name, str(window), *ENGINE]
        done = subprocess.run(words, capture_output=True, text=True, check=True)
    return (len(requests) - 1) / float(done.stdout)


def in_process(played: list[tuple[str, list[int]]], encoded: bool) -> Callable[[], float]:
    """Calls a second: `choose`; or the list of moves as JSON, which is what `legal` adds to a plain attribute."""

    def choose() -> float:
        made = [(Game(OPTIONS, seed), indexes) for seed, indexes in played]
        began, calls = perf_counter(), 0
        for game, indexes in made:
            for index in indexes:
                assert game.decision is not None
                game.choose(game.decision.legal[index])
                calls += 1
        return calls / (perf_counter() - began)

    def legal() -> float:
        game = Game(OPTIONS, FIRST)
        assert game.decision is not None
        began = perf_counter()
        for _ in range(5000):
            encode(game.decision.legal)
        return 5000 / (perf_counter() - began)

    return legal if encoded else choose


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=9)
    parser.add_argument("--games", type=int, default=40)
    arguments = parser.parse_args()
    played = games(arguments.games)
    print(f"{arguments.repeats} repeats in turns; requests a second, median (lowest – highest)")
    with compiled("engine_client") as client:
        rows: dict[str, Callable[[], float]] = {}
        for name, requests in (("choose", choosing(played)), ("legal", listing(played))):
            rows[f"{name}, one by one"] = lambda requests=requests: served(client, requests, 1)  # type: ignore[misc]
            rows[f"{name}, pipelined"] = lambda requests=requests: served(client, requests, WINDOW)  # type: ignore[misc]
            rows[f"{name}, in process"] = in_process(played, name == "legal")
        found: dict[str, list[float]] = {name: [] for name in rows}
        for _ in range(arguments.repeats):
            for name, measure in rows.items():
                found[name].append(measure())
    for name, values in found.items():
        print(f"{name:20} {spread(values)}   {1e6 / median(values):.0f} µs each")


if __name__ == "__main__":
    main()
