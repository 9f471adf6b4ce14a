"""The finished rating table: ratings joined with each bot's results. Ready for JSON.

Knows results and ratings; the caller provides faults and other counts. Does not print.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence

import msgspec

from .bradley_terry import OpenEnd, PlayerRating, SeatAdvantage, rate
from .points import Counts, ranks_with_ties
from .results import GameResult

EQUAL_RATING_DIGITS = 6
"""Ratings that are equal to this many digits share a rank: the last bits depend on the machine."""


class RatingRow(msgspec.Struct, frozen=True):
    """One line. `games`, `points`, `wins`, `draws` and `losses` count every finished game, with a forfeit as a loss;
    the rating ignores forfeits, which say nothing about strength."""

    place: int | None
    """Equal ratings share a rank; in a tournament its format decides. None for an unranked bot."""
    player: str
    rating: float
    error: float | None
    games: int
    points: float
    """Shares of the opponents beaten: 1 for a win, 1/2 for a tie with everybody."""
    wins: int
    draws: int
    losses: int
    los: float | None
    faults: int
    open_end: OpenEnd = ""
    """Where results do not bound the rating: `above` for a bot that never lost a point, `below` for one that never took
    one."""


class RatingTable(msgspec.Struct, frozen=True):
    """The table from the strongest down, as `--json` prints it."""

    ratings: tuple[RatingRow, ...]
    seats: tuple[SeatAdvantage, ...]
    warnings: tuple[str, ...]
    clusters: int
    prior: float = 0
    """The number of games that each counts as having drawn against the mean."""
    groups: tuple[tuple[str, ...], ...] = ()
    """Players linked by games, the largest group first: only these compare."""
    history: tuple[RatingRow, ...] = ()
    """Older versions of the bots in the table."""


def rating_table(
    results: Sequence[GameResult],
    *,
    counts: Mapping[str, Counts] | None = None,
    faults: Mapping[str, int] | None = None,
    seat_advantage: bool = False,
    prior: float = 0,
) -> RatingTable:
    """Rate the results and join `counts` (of the results, unless given) and `faults`, both by player."""
    ratings = rate(results, seat_advantage=seat_advantage, prior=prior)
    counted = counts_of_results(results) if counts is None else counts
    ranked = zip(
        ratings.players,
        ranks_with_ties([round(player.rating, EQUAL_RATING_DIGITS) for player in ratings.players]),
        strict=True,
    )
    rows = tuple(_row(place, player, counted[player.player], faults or {}) for player, place in ranked)
    return RatingTable(rows, ratings.seats, ratings.warnings, ratings.clusters, prior, ratings.groups)


def _row(place: int, player: PlayerRating, counts: Counts, faults: Mapping[str, int]) -> RatingRow:
    return RatingRow(
        place=place,
        player=player.player,
        rating=player.rating,
        error=player.error,
        games=counts.games,
        points=counts.points,
        wins=counts.wins,
        draws=counts.draws,
        losses=counts.losses,
        los=player.los,
        faults=faults.get(player.player, 0),
        open_end=player.open_end,
    )


def split_off_history(table: RatingTable, shown: Collection[str]) -> RatingTable:
    """Keep only the `shown` players in the table. A bot whose next below is not shown loses its likelihood, which was
    that of being stronger than the next."""
    rows = []
    for number, row in enumerate(table.ratings):
        if row.player in shown:
            after = table.ratings[number + 1].player if number + 1 < len(table.ratings) else None
            rows.append(row if after in shown else msgspec.structs.replace(row, los=None))
    return msgspec.structs.replace(
        table,
        ratings=rerank(rows),
        history=tuple(row for row in table.ratings if row.player not in shown),
    )


def rerank(rows: Sequence[RatingRow]) -> tuple[RatingRow, ...]:
    ranked = zip(rows, ranks_with_ties([round(row.rating, EQUAL_RATING_DIGITS) for row in rows]), strict=True)
    return tuple(msgspec.structs.replace(row, place=place) for row, place in ranked)


def counts_of_results(results: Iterable[GameResult]) -> dict[str, Counts]:
    by_player: defaultdict[str, Counts] = defaultdict(Counts)
    for result in results:
        for seat, player in enumerate(result.players):
            by_player[player].add(result.ranks, seat)
    return dict(by_player)
