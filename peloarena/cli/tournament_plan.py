"""`peloarena tournament plan`: what a night would be, and how long it would last."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import click

from ..game.texts import plural
from ..tournament.config import Night, read_night
from ..tournament.field import check_field, found_field, names_of_players
from ..tournament.old_store import OldStore
from ..tournament.opening import Differences, changes_since, differences_of
from ..tournament.plan_summary import summary
from ..tournament.rows import BotRow
from ..tournament.store import Store, default_store
from .common import GOOD, console, json_option, print_json, safe
from .standings_text import left_out_lines, print_lines
from .table_options import show_to_bots

SECONDS_PER_DECISION = 0.02
DECISIONS_PER_SEAT = 20
START_SECONDS = 0.15
"""For the estimate of time: what bots like ours need."""


@click.command()
@click.argument("file")
@json_option
def plan(file: str, as_json: bool) -> int:
    """Print the schedule: how many games, who meets whom how often, about how long it takes."""
    night = read_night(file)
    show_to_bots(click.get_current_context(), night.shown())
    rows = found_field(night)
    check_field(night, rows)
    names = names_of_players(rows)
    found = summary(night.config, len(names))
    seconds = estimate(night, found.games)
    if as_json:
        print_json({"bots": names, "summary": found, "estimated_seconds": seconds, "jobs": night.config.places()})
        return GOOD
    out = console()
    out.print(f"[bold]{safe(night.config.name)}[/]: {night.config.format}, {plural(len(names), 'bot')}")
    tables = plural(found.tables, "table")
    out.print(f"{plural(found.rounds, 'round')}, {plural(found.games, 'game')}, {tables} in the first round")
    out.print(f"games per bot: {found.games_per_bot[0]}–{found.games_per_bot[1]}")
    if night.config.format != "solo":
        meetings = "not counted: too many tables" if found.meetings is None else "{}–{}".format(*found.meetings)
        out.print(f"meetings per pair: {meetings}")
    for row in rows:
        print_lines(out, [f"[yellow]{safe(line)}[/]" for line in left_out_lines(row, "would be left out")])
    out.print("Nobody was built or tried yet: who fails that is left out, too.")
    at_once = plural(night.config.places(), "game")
    out.print(f"about {rough_duration(seconds)} with {at_once} at a time, if bots answer in 20 ms")
    print_lines(out, changed_lines(night, rows, default_store(Path(file))))
    return GOOD


def changed_lines(night: Night, rows: Sequence[BotRow], path: Path) -> list[str]:
    """What `run` would make of the file, if the night has begun already."""
    if not path.exists():
        return []
    with Store.read(path) as store:
        if isinstance(store, OldStore) or not store.entries():
            return []
        changes = changes_since(night, rows, store)
        if changes.refused:
            return [f"[yellow]The night has begun and cannot go on: {safe('; '.join(changes.refused))}[/]"]
        found = differences_of(night, changes, store)
        return ["The night has begun. `run` goes on:", *map(safe, difference_lines(found))]


def difference_lines(found: Differences) -> list[str]:
    return [
        *(f"  {line}" for line in found.changes.said),
        f"  keeps {plural(found.keeps, 'finished game')}, plays {found.plays} more",
    ]


def estimate(night: Night, games: int) -> float:
    seats = 1 if night.config.format == "solo" else night.config.table
    one = seats * DECISIONS_PER_SEAT * SECONDS_PER_DECISION + (START_SECONDS if night.config.restart == "game" else 0)
    return games * one / night.config.places()


def rough_duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
