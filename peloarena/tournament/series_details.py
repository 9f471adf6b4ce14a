"""Where a bot's points come from: by seat, civilization and opponent; its time; its worst losses. Pure sums."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence

from msgspec import Struct

from ..referee.job import GameReport
from .ratings import share_beaten

WORST_LOSSES_SHOWN = 3
"""How many losses are listed."""


class PointsTally(Struct):
    """Points of a number of games: in each the share of the others beaten, with a tie as half."""

    games: int = 0
    points: float = 0.0

    def add(self, points: float) -> None:
        self.games += 1
        self.points += points

    @property
    def mean(self) -> float:
        return self.points / self.games


class BotDetails(Struct, frozen=True):
    name: str
    by_seat: dict[int, PointsTally]
    """Seats count from 0, as everywhere in records."""
    by_civilization: dict[str, PointsTally]
    by_opponent: dict[str, PointsTally]
    decisions: int
    seconds: float
    slowest: float
    startup: float
    """The longest, over games for which a process was started."""

    @property
    def seconds_per_decision(self) -> float:
        return self.seconds / self.decisions if self.decisions else 0.0


class Loss(Struct, frozen=True):
    game: str
    seed: str
    margin: int
    """Points behind the first."""


def details_of(reports: Sequence[GameReport], name: str) -> BotDetails:
    seats: defaultdict[int, PointsTally] = defaultdict(PointsTally)
    civilizations: defaultdict[str, PointsTally] = defaultdict(PointsTally)
    opponents: defaultdict[str, PointsTally] = defaultdict(PointsTally)
    decisions, seconds, slowest, startup = 0, 0.0, 0.0, 0.0
    for report in reports:
        own, ranks = report.seats.index(name), report.outcome.ranks
        share, stats = share_beaten(ranks, own), report.stats[own]
        seats[own].add(share)
        if report.civilizations:
            civilizations[report.civilizations[own]].add(share)
        for other, rank in enumerate(ranks):
            if other != own:
                opponents[report.seats[other]].add(share_beaten((ranks[own], rank), 0))
        decisions += stats.decisions
        seconds += stats.seconds
        slowest, startup = max(slowest, stats.slowest), max(startup, stats.startup)
    by_seat, by_civilization = dict(sorted(seats.items())), dict(sorted(civilizations.items()))
    return BotDetails(name, by_seat, by_civilization, dict(opponents), decisions, seconds, slowest, startup)


def worst_losses(reports: Sequence[GameReport], name: str) -> list[Loss]:
    """The worst first. Unfinished games are faults and reported as such."""
    losses = []
    for report in reports:
        own, scores = report.seats.index(name), report.outcome.scores
        score, best = scores[own], max((one for one in scores if one is not None), default=None)
        if score is not None and best is not None and report.outcome.ranks[own] > 1:
            losses.append(Loss(report.game, report.seed, best - score))
    return sorted(losses, key=lambda loss: -loss.margin)[:WORST_LOSSES_SHOWN]
