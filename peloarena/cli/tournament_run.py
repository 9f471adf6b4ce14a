"""`peloarena tournament run`: plays a tournament, from the first trial to the final standings."""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

import click

from ..game import ConfigError
from ..game.texts import plural
from ..referee.bot_finder import requested_memory_mib
from ..referee.sandbox.show_option import refuse_if_shown
from ..tournament import host_commands
from ..tournament.config import (
    TournamentConfig,
    TournamentFile,
    has_repeated_deals,
    read_tournament_file,
    with_stored_seatings,
)
from ..tournament.director import Director
from ..tournament.game_runner import open_workers
from ..tournament.host_actions import active_pause
from ..tournament.live_feed import temporary_feed_folder
from ..tournament.roster import find_roster
from ..tournament.rows import BotRow
from ..tournament.secret import check_open
from ..tournament.set_up import FailedBots, UnacceptedChanges, set_up_tournament
from ..tournament.stop_condition import StopCondition, next_time_of_day, time_text
from ..tournament.store import Store, default_store_path
from ..tournament.stored_tournament import StoredTournament, load_tournament
from .build_progress import show_build_progress
from .cluster_options import PlayLocation, cluster_address_from_options, cluster_options, play_on_cluster
from .common import (
    BAD,
    GOOD,
    INTERRUPTED,
    UNWRAPPED_WIDTH,
    console,
    requires_linux,
    to_plain_text,
    warn_of_low_memory,
    warn_of_missing_sandbox,
)
from .pages_process import PagesProcess, run_pages_process, serve_arguments, serving_options
from .referee_options import show_folders_to_bots, show_option
from .standings_text import left_out_lines, print_lines, tournament_lines
from .tournament_deals import (
    check_word_option,
    offer_close,
    settle_room_word,
)
from .tournament_plan import difference_lines, jobs_warning, warn_of_weak_seed
from .tournament_view import TournamentView, make_tournament_view
from .trio_main import trio_main

MAX_MISSING_GAMES_SHOWN = 5
INTERRUPTED_TEXT = "Interrupted. Run the same command to resume."
REPEATED_DEALS_WARNING = (
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
@click.option(
    "--word", metavar="WORD", help="A word that the audience chose after it saw the commitment; all deals depend on it."
)
@show_option
@click.option("--until", metavar="HH:MM", help="Start no round (on a ladder: no deal) after this time of day.")
@click.option("--games", type=click.IntRange(1), metavar="N", help="Ladder: start no more deals after N games in all.")
@cluster_options
@click.option("--quiet", "-q", is_flag=True, help="Print the final table only.")
@click.option("--no-questions", is_flag=True, help="Ask no questions, even on a terminal.")
@serving_options
@requires_linux
def run_command(
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
    page_arguments = serve_arguments(serving, port, lan, host_lan)
    tournament = read_tournament_file(file)
    show_folders_to_bots(click.get_current_context(), tournament.shown_folders())
    refuse_if_shown(Path(file), "the tournament file")
    stop_condition = stop_condition_of(tournament.config, until, games)
    address = cluster_address_from_options(cluster, certificates, trust_network)
    bot_rows = find_roster(tournament)
    warn_of_missing_sandbox(tournament.config.sandbox)
    path = Path(store_path) if store_path else default_store_path(Path(file))
    slots = jobs or (tournament.config.slots_beside_web() if serving else tournament.config.slots())
    if address is None:
        requested_mib = {row.name: requested_memory_mib(Path(row.path)) for row in bot_rows if not row.problem}
        warn_of_low_memory(requested_mib, 1 if tournament.config.format == "solo" else tournament.config.table, slots)
    with run_pages_process(path, page_arguments) as pages:
        location = PlayLocation(slots, address)
        can_ask = is_terminal() and not no_questions
        code = play_tournament(
            path,
            tournament,
            bot_rows,
            location,
            accept_changes,
            all_must_pass,
            word,
            stop_condition,
            quiet,
            can_ask,
            pages,
        )
        if code != INTERRUPTED:
            pages.wait_for_ctrl_c()
    return code


def is_terminal() -> bool:
    return sys.stdin.isatty() and sys.stdout.isatty()


def play_tournament(
    path: Path,
    tournament: TournamentFile,
    bot_rows: Sequence[BotRow],
    location: PlayLocation,
    accept_changes: bool,
    all_must_pass: bool,
    word: str | None,
    stop_condition: StopCondition,
    quiet: bool,
    can_ask: bool,
    pages: PagesProcess,
) -> int:
    """Returns the exit code. `can_ask`: somebody is there to answer questions."""
    out = console(pipe_width=UNWRAPPED_WIDTH)
    with Store.open_to_play(path) as store:
        store.lock()
        check_open(store)
        tournament = with_stored_seatings(tournament, store.meta("config"))
        check_word_option(store, tournament.config, word)
        opened = start_tournament(tournament, bot_rows, store, accept_changes, all_must_pass, quiet, can_ask)
        if isinstance(opened, int):
            return opened
        if not quiet and not store.rounds():  # later the seed cannot be changed
            warn_of_weak_seed(tournament.config)
        settle_room_word(store, tournament.config, word, quiet, can_ask)
        offer_resume(store, can_ask)
        view = TournamentView() if quiet else make_tournament_view(out, store, pages.lines)
        print_stop_time(stop_condition, quiet)
        if tournament.config.entries != "closed" and has_repeated_deals(tournament.config):
            click.echo(REPEATED_DEALS_WARNING, err=True)
        if location.address is None and (warning := jobs_warning(location.slots)):
            click.echo(warning, err=True)
        with pages.hold_lines(view.has_screen):
            interrupted = play_remaining_games(tournament, store, view, location, stop_condition)
        now = load_tournament(store)
        print_lines(out, tournament_lines(now, store.path))
        if interrupted:
            out.print(INTERRUPTED_TEXT)
            return INTERRUPTED
        if not check_all_played(now):
            return BAD
        if not now.is_over():
            out.print(resume_text(now, stop_condition))
        if can_ask:
            offer_close(store, now)
        return GOOD


def start_tournament(
    tournament: TournamentFile,
    bot_rows: Sequence[BotRow],
    store: Store,
    accept: bool,
    all_must_pass: bool,
    quiet: bool,
    can_ask: bool,
) -> StoredTournament | int:
    """The started tournament, or the exit code if it cannot start."""
    answers: list[StoredTournament | UnacceptedChanges | FailedBots] = []

    report_trial = print_nothing if quiet else print_trial_result

    async def main() -> None:
        with show_build_progress(quiet) as report_build:
            opened = set_up_tournament(
                tournament,
                bot_rows,
                store,
                report_trial,
                accept=accept,
                all_must_pass=all_must_pass,
                warn=warn,
                on_build=report_build,
            )
            answers.append(await opened)

    if trio_main(main):
        if not quiet:
            click.echo(INTERRUPTED_TEXT)
        return INTERRUPTED
    match answers[0]:
        case StoredTournament() as opened:
            return opened
        case FailedBots(bots):
            names = ", ".join(row.name for row in bots)
            click.echo(to_plain_text(f"{names}: trial failed; nothing was played (--all-must-pass)."), err=True)
            return BAD
        case UnacceptedChanges() as differences:
            if can_ask and confirm_changes(differences):
                return start_tournament(tournament, bot_rows, store, True, all_must_pass, quiet, can_ask)
            raise ConfigError(
                f"this tournament was started with other settings: {'; '.join(differences.changes.descriptions)}. All "
                f"{plural(differences.games_kept, 'finished game')} would be kept and {differences.games_to_play} "
                f"played: "
                f"continue with --accept-changes, undo the changes, or start again with another --store"
            )


def confirm_changes(differences: UnacceptedChanges) -> bool:
    """Asks a person; a script agrees in advance."""
    click.echo("This tournament was started with other settings. Changed:")
    for line in difference_lines(differences):
        click.echo(to_plain_text(line))
    return click.confirm("Continue with these changes?")


def offer_resume(store: Store, can_ask: bool) -> None:
    """An earlier pause still holds; a person may end it at once."""
    pause = active_pause(store.host_actions())
    if pause is None:
        return
    text = f"The tournament is paused{f' ({pause.reason})' if pause.reason else ''}"
    if can_ask and click.confirm(to_plain_text(f"{text}. Resume now?"), default=True):
        host_commands.pause(store, False, "")
    else:
        click.echo(to_plain_text(f"{text}: `peloarena tournament pause {store.path.name} --off` resumes it."), err=True)


def stop_condition_of(config: TournamentConfig, until: str | None, games: int | None) -> StopCondition:
    if games is not None and config.format != "ladder":
        raise ConfigError(f"--games is for a ladder; {config.format} ends by itself (--until stops it)")
    return StopCondition(None if until is None else next_time_of_day(until, time.time()), games)


def print_stop_time(stop_condition: StopCondition, quiet: bool) -> None:
    """Print the time: at 00:30 `--until 00:00` is nearly a day away."""
    if stop_condition.until is not None and not quiet:
        click.echo(f"No game starts after {time_text(stop_condition.until, time.time())}; running games are finished.")


def play_remaining_games(
    tournament: TournamentFile,
    store: Store,
    view: TournamentView,
    location: PlayLocation,
    stop_condition: StopCondition,
) -> bool:
    async def main() -> None:
        if location.address is not None:
            await play_on_cluster(tournament, store, view, location, stop_condition)
            return
        with temporary_feed_folder(store.path) as feed:
            async with open_workers(location.slots, tournament.config.sandbox, feed=feed) as workers:
                with view:
                    await Director(
                        tournament, store, workers, view.show_news, location.slots, stop_condition=stop_condition
                    ).play()

    return trio_main(main)


def check_all_played(tournament: StoredTournament) -> bool:
    """Whether every game was played; if not, print which games the machine spoiled."""
    missing = [fixture.game for fixture in tournament.due_fixtures()]
    if missing:
        games = ", ".join(missing[:MAX_MISSING_GAMES_SHOWN]) + " ..." * (len(missing) > MAX_MISSING_GAMES_SHOWN)
        click.echo(f"{plural(len(missing), 'game')} could not be played: {games}", err=True)
    return not missing


def resume_text(tournament: StoredTournament, stop_condition: StopCondition) -> str:
    if (
        stop_condition.games is not None
        and tournament.state.is_endless()
        and len(tournament.games) >= stop_condition.games
    ):
        return (
            f"The ladder has played its {plural(stop_condition.games, 'game')} (--games counts those of all runs): "
            f"raise or omit --games to play more; `peloarena tournament finish` ends the ladder."
        )
    return "There is more to play: run the same command to resume."


def warn(text: str) -> None:
    click.echo(to_plain_text(text), err=True)


def print_nothing(row: BotRow) -> None:
    pass


def print_trial_result(row: BotRow) -> None:
    for line in left_out_lines(row) if row.problem else [f"{row.name}: plays"]:
        click.echo(to_plain_text(line))
