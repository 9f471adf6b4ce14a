"""`peloarena tournament`: plan, run and look after a night. One sub-command per thing a host does."""

from __future__ import annotations

import time
from collections.abc import Sequence
from pathlib import Path

import click

from ..game import ConfigError
from ..game.texts import plural
from ..referee.bots import memory_asked
from ..tournament import orders
from ..tournament.config import Night, NightConfig, read_night
from ..tournament.ending import Ending, next_time, time_text
from ..tournament.field import Tell, found_field
from ..tournament.host_orders import pause_order
from ..tournament.night import NightRun
from ..tournament.opening import Begun, Differences, Failures, begin, begun
from ..tournament.pulse import pulse_of
from ..tournament.rows import BotRow
from ..tournament.runner import open_workers
from ..tournament.secret import check_open
from ..tournament.store import Store, default_store
from .common import (
    BAD,
    GOOD,
    INTERRUPTED,
    NamedCommands,
    console,
    json_option,
    memory_notice,
    plain,
    print_json,
    sandbox_notice,
)
from .night_view import NightView, night_view_of
from .run_serving import pages_beside, stay_up
from .serve import PORT
from .standings_text import PIPE_WIDTH, left_out_lines, night_json, night_lines, print_lines
from .table_options import show_option, show_to_bots
from .tournament_deals import (
    check_word_option,
    close_command,
    commit_command,
    is_terminal,
    offer_close,
    settle_deals,
)
from .tournament_entries import enter, entries, lock
from .tournament_finish import finish
from .tournament_pairings import pairings
from .tournament_plan import difference_lines, jobs_warning, plan
from .tournament_report import export, record, report
from .trio_main import trio_main
from .watch import watch

SHOWN_GAMES = 5


@click.group(
    name="tournament",
    cls=NamedCommands,
    epilog="A STORE is the .sqlite file beside the tournament file; either can be named.",
)
def command() -> None:
    """Tournament nights: plan, run, resume, look after, report.

    \b
    Examples:
      peloarena tournament plan tournaments/friday.toml
      peloarena tournament run tournaments/friday.toml
      peloarena tournament withdraw tournaments/friday.toml mybot --reason "its author asked"
      peloarena tournament report tournaments/friday.toml
    """


# ---- run


@command.command(name="run")
@click.argument("file")
@click.option("--store", "store_path", metavar="FILE", help="Where to keep the night; beside the file unless given.")
@click.option("--jobs", "-j", type=click.IntRange(1, 256), help="Games at a time, instead of what the file says.")
@click.option("--all-must-pass", is_flag=True, help="Do not begin if a bot fails its trial game.")
@click.option("--accept-changes", is_flag=True, help="Go on although the file or bots were changed; no game is lost.")
@click.option("--word", metavar="WORD", help="Called out by the room after `commit` was shown; before the first deal.")
@show_option
@click.option("--until", metavar="HH:MM", help="Begin no round (on a ladder: no deal) after this time of day.")
@click.option("--games", type=click.IntRange(1), metavar="N", help="Ladder: choose no more deals once it has N games.")
@click.option("--quiet", "-q", is_flag=True, help="Print the final table only.")
@click.option("--serve", "serving", is_flag=True, help="Also show the night in the browser, until Ctrl-C; see `serve`.")
@click.option("--lan", is_flag=True, help="With --serve: for everybody in this network.")
@click.option("--port", type=click.IntRange(1, 65535), default=PORT, show_default=True, help="With --serve.")
def run_night(
    file: str,
    store_path: str | None,
    jobs: int | None,
    all_must_pass: bool,
    accept_changes: bool,
    word: str | None,
    until: str | None,
    games: int | None,
    quiet: bool,
    serving: bool,
    lan: bool,
    port: int,
) -> int:
    """Play the night. Run it again to go on where it stopped: nothing that was reported is lost or played twice.

    Before the first deal it prints the commitment to the secret of the deals and, on a terminal, asks for the room's
    word. When nothing is left to play it offers to close the night. With --serve one core is left to the pages.
    """
    night = read_night(file)
    show_to_bots(click.get_current_context(), night.shown())
    ending = ending_of(night.config, until, games)
    found = found_field(night)
    sandbox_notice(night.config.sandbox)
    path = Path(store_path) if store_path else default_store(Path(file))
    places = jobs or (night.config.places_beside_pages() if serving else night.config.places())
    asked = {row.name: memory_asked(Path(row.path)) for row in found if not row.problem}
    memory_notice(asked, 1 if night.config.format == "solo" else night.config.table, places)
    with pages_beside(path, serving, port, lan):
        code = play_in(path, night, found, places, accept_changes, all_must_pass, word, ending, quiet)
        if code != INTERRUPTED:
            stay_up(serving)
    return code


def play_in(
    path: Path,
    night: Night,
    found: Sequence[BotRow],
    places: int,
    accept_changes: bool,
    all_must_pass: bool,
    word: str | None,
    ending: Ending,
    quiet: bool,
) -> int:
    """The exit code."""
    out = console(pipe_width=PIPE_WIDTH)
    with Store.begin(path) as store:
        store.lock()
        check_open(store)
        check_word_option(store, night.config, word)
        opened = open_night(night, found, store, accept_changes, all_must_pass, silent if quiet else tell_bot)
        if isinstance(opened, int):
            return opened
        settle_deals(store, night.config, word, quiet)
        settle_pause(store)
        view = NightView() if quiet else night_view_of(out, store)
        tell_ending(ending, quiet)
        if warning := jobs_warning(places):
            click.echo(warning, err=True)
        interrupted = play(night, store, view, places, ending)
        now = begun(store)
        print_lines(out, night_lines(now, store.path))
        if interrupted:
            out.print("Interrupted. Run the same command to go on.")
            return INTERRUPTED
        if not told_complete(now):
            return BAD
        if not now.is_over():
            out.print("There is more to play: run the same command to go on.")
        offer_close(store, now)
        return GOOD


def open_night(
    night: Night, found: Sequence[BotRow], store: Store, accept: bool, all_must_pass: bool, tell: Tell
) -> Begun | int:
    """The night as begun, or the exit code if it is not."""
    answers: list[Begun | Differences | Failures] = []

    async def main() -> None:
        answers.append(await begin(night, found, store, tell, accept=accept, all_must_pass=all_must_pass))

    if trio_main(main):
        return INTERRUPTED
    match answers[0]:
        case Begun() as opened:
            return opened
        case Failures(bots):
            names = ", ".join(row.name for row in bots)
            click.echo(plain(f"{names}: no pass; nothing was played (--all-must-pass)."), err=True)
            return BAD
        case Differences() as differences:
            if agreed(differences):
                return open_night(night, found, store, True, all_must_pass, tell)
            raise ConfigError(
                f"this night was begun differently: {'; '.join(differences.changes.said)}. All "
                f"{plural(differences.keeps, 'finished game')} would be kept and {differences.plays} played: "
                f"go on with --accept-changes, or put it back as it was, or begin anew with another --store"
            )


def agreed(differences: Differences) -> bool:
    """Asked of a person; a script says it beforehand."""
    if not is_terminal():
        return False
    click.echo("This night was begun differently. Now:")
    for line in difference_lines(differences):
        click.echo(plain(line))
    return click.confirm("Go on so?")


def settle_pause(store: Store) -> None:
    """A pause of before holds; a person may take it back at once."""
    order = pause_order(store.orders())
    if order is None:
        return
    told = f"The night is paused{f' ({order.reason})' if order.reason else ''}"
    if is_terminal() and click.confirm(plain(f"{told}. Go on now?"), default=True):
        orders.pause(store, False, "")
    else:
        click.echo(plain(f"{told}: `peloarena tournament pause {store.path.name} --off` goes on."), err=True)


def ending_of(config: NightConfig, until: str | None, games: int | None) -> Ending:
    if games is not None and config.format != "ladder":
        raise ConfigError(f"--games is for a ladder; {config.format} has an end of its own (--until stops it)")
    return Ending(None if until is None else next_time(until, time.time()), games)


def tell_ending(ending: Ending, quiet: bool) -> None:
    """At 00:30 `--until 00:00` is nearly a day."""
    if ending.until is not None and not quiet:
        click.echo(
            f"Nothing begins after {time_text(ending.until, time.time())}; what is on then is played to its end."
        )


def play(night: Night, store: Store, view: NightView, places: int, ending: Ending) -> bool:
    async def main() -> None:
        async with open_workers(places, night.config.sandbox) as workers:
            with view:
                await NightRun(night, store, workers, view.tell, places, ending=ending).play()

    return trio_main(main)


def told_complete(now: Begun) -> bool:
    """Whether every game was played; else how many the machine spoiled."""
    missing = [fixture.game for fixture in now.missing()]
    if missing:
        games = ", ".join(missing[:SHOWN_GAMES]) + " ..." * (len(missing) > SHOWN_GAMES)
        click.echo(f"{plural(len(missing), 'game')} could not be played: {games}", err=True)
    return not missing


def silent(row: BotRow) -> None:
    pass


def tell_bot(row: BotRow) -> None:
    for line in left_out_lines(row) if row.problem else [f"{row.name}: plays"]:
        click.echo(plain(line))


# ---- the host's orders


@command.command()
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


@command.command()
@click.argument("store")
@click.argument("bot")
@click.option("--reason", required=True, help="Kept in the store, shown in the report.")
def withdraw(store: str, bot: str, reason: str) -> None:
    """Take a bot out: its games from now on are forfeits and it is not started."""
    with Store.change(default_store(Path(store))) as opened:
        orders.withdraw(opened, bot, reason)
    click.echo(plain(f"{bot} is withdrawn."))


@command.command()
@click.argument("store")
@click.argument("bot")
@click.option("--reason", default="", help="Kept in the store, shown in the report.")
def readmit(store: str, bot: str, reason: str) -> None:
    """Let a withdrawn or benched bot play again, from the next round on; what it missed is caught up at the end."""
    with Store.change(default_store(Path(store))) as opened:
        orders.readmit(opened, bot, reason)
    click.echo(plain(f"{bot} plays again from the next round on."))


@command.command()
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


@command.command()
@click.argument("store")
@click.option("--prizes", is_flag=True, help="Also tell the prizes as they stand; a night that is over tells them.")
@json_option
def standings(store: str, prizes: bool, as_json: bool) -> None:
    """Print the table of a night, finished or not."""
    with Store.read(default_store(Path(store))) as opened:
        now = begun(opened)
    if as_json:
        print_json(night_json(now))
        return
    print_lines(console(pipe_width=PIPE_WIDTH), night_lines(now, opened.path, prizes=prizes))


AFTER = (plan, pairings, watch, enter, entries, lock, finish, commit_command, close_command, report, export, record)
for after in AFTER:
    command.add_command(after)
