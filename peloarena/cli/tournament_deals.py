"""`peloarena tournament commit` and `close`, and the prompt for the room word: why the deals can be trusted."""

from __future__ import annotations

from pathlib import Path

import click

from ..game import ConfigError
from ..game.texts import plural
from ..tournament.begun import Begun, begun
from ..tournament.config import NightConfig, read_night
from ..tournament.secret import check_may_give, close_night, commit, is_word_open, settle_word
from ..tournament.store import Store, default_store
from .common import plain

EARLIER = "--unfinished closes it now"


@click.command(name="commit")
@click.argument("night")
def commit_command(night: str) -> None:
    """Draw the secret that determines all deals, and print the commitment to it for the audience.

    Then let the audience call out a word and start with `run --word WORD`. The deals depend on both, so neither the
    host nor an author can choose them. `close` publishes the secret. NIGHT is the tournament file.

    \b
    Example:
      peloarena tournament commit friday.toml
      peloarena tournament run friday.toml --word olive
    """
    path = Path(night)
    if path.suffix == ".toml" and read_night(path).config.seed:
        raise ConfigError(
            f"{path.name} has a seed, so the host chose the deals: remove it to have them drawn at random"
        )
    with Store.begin(default_store(path)) as store:
        click.echo(commitment_line(commit(store)))


@click.command(name="close")
@click.argument("store")
@click.option("--unfinished", is_flag=True, help="Close even if games are unplayed.")
def close_command(store: str, unfinished: bool) -> None:
    """End a tournament for good and publish its secret, so that anybody can verify its archive.

    Afterwards nothing can be played, entered or declared void. `export --archive` writes the archive.
    """
    with Store.change(default_store(Path(store))) as opened:
        opened.lock()
        night = begun(opened)
        if not unfinished and not night.is_over():
            if night.state.is_endless():
                raise ConfigError(f"a ladder does not end by itself: `peloarena tournament finish` ends it, {EARLIER}")
            if not night.state.rounds:
                raise ConfigError(f"no round has started: `peloarena tournament run` starts it, {EARLIER}")
            left = plural(night.state.to_come(), "game is", "games are")
            raise ConfigError(f"{left} still to be played: `peloarena tournament run` resumes, {EARLIER}")
        close(opened, night)


def close(store: Store, night: Begun) -> None:
    """Close the tournament and print what is now public."""
    source = close_night(store, night.config)
    click.echo("The tournament is closed.")
    if night.config.seed:
        click.echo(plain(f"deals chosen by the host: seed {night.config.seed}"))
    else:
        click.echo(plain(f"secret {source.secret.hex()}, {f'word {source.word}' if source.word else 'no word'}"))


def commitment_line(text: str) -> str:
    return f"commitment to the secret of the deals: {text}"


# ---- for `run`


def check_word_option(store: Store, config: NightConfig, word: str | None) -> None:
    """Runs before any trial or game."""
    if word is not None:
        check_may_give(store, config, word)


def settle_deals(store: Store, config: NightConfig, word: str | None, quiet: bool, can_ask: bool) -> None:
    """Once, before the first deal: the commitment, then the room word, for which it asks a person."""
    if not is_word_open(store, config):
        return
    told = commitment_line(commit(store))
    if can_ask or not quiet:
        click.echo(told)
    if word is None and can_ask:
        word = asked_word(store, config)
    settle_word(store, config, check_may_give(store, config, word) if word else "")


def asked_word(store: Store, config: NightConfig) -> str:
    while True:
        word: str = click.prompt("A word from the audience (Enter for none)", default="", show_default=False)
        try:
            return check_may_give(store, config, word) if word.strip() else ""
        except ConfigError as error:
            click.echo(plain(str(error)))


def offer_close(store: Store, night: Begun) -> None:
    """Ask whether to close a tournament in which nothing is left to play."""
    if night.is_over() and click.confirm("All games are played. Close the tournament and publish its secret?"):
        close(store, night)
