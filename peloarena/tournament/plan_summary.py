"""The output of `plan` before a tournament: rounds, games, how often pairs meet. Pure.

Bounded: a file may ask for 500 bots and 100,000 deals, and its host wants to know at once that this is too much.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator

from msgspec import Struct

from .config import TournamentConfig
from .entries import RosterRow
from .fixtures import TableEntries
from .forecast import cup_match_count, games_of_a_table
from .pairing import enough_tables, opponents_and_table_size, pair_round, plays_all_subsets, rounds_in

MAX_ENUMERATED_TABLES = 100_000
"""Tables in all rounds until they repeat; with more, the tables are not enumerated to count meetings."""
MAX_BOTS_EXAMINED = 1_000_000
"""Bots examined while filling one round's tables: two seconds."""


class Summary(Struct, frozen=True):
    """Numbers for the whole tournament, as far as they are known in advance."""

    rounds: int
    games: int
    tables: int
    """In the first round."""
    games_per_bot: tuple[int, int]
    meetings: tuple[int, int] | None
    """Games in which a pair shares a table: fewest and most over all pairs. None: too many tables to enumerate."""


def summary(config: TournamentConfig, bots: int) -> Summary:
    """`bots`: how many play. A gauntlet's challenger has number 1 here."""
    match config.format:
        case "knockout":
            return _knockout(config, bots)
        case "swiss":
            return _swiss(config, bots)
        case "solo":
            return _solo(config, bots)
        case _:
            return _tables(config, bots) if _can_enumerate_tables(config, bots) else large_summary(config, bots)


def _knockout(config: TournamentConfig, bots: int) -> Summary:
    """A bot eliminated at once plays one match, a finalist up to one per round. A match decided early has fewer games,
    a tied one more."""
    match, rounds = games_of_a_table(config), rounds_in(config, bots)
    seatings = match // config.deals
    least, most = seatings * (config.deals // 2 + 1), match + config.extra_deals * seatings
    first = len(_tables_of_round(config, bots, 1))
    return Summary(rounds, cup_match_count(config, bots) * match, first, (least, rounds * most), (0, most))


def _swiss(config: TournamentConfig, bots: int) -> Summary:
    """Assumes that byes rotate, and that nobody has a rematch before meeting all others."""
    match, rounds, tables = games_of_a_table(config), config.rounds, bots // 2
    sits = rounds / bots if bots % 2 else 0.0
    meets = rounds / (bots if bots % 2 else bots - 1)
    per_bot = (match * (rounds - math.ceil(sits)), match * (rounds - math.floor(sits)))
    return Summary(
        rounds, rounds * tables * match, tables, per_bot, (match * math.floor(meets), match * math.ceil(meets))
    )


def _solo(config: TournamentConfig, bots: int) -> Summary:
    each = config.deals * len(config.levels)
    return Summary(config.deals, each * bots, bots, (each, each), (0, 0))


def _tables(config: TournamentConfig, bots: int) -> Summary:
    """The games of every table in every round, without listing them."""
    numbers = range(1, bots + 1)
    per_bot = dict.fromkeys(numbers, 0)
    pairs = dict.fromkeys(itertools.combinations(numbers, 2), 0)
    games = 0
    for players, count in _tables_with_game_counts(config, bots):
        games += count
        for bot in players:
            per_bot[bot] += count
        for pair in itertools.combinations(sorted(players), 2):
            pairs[pair] += count
    first = len(_tables_of_round(config, bots, 1))
    return Summary(config.deals, games, first, _least_and_most(per_bot.values()), _least_and_most(pairs.values()))


def _can_enumerate_tables(config: TournamentConfig, bots: int) -> bool:
    opponents, size = _opponents_and_seats(config, bots)
    if plays_all_subsets(config, opponents, size):  # pairs, or few subsets: the same in every round
        return True
    tables = config.tables or enough_tables(opponents, size)
    return (
        min(config.deals, opponents) * tables <= MAX_ENUMERATED_TABLES
        and tables * size * opponents <= MAX_BOTS_EXAMINED
    )


def large_summary(config: TournamentConfig, bots: int) -> Summary:
    """From the guarantee of balanced tables: nobody is ever more than one table ahead of another."""
    opponents, size = _opponents_and_seats(config, bots)
    tables = config.tables or enough_tables(opponents, size)
    each = games_of_a_table(config)
    sittings = config.deals * tables * size
    least, most = sittings // opponents * each, -(-sittings // opponents) * each
    games = config.deals * tables * each
    return Summary(config.deals, games, tables, (least, games if config.format == "gauntlet" else most), None)


def _opponents_and_seats(config: TournamentConfig, bots: int) -> tuple[int, int]:
    """The number of bots to choose from, and of seats to fill per table: a challenger sits at every one."""
    others, size = opponents_and_table_size(config, range(1, bots + 1), _challenger(config))
    return len(others), size


def _challenger(config: TournamentConfig) -> int:
    return int(config.format == "gauntlet")


def _tables_with_game_counts(config: TournamentConfig, bots: int) -> Iterator[tuple[TableEntries, int]]:
    """Tables with their games in the whole tournament. Balanced tables repeat when everybody has had every role."""
    opponents, size = _opponents_and_seats(config, bots)
    period = 1 if plays_all_subsets(config, opponents, size) else opponents
    for number in range(1, min(period, config.deals) + 1):
        times = len(range(number, config.deals + 1, period))
        for players in _tables_of_round(config, bots, number):
            yield players, times * games_of_a_table(config)


def _tables_of_round(config: TournamentConfig, bots: int, number: int) -> list[TableEntries]:
    roster = tuple(RosterRow(bot, 1) for bot in range(1, bots + 1))
    return pair_round(config, number, roster, _challenger(config))


def _least_and_most(numbers: Iterable[int]) -> tuple[int, int]:
    values = list(numbers)
    return (min(values), max(values)) if values else (0, 0)
