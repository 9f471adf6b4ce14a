"""Tables of a round, by format: which entries sit together. Pure: numbers of entries and earlier results in, tables
out.

The order of the tables is only the order of play: it affects neither names nor deals.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence

from .author_separation import AuthorsByEntry, drop_same_author_tables, separate_authors
from .brackets import bracket_depth
from .config import PAIRED_BY_RESULTS, TournamentConfig
from .cup import cup_pairs
from .entries import Entry, Roster
from .fixtures import PlayedGame, Round, TableEntries
from .matches import match_rules, matches_by_round
from .swiss import swiss_tables
from .table_balancing import balanced_tables

PAIR_SIZE = 2
MAX_SUBSETS = 250
"""Up to this number of tables per round, all subsets of the roster are played."""
MAX_SITTINGS = 30
"""Roughly how many tables per round a bot of a large roster sits at, even if pairs then meet less than twice."""


def pair_round(
    config: TournamentConfig,
    number: int,
    roster: Roster,
    challenger: int = 0,
    rounds: Sequence[Round] = (),
    history: Sequence[PlayedGame] = (),
    authors: AuthorsByEntry | None = None,
) -> list[TableEntries]:
    """The tables of main round `number`. `rounds`, `history`: the earlier main rounds and their games, if it depends on
    them; `authors`: who must not share a table.

    An absent entry keeps its table and forfeits; only Swiss, which makes new pairs in each round, skips it.
    """
    entries = [row.entry for row in roster]
    match config.format:
        case "swiss":
            return list(swiss_tables(config, roster, rounds, history))
        case "knockout":
            seeds = [row.entry for row in (rounds[0].roster if rounds else roster)]
            matches = matches_by_round(match_rules(config), rounds, history)
            return list(cup_pairs(seeds, number, matches, config.third_place))
        case "solo":
            return [(entry,) for entry in entries]
        case _:
            return balanced_or_all_tables(config, number, entries, challenger, authors or {})


def balanced_or_all_tables(
    config: TournamentConfig, number: int, entries: Sequence[int], challenger: int, authors: AuthorsByEntry
) -> list[TableEntries]:
    """Round-robin and gauntlet: all subsets while they are few, otherwise balanced ones."""
    others, size = opponents_and_table_size(config, entries, challenger)
    if challenger and challenger not in entries:
        return []
    if plays_all_subsets(config, len(others), size):
        return all_allowed_tables(config, others, size, number, challenger, authors)
    wanted = config.tables or enough_tables(len(others), size)
    groups = balanced_tables(others, size, wanted, number)
    return with_challenger(challenger, separate_authors(groups, authors, challenger) if authors else groups)


def all_allowed_tables(
    config: TournamentConfig, others: Sequence[int], size: int, number: int, challenger: int, authors: AuthorsByEntry
) -> list[TableEntries]:
    """All subsets, except those with several bots of one author."""
    tables = with_challenger(challenger, all_tables(others, size, number))
    return drop_same_author_tables(tables, authors) if authors and config.table > PAIR_SIZE else tables


def with_challenger(challenger: int, groups: Sequence[TableEntries]) -> list[TableEntries]:
    return [(challenger, *group) for group in groups] if challenger else list(groups)


def authors_kept_apart(config: TournamentConfig, entries: Iterable[Entry]) -> dict[int, str]:
    """The authors that must not share a table; empty if there is no such rule."""
    apart = config.authors_apart and config.table > PAIR_SIZE
    return {entry.number: entry.author for entry in entries if entry.author} if apart else {}


def opponents_and_table_size(
    config: TournamentConfig, entries: Sequence[int], challenger: int
) -> tuple[list[int], int]:
    """The entries to combine, and how many per table: a gauntlet's challenger already sits at every one."""
    size = 1 if config.format == "solo" else config.table - bool(challenger)
    return [entry for entry in entries if entry != challenger], size


def all_tables(entries: Sequence[int], size: int, number: int) -> list[TableEntries]:
    """All subsets, in an order that keeps the table of results balanced at any moment."""
    if size == 2:
        return circle_method_pairs(entries, number)
    return order_evenly(list(itertools.combinations(entries, size)))


def circle_method_pairs(entries: Sequence[int], number: int) -> list[TableEntries]:
    """All pairs by the circle method: everybody plays once per day. Each round starts with another day."""
    seats: list[int | None] = [*entries, *([None] if len(entries) % 2 else [])]
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


def order_evenly(tables: list[TableEntries]) -> list[TableEntries]:
    """Always take the table whose members have sat least so far. Only for few tables: it examines all of them each
    time."""
    sat: dict[int, int] = {}
    left, ordered = list(tables), []
    while left:
        best = min(left, key=lambda table: sorted((sat.get(entry, 0) for entry in table), reverse=True))
        left.remove(best)
        ordered.append(best)
        for entry in best:
            sat[entry] = sat.get(entry, 0) + 1
    return ordered


def plays_all_subsets(config: TournamentConfig, entry_count: int, size: int) -> bool:
    """Pairs, and single opponents, are never too many."""
    if size == 1 or (config.table == 2 and not config.tables):
        return True
    return math.comb(entry_count, size) <= (config.tables or MAX_SUBSETS)


def enough_tables(bots: int, seats: int) -> int:
    """How many tables let a pair meet about twice, while nobody sits too often and all sit equally often."""
    meet_twice = math.ceil(2 * bots * (bots - 1) / (seats * (seats - 1)))
    wanted = min(meet_twice, math.ceil(MAX_SITTINGS * bots / seats))
    step = bots // math.gcd(bots, seats)
    return math.ceil(wanted / step) * step


def rounds_in(config: TournamentConfig, bracket_size: int) -> int:
    """Main rounds; `bracket_size`: the size of a knockout's bracket."""
    if config.format == "swiss":
        return config.rounds
    if config.format == "knockout":
        return bracket_depth(bracket_size)
    return config.deals


def deals_in(config: TournamentConfig, number: int) -> tuple[int, ...]:
    """The deals of a table in a main round: one deal, but a whole match in Swiss and knockout, all levels in solo.

    In a cup the extra deals for tied matches follow; matches.py decides which of them are played.
    """
    if config.format == "solo":
        return tuple(config.levels)
    further = config.extra_deals if config.format == "knockout" else 0
    return tuple(range(1, config.deals + further + 1)) if config.format in PAIRED_BY_RESULTS else (number,)
