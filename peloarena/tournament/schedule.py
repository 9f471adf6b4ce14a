"""The schedule: who plays whom, on which deal, in which seats. A pure function of the file and earlier results.

A night is a list of rounds; `rounds_of(plan)` says how many at most, `fixtures(plan, number, history)` gives the
games of one. Knows names and results only; no bots, no store.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Collection, Iterable, Iterator, Sequence
from typing import Annotated

from msgspec import Meta, Struct

from .balanced import balanced_tables
from .brackets import knockout_pairs
from .config import MOST, Format, NightConfig, Seatings
from .ratings import GameResult, rate, share_beaten
from .swiss import swiss_pairs

FEW_SUBSETS = 250
"""Up to this number of tables a round, all subsets of the field are played."""
MOST_SITTINGS = 30
"""Tables a round at which a bot of a large field sits, about; even if pairs then meet less than twice."""
DYNAMIC: tuple[Format, ...] = ("swiss", "knockout")
"""Formats whose tables depend on the results of earlier rounds."""


class Fixture(Struct, frozen=True):
    """One game to play: its name tells round, table, deal and seating."""

    game: str
    round: Annotated[int, Meta(ge=1, le=MOST)]
    table: Annotated[int, Meta(ge=1, le=MOST)]
    seats: Annotated[tuple[str, ...], Meta(min_length=1, max_length=8)]
    seed: str
    level: Annotated[int, Meta(ge=0, le=5)] = 0


class PlayedGame(Struct, frozen=True):
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


def fixtures(plan: Plan, number: int, history: Sequence[PlayedGame]) -> list[Fixture]:
    """The games of round `number` (from 1), given the results of the rounds before it."""
    if plan.format == "solo":
        return solo_fixtures(plan, number)
    tables = tables_of(plan, number, history)
    deals = range(1, plan.deals + 1) if plan.format in DYNAMIC else [number]
    return [
        fixture
        for place, players in enumerate(tables, 1)
        for deal in deals
        for fixture in deal_fixtures(plan, number, place, players, deal)
    ]


def tables_of(plan: Plan, number: int, history: Sequence[PlayedGame]) -> list[tuple[str, ...]]:
    """Who sits together in a round."""
    match plan.format:
        case "swiss":
            matches = [tuple(points) for points in pair_results(history).values()]
            return [pair for pair in swiss_pairs(plan.bots, matches, ratings(history)) if len(pair) == 2]
        case "knockout":
            return knockout_pairs(plan.bots, number, pair_results(history))
        case "gauntlet":
            return gauntlet_tables(plan, number)
        case _:
            return round_robin_tables(plan, number)


def ratings(history: Sequence[PlayedGame]) -> dict[str, float]:
    """By all games so far; a forfeit is lost."""
    games = [GameResult(r.fixture.game, r.fixture.seats, r.ranks, r.fixture.seed) for r in history]
    return {row.player: row.rating for row in rate(games).players} if games else {}


def round_robin_tables(plan: Plan, number: int) -> list[tuple[str, ...]]:
    return groups(plan, plan.bots, plan.table, number)


def gauntlet_tables(plan: Plan, number: int) -> list[tuple[str, ...]]:
    """The challenger and k − 1 of the field at each table."""
    field = [bot for bot in plan.bots if bot != plan.challenger]
    return [(plan.challenger, *group) for group in groups(plan, field, plan.table - 1, number)]


def groups(plan: Plan, field: Sequence[str], size: int, number: int) -> list[tuple[str, ...]]:
    """All subsets while they are few, otherwise balanced ones."""
    if all_subsets(plan, len(field), size):
        return list(itertools.combinations(field, size))
    return balanced_tables(field, size, plan.tables or enough_tables(len(field), size), number)


def all_subsets(plan: Plan, field: int, size: int) -> bool:
    """Pairs are never too many, nor single opponents."""
    return size == 1 or (not plan.tables and (plan.table == 2 or math.comb(field, size) <= FEW_SUBSETS))


def enough_tables(bots: int, seats: int) -> int:
    """How many tables let a pair meet about twice, while nobody sits too often and all sit equally often."""
    meet_twice = math.ceil(2 * bots * (bots - 1) / (seats * (seats - 1)))
    wanted = min(meet_twice, math.ceil(MOST_SITTINGS * bots / seats))
    step = bots // math.gcd(bots, seats)
    return math.ceil(wanted / step) * step


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


def unplayed(scheduled: Iterable[Fixture], done: Collection[str]) -> list[Fixture]:
    """`done`: the names of games that are finished."""
    return [fixture for fixture in scheduled if fixture.game not in done]


def still_to_play(plan: Plan, played: Sequence[PlayedGame]) -> Iterator[Fixture]:
    """What is missing of the whole night. Pairings that hang on missing games are those that would be made now."""
    rounds: dict[int, list[PlayedGame]] = {}
    for game in played:
        rounds.setdefault(game.fixture.round, []).append(game)
    history: list[PlayedGame] = []
    for number in range(1, rounds_of(plan) + 1):
        now = rounds.get(number, [])
        yield from unplayed(fixtures(plan, number, history), {game.fixture.game for game in now})
        if plan.format in DYNAMIC:
            history += now


def schedule_order(game: str) -> tuple[int, ...]:
    """Sorts the names of games as they are scheduled: by number, for table 1000 comes after table 999."""
    return tuple(map(int, re.findall("[0-9]+", game)))


def pair_results(history: Sequence[PlayedGame]) -> dict[tuple[int, int], dict[str, float]]:
    """(round, table) → points of each of the two."""
    found: dict[tuple[int, int], dict[str, float]] = {}
    for result in history:
        points = found.setdefault((result.fixture.round, result.fixture.table), {})
        first, second = result.fixture.seats
        for seat, name in enumerate((first, second)):
            points[name] = points.get(name, 0.0) + share_beaten(result.ranks, seat)
    return found
