"""The scheduler of a ladder: the next deal, and the finish. Pure.

Callers may ask for the next deal at any time, even while others are played: those count as chosen. Each decision is
stored with its reason before any of its games is played. From then on the stored decision is authoritative: a resumed
run and every slot follow it.
"""

from __future__ import annotations

from msgspec.structs import replace

from ..config import TournamentConfig
from ..entries import Roster
from ..fixtures import Round, seatings_of
from ..host_actions import is_finish_requested
from ..pairing import authors_kept_apart, balanced_or_all_tables
from ..scheduler import SchedulingFacts, closed_roster, make_round, roster_of_next_round
from .choice import LadderRules, choose_next_deal


def next_ladder_round(facts: SchedulingFacts) -> Round | None:
    """A deal, or a round of the finish. None if nobody can play, or the finish is over."""
    return _finish_round(facts) if is_finish_requested(facts.actions) else _next_deal(facts)


def ladder_rules(config: TournamentConfig) -> LadderRules:
    games = len(seatings_of(config.seatings, tuple(range(config.table))))
    return LadderRules(config.table, games, config.newcomer_games, config.games_cap)


def _next_deal(facts: SchedulingFacts) -> Round | None:
    roster = {row.entry: row for row in roster_of_next_round(facts, ()) if not row.absent}
    builtin_entries = _builtin_entries(facts)
    versions = [(row.entry, row.edition) for row in roster.values()]
    players = [version for version in versions if version[0] not in builtin_entries]
    filling = [version for version in versions if version[0] in builtin_entries]
    names = {entry.number: entry.name for entry in facts.entries}
    authors = authors_kept_apart(facts.config, facts.entries)
    choice = choose_next_deal(players, filling, facts.tallies, ladder_rules(facts.config), names, authors=authors)
    if choice is None:
        return None
    seated = tuple(roster[entry] for entry in sorted(choice.table))
    met = facts.tallies.deals[tuple(sorted(choice.table))]
    return replace(make_round(facts, "main", 0, (choice.table,), seated), deals=(met + 1,), reason=choice.reason)


def _finish_round(facts: SchedulingFacts) -> Round | None:
    number = 1 + sum(round.stage == "finish" for round in facts.rounds)
    if number > facts.config.deals:
        return None
    roster = finish_roster(facts)
    entries, authors = [row.entry for row in roster], authors_kept_apart(facts.config, facts.entries)
    tables = balanced_or_all_tables(facts.config, number, entries, 0, authors)
    return make_round(facts, "finish", number, tuple(tables), roster)


def finish_roster(facts: SchedulingFacts) -> Roster:
    """Everybody present when the ladder ends, and built-in bots if a table would be short. A bot that leaves later
    forfeits."""
    roster = roster_of_next_round(facts, ())
    first = next((round for round in facts.rounds if round.stage == "finish"), None)
    if first is not None:
        return closed_roster(roster, first.roster)
    builtin_entries = _builtin_entries(facts)
    present = [row for row in roster if not row.absent]
    players = [row for row in present if row.entry not in builtin_entries]
    filling = [row for row in present if row.entry in builtin_entries] if players else []
    return (*players, *filling[: max(0, facts.config.table - len(players))])


def _builtin_entries(facts: SchedulingFacts) -> set[int]:
    return {entry.number for entry in facts.entries if entry.house}
