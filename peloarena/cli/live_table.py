"""The standings of the live screen: rated anew now and then, with who moved since the round began.

Knows rows and words; where they stand on the screen is for `live_screen`.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping, Sequence

from msgspec import Struct

from ..tournament.following import Seen
from ..tournament.rating_text import NO_INTERVAL, error_text, percent
from ..tournament.ratings import RatingRow
from ..tournament.rows import GameRow
from ..tournament.standings import SoloRow, any_rated, night_table, solo_table
from .common import plain

RATE_EVERY = 2.0
"""Seconds at least between two computations of the ratings ..."""
RATE_SHARE = 0.05
"""... which never use more than this share of the time."""


class LiveColumn(Struct, frozen=True):
    heading: str
    importance: int
    """Where there is no room for all, the least important go first; equal ones go together."""
    left: bool = False
    """Words; numbers are aligned to the right."""


PLACE, MOVED = LiveColumn("", 9), LiveColumn("", 8, left=True)
BOT = LiveColumn("bot", 9, left=True)
VERSION = LiveColumn("", 7, left=True)
NOTE = LiveColumn("", 6, left=True)
GAMES, FAULTS = LiveColumn("games", 7), LiveColumn("faults", 6)
RATED = (
    *(PLACE, MOVED, BOT, LiveColumn("Elo", 9), LiveColumn("± 95 %", 8), GAMES, LiveColumn("points", 4)),
    *(
        LiveColumn("won", 2),
        LiveColumn("drawn", 2),
        LiveColumn("lost", 2),
        LiveColumn("better", 1),
        FAULTS,
        VERSION,
        NOTE,
    ),
)
SOLO = (PLACE, MOVED, BOT, LiveColumn("mean", 9), LiveColumn("passed", 8), GAMES, FAULTS, VERSION, NOTE)


class Standings(Struct, frozen=True):
    columns: tuple[LiveColumn, ...] = RATED
    rows: tuple[tuple[str, ...], ...] = ()
    """Cells in the order of the columns."""


class LiveTable:
    """Rates as often as its cost allows: it takes longer the more games there are."""

    def __init__(self) -> None:
        self.standings = Standings()
        self._places: Mapping[str, int] = {}
        """When the round began."""
        self._round = 0
        self._rated_at = float("-inf")
        self._cost = 0.0
        self._rated: Seen | None = None

    def update(self, seen: Seen) -> None:
        """If it is time again; otherwise the table stays as it is for a while."""
        start = time.monotonic()
        idle = start - self._rated_at
        if seen is self._rated or idle < max(RATE_EVERY, self._cost / RATE_SHARE):
            return
        self.rate(seen)
        self._rated_at = time.monotonic()
        self._cost = self._rated_at - start

    def rate(self, seen: Seen) -> None:
        self._rated = seen
        number = seen.round.id if seen.round else 0
        if number != self._round:
            self._round = number
            self._places = {row.player: row.place for row in _rows(seen, before=number)}
        rows = _rows(seen)
        solo = seen.config.format == "solo"
        self.standings = Standings(SOLO if solo else RATED, tuple(self._cells(row, seen) for row in rows))

    def _cells(self, row: RatingRow | SoloRow, seen: Seen) -> tuple[str, ...]:
        version = seen.versions.get(row.player)
        own = f" ({version.version})" if version and version.version else ""
        return (
            str(row.place),
            movement(self._places.get(row.player), row.place),
            plain(row.player),
            *(solo_cells(row) if isinstance(row, SoloRow) else rated_cells(row)),
            str(row.faults or ""),
            plain(f"v{version.edition}{own}") if version else "",
            note_of(row.player, seen),
        )


def _rows(seen: Seen, before: int | None = None) -> Sequence[RatingRow | SoloRow]:
    """The table of all games, or of those in rounds before this one."""
    games = [row for row in seen.games.values() if before is None or row.round_id < before]
    if seen.config.format == "solo":
        return solo_table(seats(games), games)
    return night_table(games, seen.config.prior).ratings if any_rated(games) else ()


def seats(games: Iterable[GameRow]) -> list[str]:
    return list(dict.fromkeys(name for row in games for name in row.fixture.seats))


def movement(before: int | None, now: int) -> str:
    """`▲2`: two places up since the round began."""
    if before is None or before == now:
        return ""
    return f"▲{before - now}" if now < before else f"▼{now - before}"


def rated_cells(row: RatingRow) -> tuple[str, ...]:
    told = error_text(row.error, row.rating, row.open_end)
    return (
        f"{row.rating:.0f}",
        "–" if told == NO_INTERVAL else told,
        str(row.games),
        f"{row.points:.1f}",
        str(row.wins),
        str(row.draws),
        str(row.losses),
        "" if row.los is None else percent(row.los),
    )


def solo_cells(row: SoloRow) -> tuple[str, ...]:
    return ("" if row.mean_score is None else f"{row.mean_score:.2f}", str(row.passed), str(row.games))


def note_of(name: str, seen: Seen) -> str:
    """The one word that matters most; all of them stand below the table."""
    mine = [note for note in seen.notes if seen.names.get(note.entry) == name and note.kind != "version"]
    if mine:
        return mine[0].word
    return f"from round {seen.since[name]}" if name in seen.since else ""
