"""How many games a tournament still has, without listing them: there may be millions. Pure."""

from __future__ import annotations

import math

from .author_separation import AuthorsByEntry
from .catch_up import next_catch_up_round
from .config import PAIRED_BY_RESULTS, TournamentConfig
from .fixtures import Round, seatings_of
from .host_actions import is_finish_requested
from .ladder.ladder_scheduler import finish_roster
from .pairing import (
    all_allowed_tables,
    authors_kept_apart,
    enough_tables,
    opponents_and_table_size,
    plays_all_subsets,
    rounds_in,
)
from .scheduler import SchedulingFacts, challenger_number, roster_of_next_round

SEMI_FINALIST_COUNT = 4


def count_remaining_games(facts: SchedulingFacts) -> int:
    """For rounds that have not begun, with the current roster; catch-up is forecast as of now."""
    if facts.config.format == "ladder":
        return _count_finish_games(facts)
    main = facts.main_rounds
    roster = roster_of_next_round(facts, main)
    field = [row.entry for row in roster if facts.config.format != "swiss" or not row.absent]
    challenger = challenger_number(facts.config, facts.entries)
    if facts.config.format == "knockout":
        bracket = len(main[0].roster) if main else len(field)
        tables = max(0, cup_match_count(facts.config, bracket) - sum(len(round.tables) for round in main))
    else:
        authors = authors_kept_apart(facts.config, facts.entries)
        tables = (rounds_in(facts.config, 0) - len(main)) * tables_in_a_round(facts.config, field, challenger, authors)
    return (tables + _count_catch_up_tables(facts, challenger)) * games_of_a_table(facts.config)


def _count_finish_games(facts: SchedulingFacts) -> int:
    """A ladder itself has no end to forecast; its finish is a round-robin."""
    if not is_finish_requested(facts.actions):
        return 0
    begun = sum(round.stage == "finish" for round in facts.rounds)
    tables = tables_in_a_round(
        facts.config, [row.entry for row in finish_roster(facts)], 0, authors_kept_apart(facts.config, facts.entries)
    )
    return max(0, facts.config.deals - begun) * tables * games_of_a_table(facts.config)


def tables_in_a_round(config: TournamentConfig, entries: list[int], challenger: int, authors: AuthorsByEntry) -> int:
    if config.format == "solo":
        return len(entries)
    if config.format == "swiss":
        return len(entries) // 2
    others, size = opponents_and_table_size(config, entries, challenger)
    if len(others) < size or (challenger and challenger not in entries):
        return 0
    if plays_all_subsets(config, len(others), size):
        if authors:
            return len(all_allowed_tables(config, others, size, 1, challenger, authors))
        return math.comb(len(others), size)
    return config.tables or enough_tables(len(others), size)


def cup_match_count(config: TournamentConfig, entry_count: int) -> int:
    """Every match eliminates one bot; the match for third place is one more."""
    return entry_count - 1 + (config.third_place and entry_count >= SEMI_FINALIST_COUNT)


def games_of_a_table(config: TournamentConfig) -> int:
    """In one round; for a cup, a match that is neither decided early nor tied."""
    if config.format == "solo":
        return len(config.levels)
    deals = config.deals if config.format in PAIRED_BY_RESULTS else 1
    return deals * len(seatings_of(config.seatings, tuple(range(config.table))))


def _count_catch_up_tables(facts: SchedulingFacts, challenger: int) -> int:
    if not facts.config.catch_up or not facts.may_need_catch_up:
        return 0
    roster = roster_of_next_round(facts, facts.main_rounds)
    rounds, count = list(facts.rounds), 0
    authors = authors_kept_apart(facts.config, facts.entries)
    while made := next_catch_up_round(facts.config, roster, challenger, rounds, facts.games, authors):
        count += len(made.tables)
        rounds.append(Round(0, "catch-up", made.number, made.tables, (), roster, 0, made.points_for))
    return count
