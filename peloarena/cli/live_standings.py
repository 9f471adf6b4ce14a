"""The standings of the live screen: rated again now and then, with the ranks gained or lost in this round.

Knows rows and words; `live_screen` decides where they appear on the screen.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence

from msgspec import Struct
from msgspec.structs import replace

from ..tournament.config import Format
from ..tournament.follower import ObservedState
from ..tournament.points_and_ratings import SoloRow
from ..tournament.ranking import StandingsLine, compute_standings
from ..tournament.rating_text import NO_INTERVAL, error_text, percent
from ..tournament.ratings import RatingRow
from ..tournament.swiss_text import round_cells
from ..tournament.wording import for_people
from .common import to_plain_text

MIN_RATING_INTERVAL_SECONDS = 2.0
"""Minimum of seconds between two computations of the ratings ..."""
MAX_RATING_TIME_SHARE = 0.05
"""... which never use more than this share of the time."""


class LiveColumn(Struct, frozen=True):
    heading: str
    importance: int
    """If not all columns fit, the least important are dropped first; equally important ones together."""
    is_left_aligned: bool = False
    """For words; numbers are aligned to the right."""


RANK_COLUMN, RANK_CHANGE_COLUMN = LiveColumn("", 9), LiveColumn("", 8, is_left_aligned=True)
BOT_COLUMN = LiveColumn("bot", 9, is_left_aligned=True)
VERSION_COLUMN = LiveColumn("", 7, is_left_aligned=True)
NOTE_COLUMN = LiveColumn("", 6, is_left_aligned=True)
GAMES_COLUMN, FAULTS_COLUMN = LiveColumn("games", 7), LiveColumn("faults", 6)
LIVE_RATING_COLUMNS = (
    *(
        RANK_COLUMN,
        RANK_CHANGE_COLUMN,
        BOT_COLUMN,
        LiveColumn("Elo", 9),
        LiveColumn("± 95 %", 8),
        GAMES_COLUMN,
        LiveColumn("points", 4),
    ),
    *(
        LiveColumn("won", 2),
        LiveColumn("drawn", 2),
        LiveColumn("lost", 2),
        LiveColumn("ahead of next", 1),
        FAULTS_COLUMN,
        VERSION_COLUMN,
        NOTE_COLUMN,
    ),
)
LIVE_SWISS_COLUMNS = (
    *(
        RANK_COLUMN,
        RANK_CHANGE_COLUMN,
        BOT_COLUMN,
        LiveColumn("match", 9),
        LiveColumn("game", 8),
        LiveColumn("BH", 5),
        LiveColumn("SB", 4),
    ),
    *(
        LiveColumn("Elo", 7),
        LiveColumn("± 95 %", 3),
        LiveColumn("rounds", 6, is_left_aligned=True),
        FAULTS_COLUMN,
        VERSION_COLUMN,
        NOTE_COLUMN,
    ),
)
LIVE_KNOCKOUT_COLUMNS = (
    *(
        RANK_COLUMN,
        RANK_CHANGE_COLUMN,
        BOT_COLUMN,
        LiveColumn("cup", 8, is_left_aligned=True),
        LiveColumn("Elo", 7),
        LiveColumn("± 95 %", 3),
        GAMES_COLUMN,
    ),
    *(LiveColumn("points", 4), LiveColumn("won", 2), LiveColumn("drawn", 2), LiveColumn("lost", 2)),
    *(FAULTS_COLUMN, VERSION_COLUMN, NOTE_COLUMN),
)
RATING_CELL_COUNT = 8
"""Cells of a row that belong to the rating: Elo to `ahead of next`."""
LIVE_SOLO_COLUMNS = (
    RANK_COLUMN,
    RANK_CHANGE_COLUMN,
    BOT_COLUMN,
    LiveColumn("mean", 9),
    LiveColumn("passed", 8),
    GAMES_COLUMN,
    FAULTS_COLUMN,
    VERSION_COLUMN,
    NOTE_COLUMN,
)


class StandingsGrid(Struct, frozen=True):
    columns: tuple[LiveColumn, ...] = LIVE_RATING_COLUMNS
    rows: tuple[tuple[str, ...], ...] = ()
    """Cells in the order of the columns."""


class LiveStandings:
    """Rates as often as its cost allows: rating takes longer the more games there are."""

    def __init__(self) -> None:
        self.standings = StandingsGrid()
        self._ranks_at_round_start: Mapping[str, int | None] = {}
        """Ranks when the round started."""
        self._round = 0
        self._rated_at = float("-inf")
        self._rating_seconds = 0.0
        self._rated_state: ObservedState | None = None

    def update(self, state: ObservedState) -> None:
        """Update the standings if it is time again; otherwise they stay as they are for a while."""
        start = time.monotonic()
        idle = start - self._rated_at
        if state is self._rated_state or idle < max(
            MIN_RATING_INTERVAL_SECONDS, self._rating_seconds / MAX_RATING_TIME_SHARE
        ):
            return
        self.rate(state)
        self._rated_at = time.monotonic()
        self._rating_seconds = self._rated_at - start

    def rate(self, state: ObservedState) -> None:
        self._rated_state = state
        number = state.round.id if state.round and not state.endless else 0
        if number != self._round:
            self._round = number
            self._ranks_at_round_start = {line.player: line.place for line in _standings_rows(state, before=number)}
        lines = _standings_rows(state)
        rows = tuple(self._cells(line, lines, state) for line in lines)
        self.standings = StandingsGrid(columns_of(state.config.format), rows)

    def _cells(self, line: StandingsLine, lines: Sequence[StandingsLine], state: ObservedState) -> tuple[str, ...]:
        version = state.newer_versions.get(line.player)
        own = f" ({version.version})" if version and version.version else ""
        row = line.rating or line.solo
        return (
            "–" if line.place is None else str(line.place),
            rank_arrow_text(self._ranks_at_round_start.get(line.player), line.place),
            to_plain_text(line.player),
            *format_cells(line, lines, state.config.format),
            str(row.faults or "") if row else "",
            to_plain_text(f"v{version.edition}{own}") if version else "",
            note_text(line, state),
        )


def _standings_rows(state: ObservedState, before: int | None = None) -> Sequence[StandingsLine]:
    """The standings of all games, or of those in earlier rounds."""
    games = [row for row in state.games.values() if before is None or row.round_id < before]
    facts = state.rank_facts
    if before is not None:
        facts = replace(facts, rounds=tuple(round for round in facts.rounds if round.id < before))
    return compute_standings(facts, games, state.config.prior).lines


def columns_of(format: Format) -> tuple[LiveColumn, ...]:
    return {"solo": LIVE_SOLO_COLUMNS, "swiss": LIVE_SWISS_COLUMNS, "knockout": LIVE_KNOCKOUT_COLUMNS}.get(
        format, LIVE_RATING_COLUMNS
    )


def format_cells(line: StandingsLine, lines: Sequence[StandingsLine], format: Format) -> tuple[str, ...]:
    rated = rating_cells(line.rating) if line.rating else ("",) * RATING_CELL_COUNT
    if line.solo is not None:
        return solo_cells(line.solo)
    if line.swiss is not None:
        points = (line.swiss.match_points, line.swiss.game_points, line.swiss.buchholz, line.swiss.sonneborn_berger)
        return (*(f"{value:g}" for value in points), *rated[:2], " ".join(round_cells(line, lines)))
    return (line.cup, *rated[:-1]) if format == "knockout" else rated


def rank_arrow_text(before: int | None, now: int | None) -> str:
    """`▲2`: two ranks up since the round started."""
    if before is None or now is None or before == now:
        return ""
    return f"▲{before - now}" if now < before else f"▼{now - before}"


def rating_cells(row: RatingRow) -> tuple[str, ...]:
    error = error_text(row.error, row.rating, row.open_end)
    return (
        f"{row.rating:.0f}",
        "–" if error == NO_INTERVAL else error,
        str(row.games),
        f"{row.points:.1f}",
        str(row.wins),
        str(row.draws),
        str(row.losses),
        "" if row.los is None else percent(row.los),
    )


def solo_cells(row: SoloRow) -> tuple[str, ...]:
    return ("" if row.mean_score is None else f"{row.mean_score:.2f}", str(row.passed), str(row.games))


def note_text(line: StandingsLine, state: ObservedState) -> str:
    """The most important note in one word; all of them are listed below the table."""
    mine = [note for note in state.notes if note.entry == line.entry and note.kind != "version"]
    if mine:
        return mine[0].label
    return for_people(line.note) or (
        f"from round {state.first_rounds[line.player]}" if line.player in state.first_rounds else ""
    )
