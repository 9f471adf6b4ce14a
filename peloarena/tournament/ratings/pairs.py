"""Results turned into arrays: who met whom in which deal, how often, with what score.

Knows the weights of pairs within a table; does not know how strong anybody is.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from .results import GameResult, ResultsError

Ints = NDArray[np.int64]
Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Comparisons:
    """One row per deal and meeting: the weight of its games and the share that the upper player scored.

    `plus` and `minus` hold the parameters (columns: player, then turn position if asked for) whose sums are compared.
    Players come first among the parameters, in the order of `players`.
    """

    players: tuple[str, ...]
    positions: int
    clusters: int
    cluster: Ints
    plus: Ints
    minus: Ints
    weight: Floats
    score: Floats
    unpaired: Floats
    """The weight in a variance if all games were independent. Pairs of one table are not: for equals the share of n - 1
    others beaten has the variance (n + 1)/12(n - 1), a third of (1 + 2w) times what pairs with the weight w give."""

    @property
    def parameters(self) -> int:
        return len(self.players) + self.positions

    @property
    def upper(self) -> Ints:
        """For each row, the player whose score it holds."""
        return self.plus[:, 0]

    @property
    def lower(self) -> Ints:
        """The other player of each row."""
        return self.minus[:, 0]


@dataclass(frozen=True)
class _Tables:
    """All tables of one size; each array has a row per game and a column per seat."""

    cluster: Ints
    player: Ints
    rank: Ints
    position: Ints


_Rows = tuple[Ints, Floats, Floats]


def sum_by_index(indices: Ints, values: Floats, size: int) -> Floats:
    """The values summed by index, `size` indices in all."""
    return np.bincount(indices, weights=values, minlength=size).astype(np.float64)


def compare(results: Iterable[GameResult], *, seat_advantage: bool) -> Comparisons:
    """All pairs of all tables, aggregated. Sorted first, so that sums do not depend on the input order."""
    games = sorted(results, key=lambda result: (result.cluster, result.game, result.players))
    if not games:
        raise ResultsError("no results to rate")
    players = tuple(sorted({player for game in games for player in game.players}))
    positions = _position_count(games) if seat_advantage else 0
    rows = _all_pairs(_tables_by_size(games, players), positions)
    return _aggregate(rows, players, positions)


def _position_count(games: Sequence[GameResult]) -> int:
    for game in games:
        if game.positions is None:
            raise ResultsError(f"game {game.game!r}: the seat advantage needs turn positions")
    return max(len(game.players) for game in games)


def _tables_by_size(games: Sequence[GameResult], players: Sequence[str]) -> list[_Tables]:
    number = {player: index for index, player in enumerate(players)}
    clusters = {cluster: index for index, cluster in enumerate(sorted({game.cluster for game in games}))}
    sizes: dict[int, list[GameResult]] = {}
    for game in games:
        sizes.setdefault(len(game.players), []).append(game)
    return [_tables(sizes[size], number, clusters) for size in sorted(sizes)]


def _tables(games: Sequence[GameResult], number: dict[str, int], clusters: dict[str, int]) -> _Tables:
    seats = tuple(range(len(games[0].players)))
    return _Tables(
        cluster=np.array([clusters[game.cluster] for game in games], dtype=np.int64),
        player=np.array([[number[player] for player in game.players] for game in games], dtype=np.int64),
        rank=np.array([game.ranks for game in games], dtype=np.int64),
        position=np.array([game.positions or seats for game in games], dtype=np.int64),
    )


def _all_pairs(sizes: Sequence[_Tables], positions: int) -> _Rows:
    """Rows of (cluster, upper player, lower player, upper position, lower position); weights and scores."""
    parts = [
        _pair_rows(tables, one, other, positions)
        for tables in sizes
        for one, other in combinations(range(tables.player.shape[1]), 2)
    ]
    keys, weights, scores = zip(*parts, strict=True)
    return np.concatenate(keys), np.concatenate(weights), np.concatenate(scores)


def _pair_rows(tables: _Tables, one: int, other: int, positions: int) -> _Rows:
    swap = tables.player[:, one] > tables.player[:, other]
    upper, lower = np.where(swap, other, one), np.where(swap, one, other)
    game = np.arange(len(swap))
    seats = tables.position if positions else np.zeros_like(tables.position)
    key = np.stack(
        [
            tables.cluster,
            tables.player[game, upper],
            tables.player[game, lower],
            seats[game, upper],
            seats[game, lower],
        ],
        axis=1,
    )
    weight = np.full(len(swap), 1.0 / (tables.player.shape[1] - 1))
    ahead = np.sign(tables.rank[game, lower] - tables.rank[game, upper])
    return key, weight, weight * (1.0 + ahead) / 2.0


def _aggregate(rows: _Rows, players: tuple[str, ...], positions: int) -> Comparisons:
    keys, weights, scores = rows
    shape = (int(keys[:, 0].max()) + 1, len(players), len(players), max(positions, 1), max(positions, 1))
    flat, where = np.unique(np.ravel_multi_index(tuple(keys.T), shape), return_inverse=True)
    cluster, upper, lower, upper_seat, lower_seat = np.unravel_index(flat, shape)
    seats = len(players)
    return Comparisons(
        players=players,
        positions=positions,
        clusters=shape[0],
        cluster=cluster.astype(np.int64),
        plus=_columns(upper, upper_seat + seats, positions),
        minus=_columns(lower, lower_seat + seats, positions),
        weight=sum_by_index(where, weights, len(flat)),
        score=sum_by_index(where, scores, len(flat)),
        unpaired=sum_by_index(where, weights * (1.0 + 2.0 * weights) / 3.0, len(flat)),
    )


def _columns(player: Ints, seat: Ints, positions: int) -> Ints:
    return np.stack([player, seat], axis=1) if positions else player[:, np.newaxis]
