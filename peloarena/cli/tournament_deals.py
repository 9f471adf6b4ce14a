"""`peloarena tournament commit` and `close`, and the question for the room's word: why the deals can be trusted."""

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

EARLIER = "--unfinished closes it as it is"


@click.command(name="commit")
@click.argument("night")
def commit_command(night: str) -> None:
    """Draw the secret that all deals will come from, and print its commitment: show it to the room.

    Then let the room call out a word and begin with `run --word WORD`: neither the host nor a bot's author can have
    chosen the deals. `close` publishes the secret in the end. NIGHT is the tournament file.

    \b
    Example:
      peloarena tournament commit friday.toml
      peloarena tournament run friday.toml --word olive
    """
    path = Path(night)
    if path.suffix == ".toml" and read_night(path).config.seed:
        raise ConfigError(f"{path.name} has a seed, so the host chose the deals: take it out to let nobody choose")
    with Store.begin(default_store(path)) as store:
        click.echo(commitment_line(commit(store)))


@click.command(name="close")
@click.argument("store")
@click.option("--unfinished", is_flag=True, help="Although games of its rounds were not played.")
def close_command(store: str, unfinished: bool) -> None:
    """End a night for good and publish its secret: now `export --archive` writes what anybody can check.

    Nothing can be played, entered or declared void in it afterwards.
    """
    with Store.change(default_store(Path(store))) as opened:
        opened.lock()
        night = begun(opened)
        if not unfinished and not night.is_over():
            if night.state.is_endless():
                raise ConfigError(
                    f"a ladder has no end of its own: `peloarena tournament finish` gives it one, {EARLIER}"
                )
            if not night.state.rounds:
                raise ConfigError(f"no round of it has begun: `peloarena tournament run` begins it, {EARLIER}")
            left = plural(night.state.to_come(), "game is", "games are")
            raise ConfigError(f"{left} still to be played: `peloarena tournament run` goes on, {EARLIER}")
        close(opened, night)


def close(store: Store, night: Begun) -> None:
    """And tell what is public now."""
    source = close_night(store, night.config)
    click.echo("The night is closed.")
    if night.config.seed:
        click.echo(plain(f"deals chosen by the host: seed {night.config.seed}"))
    else:
        click.echo(plain(f"secret {source.secret.hex()}, {f'word {source.word}' if source.word else 'no word'}"))


def commitment_line(text: str) -> str:
    return f"commitment to the secret of this night's deals: {text}"


# ---- for `run`


def check_word_option(store: Store, config: NightConfig, word: str | None) -> None:
    """Before anything is tried or played."""
    if word is not None:
        check_may_give(store, config, word)


def settle_deals(store: Store, config: NightConfig, word: str | None, quiet: bool, can_ask: bool) -> None:
    """Before the first deal, once: the commitment, then the room's word. A person is asked for it."""
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
        word: str = click.prompt("A word from the room (none: just Enter)", default="", show_default=False)
        try:
            return check_may_give(store, config, word) if word.strip() else ""
        except ConfigError as error:
            click.echo(plain(str(error)))


def offer_close(store: Store, night: Begun) -> None:
    """Ask whether to close a tournament in which nothing is left to play."""
    if night.is_over() and click.confirm("Nothing is left to play. Close the night and publish its secret?"):
        close(store, night)
