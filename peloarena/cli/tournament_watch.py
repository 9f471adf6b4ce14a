"""`peloarena tournament watch`: the live screen of a tournament in a second terminal. Read-only."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click
import trio

from ..game import ConfigError
from ..tournament.old_store import OldStore
from ..tournament.store import Store, default_store_path
from ..tournament.stored_tournament import load_tournament
from .common import UNWRAPPED_WIDTH, console
from .standings_text import print_lines, tournament_lines
from .tournament_view import fault_texts, has_screen, result_text
from .trio_main import trio_main

if TYPE_CHECKING:
    from .live_view import LiveTournament

WATCH_POLL_SECONDS = 1.0
"""Seconds between two looks into the store; a look at an unchanged one costs next to nothing."""


@click.command()
@click.argument("store")
def watch(store: str) -> None:
    """Watch a tournament live in another terminal. Nothing is written.

    Start it before, during or after the tournament. It ends when all games are played, or with Ctrl-C. In a pipe it
    prints a line for each finished game.

    \b
    Example:
      peloarena tournament watch friday.toml
    """
    path = default_store_path(Path(store))
    if not path.exists() and not Path(store).exists():
        raise ConfigError(f"neither a tournament file nor a store at {store!r}")
    if not is_old_store(path) and trio_main(lambda: follow(path, store)):
        return
    with Store.open_to_read(path) as opened:
        print_lines(console(pipe_width=UNWRAPPED_WIDTH), tournament_lines(load_tournament(opened), opened.path))


def is_old_store(path: Path) -> bool:
    """A tournament of an older version is over."""
    if not path.exists():
        return False
    with Store.open_to_read(path) as opened:
        return isinstance(opened, OldStore)


async def follow(path: Path, argument: str) -> None:
    """Follow until all games are played and the runner is gone."""
    from .live_view import LiveTournament, open_live_display  # here: rich is slow to load

    out = console()
    file = shlex.quote(argument) if argument.endswith(".toml") else "FILE"
    tournament = LiveTournament(path, f"`peloarena tournament run {file}` resumes")
    try:
        tournament.poll()
        if not has_screen(out):
            await print_results(tournament)
        elif not tournament.is_over():
            with open_live_display(out, lambda: tournament.draw(out.width, out.height)) as live:
                while not tournament.is_over():
                    live.refresh()
                    await trio.sleep(WATCH_POLL_SECONDS)
                    tournament.poll()
    finally:
        tournament.follower.close()


async def print_results(tournament: LiveTournament) -> None:
    """Print a line for each game that ends from now on."""
    known = set(tournament.state.games) if tournament.state else set()
    if not tournament.is_over():
        click.echo(tournament.headline())
    while not tournament.is_over():
        await trio.sleep(WATCH_POLL_SECONDS)
        state = tournament.poll()
        for row in state.games.values() if state else ():
            if row.fixture.game not in known:
                known.add(row.fixture.game)
                click.echo("\n  ".join([result_text(row), *fault_texts(row)]))
