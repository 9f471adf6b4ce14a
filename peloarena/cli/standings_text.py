"""Tables of ratings and of tournaments, in words and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

from rich.console import Console, RenderableType

from ..game.texts import plural
from ..protocol.shown import TERMINAL_LINE
from ..tournament.begun import Begun
from ..tournament.config import PAIRED_BY_RESULTS
from ..tournament.notes import night_notes
from ..tournament.place_rows import place_rows
from ..tournament.places import NightTable, decided_by
from ..tournament.prizes import prize_text, prizes_of
from ..tournament.rating_text import (
    NO_INTERVAL,
    OPEN_TEXT,
    error_cell,
    error_text,
    no_interval_text,
    percent,
    prior_text,
    signed,
    told_error,
)
from ..tournament.ratings import RatingRow, RatingTable, SeatAdvantage
from ..tournament.rows import BotRow
from ..tournament.standings import faults_of, forfeits_of, points_of
from .common import safe
from .night_table import LEAVING_RATED, RATED, cup_texts, place_lines
from .tables import FittingTable


def print_lines(out: Console, lines: Iterable[RenderableType]) -> None:
    """Sentences are not wrapped: a terminal does that itself, and grep wants whole lines."""
    for line in lines:
        out.print(line, soft_wrap=isinstance(line, str))


def rating_rows(rows: Iterable[RatingRow], forfeits: Mapping[str, int]) -> FittingTable:
    shown = FittingTable("", "bot", *RATED, "better", "faults", leaving=LEAVING_RATED)
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
    said = "better: chance that it is stronger than the next one. " if better else "Ratings from "
    lines.append(f"[dim]{said}{plural(table.clusters, 'deal')}.[/]")
    is_open = any(row.open_end and told_error(row.error) is not None for row in table.ratings)
    lines.append(f"[dim]{prior_text(table.prior)}{' ' + OPEN_TEXT if is_open else ''}[/]")
    lines += [f"[yellow]{safe(text)}[/]" for text in (*table.warnings, *no_interval_text(table.ratings))]
    return lines


def seat_line(seat: SeatAdvantage) -> str:
    told = error_text(seat.error)
    interval = f"({told})" if told == NO_INTERVAL else f"± {told}"
    return f"turn position {seat.position + 1}: {signed(seat.elo)} Elo {interval}"


def night_lines(night: Begun, path: Path, *, prizes: bool = False) -> list[RenderableType]:
    """The standings of a tournament and what else the host should know; `prizes`: show them even during play."""
    games, table = night.games, night.table()
    lines: list[RenderableType] = []
    if not games:
        lines.append("No game is finished yet.")
    else:
        lines += place_lines(table, night.config.format, forfeits_of(games))
        by_rating = night.config.format not in PAIRED_BY_RESULTS
        lines += rating_notes(table.ratings, better=by_rating) if table.ratings else []
    lines += cup_lines(night)
    lines += prize_lines(night, table) if prizes or night.is_over() else []
    lines += [safe(line) for bot in night.bots for line in left_out_lines(bot)]
    lines += [safe(line) for line in night_notes(night, table.ratings)]
    voids = Counter(row.origin for row in night.voids)
    lines += [f"void and played again: {count} by the {safe(origin)}" for origin, count in voids.items()]
    faults = sum(faults_of(games).values())
    lines.append(safe(night.deals_told()))
    lines.append(f"{plural(len(games), 'game')}, {plural(faults, 'fault')}. Store: {safe(str(path))}")
    return lines


def left_out_lines(row: BotRow, what: str = "left out") -> list[str]:
    """Why a bot does not play; below, what its build or the bot printed. The whole request is in its author's file."""
    first, *more = row.problem.splitlines() or [""]
    shown = (f"  {line}" if len(line) <= TERMINAL_LINE else f"  {line[:TERMINAL_LINE]} ..." for line in more)
    return [f"{row.name}: {what}: {first}", *shown] if row.problem else []


def cup_lines(night: Begun) -> list[str]:
    if night.config.format != "knockout" or not night.state.rounds:
        return []
    lines = [safe(line) for line in cup_texts(night.state.cup(), night.state.names)]
    winner = night.champion()
    return ["", *lines, *([f"[bold]champion: {safe(winner)}[/]"] if winner else [])]


def prize_lines(night: Begun, table: NightTable) -> list[str]:
    found = prizes_of(night, table)
    if not found:
        return []
    return [
        "",
        f"[bold]Prizes[/]{'' if night.is_over() else ', as it stands'}",
        *(safe(prize_text(one)) for one in found),
        "",
    ]


def night_json(night: Begun) -> dict[str, object]:
    games, whole = night.games, night.table()
    table = whole.ratings
    return {
        "name": night.config.name,
        "games": len(games),
        "decided_by": decided_by(night.config.format),
        "places": place_rows(whole, night.state.names),
        "champion": night.champion(),
        "prizes": prizes_of(night, whole),
        "ratings": [] if table is None else table.ratings,
        "history": [] if table is None else table.history,
        "warnings": [] if table is None else table.warnings,
        "points": points_of(games),
        "solo": whole.solo,
        "forfeits": forfeits_of(games),
        "left_out": [{"bot": bot.name, "problem": bot.problem} for bot in night.bots if bot.problem],
        "orders": night.orders,
        "voids": night.voids,
        "notes": night_notes(night, table),
        "deals": night.deals_told(),
    }
