"""A Swiss round: the current table gives the ranking, and the ranking the pairs. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from .config import TournamentConfig
from .entries import Roster
from .entry_ratings import entry_ratings
from .fixtures import PlayedGame, Round, TableEntries
from .matches import match_rules, matches_by_round
from .swiss_pairing import Candidate, swiss_pairing
from .swiss_score import MATCH_WON, SwissRow, swiss_rows

NO_ROUNDS_PLAYED = SwissRow(0, 0.0, 0.0, 0.0, 0.0, ())
"""An entry that has played no round yet."""


def swiss_tables(
    config: TournamentConfig, roster: Roster, rounds: Sequence[Round], games: Sequence[PlayedGame]
) -> tuple[TableEntries, ...]:
    """For the round after `rounds`; the entry left over gets the bye. Absent entries are not paired."""
    rules = match_rules(config)
    rows = swiss_rows(rules, rounds, matches_by_round(rules, rounds, games))
    ratings = entry_ratings(games, config.prior)
    present = [row.entry for row in roster if not row.absent]

    def sort_key(entry: int) -> tuple[object, ...]:
        row = rows.get(entry, NO_ROUNDS_PLAYED)
        return *row.sort_key, -ratings.get(entry, float("-inf")), entry

    met = Counter(frozenset(table) for round in rounds for table in round.tables)
    return swiss_pairing(
        [_candidate(entry, rows.get(entry, NO_ROUNDS_PLAYED)) for entry in sorted(present, key=sort_key)], met
    ).tables


def _candidate(entry: int, row: SwissRow) -> Candidate:
    excused = sum(one.kind in ("bye", "walkover") and one.score == MATCH_WON for one in row.results)
    return Candidate(entry, round(2 * row.match_points), excused)
