"""`peloarena tournament finish`: a ladder has no end of its own; its host ends it."""

from __future__ import annotations

from pathlib import Path

import click

from ..game.texts import plural
from ..tournament import host_commands
from ..tournament.heartbeat import read_heartbeat
from ..tournament.store import Store, default_store_path
from ..tournament.stored_tournament import load_tournament


@click.command()
@click.argument("store")
@click.option("--reason", default="", help="The reason; kept in the store.")
def finish(store: str, reason: str) -> None:
    """End a ladder: lock entries, then play a final round-robin that decides the standings.

    Running deals are finished first. Then every pair plays as many deals as the tournament file sets (`deals`). This
    cannot be undone.

    \b
    Example:
      peloarena tournament finish ladder.toml
    """
    path = default_store_path(Path(store))
    with Store.open_to_change(path) as opened:
        host_commands.finish_ladder(opened, reason)
        tournament = load_tournament(opened)
    games = plural(tournament.state.remaining_games(), "game")
    who_plays = "The running tournament plays" if read_heartbeat(path) else "`peloarena tournament run` plays"
    click.echo(
        f"The ladder ends, entries are locked. {who_plays} the final round-robin, which decides the standings: {games}."
    )
