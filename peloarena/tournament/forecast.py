"""How many games a tournament still has, without listing them: there may be millions. Pure."""

from __future__ import annotations

import math

from .apart import Authors
from .catch_up import next_catch_up
from .config import PAIRED_BY_RESULTS, NightConfig
from .course import Facts, challenger_of, present_roster
from .host_orders import is_finishing
from .ladder.course import finish_roster
from .rounds import Round, seatings_of
from .tables import enough_tables, every_table, kept_apart, plays_all_subsets, rounds_in, seeking

SEMI_FINALISTS = 4


def games_to_come(facts: Facts) -> int:
    """For rounds that have not begun, with the current field; catch-up is forecast as of now."""
    if facts.config.format == "ladder":
        return _finish_to_come(facts)
    main = facts.main
    roster = present_roster(facts, main)
    field = [row.entry for row in roster if facts.config.format != "swiss" or not row.absent]
    challenger = challenger_of(facts.config, facts.entries)
    if facts.config.format == "knockout":
        bracket = len(main[0].roster) if main else len(field)
        tables = max(0, cup_matches(facts.config, bracket) - sum(len(round.tables) for round in main))
    else:
        authors = kept_apart(facts.config, facts.entries)
        tables = (rounds_in(facts.config, 0) - len(main)) * tables_in_a_round(facts.config, field, challenger, authors)
    return (tables + _catch_up_tables(facts, challenger)) * games_of_a_table(facts.config)


def _finish_to_come(facts: Facts) -> int:
    """A ladder itself has no end to forecast; its finish is a round-robin."""
    if not is_finishing(facts.orders):
        return 0
    begun = sum(round.stage == "finish" for round in facts.rounds)
    tables = tables_in_a_round(
        facts.config, [row.entry for row in finish_roster(facts)], 0, kept_apart(facts.config, facts.entries)
    )
    return max(0, facts.config.deals - begun) * tables * games_of_a_table(facts.config)


def tables_in_a_round(config: NightConfig, field: list[int], challenger: int, authors: Authors) -> int:
    if config.format == "solo":
        return len(field)
    if config.format == "swiss":
        return len(field) // 2
    others, size = seeking(config, field, challenger)
    if len(others) < size or (challenger and challenger not in field):
        return 0
    if plays_all_subsets(config, len(others), size):
        if authors:
            return len(every_table(config, others, size, 1, challenger, authors))
        return math.comb(len(others), size)
    return config.tables or enough_tables(len(others), size)


def cup_matches(config: NightConfig, bracket: int) -> int:
    """Every match eliminates one bot; the match for third place is one more."""
    return bracket - 1 + (config.third_place and bracket >= SEMI_FINALISTS)


def games_of_a_table(config: NightConfig) -> int:
    """In one round; for a cup, a match that is neither decided early nor tied."""
    if config.format == "solo":
        return len(config.levels)
    deals = config.deals if config.format in PAIRED_BY_RESULTS else 1
    return deals * len(seatings_of(config.seatings, tuple(range(config.table))))


def _catch_up_tables(facts: Facts, challenger: int) -> int:
    if not facts.config.catch_up or not facts.missed:
        return 0
    roster = present_roster(facts, facts.main)
    rounds, found = list(facts.rounds), 0
    authors = kept_apart(facts.config, facts.entries)
    while made := next_catch_up(facts.config, roster, challenger, rounds, facts.games, authors):
        found += len(made.tables)
        rounds.append(Round(0, "catch-up", made.number, made.tables, (), roster, 0, made.points_for))
    return found
