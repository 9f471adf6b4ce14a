"""What does a search bot pay for a clone, and for a clone and one move?

    python bench/clone.py [--repeats 15] [--games 60]

Over all positions (decisions) of random 2-player games, one random move in each. `choose` ends with listing the options
of the next decision; a search that knows its move needs the list only later, so the aim (15 µs) excludes it. Its cost
is measured by listing once more, in the positions reached, exactly what `choose` listed last; that mean is subtracted.
Listings of forced decisions on the way remain in.
"""

import argparse
import random
from collections.abc import Sequence
from statistics import median

from _timing import pin, seconds, spread

from peloarena.game import Game, make_options
from peloarena.game.kinds import Move

OPTIONS = make_options(2)
AIM = 15.0
"""µs for a clone and a move."""
Position = tuple[Game, Move]


def positions(games: int) -> list[Position]:
    found = []
    for number in range(games):
        random.seed(number)
        game = Game(OPTIONS, f"bench-{number}")
        while (decision := game.decision) is not None:
            move = decision.legal[random.randrange(len(decision.legal))]
            found.append((game.clone(), move))
            game.choose(move)
    return found


def clone_all(positions: Sequence[Position]) -> None:
    for game, _ in positions:
        game.clone()


def move_all(positions: Sequence[Position]) -> None:
    for game, move in positions:
        game.clone().choose(move)


def reached(positions: Sequence[Position]) -> list[Game]:
    """The positions after the moves; games that ended list nothing."""
    games = []
    for game, move in positions:
        twin = game.clone()
        twin.choose(move)
        if twin.decision is not None:
            games.append(twin)
    return games


def list_all(games: Sequence[Game]) -> None:
    for game in games:
        step = game.state.agenda[-1]
        game.rules.questions[type(step)].options(game, step)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--games", type=int, default=60)
    arguments = parser.parse_args()
    before = positions(arguments.games)
    after = reached(before)
    each = 1e6 / len(before)
    clones, moves, listings = [], [], []
    print(
        f"{len(before)} positions, {arguments.repeats} repeats in turns, {pin()}, CPU time; µs, median (best – worst)"
    )
    for _ in range(arguments.repeats):
        clones.append(each * seconds(lambda: clone_all(before)))
        moves.append(each * seconds(lambda: move_all(before)))
        listings.append(each * seconds(lambda: list_all(after)))
    without = [move - listing for move, listing in zip(moves, listings, strict=True)]
    print(f"clone                                {spread(clones, '.1f')}")
    print(f"clone + move, next listing included  {spread(moves, '.1f')}")
    print(f"the next listing                     {spread(listings, '.1f')}")
    print(f"clone + move, next listing excluded  {spread(without, '.1f')}")
    print(f"aim: under {AIM:.0f}; {'met' if median(without) < AIM else 'missed'}")


if __name__ == "__main__":
    main()
