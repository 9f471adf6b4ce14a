"""What the feed of running games costs a decision when nobody spectates, and what one write costs when somebody does.

    python bench/feed.py

The feed's `watch` in a loop over the events of a game with all modules at a four-player table, as a worker calls it
after every move; then one write of the file that spectators read.
"""

import tempfile
import time
from pathlib import Path
from random import Random
from statistics import median

import trio
from _timing import pin

from peloarena.game import Game, make_options
from peloarena.game.kinds import Event
from peloarena.game.registry import MODULES
from peloarena.referee.job import GameJob, SeatJob
from peloarena.tournament.live_feed import GameFeed, LiveFeed

SEATS = tuple(SeatJob("nowhere", f"bot {number}") for number in range(4))
OPTIONS = make_options(4, list(MODULES))
LOOPS = 2000
WRITINGS = 200


def main() -> None:
    pin()
    with tempfile.TemporaryDirectory() as folder:
        trio.run(measure, Path(folder))


async def measure(folder: Path) -> None:
    batches = events_of_a_game()
    print(f"nobody asked: {unasked(LiveFeed(folder, 0), batches) * 1e9:.0f} ns a decision")
    assert not list(folder.iterdir()), "nothing may be written"
    print(f"a write for spectators: {writing(folder, batches[0]) * 1e6:.0f} µs, at most four times a second")


def job(number: int) -> GameJob:
    return GameJob(f"g{number}", OPTIONS, f"seed {number}", SEATS)


def events_of_a_game() -> list[list[Event]]:
    random, game, found = Random(1), Game(OPTIONS, "seed 1"), []
    while game.decision is not None:
        found.append(game.choose(random.choice(game.decision.legal)))
    return found


def unasked(feed: LiveFeed, batches: list[list[Event]]) -> float:
    """Each loop is a game: what is kept of it goes with it."""
    game, spent = Game(OPTIONS, "seed 1"), 0.0
    for number in range(LOOPS):
        with feed.watch_game(job(number)) as watch:
            assert watch is not None
            began = time.perf_counter()
            for events in batches:
                watch(game, events)
            spent += time.perf_counter() - began
    return spent / LOOPS / len(batches)


def writing(folder: Path, events: list[Event]) -> float:
    game, took = Game(OPTIONS, "seed 1"), []
    for _ in range(WRITINGS):
        on = GameFeed(folder / "0.json", job(1))
        on._write_next_move = True
        began = time.perf_counter()
        on.on_move(game, events)
        took.append(time.perf_counter() - began)
    return median(took)


main()
