"""What `plan` tells of a night before it is played: rounds, games, who meets whom how often. Pure.

Bounded: a file may ask for 500 bots and 100,000 deals, and its host wants to know at once that this is too much.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator

from msgspec import Struct

from .schedule import Plan, all_subsets, enough_tables, rounds_of, seatings, tables_of

MOST_LAID_OUT = 100_000
"""Tables in all rounds until they come again; a night with more is not laid out to count who meets whom."""
MOST_LOOKS = 1_000_000
"""Looks at a bot while one round's tables are filled: two seconds."""


class Summary(Struct, frozen=True):
    """What `plan` prints: numbers for the whole night as far as they are known before it."""

    rounds: int
    games: int
    tables: int
    """In the first round."""
    games_per_bot: tuple[int, int]
    meetings: tuple[int, int] | None
    """Games in which a pair sits at one table: fewest and most over all pairs. None: too many tables to be laid out."""


def summary(plan: Plan) -> Summary:
    match plan.format:
        case "knockout":
            return knockout_summary(plan)
        case "swiss":
            return swiss_summary(plan)
        case "solo":
            return solo_summary(plan)
        case _:
            return table_summary(plan) if can_be_laid_out(plan) else large_summary(plan)


def knockout_summary(plan: Plan) -> Summary:
    """Every match loses one bot; who is out first plays one match, a finalist up to one a round."""
    match = plan.deals * seatings_of(plan)
    rounds, first = rounds_of(plan), len(tables_of(plan, 1, []))
    return Summary(rounds, (len(plan.bots) - 1) * match, first, (match, rounds * match), (0, match))


def swiss_summary(plan: Plan) -> Summary:
    """Who sits out changes from round to round, and nobody meets again before all others were met, if all goes well."""
    match = plan.deals * seatings_of(plan)
    count, rounds, tables = len(plan.bots), plan.rounds, len(plan.bots) // 2
    sits = rounds / count if count % 2 else 0.0
    meets = rounds / (count if count % 2 else count - 1)
    per_bot = (match * (rounds - math.ceil(sits)), match * (rounds - math.floor(sits)))
    return Summary(
        rounds, rounds * tables * match, tables, per_bot, (match * math.floor(meets), match * math.ceil(meets))
    )


def solo_summary(plan: Plan) -> Summary:
    each = plan.deals * len(plan.levels)
    return Summary(plan.deals, each * len(plan.bots), len(plan.bots), (each, each), (0, 0))


def table_summary(plan: Plan) -> Summary:
    """The games of every table in every round, without listing them."""
    per_bot = dict.fromkeys(plan.bots, 0)
    pairs = dict.fromkeys(map(frozenset, itertools.combinations(plan.bots, 2)), 0)
    games = 0
    for players, count in counted_tables(plan):
        games += count
        for bot in players:
            per_bot[bot] += count
        for pair in itertools.combinations(players, 2):
            pairs[frozenset(pair)] += count
    first = len(tables_of(plan, 1, []))
    return Summary(plan.deals, games, first, _least_and_most(per_bot.values()), _least_and_most(pairs.values()))


def can_be_laid_out(plan: Plan) -> bool:
    field, size = chosen_field(plan)
    if all_subsets(plan, field, size):  # pairs, or few: the same in every round
        return True
    tables = plan.tables or enough_tables(field, size)
    return min(plan.deals, field) * tables <= MOST_LAID_OUT and tables * size * field <= MOST_LOOKS


def large_summary(plan: Plan) -> Summary:
    """By what balanced tables promise: nobody is ever more than one table ahead of another."""
    field, size = chosen_field(plan)
    tables = plan.tables or enough_tables(field, size)
    games = plan.deals * tables * seatings_of(plan)
    sittings = plan.deals * tables * size
    least, most = sittings // field * seatings_of(plan), -(-sittings // field) * seatings_of(plan)
    return Summary(plan.deals, games, tables, (least, games if plan.format == "gauntlet" else most), None)


def chosen_field(plan: Plan) -> tuple[int, int]:
    """How many bots are chosen from, and how many at a table are chosen: a challenger sits at every one."""
    challengers = int(plan.format == "gauntlet")
    return len(plan.bots) - challengers, plan.table - challengers


def counted_tables(plan: Plan) -> Iterator[tuple[tuple[str, ...], int]]:
    """Tables with their games in the whole night."""
    period = rounds_until_the_same(plan)
    for number in range(1, min(period, plan.deals) + 1):
        times = len(range(number, plan.deals + 1, period))
        for players in tables_of(plan, number, []):
            yield players, times * seatings_of(plan)


def rounds_until_the_same(plan: Plan) -> int:
    """Balanced tables come again when everybody has had every role."""
    field, size = chosen_field(plan)
    return 1 if all_subsets(plan, field, size) else field


def seatings_of(plan: Plan) -> int:
    """In how many seatings a deal is played."""
    return len(seatings(plan.seatings, plan.bots[: plan.table]))


def _least_and_most(numbers: Iterable[int]) -> tuple[int, int]:
    values = list(numbers)
    return (min(values), max(values)) if values else (0, 0)
