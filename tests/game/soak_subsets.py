"""Every legal choice of modules at every player count plays a random game to its end under all nets. `make soak`.

Not part of the suite: it takes minutes. `python tests/game/soak_subsets.py [--games N]` prints what it played.
"""

from __future__ import annotations

import argparse
import random
import sys
import time
from collections.abc import Iterator
from itertools import chain, combinations

from invariants import play_in_nets

from peloarena.game import ConfigError, Game, GameOptions, make_options
from peloarena.game.registry import MODULES

EVERYTHING_EVERY = 20
"""One table in this many is checked in full after each move; the others by the cheap nets."""


def legal_tables() -> Iterator[GameOptions]:
    names = list(MODULES)
    for modules in chain.from_iterable(combinations(names, size) for size in range(len(names) + 1)):
        for players in range(1, 9):
            try:
                yield make_options(players, modules, level=1 if players == 1 else 0)
            except ConfigError:
                continue


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=1, help="games for each table")
    games = parser.parse_args().games
    started = time.monotonic()
    played = tables = 0
    for tables, options in enumerate(legal_tables(), 1):
        for number in range(games):
            seed = f"soak {tables} {number}"
            rng = random.Random(seed)
            try:
                play_in_nets(Game(options, seed), rng, dear=tables % EVERYTHING_EVERY == 0)
            except AssertionError:
                print(f"broken: seed {seed!r}, {options}", file=sys.stderr)
                raise
            played += 1
        if tables % 500 == 0:
            print(f"{tables} tables, {played} games, {time.monotonic() - started:.0f} s")
    print(
        f"{tables} legal tables (modules × players), {played} games, {time.monotonic() - started:.0f} s: all laws kept"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
