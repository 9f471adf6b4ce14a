"""The table of a night, from the games in its store: ratings with error bars, points, faults apart."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from peloarena.game.events import Ordered
from peloarena.referee.record import Header
from peloarena.referee.verify import read_lines

from .ratings import GameResult, RatingTable, rating_table
from .series import share_beaten
from .store import GameRow, Store


class SoloRow(Struct, frozen=True):
    """Solo: the same deals for everybody."""

    player: str
    games: int
    mean_score: float | None
    passed: int
    by_level: dict[int, int]
    """Levels passed, by level."""
    faults: int


def results_of(games: Sequence[GameRow]) -> list[GameResult]:
    """For the ratings: games that were played; all seatings of a deal are one cluster. Forfeits are shown apart."""
    return [
        GameResult(row.fixture.game, row.fixture.seats, row.outcome.ranks, row.fixture.seed)
        for row in games
        if row.played and len(row.fixture.seats) > 1
    ]


def with_positions(store: Store, games: Sequence[GameRow]) -> list[GameResult]:
    """The same with the initial turn order, which only the records tell: for the seat advantage."""
    found = []
    for row, result in zip((r for r in games if r.played), results_of(games), strict=True):
        order = first_order(store.record(row.fixture.game))
        positions = tuple(order.index(seat) for seat in range(len(order)))
        found.append(GameResult(result.game, result.players, result.ranks, result.cluster, positions))
    return found


def first_order(record: bytes) -> tuple[int, ...]:
    """The turn order of the first round."""
    _, header, _ = next(read_lines(record))
    assert isinstance(header, Header)
    orders = [event.order for event in header.events if isinstance(event, Ordered)]
    return orders[0] if orders else tuple(range(len(header.seats)))


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
    return rating_table(results_of(games), faults=faults_of(games))


def forfeits_of(games: Sequence[GameRow]) -> dict[str, int]:
    counts: dict[str, int] = {}
    for row in games:
        for verdict in row.verdicts:
            if verdict.fault == "forfeit":
                name = row.fixture.seats[verdict.seat]
                counts[name] = counts.get(name, 0) + 1
    return counts


def points_of(games: Sequence[GameRow]) -> dict[str, float]:
    """Points with forfeits counted as lost: what a prize-giving goes by."""
    points: dict[str, float] = {}
    for row in games:
        for seat, name in enumerate(row.fixture.seats):
            points[name] = points.get(name, 0.0) + share_beaten(row.outcome.ranks, seat)
    return points


def solo_table(names: Sequence[str], games: Sequence[GameRow]) -> list[SoloRow]:
    """By mean score, a game without a score counts 0; then by levels passed."""
    faults = faults_of(games)
    rows = [solo_row(name, [g for g in games if g.fixture.seats == (name,)], faults.get(name, 0)) for name in names]
    return sorted(rows, key=lambda row: (-(row.mean_score or 0.0), -row.passed))


def solo_row(name: str, games: Sequence[GameRow], faults: int) -> SoloRow:
    scores = [row.outcome.scores[0] or 0 for row in games]
    by_level: dict[int, int] = {}
    for row in games:
        by_level[row.fixture.level] = by_level.get(row.fixture.level, 0) + passed(row)
    mean = sum(scores) / len(scores) if scores else None
    return SoloRow(name, len(games), mean, sum(by_level.values()), dict(sorted(by_level.items())), faults)


def passed(row: GameRow) -> bool:
    result = row.outcome.result
    return result is not None and result.passed and not row.outcome.out[0]
