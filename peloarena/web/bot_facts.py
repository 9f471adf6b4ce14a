"""One bot's tournament, counted from its games: opponents, seats, losses to learn from. Pure."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec import Struct

from ..tournament.rows import GameRow
from ..tournament.series_details import PointsTally
from .featuring import DEFAULT_RATING, score_margin


class LostGame(Struct, frozen=True):
    row: GameRow
    seat: int
    winner: str
    gap: int
    """Points behind the winner."""
    worth: float


class BotSummary(Struct, frozen=True):
    games: tuple[GameRow, ...]
    opponents: dict[str, PointsTally]
    seats: dict[int, PointsTally]
    """By seat, from 1."""
    losses: tuple[LostGame, ...]
    """The most instructive losses first: those against weaker bots, and close ones."""


def summarize_bot(games: Sequence[GameRow], entry: int, ratings: Mapping[str, float], most_losses: int) -> BotSummary:
    mine = [row for row in games if entry in row.fixture.entries]
    opponents: dict[str, PointsTally] = {}
    seats: dict[int, PointsTally] = {}
    losses: list[LostGame] = []
    for row in mine:
        seat = row.fixture.entries.index(entry)
        ranks = row.outcome.ranks
        total = 0.0
        for other, name in enumerate(row.fixture.seats):
            if other != seat:
                won = 1.0 if ranks[seat] < ranks[other] else 0.5 if ranks[seat] == ranks[other] else 0.0
                opponents.setdefault(name, PointsTally()).add(won)
                total += won
        seats.setdefault(seat + 1, PointsTally()).add(total / max(1, len(ranks) - 1))
        if row.played and row.outcome.finished and ranks[seat] > 1:
            losses.append(lost_game(row, seat, ratings))
    best = sorted(losses, key=lambda one: -one.worth)[:most_losses]
    by_name = dict(sorted(opponents.items(), key=lambda item: item[1].mean))
    return BotSummary(tuple(mine), by_name, dict(sorted(seats.items())), tuple(best))


def lost_game(row: GameRow, seat: int, ratings: Mapping[str, float]) -> LostGame:
    names, ranks, scores = row.fixture.seats, row.outcome.ranks, row.outcome.scores
    winner = ranks.index(min(ranks))
    gap = score_margin([scores[winner], scores[seat]])
    ahead = ratings.get(names[seat], DEFAULT_RATING) - ratings.get(names[winner], DEFAULT_RATING)
    return LostGame(row, seat, names[winner], gap, ahead / 100.0 + 3.0 / (1.0 + gap))
