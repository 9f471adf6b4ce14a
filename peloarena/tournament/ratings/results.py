"""The input of a rating: who sat at a table, how they ranked, and which deal it was.

Knows neither bots nor records nor files; callers convert their results into these.
"""

from __future__ import annotations

import msgspec


class ResultsError(ValueError):
    """These results cannot be rated; the message says which and why."""


class GameResult(msgspec.Struct, frozen=True, gc=False):
    """One table. Rank 1 is best and ties share a rank; all seatings of one deal share a cluster.

    `positions` are the initial turn positions, starting at 0; only the seat advantage needs them.
    """

    game: str
    players: tuple[str, ...]
    ranks: tuple[int, ...]
    cluster: str
    positions: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        _check_players(self)
        _check_ranks(self)
        _check_positions(self)


def _check_players(result: GameResult) -> None:
    if len(result.players) < 2:
        raise ResultsError(f"game {result.game!r}: {len(result.players)} player(s); a result needs at least 2")
    if len(set(result.players)) < len(result.players):
        raise ResultsError(f"game {result.game!r}: a player is listed twice")


def _check_ranks(result: GameResult) -> None:
    if len(result.ranks) != len(result.players):
        raise ResultsError(f"game {result.game!r}: {len(result.ranks)} ranks, {len(result.players)} players")
    if min(result.ranks) != 1:
        raise ResultsError(f"game {result.game!r}: the best rank is {min(result.ranks)}, not 1")


def _check_positions(result: GameResult) -> None:
    if result.positions is None:
        return
    if sorted(result.positions) != list(range(len(result.players))):
        last = len(result.players) - 1
        raise ResultsError(f"game {result.game!r}: positions {result.positions}: each of 0 to {last} must appear once")
