"""The standings of a tournament in the terminal, by format: ranks, what decides them, unranked entries."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from rich.cells import cell_len, set_cell_size
from rich.console import RenderableType

from ..game.texts import plural
from ..tournament.bracket_text import bracket_lines
from ..tournament.config import Format
from ..tournament.cup import Cup
from ..tournament.ranking import (
    UNRANKED,
    UNRANKED_TEXT,
    VERSION_NOTE_TEXT,
    StandingsLine,
    TournamentStandings,
    ranked_by,
)
from ..tournament.rating_text import error_cell, percent
from ..tournament.swiss_text import LEGEND, round_cells
from ..tournament.wording import for_people
from .common import safe, to_plain_text
from .terminal_tables import FittingTable

RATING_TABLE_HEADINGS = ("Elo", "± 95 %", "games", "points", "won", "drawn", "lost")
SHORT_HEADINGS = {"match points": "match", "game points": "game", "Buchholz": "BH", "Sonneborn–Berger": "SB"}
"""Headings of a Swiss, and what they become in a narrow terminal."""
RESULT_HEADINGS = ("won", "drawn", "lost")
DROP_ORDER: Mapping[Format, Sequence[Sequence[str]]] = {
    "swiss": (["± 95 %"], ["faults"], ["note"], ["rounds"], ["Sonneborn–Berger"], ["Buchholz"], ["game points"]),
    "knockout": (RESULT_HEADINGS, ["points"], ["faults"], ["± 95 %"], ["games"], ["note"]),
    "solo": (["levels"], ["faults"], ["note"], ["games"], ["passed"]),
}
"""Columns that a narrow terminal drops, first to last; the deciding column, rank, name and rating stay."""
RATING_DROP_ORDER = (["ahead of next"], RESULT_HEADINGS, ["points"], ["faults"], ["note"], ["games"], ["± 95 %"])
"""The same where ranks go by rating."""


def terminal_cells(text: str, width: int) -> list[str]:
    """One string per terminal column; a wide letter takes two."""
    shown = to_plain_text(text)
    if cell_len(shown) > width:
        shown = set_cell_size(shown, width - 1).rstrip() + "…"
    cells = [cell for letter in shown for cell in (letter, *[""] * (cell_len(letter) - 1))]
    return cells + [" "] * (width - len(cells))


def cup_texts(cup: Cup, names: Mapping[int, str]) -> list[str]:
    return bracket_lines(cup, names, terminal_cells, measure=cell_len)


def ranking_lines(table: TournamentStandings, format: Format, forfeits: Mapping[str, int]) -> list[RenderableType]:
    rounds = max((len(line.swiss.results) for line in table.lines if line.swiss), default=0)
    levels = sorted({level for row in table.solo for level in row.by_level})
    many = {"rounds": [f"R{number}" for number in range(1, rounds + 1)], "levels": [f"L{level}" for level in levels]}
    headings = {
        "swiss": (*SHORT_HEADINGS, "Elo", "± 95 %", *many["rounds"]),
        "knockout": ("cup", *RATING_TABLE_HEADINGS),
        "solo": ("games", "mean", "passed", *many["levels"]),
    }.get(format, (*RATING_TABLE_HEADINGS, "ahead of next"))
    groups = DROP_ORDER.get(format, RATING_DROP_ORDER)
    drop_order = [[heading for name in group for heading in many.get(name, [name])] for group in groups]
    every = ("", "bot", *headings, "faults", "note")
    shown = FittingTable(*every, drop_order=drop_order, left=("bot", "cup", "note"), short=SHORT_HEADINGS)
    for line in table.lines:
        rank = UNRANKED if line.place is None else str(line.place)
        cells = _format_cells(line, format, levels, table.lines)
        shown.add_row(rank, safe(line.player), *cells, _fault_cell(line, forfeits), safe(for_people(line.note)))
    notes = [ranked_by(format), *([f"{LEGEND}."] if format == "swiss" else [])]
    if any(line.place is None for line in table.lines):
        notes.append(f"{UNRANKED_TEXT}.")
    if any(line.version for line in table.lines):
        notes.append(f"{VERSION_NOTE_TEXT}.")
    return [shown, *(f"[dim]{text[0].upper()}{text[1:]}[/]" for text in notes)]


def _format_cells(
    line: StandingsLine, format: Format, levels: Sequence[int], lines: Sequence[StandingsLine]
) -> list[str]:
    match format:
        case "swiss":
            row = line.swiss
            assert row is not None
            points = (row.match_points, row.game_points, row.buchholz, row.sonneborn_berger)
            return [*(f"{value:g}" for value in points), *_rating_cells(line)[:2], *round_cells(line, lines)]
        case "knockout":
            return [line.cup, *_rating_cells(line)]
        case "solo":
            return _solo_cells(line, levels)
        case _:
            los = line.rating.los if line.rating and line.place is not None else None
            return [*_rating_cells(line), "" if los is None else percent(los)]


def _rating_cells(line: StandingsLine) -> list[str]:
    row = line.rating
    if row is None:
        return [""] * len(RATING_TABLE_HEADINGS)
    return [
        f"{row.rating:.0f}",
        error_cell(row.error, row.rating, row.open_end),
        str(row.games),
        f"{row.points:.1f}",
        str(row.wins),
        str(row.draws),
        str(row.losses),
    ]


def _solo_cells(line: StandingsLine, levels: Sequence[int]) -> list[str]:
    row = line.solo
    assert row is not None
    mean = "–" if row.mean_score is None else f"{row.mean_score:.2f}"
    return [str(row.games), mean, str(row.passed), *(str(row.by_level.get(level, 0)) for level in levels)]


def _fault_cell(line: StandingsLine, forfeits: Mapping[str, int]) -> str:
    row = line.rating or line.solo
    lost = forfeits.get(line.player, 0)
    return ", ".join(filter(None, [str(row.faults or "") if row else "", plural(lost, "forfeit") if lost else ""]))
