"""The table of a tournament on the page, by format: the same lines and words as in the terminal."""

from __future__ import annotations

from ..ranking import UNRANKED, UNRANKED_TEXT, VERSION_NOTE_TEXT, StandingsLine, TournamentStandings, ranked_by
from ..rating_text import error_cell, percent
from ..swiss_text import LEGEND, round_cells
from ..wording import for_people
from .bot_links import bot_link
from .markup import Column, Html, element, join, table
from .report_data import BotData, ReportData

COLUMN_HINTS = {
    "± 95 %": "Half of the 95 % interval, from the differences between deals",
    "points": "For each game the share of the others beaten; a tie counts half, a forfeit is lost",
    "ahead of next": "Likelihood of being stronger than the bot in the next line",
    "match points": "1 for each match won, ½ for a drawn one",
    "game points": "1 for each game won, ½ for a tie",
    "Buchholz": "BH: the match points of all opponents",
    "Sonneborn–Berger": "SB: the match points of the opponents it beat, and half of those it drew with",
}
RATING_COLUMN_HEADINGS = ("Elo", "± 95 %", "games", "points", "won", "drawn", "lost")
SWISS_HEADINGS = ("match points", "game points", "Buchholz", "Sonneborn–Berger")
TEXT_HEADINGS = ("bot", "cup", "note")


def standings_element(data: ReportData) -> Html:
    lines, format = data.table.lines, data.config.format
    rounds = max((len(line.swiss.results) for line in lines if line.swiss), default=0)
    if format == "swiss":
        middle = [*SWISS_HEADINGS, "Elo", "± 95 %", *(f"R{number}" for number in range(1, rounds + 1))]
    else:
        middle = [*(["cup"] if format == "knockout" else []), *RATING_COLUMN_HEADINGS, "ahead of next"]
    headings = ["", "bot", *middle, "faults", "forfeits", "note"]
    bots = {bot.name: bot for bot in data.bots}
    rows = [_standings_cells(line, data.table, bots[line.player], format) for line in lines]
    columns = [Column(heading, heading not in TEXT_HEADINGS, COLUMN_HINTS.get(heading, "")) for heading in headings]
    return join(table("Standings", columns, rows, row_header_column=1, class_="wide"), ranking_note(data))


def ranking_note(data: ReportData) -> Html:
    """What decides the ranks, below the table."""
    said = [ranked_by(data.config.format)]
    said += [f"{LEGEND}."] if data.config.format == "swiss" else []
    if any(line.place is None for line in data.table.lines):
        said.append(f"{UNRANKED_TEXT}.")
    if any(line.version for line in data.table.lines):
        said.append(f"{VERSION_NOTE_TEXT}.")
    return element("p", " ".join(f"{text[0].upper()}{text[1:]}" for text in said), class_="note")


def _standings_cells(line: StandingsLine, standings: TournamentStandings, bot: BotData, format: str) -> list[object]:
    row = line.rating
    rated: list[object] = [""] * (len(RATING_COLUMN_HEADINGS) + 1)
    if row is not None:
        rated = [f"{row.rating:.0f}", error_cell(row.error, row.rating, row.open_end), row.games, f"{row.points:.1f}"]
        rated += [row.wins, row.draws, row.losses, "" if row.los is None else percent(row.los)]
    middle = rated
    if line.swiss is not None:
        points = (line.swiss.match_points, line.swiss.game_points, line.swiss.buchholz, line.swiss.sonneborn_berger)
        middle = [*(f"{value:g}" for value in points), *rated[:2], *round_cells(line, standings.lines)]
    elif format == "knockout":
        middle = [line.cup, *rated]
    place = UNRANKED if line.place is None else line.place
    faults = row.faults if row else 0
    return [place, bot_link(bot), *middle, faults or "", len(bot.forfeits) or "", for_people(line.note)]
