"""A worker of versions.py: works with whatever rules it imports. The name of a work in, CPU seconds out, by lines."""

import random
import sys
from collections.abc import Callable
from functools import partial

from _timing import pin, seconds
from clone import move_all, positions

from peloarena.game import Game, GameOptions, make_options

EIGHT = ("hellas", "sea", "trade", "goats", "athens", "colonies", "heroes", "persians")


def play(options: GameOptions, games: int) -> None:
    random.seed(7)
    for number in range(games):
        game = Game(options, f"v{number}")
        while (decision := game.decision) is not None:
            game.choose(decision.legal[random.randrange(len(decision.legal))])


def main() -> None:
    known = positions(10)
    works: dict[str, tuple[Callable[[], None], int]] = {
        "2 players": (partial(play, make_options(2), 20), 20),
        "4 players": (partial(play, make_options(4), 10), 10),
        "4 players, eight modules": (partial(play, make_options(4, EIGHT), 5), 5),
        "clone + move": (partial(move_all, known), len(known)),
    }
    pin()
    for line in sys.stdin:
        work, pieces = works[line.strip()]
        print(seconds(work) / pieces, flush=True)


if __name__ == "__main__":
    main()
