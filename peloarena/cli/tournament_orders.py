"""`peloarena tournament pause`, `withdraw`, `readmit` and `void`: what a host orders, from any terminal."""

from __future__ import annotations

from pathlib import Path

import click

from ..game import ConfigError
from ..game.texts import plural
from ..tournament import orders
from ..tournament.pulse import pulse_of
from ..tournament.store import Store, default_store
from .common import plain

SHOWN_GAMES = 5


@click.command()
@click.argument("store")
@click.option("--off", is_flag=True, help="Go on.")
@click.option("--after-round", is_flag=True, help="When the round is over (on a ladder: the deals that are on).")
@click.option("--reason", default="", help="Kept in the store.")
def pause(store: str, off: bool, after_round: bool, reason: str) -> None:
    """Let the running night begin no more games; those that are on are played to the end.

    Given while nobody plays, it holds for the next `run`. Who enters in a pause after a round plays the next one.
    """
    if off and after_round:
        raise ConfigError("--off or --after-round, not both")
    path = default_store(Path(store))
    with Store.change(path) as opened:
        if after_round:
            orders.pause_when_over(opened, reason)
            click.echo("The night pauses when this round is over; `pause --off` takes it back.")
            return
        orders.pause(opened, not off, reason)
    nobody = "" if pulse_of(path) else " Nobody plays it now."
    click.echo(f"{'The night goes on.' if off else 'The night pauses; `pause --off` goes on.'}{nobody}")


@click.command()
@click.argument("store")
@click.argument("bot")
@click.option("--reason", required=True, help="Kept in the store, shown in the report.")
def withdraw(store: str, bot: str, reason: str) -> None:
    """Take a bot out: its games from now on are forfeits and it is not started."""
    with Store.change(default_store(Path(store))) as opened:
        orders.withdraw(opened, bot, reason)
    click.echo(plain(f"{bot} is withdrawn."))


@click.command()
@click.argument("store")
@click.argument("bot")
@click.option("--reason", default="", help="Kept in the store, shown in the report.")
def readmit(store: str, bot: str, reason: str) -> None:
    """Let a withdrawn or benched bot play again, from the next round on; what it missed is caught up at the end.

    On a ladder, which has no rounds, it plays again at once.
    """
    with Store.change(default_store(Path(store))) as opened:
        said = orders.readmit(opened, bot, reason)
    click.echo(plain(said))


@click.command()
@click.argument("store")
@click.argument("game", default="")
@click.option("--bot", default="", metavar="BOT", help="All finished games of a bot ...")
@click.option("--version", type=click.IntRange(1), metavar="N", help="... or of one of its versions.")
@click.option("--round", "number", type=click.IntRange(1), metavar="N", help="Of this round.")
@click.option("--reason", required=True, help="Kept in the store, shown in the report.")
def void(store: str, game: str, bot: str, version: int | None, number: int | None, reason: str) -> None:
    """Declare finished games void: they no longer count and are played again (now, or when the night is run again).

    Where all seatings of a deal were played it may have been seen: then all of them are void, and another is drawn.
    """
    if not (game or bot or number) or (game and (bot or number)) or (version and not bot):
        raise ConfigError("name one GAME, or --bot (perhaps with --version), --round, or both")
    with Store.change(default_store(Path(store))) as opened:
        names = orders.void(opened, orders.Chosen(game, bot, number or 0, version or 0), reason)
    shown = ", ".join(names[:SHOWN_GAMES]) + " ..." * (len(names) > SHOWN_GAMES)
    click.echo(plain(f"{plural(len(names), 'game is', 'games are')} void and will be played again: {shown}"))
