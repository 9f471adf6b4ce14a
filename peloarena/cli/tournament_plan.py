"""`peloarena tournament plan`: what a tournament would consist of, and how long it would take."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path

import click
from rich.console import Console

from ..game.texts import plural
from ..referee.sandbox.show_option import refuse_if_shown
from ..referee.temporary_folders import remove_folder
from ..tournament.config import TournamentConfig, TournamentFile, cores, read_tournament_file, with_stored_seatings
from ..tournament.deals import DealSource, draw_secret
from ..tournament.entries import playing_versions
from ..tournament.host_actions import removed_entries, withdrawn_entries
from ..tournament.old_store import OldStore
from ..tournament.pace import BotPace, DurationEstimate, estimate_duration, seconds_between_games
from ..tournament.plan_summary import Summary, summary
from ..tournament.roster import check_roster, find_roster, names_of_players, prepare_roster
from ..tournament.rows import BotRow
from ..tournament.seeds import weak_seed_warning
from ..tournament.set_up import UnacceptedChanges, changes_since_stored, forecast_changes
from ..tournament.snapshots import SnapshotFolder
from ..tournament.store import Store, default_store_path
from .build_progress import show_build_progress
from .cluster_options import cluster_address_from_options, cluster_options, find_nodes, node_plan_lines
from .common import GOOD, INTERRUPTED, console, json_option, print_json, safe, to_plain_text
from .referee_options import show_folders_to_bots
from .standings_text import left_out_lines, print_lines
from .trio_main import trio_main

MAX_RECENT_GAMES = 100
"""Recent games of a started tournament from which its speed is estimated."""


@click.command()
@click.argument("file")
@click.option(
    "--try",
    "trying",
    is_flag=True,
    help="Build every bot and play its trial games first, as `run` does. This takes a while.",
)
@cluster_options
@json_option
def plan(
    file: str, trying: bool, cluster: str | None, certificates: str | None, trust_network: bool, as_json: bool
) -> int:
    """Print the schedule: number of games, meetings of each pair, expected and longest duration.

    The duration is estimated from the trial games of the bots (`tournament enter`, `run`); --try plays them now. With
    --cluster the estimate uses the number and speed of its nodes.
    """
    path = default_store_path(Path(file))
    tournament = as_resumed(read_tournament_file(file), path)
    nodes = find_nodes(cluster_address_from_options(cluster, certificates, trust_network), tournament.config.sandbox)
    if nodes is None:
        return INTERRUPTED
    show_folders_to_bots(click.get_current_context(), tournament.shown_folders())
    refuse_if_shown(Path(file), "the tournament file")
    rows = find_roster(tournament)
    check_roster(tournament, rows)
    if trying:
        rows = try_bots(tournament, rows, quiet=as_json)
        if not rows:
            return INTERRUPTED
        check_roster(tournament, rows)
    warn_of_weak_seed(tournament.config)
    paces = [BotPace(row.start, row.seconds) for row in rows if row.seconds] if trying else measured_paces(path)
    names = names_of_players(rows)
    names = [*names, *(name for name in entered_names(path) if name not in names)]
    seats = tournament.config.table if tournament.config.format == "ladder" else 0  # built-in bots fill the table there
    plan_summary = summary(tournament.config, max(len(names), seats))
    cluster_slots = sum(node.slots * node.speed for node in nodes)
    duration = estimate_duration(tournament.config, plan_summary.games, paces, cluster_slots=cluster_slots)
    slots = sum(node.slots for node in nodes) or tournament.config.slots()
    if as_json:
        seconds = {"likely_seconds": duration.likely, "worst_seconds": duration.worst, "measured": duration.measured}
        jobs = {"estimated_seconds": duration.likely[1], **seconds, "jobs": slots}
        print_json({"bots": names, "summary": plan_summary, **jobs, **({"nodes": nodes} if cluster else {})})
        return GOOD
    print_plan(console(), tournament, names, plan_summary, duration, slots)
    print_lines(console(), [safe(line) for line in node_plan_lines(nodes, duration, plan_summary.games)])
    for row in rows:
        print_lines(console(), [f"[yellow]{safe(line)}[/]" for line in left_out_lines(row, "would not be admitted")])
    if not trying:
        console().print("Bots were not built or tried (use --try); those that fail are not admitted either.")
    print_lines(console(), resume_lines(tournament, rows, path))
    return GOOD


def print_plan(
    out: Console,
    tournament: TournamentFile,
    names: Sequence[str],
    plan_summary: Summary,
    duration: DurationEstimate,
    slots: int,
) -> None:
    config = tournament.config
    out.print(f"[bold]{safe(config.name)}[/]: {config.format}, {plural(len(names), 'bot')}")
    if config.format == "ladder":
        out.print("A ladder has no end (--until or --games stops it); its final round-robin would be:")
    tables = plural(plan_summary.tables, "table")
    out.print(
        f"{plural(plan_summary.rounds, 'round')}, {plural(plan_summary.games, 'game')}, {tables} in the first round"
    )
    out.print(f"games per bot: {plan_summary.games_per_bot[0]}–{plan_summary.games_per_bot[1]}")
    if config.format != "solo":
        meetings = (
            "not counted: too many tables" if plan_summary.meetings is None else "{}–{}".format(*plan_summary.meetings)
        )
        out.print(f"meetings per pair: {meetings}")
    out.print(duration_text(duration, slots), soft_wrap=True)
    if slots == config.slots() and (warning := jobs_warning(slots)):
        out.print(f"[yellow]{warning}[/]", soft_wrap=True)


def duration_text(duration: DurationEstimate, slots: int) -> str:
    """`likely 11 min with 2 games at a time, as fast as in the trial games; at worst 52 h, if …`."""
    low, high = map(rough_duration, duration.likely)
    likely = low if duration.measured else f"{low} (programs in C) to {high} (20 ms an answer)"
    basis = f", {duration.measured}" if duration.measured else ", a guess (--try measures it)"
    worst = f"at worst {rough_duration(duration.worst)}, if every bot used all its time"
    return f"likely {likely} with {plural(slots, 'game')} at a time{basis}; {worst}"


def warn_of_weak_seed(config: TournamentConfig) -> None:
    if warning := weak_seed_warning(config.seed):
        click.echo(to_plain_text(warning), err=True)


def jobs_warning(slots: int) -> str:
    """Empty if there is no warning."""
    if slots <= cores():
        return ""
    return (
        f"{slots} games at a time, but this machine has {plural(cores(), 'core')}: bots will compete for "
        f"cores while their clocks run (jobs = 0: one game per core)"
    )


def try_bots(tournament: TournamentFile, rows: Sequence[BotRow], quiet: bool) -> list[BotRow]:
    """Copy the bots to another folder, build and try them. Empty: interrupted."""
    numbered = [(row, (number, 1)) for number, row in enumerate(rows, 1)]
    tried: list[BotRow] = []

    def report_trial(row: BotRow) -> None:
        if not quiet:
            click.echo(to_plain_text(f"{row.name}: {'fails' if row.problem else 'tried'}"), err=True)

    with tempfile.TemporaryDirectory(prefix="peloarena-plan-") as folder:
        home = Path(folder)

        async def main() -> None:
            source, snapshots = DealSource(draw_secret()), SnapshotFolder(home / "bots")
            with show_build_progress(quiet) as report_build:
                tried.extend(await prepare_roster(tournament, numbered, source, snapshots, report_trial, report_build))

        interrupted = trio_main(main)
        remove_folder(home / "bots")  # snapshots are read-only
    return [] if interrupted else tried


def entered_names(path: Path) -> list[str]:
    """Entries that came by `tournament enter` and play, or wait for their trial."""
    if not path.exists():
        return []
    with Store.open_to_read(path) as store:
        if isinstance(store, OldStore):
            return []
        accepted = {version.entry for version in store.versions() if version.state != "refused"}
        absent = removed_entries(store.host_actions()) | withdrawn_entries(store.host_actions())
        entered = [entry for entry in store.entries() if not (entry.listed or entry.house)]
    return [entry.name for entry in entered if entry.number in accepted and entry.name not in absent]


def as_resumed(tournament: TournamentFile, path: Path) -> TournamentFile:
    """The tournament as `run` would continue it."""
    if not path.exists():
        return tournament
    with Store.open_to_read(path) as store:
        return with_stored_seatings(tournament, store.meta("config"))


def measured_paces(path: Path) -> list[BotPace]:
    """The speeds of the versions that play, if they were tried."""
    if not path.exists():
        return []
    with Store.open_to_read(path) as store:
        playing = [] if isinstance(store, OldStore) else playing_versions(store.versions())
        return [BotPace(version.start, version.seconds) for version in playing if version.seconds]


def resume_lines(tournament: TournamentFile, rows: Sequence[BotRow], path: Path) -> list[str]:
    """How `run` would apply the file to a tournament that has already started."""
    if not path.exists():
        return []
    with Store.open_to_read(path) as store:
        if isinstance(store, OldStore) or not store.entries():
            return []
        changes = changes_since_stored(tournament, rows, store)
        if changes.refused:
            return [f"[yellow]The tournament has started and cannot be resumed: {safe('; '.join(changes.refused))}[/]"]
        forecast = forecast_changes(tournament, changes, store)
        between = seconds_between_games(sorted(row.at for row in store.games())[-MAX_RECENT_GAMES:])
        left = estimate_duration(tournament.config, forecast.games_to_play, [], between)
        lines = difference_lines(forecast)
        if between is not None and forecast.games_to_play:
            lines.append(duration_text(left, tournament.config.slots()))
        return ["The tournament has started. `run` resumes it:", *map(safe, lines)]


def difference_lines(differences: UnacceptedChanges) -> list[str]:
    return [
        *(f"  {line}" for line in differences.changes.descriptions),
        f"  keeps {plural(differences.games_kept, 'finished game')}, plays {differences.games_to_play} more",
    ]


def rough_duration(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 5400 else f"{seconds / 3600:.1f} h"
