"""Selects games worth watching: upsets, close games, games of strong bots. Pure; considers only games that may be
shown.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from ..tournament.rows import GameRow

DEFAULT_RATING = 1500.0
"""The rating of a bot without one."""
ELO_SCALE = 400.0
"""Elo difference for odds of ten to one."""
CLOSE_MARGIN = 2
"""Points between first and second that count as close."""


class FeaturedGame(Struct, frozen=True):
    game: str
    worth: float
    why: str


def featured_games(games: Iterable[GameRow], ratings: Mapping[str, float], count: int) -> list[FeaturedGame]:
    """The best first. Forfeits and aborted games are left out."""
    known = list(ratings.values()) or [DEFAULT_RATING]
    low, high = min(known), max(known)
    finished = [
        featured_game(row, ratings, low, max(1.0, high - low)) for row in games if row.played and row.outcome.finished
    ]
    return sorted(finished, key=lambda one: -one.worth)[:count]


def featured_game(row: GameRow, ratings: Mapping[str, float], low: float, span: float) -> FeaturedGame:
    seat_ratings = [ratings.get(name, DEFAULT_RATING) for name in row.fixture.seats]
    surprise, gap = upset_score(row.outcome.ranks, seat_ratings), score_margin(row.outcome.scores)
    strength = (sum(seat_ratings) / len(seat_ratings) - low) / span
    close = 1.0 / (1.0 + gap)
    worth = (0.15 + surprise) * (0.25 + close) * (0.4 + strength)
    return FeaturedGame(row.fixture.game, worth, why_featured(row, surprise, gap, strength))


def upset_score(ranks: Sequence[int], ratings: Sequence[float]) -> float:
    """How unlikely the winner's rating made the win against the best opponent: 0 to 1."""
    winner = ranks.index(min(ranks))
    others = [rating for seat, rating in enumerate(ratings) if seat != winner]
    if not others:
        return 0.0
    return 1.0 - 1.0 / (1.0 + math.pow(10.0, (max(others) - ratings[winner]) / ELO_SCALE))


def score_margin(scores: Sequence[int | None]) -> int:
    known = sorted((score for score in scores if score is not None), reverse=True)
    return known[0] - known[1] if len(known) > 1 else 0


def why_featured(row: GameRow, surprise: float, gap: int, strength: float) -> str:
    """Why a game is featured, in a few words."""
    if surprise > 0.7:
        return f"an upset by {row.fixture.seats[row.outcome.ranks.index(min(row.outcome.ranks))]}"
    if len(row.fixture.seats) > 1 and gap <= CLOSE_MARGIN:
        return "a close game"
    return "strong bots" if strength > 0.7 else "from this tournament"
