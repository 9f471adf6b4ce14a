"""The finished rating table: ratings joined with what each bot did. Ready for JSON.

Knows results and ratings; faults are counted by the caller. Does not print.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import msgspec

from .bradley_terry import PlayerRating, SeatAdvantage, rate
from .results import GameResult


class RatingRow(msgspec.Struct, frozen=True):
    """One line. A win is a first rank alone, a draw a shared first rank, a loss anything else.

    `points` are shares of the opponents beaten: 1 for a win, 1/2 for a tie with everybody.
    """

    player: str
    rating: float
    error: float | None
    games: int
    points: float
    wins: int
    draws: int
    losses: int
    los: float | None
    faults: int


class RatingTable(msgspec.Struct, frozen=True):
    """The table from the strongest down, as `--json` gives it."""

    ratings: tuple[RatingRow, ...]
    seats: tuple[SeatAdvantage, ...]
    warnings: tuple[str, ...]
    clusters: int


@dataclass
class _Counts:
    games: int = 0
    half_pairs: Counter[int] = field(default_factory=Counter)
    """By table size, so that 1/(n-1) is divided by once and thirds do not pile up rounding."""
    wins: int = 0
    draws: int = 0


def rating_table(
    results: Sequence[GameResult],
    *,
    faults: Mapping[str, int] | None = None,
    seat_advantage: bool = False,
) -> RatingTable:
    """Rate the results and count them; `faults` are by player and merely carried along."""
    ratings = rate(results, seat_advantage=seat_advantage)
    by_player = _counted(results)
    counted = faults or {}
    rows = tuple(_row(player, by_player[player.player], counted) for player in ratings.players)
    return RatingTable(rows, ratings.seats, ratings.warnings, ratings.clusters)


def _row(player: PlayerRating, counts: _Counts, faults: Mapping[str, int]) -> RatingRow:
    return RatingRow(
        player=player.player,
        rating=player.rating,
        error=player.error,
        games=counts.games,
        points=sum(halves / 2 / (size - 1) for size, halves in counts.half_pairs.items()),
        wins=counts.wins,
        draws=counts.draws,
        losses=counts.games - counts.wins - counts.draws,
        los=player.los,
        faults=faults.get(player.player, 0),
    )


def _counted(results: Sequence[GameResult]) -> dict[str, _Counts]:
    by_player: defaultdict[str, _Counts] = defaultdict(_Counts)
    for result in results:
        for player, rank in zip(result.players, result.ranks, strict=True):
            _count(by_player[player], rank, result.ranks)
    return by_player


def _count(counts: _Counts, rank: int, ranks: tuple[int, ...]) -> None:
    below, level = sum(other > rank for other in ranks), ranks.count(rank) - 1
    counts.games += 1
    counts.half_pairs[len(ranks)] += 2 * below + level
    counts.wins += rank == 1 and level == 0
    counts.draws += rank == 1 and level > 0
