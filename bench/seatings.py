"""What does it cost to play each deal once? `python bench/seatings.py [--games 200]`.

Pairs of players play deals in both seatings, in this process. The correlation of a player's points in the two seatings
of a deal gives the standard error of a rating, in Elo, for the same number of games with seatings = "rotations" and
with "balanced", where every game has a deal of its own.
"""

import argparse
import math
from collections import defaultdict

from peloarena.botkit import GameInfo, Message
from peloarena.simulate import House, SimulatedGame, play
from peloarena.simulate.simulated_games import PlayerSpec

ELO = 400 / math.log(10)


def by_chance(decide: Message, game: GameInfo) -> int:
    return game.random.randrange(len(decide["legal"]))


def also_by_chance(decide: Message, game: GameInfo) -> int:
    return by_chance(decide, game)


PAIRS: dict[str, tuple[PlayerSpec, PlayerSpec]] = {
    "two that play by chance": (by_chance, also_by_chance),
    "greedy and planner": ("greedy", "planner"),
    "planner and planner with another weight": ("planner", House("planner", {"PLANNER_RIVALRY": "0.2"})),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200)
    games = parser.parse_args().games
    for name, players in PAIRS.items():
        print(f"{name}: {result_text(play(players, games, seed='seatings'))}", flush=True)


def result_text(games: list[SimulatedGame]) -> str:
    first, deals = games[0].seats[0], defaultdict(list)
    for game in games:
        seat = game.seats.index(first)
        mine, other = game.outcome.ranks[seat], game.outcome.ranks[1 - seat]
        deals[game.seed].append(0.5 + 0.5 * ((mine < other) - (mine > other)))
    one, two = zip(*(points for points in deals.values() if len(points) == 2), strict=True)
    mean = (sum(one) + sum(two)) / (len(one) + len(two))
    apart = covariance(one, one) + covariance(two, two)
    together = apart + 2 * covariance(one, two)
    rotations, balanced = (ELO / (mean * (1 - mean)) * math.sqrt(each / 2 / len(games)) for each in (together, apart))
    return f"score {mean:.2f}; standard error {rotations:.1f} Elo with rotations, {balanced:.1f} with balanced"


def covariance(one: tuple[float, ...], two: tuple[float, ...]) -> float:
    middle, other = sum(one) / len(one), sum(two) / len(two)
    return sum((a - middle) * (b - other) for a, b in zip(one, two, strict=True)) / len(one)


if __name__ == "__main__":
    main()
