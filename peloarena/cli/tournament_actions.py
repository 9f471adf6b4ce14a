"""`peloarena tournament pause`, `withdraw`, `readmit` and `void`: host actions from any terminal."""

from __future__ import annotations

from pathlib import Path

import click

from ..game import ConfigError
from ..game.texts import plural
from ..tournament import host_commands
from ..tournament.heartbeat import read_heartbeat
from ..tournament.store import Store, default_store_path
from .common import to_plain_text

MAX_VOID_GAMES_SHOWN = 5


@click.command()
@click.argument("store")
@click.option("--off", is_flag=True, help="Resume.")
@click.option(
    "--after-round", is_flag=True, help="Pause after the current round (on a ladder, after the current deals)."
)
@click.option("--reason", default="", help="The reason; kept in the store.")
def pause(store: str, off: bool, after_round: bool, reason: str) -> None:
    """Pause the tournament: running games finish, and no new ones start.

    If the tournament is not running, the next `run` starts paused. A bot that enters during a pause between two rounds
    plays from the next round on.
    """
    if off and after_round:
        raise ConfigError("--off or --after-round, not both")
    path = default_store_path(Path(store))
    with Store.open_to_change(path) as opened:
        if after_round:
            host_commands.pause_at_round_end(opened, reason)
            click.echo("The tournament will pause after this round; `pause --off` cancels that.")
            return
        host_commands.pause(opened, not off, reason)
    not_running = "" if read_heartbeat(path) else " The tournament is not running."
    click.echo(f"{'Resumed.' if off else 'The tournament pauses; `pause --off` resumes it.'}{not_running}")


@click.command()
@click.argument("store")
@click.argument("bot")
@click.option("--reason", required=True, help="The reason; kept in the store and shown in the report.")
def withdraw(store: str, bot: str, reason: str) -> None:
    """Withdraw a bot: it forfeits its remaining games and is not started again."""
    with Store.open_to_change(default_store_path(Path(store))) as opened:
        host_commands.withdraw(opened, bot, reason)
    click.echo(to_plain_text(f"{bot} is withdrawn."))


@click.command()
@click.argument("store")
@click.argument("bot")
@click.option("--reason", default="", help="The reason; kept in the store and shown in the report.")
def readmit(store: str, bot: str, reason: str) -> None:
    """Let a withdrawn or benched bot play again from the next round on. It catches up on missed games at the end.

    On a ladder, which has no rounds, it plays again immediately.
    """
    with Store.open_to_change(default_store_path(Path(store))) as opened:
        message = host_commands.readmit(opened, bot, reason)
    click.echo(to_plain_text(message))


@click.command()
@click.argument("store")
@click.argument("game", default="")
@click.option("--bot", default="", metavar="BOT", help="Void all finished games of this bot.")
@click.option(
    "--version", type=click.IntRange(1), metavar="N", help="With --bot: only games that this version of the bot played."
)
@click.option(
    "--round",
    "number",
    type=click.IntRange(1),
    metavar="N",
    help="Void all finished games of this round; with --bot, only those of the bot.",
)
@click.option("--reason", required=True, help="The reason; kept in the store and shown in the report.")
def void(store: str, game: str, bot: str, version: int | None, number: int | None, reason: str) -> None:
    """Declare finished games void: they no longer count, and are replayed now or in the next `run`.

    If every seating of a deal was played, authors may have seen the deal. In that case all games of the deal are void,
    and a new deal is drawn.
    """
    if not (game or bot or number) or (game and (bot or number)) or (version and not bot):
        raise ConfigError("name a GAME, or give --bot, --round or both; --version needs --bot")
    with Store.open_to_change(default_store_path(Path(store))) as opened:
        names = host_commands.void_finished_games(
            opened, host_commands.GameFilter(game, bot, number or 0, version or 0), reason
        )
    shown = ", ".join(names[:MAX_VOID_GAMES_SHOWN]) + " ..." * (len(names) > MAX_VOID_GAMES_SHOWN)
    click.echo(to_plain_text(f"{plural(len(names), 'game is', 'games are')} void and will be played again: {shown}"))
    if game and len(names) > 1:
        click.echo(f"The deal was public, so all {len(names)} seatings are replayed.")
