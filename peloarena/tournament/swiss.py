"""A Swiss round: the current table gives the ranking, and the ranking the pairs. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from .config import NightConfig
from .entries import Roster
from .entry_ratings import entry_ratings
from .matches import matches_by_round, rules_of
from .rounds import PlayedGame, Round, Table
from .swiss_pairing import Candidate, swiss_pairing
from .swiss_score import MATCH_WON, SwissRow, swiss_rows

NEW = SwissRow(0, 0.0, 0.0, 0.0, 0.0, ())
"""An entry that has played no round yet."""


def swiss_tables(
    config: NightConfig, roster: Roster, rounds: Sequence[Round], games: Sequence[PlayedGame]
) -> tuple[Table, ...]:
    """For the round after `rounds`; the entry left over gets the bye. Absent entries are not paired."""
    rules = rules_of(config)
    rows = swiss_rows(rules, rounds, matches_by_round(rules, rounds, games))
    ratings = entry_ratings(games, config.prior)
    present = [row.entry for row in roster if not row.absent]

    def order(entry: int) -> tuple[object, ...]:
        row = rows.get(entry, NEW)
        return *row.order, -ratings.get(entry, float("-inf")), entry

    met = Counter(frozenset(table) for round in rounds for table in round.tables)
    return swiss_pairing([_candidate(entry, rows.get(entry, NEW)) for entry in sorted(present, key=order)], met).tables


def _candidate(entry: int, row: SwissRow) -> Candidate:
    excused = sum(one.kind in ("bye", "walkover") and one.score == MATCH_WON for one in row.results)
    return Candidate(entry, round(2 * row.match_points), excused)
