"""The running score of a series: reports may come in any order. Pure; each report costs the same.

The sequential test takes whole deals in the order of the schedule, without gaps, each of them once: the number of
parallel games affects neither its result nor when it stops.
"""

from __future__ import annotations

from bisect import insort
from collections import Counter

from ..referee.job import GameReport
from .ratings import Conclusion, SprtState, share_beaten, sprt_of_counts
from .series import SeriesRow, add_to_series


class SeriesScore:
    """The results so far. `bounds` for a sequential test of the first bot against the second."""

    def __init__(self, names: list[str], bounds: tuple[float, float] | None = None) -> None:
        self.names = names
        self.bounds = bounds
        self.test_state: SprtState | None = None
        self._table = {name: SeriesRow(name) for name in names}
        self._reports: list[tuple[int, GameReport]] = []
        self._deals: dict[int, list[float]] = {}
        """The first bot's shares by deal, only for deals that are incomplete or wait for an earlier one."""
        self._scores: list[float] = []
        self._counts: Counter[float] = Counter()

    def add(self, game_index: int, report: GameReport) -> None:
        """`game_index`: the number of the game in the schedule, from 0."""
        insort(self._reports, (game_index, report), key=lambda pair: pair[0])
        add_to_series(self._table, report)
        shares = self._deals.setdefault(game_index // len(self.names), [])
        shares.append(share_beaten(report.outcome.ranks, report.seats.index(self.names[0])))
        while len(self._deals.get(len(self._scores), ())) == len(self.names):
            self._add_complete_deal(self._deals.pop(len(self._scores)))

    def _add_complete_deal(self, shares: list[float]) -> None:
        """The next deal was played in every seating."""
        score = sum(shares) / len(shares)
        self._scores.append(score)
        if self.bounds is not None and not self.is_decided:
            self._counts[score] += 1
            self.test_state = sprt_of_counts(self._counts, *self.bounds)

    @property
    def is_decided(self) -> bool:
        return self.test_state is not None and self.test_state.decision is not Conclusion.CONTINUE

    @property
    def reports(self) -> list[GameReport]:
        """In the order of the schedule."""
        return [report for _, report in self._reports]

    @property
    def games(self) -> int:
        return len(self._reports)

    def standings(self) -> list[SeriesRow]:
        """The best first; equal points in order of name."""
        return sorted(self._table.values(), key=lambda row: -row.points)

    def first_bot_scores(self) -> list[float]:
        """The first bot's score in each complete deal, up to the first incomplete one."""
        return self._scores
