"""`peloarena tournament commit` and `close`, and the prompt for the room word: why the deals can be trusted."""

from __future__ import annotations

from pathlib import Path

import click

from ..game import ConfigError
from ..game.texts import plural
from ..tournament.config import TournamentConfig, read_tournament_file
from ..tournament.secret import can_give_room_word, check_room_word, close_tournament, commit_to_secret, store_room_word
from ..tournament.store import Store, default_store_path
from ..tournament.stored_tournament import StoredTournament, load_tournament
from .common import to_plain_text

CLOSE_EARLY_HINT = "--unfinished closes it now"


@click.command(name="commit")
@click.argument("file")
def commit_command(file: str) -> None:
    """Draw the secret that determines all deals, and print the commitment to it for the audience.

    Then let the audience call out a word and start with `run --word WORD`. The deals depend on both, so neither the
    host nor an author can choose them. `close` publishes the secret. FILE is the tournament file.

    \b
    Example:
      peloarena tournament commit friday.toml
      peloarena tournament run friday.toml --word olive
    """
    path = Path(file)
    if path.suffix == ".toml" and read_tournament_file(path).config.seed:
        raise ConfigError(
            f"{path.name} has a seed, so the host chose the deals: remove it to have them drawn at random"
        )
    with Store.open_to_play(default_store_path(path)) as store:
        click.echo(commitment_line(commit_to_secret(store)))


@click.command(name="close")
@click.argument("store")
@click.option("--unfinished", is_flag=True, help="Close even if games are unplayed.")
def close_command(store: str, unfinished: bool) -> None:
    """End a tournament for good and publish its secret, so that anybody can verify its archive.

    Afterwards nothing can be played, entered or declared void. `export --archive` writes the archive.
    """
    with Store.open_to_change(default_store_path(Path(store))) as opened:
        opened.lock()
        tournament = load_tournament(opened)
        if not unfinished and not tournament.is_over():
            if tournament.state.is_endless():
                raise ConfigError(
                    f"a ladder does not end by itself: `peloarena tournament finish` ends it, {CLOSE_EARLY_HINT}"
                )
            if not tournament.state.rounds:
                raise ConfigError(f"no round has started: `peloarena tournament run` starts it, {CLOSE_EARLY_HINT}")
            left = plural(tournament.state.remaining_games(), "game is", "games are")
            raise ConfigError(f"{left} still to be played: `peloarena tournament run` resumes, {CLOSE_EARLY_HINT}")
        close_and_print(opened, tournament)


def close_and_print(store: Store, tournament: StoredTournament) -> None:
    """Close the tournament and print what is now public."""
    source = close_tournament(store, tournament.config)
    click.echo("The tournament is closed.")
    if tournament.config.seed:
        click.echo(to_plain_text(f"deals chosen by the host: seed {tournament.config.seed}"))
    else:
        click.echo(
            to_plain_text(
                f"secret {source.secret.hex()}, {f'word {source.room_word}' if source.room_word else 'no word'}"
            )
        )


def commitment_line(text: str) -> str:
    return f"commitment to the secret of the deals: {text}"


# ---- for `run`


def check_word_option(store: Store, config: TournamentConfig, word: str | None) -> None:
    """Runs before any trial or game."""
    if word is not None:
        check_room_word(store, config, word)


def settle_room_word(store: Store, config: TournamentConfig, word: str | None, quiet: bool, can_ask: bool) -> None:
    """Once, before the first deal: the commitment, then the room word, for which it asks a person."""
    if not can_give_room_word(store, config):
        return
    line = commitment_line(commit_to_secret(store))
    if can_ask or not quiet:
        click.echo(line)
    if word is None and can_ask:
        word = ask_for_word(store, config)
    store_room_word(store, config, check_room_word(store, config, word) if word else "")


def ask_for_word(store: Store, config: TournamentConfig) -> str:
    while True:
        word: str = click.prompt("A word from the audience (Enter for none)", default="", show_default=False)
        try:
            return check_room_word(store, config, word) if word.strip() else ""
        except ConfigError as error:
            click.echo(to_plain_text(str(error)))


def offer_close(store: Store, tournament: StoredTournament) -> None:
    """Ask whether to close a tournament in which nothing is left to play."""
    if tournament.is_over() and click.confirm("All games are played. Close the tournament and publish its secret?"):
        close_and_print(store, tournament)
