"""Tables of a round, by format: which entries sit together. Pure: numbers of entries and earlier results in, tables
out.

The order of the tables is only the order of play: it affects neither names nor deals.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence

from .apart import Authors, parted, without_shared
from .balanced import balanced_tables
from .brackets import depth_of
from .config import PAIRED_BY_RESULTS, NightConfig
from .cup import cup_pairs
from .entries import Entry, Roster
from .matches import matches_by_round, rules_of
from .rounds import PlayedGame, Round, Table
from .swiss import swiss_tables

PAIR = 2
FEW_SUBSETS = 250
"""Up to this number of tables per round, all subsets of the field are played."""
MOST_SITTINGS = 30
"""Roughly how many tables per round a bot of a large field sits at, even if pairs then meet less than twice."""


def tables_of(
    config: NightConfig,
    number: int,
    roster: Roster,
    challenger: int = 0,
    rounds: Sequence[Round] = (),
    history: Sequence[PlayedGame] = (),
    authors: Authors | None = None,
) -> list[Table]:
    """The tables of main round `number`. `rounds`, `history`: the earlier main rounds and their games, if it depends on
    them; `authors`: who must not share a table.

    An absent entry keeps its table and forfeits; only Swiss, which makes new pairs in each round, skips it.
    """
    field = [row.entry for row in roster]
    match config.format:
        case "swiss":
            return list(swiss_tables(config, roster, rounds, history))
        case "knockout":
            seeds = [row.entry for row in (rounds[0].roster if rounds else roster)]
            matches = matches_by_round(rules_of(config), rounds, history)
            return list(cup_pairs(seeds, number, matches, config.third_place))
        case "solo":
            return [(entry,) for entry in field]
        case _:
            return chosen_or_all(config, number, field, challenger, authors or {})


def chosen_or_all(
    config: NightConfig, number: int, field: Sequence[int], challenger: int, authors: Authors
) -> list[Table]:
    """Round-robin and gauntlet: all subsets while they are few, otherwise balanced ones."""
    others, size = seeking(config, field, challenger)
    if challenger and challenger not in field:
        return []
    if plays_all_subsets(config, len(others), size):
        return every_table(config, others, size, number, challenger, authors)
    wanted = config.tables or enough_tables(len(others), size)
    groups = balanced_tables(others, size, wanted, number)
    return with_challenger(challenger, parted(groups, authors, challenger) if authors else groups)


def every_table(
    config: NightConfig, others: Sequence[int], size: int, number: int, challenger: int, authors: Authors
) -> list[Table]:
    """All subsets, except those with several bots of one author."""
    tables = with_challenger(challenger, all_tables(others, size, number))
    return without_shared(tables, authors) if authors and config.table > PAIR else tables


def with_challenger(challenger: int, groups: Sequence[Table]) -> list[Table]:
    return [(challenger, *group) for group in groups] if challenger else list(groups)


def kept_apart(config: NightConfig, entries: Iterable[Entry]) -> dict[int, str]:
    """The authors that must not share a table; empty if there is no such rule."""
    apart = config.authors_apart and config.table > PAIR
    return {entry.number: entry.author for entry in entries if entry.author} if apart else {}


def seeking(config: NightConfig, field: Sequence[int], challenger: int) -> tuple[list[int], int]:
    """The entries to combine, and how many per table: a gauntlet's challenger already sits at every one."""
    size = 1 if config.format == "solo" else config.table - bool(challenger)
    return [entry for entry in field if entry != challenger], size


def all_tables(field: Sequence[int], size: int, number: int) -> list[Table]:
    """All subsets, in an order that keeps the table of results balanced at any moment."""
    if size == 2:
        return circle(field, number)
    return evened(list(itertools.combinations(field, size)))


def circle(field: Sequence[int], number: int) -> list[Table]:
    """All pairs by the circle method: everybody plays once per day. Each round starts with another day."""
    seats: list[int | None] = [*field, *([None] if len(field) % 2 else [])]
    if len(seats) < 2:
        return []
    fixed, wheel = seats[0], seats[1:]
    days = []
    for turn in range(len(wheel)):
        ring = [fixed, *wheel[turn:], *wheel[:turn]]
        pairs = zip(ring[: len(ring) // 2], reversed(ring[len(ring) // 2 :]), strict=True)
        days.append([(min(a, b), max(a, b)) for a, b in pairs if a is not None and b is not None])
    begin = (number - 1) % len(days)
    return [pair for day in days[begin:] + days[:begin] for pair in day]


def evened(tables: list[Table]) -> list[Table]:
    """Always take the table whose members have sat least so far. Only for few tables: it examines all of them each
    time."""
    sat: dict[int, int] = {}
    left, found = list(tables), []
    while left:
        best = min(left, key=lambda table: sorted((sat.get(entry, 0) for entry in table), reverse=True))
        left.remove(best)
        found.append(best)
        for entry in best:
            sat[entry] = sat.get(entry, 0) + 1
    return found


def plays_all_subsets(config: NightConfig, field: int, size: int) -> bool:
    """Pairs, and single opponents, are never too many."""
    if size == 1 or (config.table == 2 and not config.tables):
        return True
    return math.comb(field, size) <= (config.tables or FEW_SUBSETS)


def enough_tables(bots: int, seats: int) -> int:
    """How many tables let a pair meet about twice, while nobody sits too often and all sit equally often."""
    meet_twice = math.ceil(2 * bots * (bots - 1) / (seats * (seats - 1)))
    wanted = min(meet_twice, math.ceil(MOST_SITTINGS * bots / seats))
    step = bots // math.gcd(bots, seats)
    return math.ceil(wanted / step) * step


def rounds_in(config: NightConfig, field: int) -> int:
    """Main rounds; `field`: the size of a knockout's bracket."""
    if config.format == "swiss":
        return config.rounds
    if config.format == "knockout":
        return depth_of(field)
    return config.deals


def deals_in(config: NightConfig, number: int) -> tuple[int, ...]:
    """The deals of a table in a main round: one deal, but a whole match in Swiss and knockout, all levels in solo.

    In a cup the extra deals for tied matches follow; matches.py decides which of them are played.
    """
    if config.format == "solo":
        return tuple(config.levels)
    further = config.extra_deals if config.format == "knockout" else 0
    return tuple(range(1, config.deals + further + 1)) if config.format in PAIRED_BY_RESULTS else (number,)
