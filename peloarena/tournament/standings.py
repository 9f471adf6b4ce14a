"""The table of a night, from the games in its store: ratings with error bars, points, faults apart."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from .ratings import Counts, GameResult, RatingTable, places, rating_table
from .rows import GameRow
from .series import passed


class SoloRow(Struct, frozen=True):
    """Solo: the same deals for everybody."""

    place: int
    player: str
    games: int
    mean_score: float | None
    passed: int
    by_level: dict[int, int]
    """Levels passed, by level."""
    faults: int


def forfeited(row: GameRow) -> list[str]:
    """Who was not there."""
    return [row.fixture.seats[verdict.seat] for verdict in row.verdicts if verdict.fault == "forfeit"]


def results_of(games: Sequence[GameRow]) -> list[GameResult]:
    """For the ratings: all seatings of a deal are one cluster."""
    return [result for row in games if (result := row_compared(row)) is not None]


def row_compared(row: GameRow, order: Sequence[int] | None = None) -> GameResult | None:
    fixture = row.fixture
    return compared(fixture.game, fixture.seats, row.outcome.ranks, fixture.seed, forfeited(row), order)


def compared(
    game: str,
    seats: Sequence[str],
    ranks: Sequence[int],
    cluster: str,
    absent: Sequence[str],
    order: Sequence[int] | None = None,
) -> GameResult | None:
    """A game as the ratings see it: who forfeits says nothing about strength, those who played are compared.

    None if there are not two of them. `order`: the seats in turn order.
    """
    present = [seat for seat, name in enumerate(seats) if name not in absent]
    if len(present) < 2:
        return None
    mine = [ranks[seat] for seat in present]
    places = tuple(1 + sum(other < rank for other in mine) for rank in mine)
    turns = None if order is None else [seat for seat in order if seat in present]
    positions = None if turns is None else tuple(turns.index(seat) for seat in present)
    return GameResult(game, tuple(seats[seat] for seat in present), places, cluster, positions)


def faults_of(games: Sequence[GameRow]) -> dict[str, int]:
    """Verdicts by bot; forfeits are none."""
    counts: dict[str, int] = {}
    for row in games:
        for verdict in row.verdicts:
            if verdict.fault != "forfeit":
                name = row.fixture.seats[verdict.seat]
                counts[name] = counts.get(name, 0) + 1
    return counts


def night_table(games: Sequence[GameRow]) -> RatingTable:
    return rating_table(results_of(games), counts=counts_of(games), faults=faults_of(games))


def forfeits_of(games: Sequence[GameRow]) -> dict[str, int]:
    return dict(Counter(name for row in games for name in forfeited(row)))


def counts_of(games: Sequence[GameRow]) -> dict[str, Counts]:
    """Games, points, wins of each bot over all finished games, a forfeit being lost: what a prize-giving goes by."""
    counts: defaultdict[str, Counts] = defaultdict(Counts)
    for row in games:
        absent = forfeited(row)
        for seat, name in enumerate(row.fixture.seats):
            counts[name].add(row.outcome.ranks, seat, absent=name in absent)
    return dict(counts)


def points_of(games: Sequence[GameRow]) -> dict[str, float]:
    return {name: counts.points for name, counts in counts_of(games).items()}


def solo_table(names: Sequence[str], games: Sequence[GameRow]) -> list[SoloRow]:
    """By mean score, a game without a score counts 0; then by levels passed; equals share a place."""
    faults = faults_of(games)
    rows = [solo_row(name, [g for g in games if g.fixture.seats == (name,)], faults.get(name, 0)) for name in names]
    ranked = sorted(rows, key=solo_order)
    return [replace(row, place=place) for row, place in zip(ranked, places(list(map(solo_order, ranked))), strict=True)]


def solo_order(row: SoloRow) -> tuple[float, int]:
    return -(row.mean_score or 0.0), -row.passed


def solo_row(name: str, games: Sequence[GameRow], faults: int) -> SoloRow:
    scores = [row.outcome.scores[0] or 0 for row in games]
    by_level: dict[int, int] = {}
    for row in games:
        by_level[row.fixture.level] = by_level.get(row.fixture.level, 0) + passed(row.outcome)
    mean = sum(scores) / len(scores) if scores else None
    return SoloRow(0, name, len(games), mean, sum(by_level.values()), dict(sorted(by_level.items())), faults)
