"""The standings of the live screen: rated again now and then, with the ranks gained or lost in this round.

Knows rows and words; `live_screen` decides where they appear on the screen.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ..tournament.config import Format
from ..tournament.following import Seen
from ..tournament.places import TableLine, table_of_night
from ..tournament.rating_text import NO_INTERVAL, error_text, percent
from ..tournament.ratings import RatingRow
from ..tournament.standings import SoloRow
from ..tournament.swiss_text import rounds_of
from .common import plain

RATE_EVERY = 2.0
"""Minimum of seconds between two computations of the ratings ..."""
RATE_SHARE = 0.05
"""... which never use more than this share of the time."""


class LiveColumn(Struct, frozen=True):
    heading: str
    importance: int
    """If not all columns fit, the least important are dropped first; equally important ones together."""
    left: bool = False
    """For words; numbers are aligned to the right."""


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
SWISS = (
    *(PLACE, MOVED, BOT, LiveColumn("match", 9), LiveColumn("game", 8), LiveColumn("BH", 5), LiveColumn("SB", 4)),
    *(LiveColumn("Elo", 7), LiveColumn("± 95 %", 3), LiveColumn("rounds", 6, left=True), FAULTS, VERSION, NOTE),
)
CUP = (
    *(PLACE, MOVED, BOT, LiveColumn("cup", 8, left=True), LiveColumn("Elo", 7), LiveColumn("± 95 %", 3), GAMES),
    *(LiveColumn("points", 4), LiveColumn("won", 2), LiveColumn("drawn", 2), LiveColumn("lost", 2)),
    *(FAULTS, VERSION, NOTE),
)
RATED_CELLS = 8
"""Cells of a row that belong to the rating: Elo to better."""
SOLO = (PLACE, MOVED, BOT, LiveColumn("mean", 9), LiveColumn("passed", 8), GAMES, FAULTS, VERSION, NOTE)


class Standings(Struct, frozen=True):
    columns: tuple[LiveColumn, ...] = RATED
    rows: tuple[tuple[str, ...], ...] = ()
    """Cells in the order of the columns."""


class LiveTable:
    """Rates as often as its cost allows: rating takes longer the more games there are."""

    def __init__(self) -> None:
        self.standings = Standings()
        self._places: Mapping[str, int | None] = {}
        """Ranks when the round started."""
        self._round = 0
        self._rated_at = float("-inf")
        self._cost = 0.0
        self._rated: Seen | None = None

    def update(self, seen: Seen) -> None:
        """Update the standings if it is time again; otherwise they stay as they are for a while."""
        start = time.monotonic()
        idle = start - self._rated_at
        if seen is self._rated or idle < max(RATE_EVERY, self._cost / RATE_SHARE):
            return
        self.rate(seen)
        self._rated_at = time.monotonic()
        self._cost = self._rated_at - start

    def rate(self, seen: Seen) -> None:
        self._rated = seen
        number = seen.round.id if seen.round and not seen.endless else 0
        if number != self._round:
            self._round = number
            self._places = {line.player: line.place for line in _lines(seen, before=number)}
        lines = _lines(seen)
        rows = tuple(self._cells(line, lines, seen) for line in lines)
        self.standings = Standings(columns_of(seen.config.format), rows)

    def _cells(self, line: TableLine, lines: Sequence[TableLine], seen: Seen) -> tuple[str, ...]:
        version = seen.versions.get(line.player)
        own = f" ({version.version})" if version and version.version else ""
        row = line.rating or line.solo
        return (
            "–" if line.place is None else str(line.place),
            movement(self._places.get(line.player), line.place),
            plain(line.player),
            *format_cells(line, lines, seen.config.format),
            str(row.faults or "") if row else "",
            plain(f"v{version.edition}{own}") if version else "",
            note_of(line, seen),
        )


def _lines(seen: Seen, before: int | None = None) -> Sequence[TableLine]:
    """The standings of all games, or of those in earlier rounds."""
    games = [row for row in seen.games.values() if before is None or row.round_id < before]
    facts = seen.place_facts
    if before is not None:
        facts = replace(facts, rounds=tuple(round for round in facts.rounds if round.id < before))
    return table_of_night(facts, games, seen.config.prior).lines


def columns_of(format: Format) -> tuple[LiveColumn, ...]:
    return {"solo": SOLO, "swiss": SWISS, "knockout": CUP}.get(format, RATED)


def format_cells(line: TableLine, lines: Sequence[TableLine], format: Format) -> tuple[str, ...]:
    rated = rated_cells(line.rating) if line.rating else ("",) * RATED_CELLS
    if line.solo is not None:
        return solo_cells(line.solo)
    if line.swiss is not None:
        points = (line.swiss.match_points, line.swiss.game_points, line.swiss.buchholz, line.swiss.sonneborn_berger)
        return (*(f"{value:g}" for value in points), *rated[:2], " ".join(rounds_of(line, lines)))
    return (line.cup, *rated[:-1]) if format == "knockout" else rated


def movement(before: int | None, now: int | None) -> str:
    """`▲2`: two ranks up since the round started."""
    if before is None or now is None or before == now:
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


def note_of(line: TableLine, seen: Seen) -> str:
    """The most important note in one word; all of them are listed below the table."""
    mine = [note for note in seen.notes if note.entry == line.entry and note.kind != "version"]
    if mine:
        return mine[0].word
    return line.note or (f"from round {seen.since[line.player]}" if line.player in seen.since else "")
