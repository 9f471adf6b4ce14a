"""`peloarena tournament run`: plays a tournament, from the first trial to the final standings."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

import click

from ..game import ConfigError
from ..game.texts import plural
from ..referee.bots import memory_asked
from ..referee.sandbox.show import refuse_if_shown
from ..tournament import orders
from ..tournament.begun import Begun, begun
from ..tournament.config import Night, NightConfig, as_begun, deals_are_met_again, read_night
from ..tournament.ending import Ending, next_time, time_text
from ..tournament.feed import feed_beside
from ..tournament.field import found_field
from ..tournament.host_orders import pause_order
from ..tournament.night import NightRun
from ..tournament.opening import Differences, Failures, begin
from ..tournament.rows import BotRow
from ..tournament.runner import open_workers
from ..tournament.secret import check_open
from ..tournament.store import Store, default_store
from .cluster_options import Home, address_of, cluster_options, play_on_cluster
from .common import (
    BAD,
    GOOD,
    INTERRUPTED,
    UNBROKEN,
    console,
    memory_notice,
    plain,
    sandbox_notice,
    starts_bots,
)
from .making_view import making_view
from .night_view import NightView, night_view_of
from .run_serving import Pages, pages_beside, serving_options, words_of_serve
from .standings_text import left_out_lines, night_lines, print_lines
from .table_options import show_option, show_to_bots
from .tournament_deals import (
    check_word_option,
    offer_close,
    settle_deals,
)
from .tournament_plan import difference_lines, jobs_warning, warn_of_weak_seed
from .trio_main import trio_main

SHOWN_GAMES = 5
INTERRUPTION = "Interrupted. Run the same command to resume."
MET_AGAIN = (
    "Strangers may submit bots, and deals are played again: a bot can leave notes of a deal for the next game with it "
    '(spec/SECURITY.md). A tournament with seatings = "balanced" and without same_deals plays each deal once.'
)


@click.command(name="run")
@click.argument("file")
@click.option(
    "--store",
    "store_path",
    metavar="FILE",
    help="Keep the tournament in this file.  [default: next to the tournament file]",
)
@click.option(
    "--jobs",
    "-j",
    type=click.IntRange(1, 256),
    help="Number of games to play at the same time on this machine, instead of `jobs` in the file. On a "
    "cluster each node has its own slots.",
)
@click.option("--all-must-pass", is_flag=True, help="Do not start if a bot fails its trial games.")
@click.option(
    "--accept-changes", is_flag=True, help="Continue even though the file or bots have changed. No game is lost."
)
@click.option("--word", metavar="WORD", help="The word that the audience called out after it saw the commitment.")
@show_option
@click.option("--until", metavar="HH:MM", help="Start no round (on a ladder: no deal) after this time of day.")
@click.option("--games", type=click.IntRange(1), metavar="N", help="Ladder: start no more deals after N games in all.")
@cluster_options
@click.option("--quiet", "-q", is_flag=True, help="Print the final table only.")
@click.option("--no-questions", is_flag=True, help="Ask no questions, even on a terminal.")
@serving_options
@starts_bots
def run_night(
    file: str,
    store_path: str | None,
    jobs: int | None,
    all_must_pass: bool,
    accept_changes: bool,
    word: str | None,
    until: str | None,
    games: int | None,
    cluster: str | None,
    certificates: str | None,
    trust_network: bool,
    quiet: bool,
    no_questions: bool,
    serving: bool,
    lan: bool,
    host_lan: bool,
    port: int,
) -> int:
    """Run a tournament. Run it again to resume: no finished game is lost or played twice.

    Before the first deal it prints the commitment to the secret of the deals and, on a terminal, asks for the
    audience's word. After the last game it offers to close the tournament. --no-questions skips both. With --serve one
    core is reserved for the pages. With --cluster the workers of a Dask cluster play the games (docs/cluster.md); the
    trial games are played here.
    """
    words = words_of_serve(serving, port, lan, host_lan)
    night = read_night(file)
    show_to_bots(click.get_current_context(), night.shown())
    refuse_if_shown(Path(file), "the tournament file")
    ending = ending_of(night.config, until, games)
    address = address_of(cluster, certificates, trust_network)
    found = found_field(night)
    sandbox_notice(night.config.sandbox)
    path = Path(store_path) if store_path else default_store(Path(file))
    places = jobs or (night.config.places_beside_pages() if serving else night.config.places())
    if address is None:
        asked = {row.name: memory_asked(Path(row.path)) for row in found if not row.problem}
        memory_notice(asked, 1 if night.config.format == "solo" else night.config.table, places)
    with pages_beside(path, words) as pages:
        home = Home(places, address)
        can_ask = is_terminal() and not no_questions
        code = play_in(path, night, found, home, accept_changes, all_must_pass, word, ending, quiet, can_ask, pages)
        if code != INTERRUPTED:
            pages.stay_up()
    return code


def is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def play_in(
    path: Path,
    night: Night,
    found: Sequence[BotRow],
    home: Home,
    accept_changes: bool,
    all_must_pass: bool,
    word: str | None,
    ending: Ending,
    quiet: bool,
    can_ask: bool,
    pages: Pages,
) -> int:
    """Returns the exit code. `can_ask`: somebody is there to answer questions."""
    out = console(pipe_width=UNBROKEN)
    with Store.begin(path) as store:
        store.lock()
        check_open(store)
        night = as_begun(night, store.meta("config"))
        check_word_option(store, night.config, word)
        opened = open_night(night, found, store, accept_changes, all_must_pass, quiet, can_ask)
        if isinstance(opened, int):
            return opened
        if not quiet and not store.rounds():  # later the seed cannot be changed
            warn_of_weak_seed(night.config)
        settle_deals(store, night.config, word, quiet, can_ask)
        settle_pause(store, can_ask)
        view = NightView() if quiet else night_view_of(out, store, pages.lines)
        tell_ending(ending, quiet)
        if night.config.entries != "closed" and deals_are_met_again(night.config):
            click.echo(MET_AGAIN, err=True)
        if home.address is None and (warning := jobs_warning(home.places)):
            click.echo(warning, err=True)
        with pages.held_back(view.has_screen):
            interrupted = play(night, store, view, home, ending)
        now = begun(store)
        print_lines(out, night_lines(now, store.path))
        if interrupted:
            out.print(INTERRUPTION)
            return INTERRUPTED
        if not told_complete(now):
            return BAD
        if not now.is_over():
            out.print(how_to_go_on(now, ending))
        if can_ask:
            offer_close(store, now)
        return GOOD


def open_night(
    night: Night,
    found: Sequence[BotRow],
    store: Store,
    accept: bool,
    all_must_pass: bool,
    quiet: bool,
    can_ask: bool,
) -> Begun | int:
    """The started tournament, or the exit code if it cannot start."""
    answers: list[Begun | Differences | Failures] = []

    tell = silent if quiet else tell_bot

    async def main() -> None:
        with making_view(quiet) as tell_making:
            opened = begin(
                night,
                found,
                store,
                tell,
                accept=accept,
                all_must_pass=all_must_pass,
                warn=warn,
                tell_making=tell_making,
            )
            answers.append(await opened)

    if trio_main(main):
        if not quiet:
            click.echo(INTERRUPTION)
        return INTERRUPTED
    match answers[0]:
        case Begun() as opened:
            return opened
        case Failures(bots):
            names = ", ".join(row.name for row in bots)
            click.echo(plain(f"{names}: trial failed; nothing was played (--all-must-pass)."), err=True)
            return BAD
        case Differences() as differences:
            if can_ask and agreed(differences):
                return open_night(night, found, store, True, all_must_pass, quiet, can_ask)
            raise ConfigError(
                f"this tournament was started with other settings: {'; '.join(differences.changes.said)}. All "
                f"{plural(differences.keeps, 'finished game')} would be kept and {differences.plays} played: "
                f"continue with --accept-changes, undo the changes, or start again with another --store"
            )


def agreed(differences: Differences) -> bool:
    """Asks a person; a script agrees in advance."""
    click.echo("This tournament was started with other settings. Changed:")
    for line in difference_lines(differences):
        click.echo(plain(line))
    return click.confirm("Continue with these changes?")


def settle_pause(store: Store, can_ask: bool) -> None:
    """An earlier pause still holds; a person may end it at once."""
    order = pause_order(store.orders())
    if order is None:
        return
    told = f"The night is paused{f' ({order.reason})' if order.reason else ''}"
    if can_ask and click.confirm(plain(f"{told}. Resume now?"), default=True):
        orders.pause(store, False, "")
    else:
        click.echo(plain(f"{told}: `peloarena tournament pause {store.path.name} --off` resumes."), err=True)


def ending_of(config: NightConfig, until: str | None, games: int | None) -> Ending:
    if games is not None and config.format != "ladder":
        raise ConfigError(f"--games is for a ladder; {config.format} ends by itself (--until stops it)")
    return Ending(None if until is None else next_time(until, time.time()), games)


def tell_ending(ending: Ending, quiet: bool) -> None:
    """Print the time: at 00:30 `--until 00:00` is nearly a day away."""
    if ending.until is not None and not quiet:
        click.echo(f"No game starts after {time_text(ending.until, time.time())}; running games are finished.")


def play(night: Night, store: Store, view: NightView, home: Home, ending: Ending) -> bool:
    async def main() -> None:
        if home.address is not None:
            await play_on_cluster(night, store, view, home, ending)
            return
        with feed_beside(store.path) as feed:
            async with open_workers(home.places, night.config.sandbox, feed=feed) as workers:
                with view:
                    await NightRun(night, store, workers, view.tell, home.places, ending=ending).play()

    return trio_main(main)


def told_complete(now: Begun) -> bool:
    """Whether every game was played; if not, print which games the machine spoiled."""
    missing = [fixture.game for fixture in now.missing()]
    if missing:
        games = ", ".join(missing[:SHOWN_GAMES]) + " ..." * (len(missing) > SHOWN_GAMES)
        click.echo(f"{plural(len(missing), 'game')} could not be played: {games}", err=True)
    return not missing


def how_to_go_on(now: Begun, ending: Ending) -> str:
    if ending.games is not None and now.state.is_endless() and len(now.games) >= ending.games:
        return (
            f"The ladder has its {plural(ending.games, 'game')} (--games counts those of all runs): "
            f"raise or omit --games to play more; `peloarena tournament finish` ends the ladder."
        )
    return "There is more to play: run the same command to resume."


def warn(text: str) -> None:
    click.echo(plain(text), err=True)


def silent(row: BotRow) -> None:
    pass


def tell_bot(row: BotRow) -> None:
    for line in left_out_lines(row) if row.problem else [f"{row.name}: plays"]:
        click.echo(plain(line))
