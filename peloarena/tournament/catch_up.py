"""Catch-up: deals that latecomers missed are played in a separate stage, after the last main round. Pure.

Past rounds are never reopened. If all tables are played, the current roster plays, once, every main deal that was not
played with all seats present; this game replaces the main one in the points. If tables are chosen, latecomers get new
tables until they have as many deals as the median; points count for them alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import combinations
from statistics import median_low

from msgspec import Struct

from .author_separation import AuthorsByEntry, choose_table_for
from .config import TournamentConfig
from .deals import Stage
from .entries import Roster
from .fixtures import PlayedGame, Round, TableEntries
from .pairing import all_allowed_tables, opponents_and_table_size, plays_all_subsets, with_challenger

CATCH_UP_FORMATS = ("round-robin", "gauntlet", "solo")
"""Swiss: missed rounds are 0 points; knockout: nobody enters late."""

MAIN_AND_CATCH_UP: tuple[Stage, ...] = ("main", "catch-up")


class CatchUpRound(Struct, frozen=True):
    """A round of this stage, as it will be stored."""

    number: int
    tables: tuple[TableEntries, ...]
    points_for: tuple[int, ...] = ()
    """For each table, the entry whose points count; empty if everybody's do."""


def next_catch_up_round(
    config: TournamentConfig,
    roster: Roster,
    challenger: int,
    rounds: Sequence[Round],
    games: Iterable[PlayedGame],
    authors: AuthorsByEntry | None = None,
) -> CatchUpRound | None:
    """The next round of this stage, when all rounds that began are over; None if nothing is missing."""
    present = [row.entry for row in roster if not row.absent]
    main = [round for round in rounds if round.stage == "main"]
    if config.format not in CATCH_UP_FORMATS or not main or (challenger and challenger not in present):
        return None
    others, size = opponents_and_table_size(config, present, challenger)
    if all(plays_all_subsets(config, len(round.roster) - bool(challenger), size) for round in main):
        return _next_missed_round(all_allowed_tables(config, others, size, 1, challenger, authors or {}), rounds, games)
    return _next_latecomer_round(others, size, challenger, rounds, games, authors or {})


def _next_missed_round(
    tables: Sequence[TableEntries], rounds: Sequence[Round], games: Iterable[PlayedGame]
) -> CatchUpRound | None:
    """The first main round with tables that were not played with all seats present and are not caught up yet."""
    seated = {(round.stage, round.number, frozenset(table)) for round in rounds for table in round.tables}
    short = {(game.fixture.stage, game.fixture.round, frozenset(game.fixture.entries)) for game in games if game.absent}
    done = {key for key in seated if key[0] == "catch-up" or key not in short}
    for number in sorted(round.number for round in rounds if round.stage == "main"):
        missed = [
            table for table in tables if not done & {(stage, number, frozenset(table)) for stage in MAIN_AND_CATCH_UP}
        ]
        if missed:
            return CatchUpRound(number, tuple(missed))
    return None


def _next_latecomer_round(
    others: Sequence[int],
    size: int,
    challenger: int,
    rounds: Sequence[Round],
    games: Iterable[PlayedGame],
    authors: AuthorsByEntry,
) -> CatchUpRound | None:
    """One new table for every entry that missed something and has fewer deals than the median of the main stage.

    An entry that was always present, and sits at one table less by the draw, has missed nothing.
    """
    if len(others) < size:
        return None
    every = list(games)
    had, met, sat = _count_deals_and_meetings(every)
    always = _entries_always_present(rounds) - {entry for game in every for entry in game.absent}
    enough = median_low([had[entry] for entry in others])
    own = Counter(entry for round in rounds for entry in round.points_for)
    made: dict[TableEntries, int] = {}
    for entry in others:
        if entry in always or had[entry] + own[entry] >= enough:
            continue
        company = sorted((n for n in others if n != entry), key=lambda n: (met[frozenset((entry, n))], sat[n], n))
        table = choose_table_for(entry, company, size, authors)
        if table not in made:  # two of few latecomers may want the same table: the second gets it next round
            made[table] = entry
            sat.update(table)
    number = 1 + sum(round.stage == "catch-up" for round in rounds)
    return CatchUpRound(number, tuple(with_challenger(challenger, list(made))), tuple(made.values())) if made else None


def _entries_always_present(rounds: Iterable[Round]) -> set[int]:
    rosters = [{row.entry for row in round.roster if not row.absent} for round in rounds if round.stage == "main"]
    return set.intersection(*rosters)


def _count_deals_and_meetings(
    games: Iterable[PlayedGame],
) -> tuple[Counter[int], Counter[frozenset[int]], Counter[int]]:
    """Main deals that an entry was present in; how often pairs met, and how often an entry sat, in any stage."""
    had: Counter[int] = Counter()
    met: Counter[frozenset[int]] = Counter()
    sat: Counter[int] = Counter()
    for game in games:
        if game.fixture.seating == 1:
            present = sorted(entry for entry in game.fixture.entries if entry not in game.absent)
            sat.update(present)
            met.update(map(frozenset, combinations(present, 2)))
            if game.fixture.stage == "main":
                had.update(present)
    return had, met, sat
