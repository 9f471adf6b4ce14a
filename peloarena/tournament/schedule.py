"""The schedule: who plays whom, on which deal, in which seats. A pure function of the file and earlier results.

A night is a list of rounds; `rounds_of(plan)` says how many at most, `fixtures(plan, number, history)` gives the
games of one. Knows names and results only; no bots, no store.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence

from msgspec import Struct

from .balanced import balanced_tables
from .brackets import knockout_pairs
from .config import Format, NightConfig, Seatings
from .swiss import swiss_pairs

FEW_SUBSETS = 250
"""So many tables a round are still played as all subsets."""


class Fixture(Struct, frozen=True):
    """One game to play: its name tells round, table, deal and seating."""

    game: str
    round: int
    table: int
    seats: tuple[str, ...]
    seed: str
    level: int = 0


class Result(Struct, frozen=True):
    """What became of a fixture: ranks by seat."""

    fixture: Fixture
    ranks: tuple[int, ...]


class Plan(Struct, frozen=True):
    """All that the schedule depends on besides results."""

    format: Format
    bots: tuple[str, ...]
    """In the order of the file: the seeding of a knockout."""
    table: int
    deals: int
    seatings: Seatings
    seed: str
    rounds: int
    challenger: str
    tables: int
    levels: tuple[int, ...]


def plan_of(config: NightConfig, bots: Sequence[str], seed: str) -> Plan:
    return Plan(
        config.format,
        tuple(bots),
        config.table,
        config.deals,
        config.seatings,
        seed,
        config.rounds,
        config.challenger or (bots[0] if bots else ""),
        config.tables,
        tuple(config.levels),
    )


def rounds_of(plan: Plan) -> int:
    if plan.format == "swiss":
        return plan.rounds
    if plan.format == "knockout":
        return max(1, math.ceil(math.log2(max(2, len(plan.bots)))))
    return plan.deals


def fixtures(plan: Plan, number: int, history: Sequence[Result]) -> list[Fixture]:
    """The games of round `number` (from 1), given the results of the rounds before it."""
    if plan.format == "solo":
        return solo_fixtures(plan, number)
    dynamic = plan.format in ("swiss", "knockout")
    tables = tables_of(plan, number, history)
    deals = range(1, plan.deals + 1) if dynamic else [number]
    return [
        fixture
        for place, players in enumerate(tables, 1)
        for deal in deals
        for fixture in deal_fixtures(plan, number, place, players, deal)
    ]


def tables_of(plan: Plan, number: int, history: Sequence[Result]) -> list[tuple[str, ...]]:
    """Who sits together in a round."""
    match plan.format:
        case "swiss":
            return [pair for pair in swiss_pairs(plan.bots, pair_results(history)) if len(pair) == 2]
        case "knockout":
            return knockout_pairs(plan.bots, number, pair_results(history))
        case "gauntlet":
            return gauntlet_tables(plan)
        case _:
            return round_robin_tables(plan)


def round_robin_tables(plan: Plan) -> list[tuple[str, ...]]:
    """All subsets while they are few, otherwise balanced tables."""
    if not plan.tables and (plan.table == 2 or math.comb(len(plan.bots), plan.table) <= FEW_SUBSETS):
        return list(itertools.combinations(plan.bots, plan.table))
    wanted = plan.tables or enough_tables(len(plan.bots), plan.table)
    return balanced_tables(plan.bots, plan.table, wanted)


def enough_tables(bots: int, seats: int) -> int:
    """So many that a pair meets about twice."""
    return math.ceil(2 * bots * (bots - 1) / (seats * (seats - 1)))


def gauntlet_tables(plan: Plan) -> list[tuple[str, ...]]:
    """The challenger and k − 1 of the field at each table."""
    field = [bot for bot in plan.bots if bot != plan.challenger]
    others = plan.table - 1
    if math.comb(len(field), others) <= FEW_SUBSETS and not plan.tables:
        groups = list(itertools.combinations(field, others))
    else:
        groups = balanced_tables(field, others, plan.tables or enough_tables(len(field), max(2, others)))
    return [(plan.challenger, *group) for group in groups]


def deal_fixtures(plan: Plan, number: int, place: int, players: tuple[str, ...], deal: int) -> list[Fixture]:
    seed = f"{plan.seed}/{number}.{place}.{deal}"
    return [
        Fixture(f"r{number:02}-t{place:03}-d{deal:03}-s{turn}", number, place, seats, seed)
        for turn, seats in enumerate(seatings(plan.seatings, players), 1)
    ]


def seatings(kind: Seatings, players: tuple[str, ...]) -> list[tuple[str, ...]]:
    if kind == "one":
        return [players]
    if kind == "all":
        return list(itertools.permutations(players))
    return [players[turn:] + players[:turn] for turn in range(len(players))]


def solo_fixtures(plan: Plan, number: int) -> list[Fixture]:
    """The same deal for everybody, at each level."""
    return [
        Fixture(f"r{number:02}-l{level}-{place:03}", number, place, (bot,), f"{plan.seed}/{number}", level)
        for level in plan.levels
        for place, bot in enumerate(plan.bots, 1)
    ]


def pair_results(history: Sequence[Result]) -> dict[tuple[int, int], dict[str, float]]:
    """(round, table) → points of each of the two."""
    found: dict[tuple[int, int], dict[str, float]] = {}
    for result in history:
        points = found.setdefault((result.fixture.round, result.fixture.table), {})
        first, second = result.fixture.seats
        share = 0.5 if result.ranks[0] == result.ranks[1] else float(result.ranks[0] < result.ranks[1])
        points[first] = points.get(first, 0.0) + share
        points[second] = points.get(second, 0.0) + 1 - share
    return found


class Summary(Struct, frozen=True):
    """What `plan` prints: numbers for the whole night as far as they are known before it."""

    rounds: int
    games: int
    tables: int
    """In the first round."""
    games_per_bot: tuple[int, int]
    meetings: tuple[int, int]
    """Games in which a pair sits at one table: fewest and most over all pairs."""


def summary(plan: Plan) -> Summary:
    """Of a format whose tables depend on results, the first round stands for all."""
    first = fixtures(plan, 1, [])
    rounds = rounds_of(plan)
    per_bot = dict.fromkeys(plan.bots, 0)
    pairs = {frozenset(pair): 0 for pair in itertools.combinations(plan.bots, 2)}
    for fixture in first:
        for bot in fixture.seats:
            per_bot[bot] += rounds
        for pair in itertools.combinations(fixture.seats, 2):
            pairs[frozenset(pair)] += rounds
    games = knockout_games(plan) if plan.format == "knockout" else len(first) * rounds
    return Summary(rounds, games, len({f.table for f in first}), spread(per_bot.values()), spread(pairs.values()))


def knockout_games(plan: Plan) -> int:
    """Every match but the last loses one bot."""
    return (len(plan.bots) - 1) * plan.deals * len(seatings(plan.seatings, ("a", "b")))


def spread(numbers: Iterable[int]) -> tuple[int, int]:
    values = list(numbers)
    return (min(values), max(values)) if values else (0, 0)
