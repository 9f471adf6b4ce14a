"""`peloarena tournament pairings`: who meets whom, and the results, round by round; for printing."""

from __future__ import annotations

from pathlib import Path

import click
from rich.console import RenderableType

from ..game import ConfigError
from ..game.texts import plural
from ..tournament.round_pairings import PairedTable, RoundPairings, pairings_of
from ..tournament.store import Store, default_store_path
from ..tournament.stored_tournament import load_tournament
from ..tournament.wording import for_people
from .common import console, json_option, print_json, safe
from .standings_text import cup_lines, print_lines
from .terminal_tables import plain_table
from .tournament_view import round_text

PIPE_WIDTH = 120
"""For paper."""


@click.command()
@click.argument("store")
@click.option("--round", "number", type=click.IntRange(min=1), help="Print this round only.")
@json_option
def pairings(store: str, number: int | None, as_json: bool) -> None:
    """Print the pairings of each round that has started, with results, byes and absent bots.

    \b
    Examples:
      peloarena tournament pairings swiss.toml
      peloarena tournament pairings swiss.toml --round 3
    """
    with Store.open_to_read(default_store_path(Path(store))) as opened:
        tournament = load_tournament(opened)
    rounds = pairings_of(tournament.state)
    shown = [one_round for one_round in rounds if number in (None, one_round.round)]
    if not shown:
        started = sum(one_round.round > 0 and one_round.stage != "catch-up" for one_round in rounds)
        if not started:
            raise ConfigError("no round has started yet")
        raise ConfigError(f"round {number} has not started; {plural(started, 'round has', 'rounds have')}")
    if as_json:
        print_json(shown)
        return
    out = console(pipe_width=PIPE_WIDTH)
    print_lines(out, [f"[bold]{safe(tournament.config.name)}[/]"])
    for one_round in shown:
        print_lines(out, round_lines(one_round, "scores" if tournament.state.is_solo else "points"))
    if number is None:
        print_lines(out, cup_lines(tournament))


def round_lines(round_pairings: RoundPairings, points: str) -> list[RenderableType]:
    name = f": {safe(round_pairings.name)}" if round_pairings.name else ""
    table = plain_table("table", "bots", points, "", left=("bots", ""), wraps=("bots", ""))
    for row in round_pairings.tables:
        pair = len(row.players) == 2
        names = [f"[bold]{safe(name)}[/]" if name == row.winner else safe(name) for name in row.players]
        points = (" : " if pair else ", ").join(f"{value:g}" for value in row.points)
        table.add_row(
            str(row.table), (" – " if pair else ", ").join(names), points if row.games else "", table_state_text(row)
        )
    lines: list[RenderableType] = [
        "",
        f"[bold]{round_text(round_pairings.stage, round_pairings.round).capitalize()}{name}[/]",
        table,
    ]
    lines += [f"bye: {safe(', '.join(round_pairings.byes))}"] if round_pairings.byes else []
    lines += [f"not playing: {safe(name)} ({safe(for_people(why))})" for name, why in round_pairings.absent.items()]
    return lines


def table_state_text(row: PairedTable) -> str:
    left = f"{row.left} to play" if row.left else ""
    return ", ".join(filter(None, [row.about, left]))
