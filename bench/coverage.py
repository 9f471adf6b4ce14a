"""Do 95 % intervals cover 95 %? Simulated tournaments whose true ratings are known, rated like real ones.

    python bench/coverage.py [--simulations 1000] [--seed 1] [--prior 2 0]

Each game ranks its players by strength plus luck. The luck is Gumbel, so that every pair follows
Bradley–Terry exactly and the true ratings are what the fit should find. It hangs together within a
deal through a Gaussian copula: a part is the bot's luck with this deal, the same in all its seatings;
a part is the seat's in this deal, the same for whoever sits there; the rest is the game's own.
"""

import argparse
import math
import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from itertools import combinations
from statistics import NormalDist, fmean, median
from time import perf_counter

from peloarena.tournament.config import DEFAULT_PRIOR
from peloarena.tournament.ratings import Conclusion, GameResult, PlayerRating, elo_difference, rate, sprt
from peloarena.tournament.ratings.sprt import expected_score

ELO_PER_LOG_ODDS = 400.0 / math.log(10.0)
STEP_ELO = 60.0
SPRT_RUNS = 200
_NORMAL = NormalDist()


@dataclass(frozen=True)
class Scenario:
    """A tournament: `bots` bots at tables of `table`, all tables or one, each with `deals` deals in rotations."""

    bots: int
    table: int
    deals: int
    of_bot: float = 0.4
    of_seat: float = 0.2
    hopeless: float = 0.0
    """Elo that the weakest is below its even step."""

    def strengths(self) -> list[float]:
        """True ratings, evenly spaced but for the weakest, mean 1500."""
        return [
            1500.0 + STEP_ELO * (index - (self.bots - 1) / 2) + self.hopeless / self.bots - self.hopeless * (index == 0)
            for index in range(self.bots)
        ]

    def tables(self) -> list[tuple[int, ...]]:
        return list(combinations(range(self.bots), self.table))


@dataclass
class Coverage:
    """How often intervals held the truth, bot by bot."""

    held: list[int]
    widths: list[float] = field(default_factory=list)
    """Errors of all bots."""
    rounds: int = 0

    @property
    def mean(self) -> float:
        return sum(self.held) / len(self.held) / self.rounds

    @property
    def extremes(self) -> tuple[float, float]:
        return min(self.held) / self.rounds, max(self.held) / self.rounds


SCENARIOS = (
    Scenario(bots=2, table=2, deals=50),
    Scenario(bots=4, table=4, deals=50),
    Scenario(bots=8, table=8, deals=50),
    Scenario(bots=2, table=2, deals=50, of_bot=0.0, of_seat=0.0),
    Scenario(bots=8, table=8, deals=50, of_bot=0.0, of_seat=0.0),
    Scenario(bots=8, table=8, deals=50, of_bot=0.8, of_seat=0.0),
    Scenario(bots=6, table=2, deals=10),
    Scenario(bots=6, table=4, deals=4),
    Scenario(bots=10, table=8, deals=2),
    Scenario(bots=2, table=2, deals=10),
    Scenario(bots=4, table=4, deals=5),
    Scenario(bots=2, table=2, deals=50, of_bot=0.0, of_seat=0.6),
    Scenario(bots=6, table=2, deals=5, hopeless=1200.0),
    Scenario(bots=6, table=2, deals=10, hopeless=800.0),
)


def simulate_tournament(scenario: Scenario, chance: random.Random) -> list[GameResult]:
    """All games of one simulated tournament."""
    strengths = [rating / ELO_PER_LOG_ODDS for rating in scenario.strengths()]
    return [
        game
        for table in scenario.tables()
        for deal in range(scenario.deals)
        for game in _deal(scenario, table, f"{table}-{deal}", strengths, chance)
    ]


def _deal(
    scenario: Scenario, table: Sequence[int], name: str, strengths: Sequence[float], chance: random.Random
) -> Iterator[GameResult]:
    of_bot = {bot: chance.gauss(0.0, 1.0) for bot in table}
    of_seat = [chance.gauss(0.0, 1.0) for _ in table]
    for turn in range(len(table)):
        seated = [table[(seat + turn) % len(table)] for seat in range(len(table))]
        play = [strengths[bot] + _luck(scenario, of_bot[bot], of_seat[seat], chance) for seat, bot in enumerate(seated)]
        yield GameResult(
            f"{name}-{turn}",
            tuple(f"bot{bot}" for bot in seated),
            _ranks(play),
            name,
            tuple(range(len(table))),
        )


def _luck(scenario: Scenario, of_bot: float, of_seat: float, chance: random.Random) -> float:
    own = 1.0 - scenario.of_bot - scenario.of_seat
    mixed = (
        math.sqrt(scenario.of_bot) * of_bot
        + math.sqrt(scenario.of_seat) * of_seat
        + math.sqrt(own) * chance.gauss(0.0, 1.0)
    )
    return -math.log(-math.log(min(max(_NORMAL.cdf(mixed), 1e-300), 1.0 - 1e-16)))


def _ranks(play: Sequence[float]) -> tuple[int, ...]:
    return tuple(1 + sum(other > own for other in play) for own in play)


def cover(scenario: Scenario, simulations: int, seed: int, prior: int = DEFAULT_PRIOR) -> Coverage:
    """Rates many simulated tournaments and count the intervals that hold the true rating.

    Ratings are relative to the mean of those that results bound on both sides: where somebody loses everything, the
    mean of all is a matter of the prior. An interval that is open above holds whatever lies above its lower end.
    """
    chance = random.Random(f"{seed} {scenario}")
    truth = {f"bot{index}": rating for index, rating in enumerate(scenario.strengths())}
    coverage = Coverage([0] * scenario.bots)
    for _ in range(simulations):
        players = rate(simulate_tournament(scenario, chance), prior=prior).players
        bounded = [player for player in players if not player.open_end]
        moved = fmean(player.rating - truth[player.player] for player in (bounded if len(bounded) > 1 else players))
        for player in players:
            coverage.held[int(player.player[3:])] += _holds(player, truth[player.player] + moved)
            coverage.widths.append(math.inf if player.error is None else player.error)
        coverage.rounds += 1
    return coverage


def _holds(player: PlayerRating, truth: float) -> bool:
    if player.error is None:
        return False
    above, below = player.open_end == "above", player.open_end == "below"
    return (below or truth >= player.rating - player.error) and (above or truth <= player.rating + player.error)


def cover_match(scenario: Scenario, simulations: int, seed: int) -> float:
    """The same for the Elo difference of a match of two."""
    chance = random.Random(f"{seed} match {scenario}")
    truth = scenario.strengths()[1] - scenario.strengths()[0]
    held = 0
    for _ in range(simulations):
        difference = elo_difference(_deal_scores(simulate_tournament(scenario, chance)))
        held += (
            difference.low is not None and difference.high is not None and difference.low <= truth <= difference.high
        )
    return held / simulations


def _deal_scores(games: Sequence[GameResult]) -> list[float]:
    wins: dict[str, list[bool]] = {}
    for game in games:
        wins.setdefault(game.cluster, []).append(game.ranks[game.players.index("bot1")] == 1)
    return [sum(won) / len(won) for won in wins.values()]


def sprt_runs(elo: float, runs: int) -> tuple[int, float]:
    """Of many tests of 0,20 at a true difference: how many accepted 20, and after how many deals on average."""
    ends = [_sprt_run(elo, random.Random(seed)) for seed in range(runs)]
    accepted = sum(decision is Conclusion.ACCEPT_H1 for decision, _ in ends)
    return accepted, sum(deals for _, deals in ends) / runs


def _sprt_run(elo: float, chance: random.Random) -> tuple[Conclusion, int]:
    scores: list[float] = []
    decision = Conclusion.CONTINUE
    while decision is Conclusion.CONTINUE:
        scores += [_two_seatings(expected_score(elo), chance) for _ in range(10)]
        decision = sprt(scores, 0.0, 20.0).decision
    return decision, len(scores)


def _two_seatings(share: float, chance: random.Random) -> float:
    """The score of a deal; in 30 % of the deals it decides both seatings alike."""
    if chance.random() < 0.3:
        return float(chance.random() < share)
    return sum(chance.random() < share for _ in range(2)) / 2.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--simulations", type=int, default=1000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--prior", type=int, nargs="+", default=[DEFAULT_PRIOR, 0])
    options = parser.parse_args()
    print("| bots | table | deals in all | luck of bot, seat | prior | coverage | lowest and highest bot | median ± |")
    print("|---|---|---|---|---|---|---|---|")
    start = perf_counter()
    for scenario in SCENARIOS:
        for prior in options.prior:
            _report(scenario, options.simulations, options.seed, prior)
    print()
    for deals in (50, 10):
        held = cover_match(Scenario(bots=2, table=2, deals=deals), options.simulations, options.seed)
        print(f"Elo difference of a match over {deals} deals: {held:.1%}")
    for elo in (0.0, 20.0):
        accepted, deals_used = sprt_runs(elo, SPRT_RUNS)
        print(f"SPRT 0,20 at {elo:g}: {accepted} of {SPRT_RUNS} say 20, after {deals_used:,.0f} deals on average")
    print(f"{perf_counter() - start:.0f} s")


def _report(scenario: Scenario, simulations: int, seed: int, prior: int) -> None:
    coverage = cover(scenario, simulations, seed, prior)
    low, high = coverage.extremes
    deals = scenario.deals * len(scenario.tables())
    hopeless = f", one {scenario.hopeless:.0f} below" if scenario.hopeless else ""
    print(
        f"| {scenario.bots}{hopeless} | {scenario.table} | {deals} | {scenario.of_bot}, {scenario.of_seat} | {prior} "
        f"| {coverage.mean:.1%} | {low:.1%} – {high:.1%} | {median(coverage.widths):.0f} |",
        flush=True,
    )


if __name__ == "__main__":
    main()
