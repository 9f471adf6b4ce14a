"""The rating of each entry, as the table shows it: that of its newest version that was present. Pure."""

from __future__ import annotations

from collections.abc import Sequence

from .entries import BotVersion
from .fixtures import PlayedGame
from .game_selection import newest_version_numbers
from .points_and_ratings import rating_result
from .ratings import GameResult, rate

RATING_DIGITS = 6
"""Ratings that differ by less are equal: the last bits depend on the machine."""


def entry_ratings(games: Sequence[PlayedGame], prior: float) -> dict[int, float]:
    """Omits entries that have no rated game."""
    present = {version for game in games for version in _present_versions(game)}
    results = [result for game in games if (result := _game_result(game)) is not None]
    ratings = (
        {row.player: round(row.rating, RATING_DIGITS) for row in rate(results, prior=prior).players} if results else {}
    )
    newest = newest_version_numbers(present).items()
    return {
        entry: ratings[_version_key((entry, edition))]
        for entry, edition in newest
        if _version_key((entry, edition)) in ratings
    }


def _game_result(game: PlayedGame) -> GameResult | None:
    fixture = game.fixture
    seats = [_version_key(version) for version in zip(fixture.entries, fixture.editions, strict=True)]
    absent = [label for label, entry in zip(seats, fixture.entries, strict=True) if entry in game.absent]
    return rating_result(fixture.game, seats, game.ranks, fixture.deal_name, absent)


def _present_versions(game: PlayedGame) -> list[BotVersion]:
    seats = zip(game.fixture.entries, game.fixture.editions, strict=True)
    return [version for version in seats if version[0] not in game.absent]


def _version_key(version: BotVersion) -> str:
    return f"{version[0]}.{version[1]}"
