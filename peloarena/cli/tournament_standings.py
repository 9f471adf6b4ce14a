"""`peloarena tournament standings`: the table of a tournament. Imports only what it needs: hosts run it often."""

from __future__ import annotations

from pathlib import Path

import click

from ..tournament.store import Store, default_store_path
from ..tournament.stored_tournament import load_tournament
from .common import UNWRAPPED_WIDTH, console, json_option, print_json
from .standings_text import print_lines, tournament_json, tournament_lines


@click.command()
@click.argument("store")
@click.option(
    "--prizes", is_flag=True, help="Print the prizes, too. They may still change until the tournament is over."
)
@json_option
def standings(store: str, prizes: bool, as_json: bool) -> None:
    """Print the standings of a tournament, finished or not."""
    with Store.open_to_read(default_store_path(Path(store))) as opened:
        now = load_tournament(opened)
    if as_json:
        print_json(tournament_json(now))
        return
    print_lines(console(pipe_width=UNWRAPPED_WIDTH), tournament_lines(now, opened.path, prizes=prizes))
