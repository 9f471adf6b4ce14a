"""Tables of ratings and of tournaments, in words and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from rich.console import Console, RenderableType

from ..game.texts import plural
from ..protocol.excerpt_lengths import TERMINAL_LINE_LENGTH
from ..tournament.config import PAIRED_BY_RESULTS
from ..tournament.notes import tournament_notes
from ..tournament.points_and_ratings import faults_of, forfeits_of, points_of
from ..tournament.prizes import prize_text, prizes_of
from ..tournament.ranking import TournamentStandings, decided_by
from ..tournament.rating_text import (
    NO_INTERVAL,
    OPEN_END_TEXT,
    error_cell,
    error_text,
    no_interval_text,
    percent,
    prior_text,
    shown_error,
    signed_elo_text,
)
from ..tournament.ratings import RatingRow, RatingTable, SeatAdvantage
from ..tournament.rows import BotRow
from ..tournament.standings_rows import standings_rows
from ..tournament.stored_tournament import StoredTournament
from ..tournament.wording import for_people
from .common import safe
from .terminal_standings import RATING_DROP_ORDER, RATING_TABLE_HEADINGS, cup_texts, ranking_lines
from .terminal_tables import FittingTable


def print_lines(out: Console, lines: Iterable[RenderableType]) -> None:
    """Sentences are not wrapped: a terminal does that itself, and grep wants whole lines."""
    for line in lines:
        out.print(line, soft_wrap=isinstance(line, str))


def elo_table(rows: Iterable[RatingRow], forfeits: Mapping[str, int]) -> FittingTable:
    shown = FittingTable("", "bot", *RATING_TABLE_HEADINGS, "ahead of next", "faults", drop_order=RATING_DROP_ORDER)
    for row in rows:
        lost = forfeits.get(row.player, 0)
        shown.add_row(
            str(row.place),
            safe(row.player),
            f"{row.rating:.0f}",
            error_cell(row.error, row.rating, row.open_end),
            str(row.games),
            f"{row.points:.1f}",
            str(row.wins),
            str(row.draws),
            str(row.losses),
            "" if row.los is None else percent(row.los),
            ", ".join(filter(None, [str(row.faults or ""), plural(lost, "forfeit") if lost else ""])),
        )
    return shown


def rating_notes(table: RatingTable, *, better: bool = True) -> list[str]:
    """The notes below ratings; `better`: whether that column is shown."""
    lines = [seat_line(seat) for seat in table.seats]
    prefix = "ahead of next: chance that it is stronger than the next one. " if better else "Ratings from "
    lines.append(f"[dim]{prefix}{plural(table.clusters, 'deal')}.[/]")
    is_open = any(row.open_end and shown_error(row.error) is not None for row in table.ratings)
    lines.append(f"[dim]{prior_text(table.prior)}{' ' + OPEN_END_TEXT if is_open else ''}[/]")
    lines += [
        f"[yellow]{safe(text)}[/]" for text in (*map(for_people, table.warnings), *no_interval_text(table.ratings))
    ]
    return lines


def seat_line(seat: SeatAdvantage) -> str:
    error = error_text(seat.error)
    interval = f"({error})" if error == NO_INTERVAL else f"± {error}"
    return f"turn position {seat.position + 1}: {signed_elo_text(seat.elo)} Elo {interval}"


def tournament_lines(tournament: StoredTournament, path: Path, *, prizes: bool = False) -> list[RenderableType]:
    """The standings of a tournament and what else the host should know; `prizes`: show them even during play."""
    games, table = tournament.games, tournament.standings()
    lines: list[RenderableType] = []
    if not games:
        lines.append("No game is finished yet.")
    else:
        lines += ranking_lines(table, tournament.config.format, forfeits_of(games))
        by_rating = tournament.config.format not in PAIRED_BY_RESULTS
        lines += rating_notes(table.ratings, better=by_rating) if table.ratings else []
    lines += cup_lines(tournament)
    lines += prize_lines(tournament, table) if prizes or tournament.is_over() else []
    lines += [safe(line) for bot in tournament.bots for line in left_out_lines(bot)]
    lines += [safe(for_people(line)) for line in tournament_notes(tournament, table.ratings)]
    voids = Counter(row.origin for row in tournament.voids)
    lines += [f"void and played again: {count} by the {safe(origin)}" for origin, count in voids.items()]
    faults = sum(faults_of(games).values())
    lines.append(safe(for_people(tournament.deals_text())))
    lines.append(f"{plural(len(games), 'game')}, {plural(faults, 'fault')}. Store: {safe(str(path))}")
    return lines


def left_out_lines(row: BotRow, what: str = "not admitted") -> list[str]:
    """Why a bot does not play; below, what its build or the bot printed. The whole request is in its author's file."""
    first, *more = row.problem.splitlines() or [""]
    shown = (
        f"  {line}" if len(line) <= TERMINAL_LINE_LENGTH else f"  {line[:TERMINAL_LINE_LENGTH]} ..." for line in more
    )
    return [f"{row.name}: {what}: {first}", *shown] if row.problem else []


def cup_lines(tournament: StoredTournament) -> list[str]:
    if tournament.config.format != "knockout" or not tournament.state.rounds:
        return []
    lines = [safe(line) for line in cup_texts(tournament.state.cup(), tournament.state.names)]
    winner = tournament.champion()
    return ["", *lines, *([f"[bold]champion: {safe(winner)}[/]"] if winner else [])]


def prize_lines(tournament: StoredTournament, table: TournamentStandings) -> list[str]:
    prizes = prizes_of(tournament, table)
    if not prizes:
        return []
    return [
        "",
        f"[bold]Prizes[/]{'' if tournament.is_over() else ', as it stands'}",
        *(safe(prize_text(prize)) for prize in prizes),
        "",
    ]


def tournament_json(tournament: StoredTournament) -> dict[str, object]:
    games, whole = tournament.games, tournament.standings()
    table = whole.ratings
    return {
        "name": tournament.config.name,
        "games": len(games),
        "decided_by": decided_by(tournament.config.format),
        "places": standings_rows(whole, tournament.state.names),
        "champion": tournament.champion(),
        "prizes": prizes_of(tournament, whole),
        "ratings": [] if table is None else table.ratings,
        "history": [] if table is None else table.history,
        "warnings": [] if table is None else table.warnings,
        "points": points_of(games),
        "solo": whole.solo,
        "forfeits": forfeits_of(games),
        "left_out": [{"bot": bot.name, "problem": bot.problem} for bot in tournament.bots if bot.problem],
        "orders": tournament.actions,
        "voids": tournament.voids,
        "notes": tournament_notes(tournament, table),
        "deals": tournament.deals_text(),
    }
