"""How many decisions a second do random 2-player games make, beside catanatron's?

    python bench/playouts.py [--repeats 15] [--games 200]

Both engines play the same seeded games in every repeat, in turns, on one core, set-up included. Both are asked through
their public API, both check that the move is legal, and both choose with `random.randrange`. Decisions are counted in
a second, untimed pass over the same games, in two ways: *choices* have more than one option; *all* includes the forced
ones, which catanatron asks for (roll, end turn) and ours plays unasked and reports (RULES P4).
"""

import argparse
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from statistics import median

from _timing import pin, seconds, spread
from catanatron.game import TURNS_LIMIT
from catanatron.game import Game as Catan
from catanatron.models.player import Color, RandomPlayer

from peloarena.game import Game, make_options
from peloarena.game.events import Chose

OPTIONS = make_options(2)
CATAN_GAMES_PER_OURS = 50
"""About this number of our games takes as long as one of catanatron's."""


def our_games(games: int) -> None:
    random.seed(games)
    for number in range(games):
        game = Game(OPTIONS, f"bench-{number}")
        while (decision := game.decision) is not None:
            game.choose(decision.legal[random.randrange(len(decision.legal))])


def our_decisions(games: int) -> Iterator[bool]:
    """The decisions of the same games, each with whether it was forced."""
    random.seed(games)
    for number in range(games):
        game = Game(OPTIONS, f"bench-{number}")
        while (decision := game.decision) is not None:
            for event in game.choose(decision.legal[random.randrange(len(decision.legal))]):
                if isinstance(event, Chose):
                    yield event.forced


def catan(number: int) -> Catan:
    return Catan([RandomPlayer(Color.RED), RandomPlayer(Color.BLUE)], seed=number + 1)


def catan_games(games: int) -> None:
    for number in range(games):
        game = catan(number)
        while game.winning_color() is None and game.state.num_turns < TURNS_LIMIT:
            game.play_tick()


def catan_decisions(games: int) -> Iterator[bool]:
    for number in range(games):
        game = catan(number)
        while game.winning_color() is None and game.state.num_turns < TURNS_LIMIT:
            yield len(game.state.playable_actions) == 1
            game.play_tick()


@dataclass
class Side:
    """One of the two engines: what it plays, how long it took."""

    name: str
    games: int
    play: Callable[[int], None]
    decisions: Callable[[int], Iterator[bool]]

    def __post_init__(self) -> None:
        forced = list(self.decisions(self.games))
        self.all = len(forced)
        self.choices = forced.count(False)
        self.times: list[float] = []

    def run(self) -> None:
        self.times.append(seconds(lambda: self.play(self.games)))

    def report(self) -> None:
        rates = spread([self.choices / t for t in self.times])
        everything = spread([self.all / t for t in self.times])
        print(f"{self.name}: {self.games} games, {median(self.times) / self.games * 1e6:,.0f} µs per game")
        print(f"  choices/s         {rates}   {self.choices / self.games:.1f} a game")
        print(f"  all decisions/s   {everything}   {self.all / self.games:.1f} a game")


def ratios(one: Side, other: Side, count: str) -> list[float]:
    factor = getattr(one, count) / getattr(other, count)
    return [factor * theirs / ours for ours, theirs in zip(one.times, other.times, strict=True)]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--repeats", type=int, default=15)
    parser.add_argument("--games", type=int, default=200, help="of ours in each repeat")
    arguments = parser.parse_args()
    print(f"{arguments.repeats} repeats in turns, {pin()}, CPU time; median (lowest – highest)")
    ours = Side("peloarena", arguments.games, our_games, our_decisions)
    theirs = Side("catanatron", max(1, arguments.games // CATAN_GAMES_PER_OURS), catan_games, catan_decisions)
    for side in (ours, theirs) * arguments.repeats:
        side.run()
    ours.report()
    theirs.report()
    print(f"choices: {spread(ratios(ours, theirs, 'choices'), '.1f')} times catanatron's")
    print(f"all decisions: {spread(ratios(ours, theirs, 'all'), '.1f')} times catanatron's")


if __name__ == "__main__":
    main()
