"""Tables of ratings and of nights, in words and as JSON."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from rich.console import RenderableType
from rich.table import Table

from ..game.texts import plural
from ..tournament.brackets import champion
from ..tournament.config import parse_config
from ..tournament.night import field_of, missing_games
from ..tournament.ratings import RatingTable, SeatAdvantage
from ..tournament.rows import GameRow
from ..tournament.schedule import PlayedGame, pair_results, plan_of, rounds_of
from ..tournament.standings import faults_of, forfeits_of, night_table, points_of, results_of, solo_table
from ..tournament.store import Store
from .common import safe

FEW_DEALS = 30


def rating_lines(table: RatingTable, forfeits: dict[str, int] | None = None) -> list[RenderableType]:
    shown = plain_table("", "bot", "Elo", "± 95 %", "games", "points", "won", "drawn", "lost", "better", "faults")
    for place, row in enumerate(table.ratings, 1):
        lost = (forfeits or {}).get(row.player, 0)
        shown.add_row(
            str(place),
            safe(row.player),
            f"{row.rating:.0f}",
            "n/a" if row.error is None else f"{row.error:.0f}",
            str(row.games),
            f"{row.points:.1f}",
            str(row.wins),
            str(row.draws),
            str(row.losses),
            "" if row.los is None else f"{row.los:.0%}",
            ", ".join(filter(None, [str(row.faults or ""), f"{lost} forfeits" if lost else ""])),
        )
    lines: list[RenderableType] = [shown]
    lines += [seat_line(seat) for seat in table.seats]
    few = "; few deals: intervals are wide and rest on t quantiles" if table.clusters < FEW_DEALS else ""
    lines.append(f"[dim]better: likelihood of being stronger than the next. {table.clusters} deals{few}.[/]")
    lines += [f"[yellow]{safe(warning)}[/]" for warning in table.warnings]
    return lines


def seat_line(seat: SeatAdvantage) -> str:
    error = "n/a" if seat.error is None else f"{seat.error:.0f}"
    return f"turn position {seat.position + 1}: {seat.elo:+.0f} ± {error} Elo"


def plain_table(*headings: str) -> Table:
    table = Table(box=None, pad_edge=False, padding=(0, 2, 0, 0))
    for heading in headings:
        table.add_column(heading, justify="left" if heading == "bot" else "right", no_wrap=heading != "bot")
    return table


def night_lines(store: Store) -> list[RenderableType]:
    """The table of a night and what the host should know besides."""
    games = store.games()
    lines: list[RenderableType] = []
    if any(len(row.fixture.seats) == 1 for row in games):
        lines.append(solo_lines(store))
    elif results_of(games):
        lines += rating_lines(night_table(games), forfeits_of(games))
    else:
        lines.append("No game is finished yet.")
    winner = champion_of(store, games)
    lines += [f"[bold]champion: {safe(winner)}[/]"] if winner else []
    lines += [f"left out: {safe(bot.name)} ({safe(bot.problem)})" for bot in store.bots() if bot.problem]
    lines += [f"{safe(name)}: {safe(reason)}" for name, reason in absences(store, games).items()]
    voids = Counter(row.origin for row in store.voids())
    lines += [f"void and played again: {count} by the {origin}" for origin, count in voids.items()]
    faults = sum(faults_of(games).values())
    lines.append(f"{plural(len(games), 'game')}, {plural(faults, 'fault')}. Store: {safe(str(store.path))}")
    return lines


def absences(store: Store, games: Sequence[GameRow]) -> dict[str, str]:
    """Who was benched or withdrawn, with the reason."""
    withdrawn = {order.target: f"withdrawn: {order.reason}" for order in store.orders() if order.kind == "withdraw"}
    forfeits = {
        row.fixture.seats[verdict.seat]: verdict.reason
        for row in games
        for verdict in row.verdicts
        if verdict.fault == "forfeit"
    }
    return withdrawn | forfeits


def champion_of(store: Store, games: Sequence[GameRow]) -> str | None:
    """Of a knockout that is over."""
    text = store.meta("config")
    if text is None:
        return None
    config = parse_config(text, "the tournament file in the store")
    if config.format != "knockout":
        return None
    plan = plan_of(config, field_of(store.bots()), store.meta("seed") or config.seed)
    if missing_games(plan, store):
        return None
    points = pair_results([PlayedGame(row.fixture, row.outcome.ranks) for row in games])
    return champion(plan.bots, rounds_of(plan), points)


def solo_lines(store: Store) -> Table:
    games = store.games()
    levels = sorted({row.fixture.level for row in games})
    table = plain_table("", "bot", "games", "mean", "passed", *(f"L{level}" for level in levels), "faults")
    names = [bot.name for bot in store.bots() if not bot.problem]
    for place, row in enumerate(solo_table(names, games), 1):
        mean = "–" if row.mean_score is None else f"{row.mean_score:.2f}"
        by_level = [str(row.by_level.get(level, 0)) for level in levels]
        cells = [str(place), safe(row.player), str(row.games), mean, str(row.passed), *by_level, str(row.faults or "")]
        table.add_row(*cells)
    return table


def night_json(store: Store) -> dict[str, object]:
    games = store.games()
    names = [bot.name for bot in store.bots() if not bot.problem]
    solo = any(len(row.fixture.seats) == 1 for row in games)
    table = night_table(games) if results_of(games) else None
    return {
        "name": store.meta("name"),
        "games": len(games),
        "ratings": [] if table is None else table.ratings,
        "warnings": [] if table is None else table.warnings,
        "points": points_of(games),
        "solo": solo_table(names, games) if solo else [],
        "forfeits": forfeits_of(games),
        "left_out": [{"bot": bot.name, "problem": bot.problem} for bot in store.bots() if bot.problem],
        "orders": store.orders(),
        "voids": store.voids(),
    }
