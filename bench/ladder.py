"""How many games a ladder needs until its order is right, beside random pairing and round-robin. Simulated.

    python bench/ladder.py [--simulations 200] [--scenario NAME ...]

The deals are chosen by the very function that a tournament uses (peloarena/tournament/ladder/choice.py); only the games
are drawn: each is won with the chance of Bradley–Terry, and the two games of a deal are independent. A crashing bot
loses every game and is never benched here. All three ways are rated alike.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from time import process_time

import numpy as np

from peloarena.tournament.entries import BotVersion
from peloarena.tournament.ladder.choice import LadderRules, choose_next_deal
from peloarena.tournament.ladder.strengths import ELO_PER_LOG_ODD, strengths
from peloarena.tournament.ladder.tallies import Tallies

STEP_ELO = 25.0
RULES = LadderRules()
ENOUGH = 0.95
TAU = 0.9
REFIT = 20
"""Deals between two guesses that the fit begins from; it ends at the same result."""
PODIUM = 3
SHOWN = (2000, 4000)
"""Games after which the share of runs with the right best three is printed."""
Pairs = Iterator[tuple[int, int]]


@dataclass(frozen=True)
class Scenario:
    """Bots by strength, the strongest first; None crashes always."""

    elos: tuple[float | None, ...]
    late: tuple[int, ...] = ()
    """Who enters later ..."""
    late_after: int = 0
    """... after so many games."""
    ladder_games: int = 4000
    other_games: int = 8000


def spaced(bots: int) -> tuple[float, ...]:
    return tuple(-STEP_ELO * rank for rank in range(bots))


SCENARIOS = {
    "plain": Scenario(spaced(20), ladder_games=14000, other_games=40000),
    "order": Scenario(spaced(20), ladder_games=2500, other_games=4000),
    "crashing": Scenario((*spaced(19), None)),
    "newcomers": Scenario(spaced(20), late=tuple(range(0, 20, 2)), late_after=1000),
    "equal": Scenario((*spaced(10), -9 * STEP_ELO, *(elo - STEP_ELO for elo in spaced(20)[9:18]))),
}


@dataclass
class Evening:
    """One simulated ladder."""

    scenario: Scenario
    chance: random.Random
    tallies: Tallies = field(default_factory=Tallies)
    games: int = 0
    newcomers_done: int = 0
    """Games after which all latecomers had their first ones."""

    def present(self) -> list[int]:
        late = self.scenario.late if self.games < self.scenario.late_after else ()
        return [bot for bot in range(len(self.scenario.elos)) if bot not in late]

    def play(self, a: int, b: int) -> None:
        one, other = min(a, b), max(a, b)
        share = won(self.scenario.elos[one], self.scenario.elos[other])
        wins = sum(self.chance.random() < share for _ in range(RULES.games))
        pair = (version(one), version(other))
        self.tallies.played[pair] += RULES.games
        self.tallies.halves[pair] += 2 * wins
        for bot in pair:
            self.tallies.games[bot] += RULES.games
        self.games += RULES.games
        if self.scenario.late and not self.newcomers_done and self.games > self.scenario.late_after:
            least = min(self.tallies.games[version(bot)] for bot in self.scenario.late)
            self.newcomers_done = self.games if least >= RULES.newcomer_games else 0

    def theta(self) -> np.ndarray:
        return strengths([version(bot) for bot in range(len(self.scenario.elos))], self.tallies).theta


def version(bot: int) -> BotVersion:
    return bot + 1, 1


def won(mine: float | None, other: float | None) -> float:
    if mine is None or other is None:
        return float(mine is not None)
    return float(1 / (1 + np.exp((other - mine) / ELO_PER_LOG_ODD)))


# ---- three ways to pair


def by_ladder(evening: Evening) -> Pairs:
    names = {bot + 1: "" for bot in range(len(evening.scenario.elos))}
    start, deals = None, 0
    while True:
        players = [version(bot) for bot in evening.present()]
        if deals % REFIT == 0:
            start = strengths(players, evening.tallies, start).theta
        deals += 1
        choice = choose_next_deal(players, (), evening.tallies, RULES, names, start)
        assert choice is not None
        for seat, entry in enumerate(choice.table):
            evening.tallies.seats[entry, seat] += 1
        yield choice.table[0] - 1, choice.table[1] - 1


def at_random(evening: Evening) -> Pairs:
    while True:
        a, b = evening.chance.sample(evening.present(), 2)
        yield a, b


def round_robin(evening: Evening) -> Pairs:
    while True:
        pairs = list(combinations(evening.present(), 2))
        evening.chance.shuffle(pairs)
        yield from pairs


WAYS: dict[str, Callable[[Evening], Pairs]] = {"ladder": by_ladder, "random": at_random, "round-robin": round_robin}


# ---- what is measured


@dataclass
class Measured:
    """Of one way, at each number of games: in how many evenings something held."""

    evenings: int = 0
    three: dict[int, int] = field(default_factory=dict)
    """The best three are the right ones ..."""
    podium: dict[int, int] = field(default_factory=dict)
    """... and in the right order."""
    tau: dict[int, float] = field(default_factory=dict)
    """Kendall's, summed."""
    tau_enough: dict[int, int] = field(default_factory=dict)
    share: list[float] = field(default_factory=list)
    """Of the bots that a scenario is about: games, in multiples of the others' mean."""
    newcomers_done: list[int] = field(default_factory=list)

    def look(self, evening: Evening) -> None:
        games, theta, elos = evening.games, evening.theta(), evening.scenario.elos
        found = [int(bot) for bot in np.argsort(-theta, kind="stable")]
        tau = kendall(theta, elos)
        for counts, holds in (
            (self.three, sorted(found[:PODIUM]) == list(range(PODIUM))),
            (self.podium, found[:PODIUM] == list(range(PODIUM))),
            (self.tau_enough, tau >= TAU),
        ):
            counts[games] = counts.get(games, 0) + holds
        self.tau[games] = self.tau.get(games, 0.0) + tau

    def end(self, evening: Evening, about: Sequence[int]) -> None:
        self.evenings += 1
        had = [evening.tallies.games[version(bot)] for bot in range(len(evening.scenario.elos))]
        others = [games for bot, games in enumerate(had) if bot not in about]
        self.share += [max(had[bot] for bot in about) / (sum(others) / len(others))] if about else []
        self.newcomers_done += [evening.newcomers_done - evening.scenario.late_after] if evening.scenario.late else []

    def until(self, counts: dict[int, int] | dict[int, float], enough: float) -> int | None:
        """The first look at which it held often enough, together with the two that follow: one alone may be luck."""
        looks = sorted(counts)
        for number, games in enumerate(looks):
            three = looks[number : number + 3]
            if sum(counts[look] for look in three) >= enough * self.evenings * len(three):
                return games
        return None


def kendall(theta: np.ndarray, elos: Sequence[float | None]) -> float:
    """Over pairs that differ in truth; who crashes is the weakest."""
    truth = [float("-inf") if elo is None else elo for elo in elos]
    pairs = [(a, b) for a, b in combinations(range(len(truth)), 2) if truth[a] != truth[b]]
    right = sum(theta[a] > theta[b] for a, b in pairs)
    return float(2 * right / len(pairs) - 1)


def about(scenario: Scenario) -> list[int]:
    """The bots that might swallow all games: who crashes, and who are equal."""
    elos = scenario.elos
    return [bot for bot, elo in enumerate(elos) if elo is None or elos.count(elo) > 1]


def looks_of(games: int) -> list[int]:
    """Close together at first, where an order is soon found."""
    return [look for look in range(50, games + 1, 50) if look <= 3000 or look % (250 if look <= 8000 else 1000) == 0]


def measure(scenario: Scenario, way: str, simulations: int) -> Measured:
    found = Measured()
    looks = looks_of(scenario.ladder_games if way == "ladder" else scenario.other_games)
    for seed in range(simulations):
        evening = Evening(scenario, random.Random(seed))
        pairs = WAYS[way](evening)
        for look in looks:
            while evening.games < look:
                evening.play(*next(pairs))
            if evening.games > scenario.late_after:
                found.look(evening)
        found.end(evening, about(scenario))
    return found


def print_scenario(name: str, simulations: int) -> None:
    scenario = SCENARIOS[name]
    print(f"{name}: {len(scenario.elos)} bots, {simulations} simulations; games until, in 95 % of them")
    print(f"  {'':12} {'three right':>12} {'their order':>12} {'tau >= 0.9':>12} {'mean tau':>12}   CPU")
    needed: dict[str, list[int | None]] = {}
    for way in WAYS:
        start = process_time()
        found = measure(scenario, way, simulations)
        needed[way] = [
            *(found.until(counts, ENOUGH) for counts in (found.three, found.podium, found.tau_enough)),
            found.until(found.tau, TAU),
        ]
        most = f"> {max(found.three)}"
        shown = " ".join(f"{games or most:>12}" for games in needed[way])
        print(f"  {way:12} {shown} {process_time() - start:5.0f} s", flush=True)
        at = ", ".join(f"{found.three[look] / simulations:.0%} at {look}" for look in SHOWN if look in found.three)
        print(f"{'':15} three right: {at}")
        if found.share:
            whose = ", ".join(str(bot + 1) for bot in about(scenario))
            print(f"{'':15} games of {whose}: {np.mean(found.share):.2f} of the mean, at most {max(found.share):.2f}")
        if found.newcomers_done:
            soon = np.mean(found.newcomers_done)
            print(f"{'':15} all latecomers had {RULES.newcomer_games} games after {soon:.0f}")
    ratios = [f"{a / b:.2f}" if a and b else "?" for a, b in zip(needed["ladder"], needed["random"], strict=True)]
    print(f"  ladder / random: {', '.join(ratios)} (asked: at most 0.67)", flush=True)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--simulations", type=int, default=200)
    parser.add_argument("--scenario", nargs="*", choices=SCENARIOS, default=list(SCENARIOS))
    given = parser.parse_args()
    for name in given.scenario:
        print_scenario(name, given.simulations)


if __name__ == "__main__":
    main()
