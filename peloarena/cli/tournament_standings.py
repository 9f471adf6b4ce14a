"""`peloarena tournament standings`: the table of a tournament. Imports only what it needs: hosts run it often."""

from __future__ import annotations

from pathlib import Path

import click

from ..tournament.begun import begun
from ..tournament.store import Store, default_store
from .common import UNBROKEN, console, json_option, print_json
from .standings_text import night_json, night_lines, print_lines


@click.command()
@click.argument("store")
@click.option(
    "--prizes", is_flag=True, help="Print the prizes, too. They may still change until the tournament is over."
)
@json_option
def standings(store: str, prizes: bool, as_json: bool) -> None:
    """Print the standings of a tournament, finished or not."""
    with Store.read(default_store(Path(store))) as opened:
        now = begun(opened)
    if as_json:
        print_json(night_json(now))
        return
    print_lines(console(pipe_width=UNBROKEN), night_lines(now, opened.path, prizes=prizes))
