"""`peloarena tournament watch`: the live screen of a tournament in a second terminal. Read-only."""

from __future__ import annotations

import shlex
from pathlib import Path
from typing import TYPE_CHECKING

import click
import trio

from ..game import ConfigError
from ..tournament.begun import begun
from ..tournament.old_store import OldStore
from ..tournament.store import Store, default_store
from .common import UNBROKEN, console
from .night_view import fault_texts, has_screen, result_text
from .standings_text import night_lines, print_lines
from .trio_main import trio_main

if TYPE_CHECKING:
    from .live_view import LiveNight

LOOK_EVERY = 1.0
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
    place = default_store(Path(store))
    if not place.exists() and not Path(store).exists():
        raise ConfigError(f"neither a tournament file nor a store at {store!r}")
    if not is_old(place) and trio_main(lambda: follow(place, store)):
        return
    with Store.read(place) as opened:
        print_lines(console(pipe_width=UNBROKEN), night_lines(begun(opened), opened.path))


def is_old(place: Path) -> bool:
    """A tournament of an older version is over."""
    if not place.exists():
        return False
    with Store.read(place) as opened:
        return isinstance(opened, OldStore)


async def follow(place: Path, named: str) -> None:
    """Follow until all games are played and the runner is gone."""
    from .live_view import LiveNight, shown  # here: rich is slow to load

    out = console()
    file = shlex.quote(named) if named.endswith(".toml") else "FILE"
    night = LiveNight(place, f"`peloarena tournament run {file}` resumes")
    try:
        night.look()
        if not has_screen(out):
            await print_results(night)
        elif not night.is_over():
            with shown(out, lambda: night.drawn(out.width, out.height)) as live:
                while not night.is_over():
                    live.refresh()
                    await trio.sleep(LOOK_EVERY)
                    night.look()
    finally:
        night.follower.close()


async def print_results(night: LiveNight) -> None:
    """Print a line for each game that ends from now on."""
    known = set(night.seen.games) if night.seen else set()
    if not night.is_over():
        click.echo(night.headline())
    while not night.is_over():
        await trio.sleep(LOOK_EVERY)
        seen = night.look()
        for row in seen.games.values() if seen else ():
            if row.fixture.game not in known:
                known.add(row.fixture.game)
                click.echo("\n  ".join([result_text(row), *fault_texts(row)]))
