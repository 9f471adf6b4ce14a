"""Start a tournament: load a file and its bots into a store. Decides whether it is the same tournament or a change.

Knows no terminal; plays nothing except the trials of the roster. stored_tournament.py reads a tournament that has
begun.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import trio
from msgspec import Struct
from msgspec.structs import replace

from ..game import ConfigError
from ..referee.bot_builder import BotBuilder, OnBuildNews, ignore_build_news
from ..referee.bot_finder import Bot
from ..referee.disk import DiskFull
from ..referee.sandbox.isolation import prepare
from ..referee.sandbox.show_option import refuse_if_shown
from .config import TournamentFile, stored_config
from .entries import BotVersion, Entry, Version, VersionState, playing_versions
from .entry_reports import write_entry_report, write_entry_reports
from .file_changes import RULES_ARE_FIXED, FileChanges, find_changes
from .roster import OnBotTried, check_roster, prepare_roster, take_snapshot
from .rows import BotRow, HostAction
from .scheduler import count_started_rounds
from .secret import draw_deal_source
from .snapshots import SnapshotFolder, Warn, check_snapshots, snapshots_beside
from .store import Store
from .stored_tournament import StoredTournament, bot_row, load_state, load_tournament
from .submissions import versions_awaiting_trial
from .trial_process import try_version


class UnacceptedChanges(Struct, frozen=True):
    """The file changed, and nobody accepted that. Nothing was done."""

    changes: FileChanges
    games_kept: int
    """Finished games, all of which stay."""
    games_to_play: int
    """Games still to come, if all new versions pass."""


class FailedBots(Struct, frozen=True):
    """Bots that did not pass although all had to. Nothing was started."""

    bots: tuple[BotRow, ...]


async def set_up_tournament(
    tournament_file: TournamentFile,
    bot_rows: Sequence[BotRow],
    store: Store,
    on_tried: OnBotTried,
    *,
    accept: bool = False,
    all_must_pass: bool = False,
    warn: Warn = lambda _: None,
    on_build: OnBuildNews = ignore_build_news,
) -> StoredTournament | UnacceptedChanges | FailedBots:
    """Start a tournament with the given roster, or resume it: then only new bots and versions are tried. All bots that
    play or are tried here are first built in parallel; `on_build` receives the progress.

    `accept`: resume even if the file or bots changed. No change ever loses a finished game.
    """
    refuse_if_shown(store.path, "the tournament's store")
    snapshots = snapshots_beside(store.path)
    snapshots.remove_unhashed_files()
    if not store.entries():
        return await _set_up_new(tournament_file, bot_rows, store, on_tried, all_must_pass, on_build)
    changes = changes_since_stored(tournament_file, bot_rows, store)
    if changes.refused:
        raise ConfigError(f"{'; '.join(changes.refused)}: {RULES_ARE_FIXED}")
    if changes.descriptions and not accept:
        return forecast_changes(tournament_file, changes, store)
    numbered = _number_new_versions(changes, store.entries(), store.versions())
    tried = await prepare_roster(
        tournament_file, numbered, draw_deal_source(store, tournament_file.config), snapshots, on_tried, on_build
    )
    failed = tuple(row for row in tried if row.problem)
    if failed and all_must_pass:
        return FailedBots(failed)
    with store.transaction():
        _apply_changes(changes, tried, store)
        _update_paths(bot_rows, store)
        _store_config(tournament_file, store)
    write_entry_reports(store, tried)
    check_snapshots(snapshots, store.entries(), playing_versions(store.versions()), warn)
    _reject_lost_snapshots(snapshots, store, warn)
    with prepare(tournament_file.config.sandbox) as isolation:
        workshop = BotBuilder(isolation, on_build)
        await _build_bots(snapshots, store, workshop, warn)
        if not store.rounds():
            failed = await _try_queued_versions(tournament_file, store, on_tried, workshop)
            if failed and all_must_pass:
                return FailedBots(failed)
    snapshots.remove_unneeded(store.versions())
    return load_tournament(store)


async def _build_bots(snapshots: SnapshotFolder, store: Store, workshop: BotBuilder, warn: Warn) -> None:
    """All snapshots were stripped, and the build cache may be empty, or this is another machine. Waiting versions are
    built here only if they are tried here: once there are rounds, that happens alongside the games."""
    names = {entry.number: entry.name for entry in store.entries()}

    def find_bots(versions: Sequence[Version]) -> list[Bot]:
        return snapshots.find_bots((version.copy, names[version.entry]) for version in versions)

    playing, late = find_bots(playing_versions(store.versions())), find_bots(versions_awaiting_trial(store.versions()))
    await workshop.compile_all([*playing, *late], snapshots.folder)
    await workshop.build_all(playing if store.rounds() else [*playing, *late])
    for bot in playing:
        try:
            await workshop.build(bot)
        except DiskFull:
            raise
        except ConfigError as error:
            warn(f"{error}. Its games cannot be played here.")


def _reject_lost_snapshots(snapshots: SnapshotFolder, store: Store, warn: Warn) -> None:
    """If an untried version has lost its snapshot, reject that version; do not stop the tournament."""
    for version in versions_awaiting_trial(store.versions()):
        try:
            check_snapshots(snapshots, store.entries(), [version], warn)
        except DiskFull:
            raise
        except ConfigError as error:
            store.set_version(replace(version, state="refused", problem=str(error)))
            write_entry_report(store, version.entry)


async def _try_queued_versions(
    tournament_file: TournamentFile, store: Store, on_tried: OnBotTried, workshop: BotBuilder
) -> tuple[BotRow, ...]:
    """Try all bots that were entered before the start. Returns those that failed."""
    failed = []
    for version in versions_awaiting_trial(store.versions()):
        await try_version(store, version, workshop)
        row = bot_row(next(e for e in store.entries() if e.number == version.entry), store.versions())
        on_tried(row)
        failed += [row] if row.problem else []
    check_roster(tournament_file, [bot_row(entry, store.versions()) for entry in store.entries()])
    return tuple(failed)


def queue_entries(tournament_file: TournamentFile, bot_rows: Sequence[BotRow], store: Store) -> None:
    """The file's bots are the first entries, even if another one is entered before the start."""
    rows = trio.run(_take_snapshots, bot_rows, snapshots_beside(store.path))
    with store.transaction():
        _add_entries(rows, store, "queued")
        _store_config(tournament_file, store)


async def _take_snapshots(bot_rows: Sequence[BotRow], snapshots: SnapshotFolder) -> list[BotRow]:
    return [await take_snapshot(row, snapshots) for row in bot_rows]


async def _set_up_new(
    tournament_file: TournamentFile,
    bot_rows: Sequence[BotRow],
    store: Store,
    on_tried: OnBotTried,
    all_must_pass: bool,
    on_build: OnBuildNews,
) -> StoredTournament | FailedBots:
    check_roster(tournament_file, bot_rows)  # report a wrong challenger now, not after trying everybody
    numbered = [(row, (number, 1)) for number, row in enumerate(bot_rows, 1)]
    source, snapshots = draw_deal_source(store, tournament_file.config), snapshots_beside(store.path)
    rows = await prepare_roster(tournament_file, numbered, source, snapshots, on_tried, on_build)
    failed = tuple(row for row in rows if row.problem)
    if failed and all_must_pass:
        return FailedBots(failed)
    check_roster(tournament_file, rows)
    with store.transaction():
        _add_entries(rows, store)
        _store_config(tournament_file, store)
    snapshots.remove_unneeded(store.versions())
    write_entry_reports(store, failed)
    return load_tournament(store)


def _number_new_versions(
    changes: FileChanges, entries: Sequence[Entry], versions: Sequence[Version]
) -> list[tuple[BotRow, BotVersion]]:
    """New bots and new versions, with their future numbers."""
    numbers = {entry.name: entry.number for entry in entries}
    new = [(row, (number, 1)) for number, row in enumerate(changes.new_bots, len(entries) + 1)]
    return new + [
        (row, (numbers[row.name], _next_version_number(numbers[row.name], versions))) for row in changes.changed_bots
    ]


def changes_since_stored(tournament_file: TournamentFile, bot_rows: Sequence[BotRow], store: Store) -> FileChanges:
    old = stored_config(store.meta("config"))
    state = load_state(store, old, ())
    rounds = count_started_rounds(old, state.rounds)
    changes = find_changes(
        old, tournament_file.config, rounds, state.entries, state.versions, state.removed_names(), bot_rows
    )
    if (store.meta("components") or "") != tournament_file.components:
        return replace(changes, refused=(*changes.refused, "components: the file has changed"))
    return changes


def forecast_changes(tournament_file: TournamentFile, changes: FileChanges, store: Store) -> UnacceptedChanges:
    """Forecast the effect of the changes."""
    state = load_state(store, tournament_file.config, store.games())
    number = len(state.entries)
    for row in changes.new_bots:
        number += 1
        state.entries.append(Entry(number, row.name))
        state.versions.append(Version(number, 1, row.digest, state="refused" if row.problem else "ready"))
    numbers = {entry.name: entry.number for entry in state.entries}
    for row in changes.changed_bots:
        state.versions.append(replace(_next_version(numbers[row.name], row, state.versions), state="ready"))
    kinds_and_names = [("remove", name) for name in changes.removed_names] + [
        ("restore", name) for name in changes.restored_names
    ]
    last = max((action.id for action in state.actions), default=0)
    state.actions += [
        HostAction(last + offset, kind, name, "", 0.0) for offset, (kind, name) in enumerate(kinds_and_names, 1)
    ]
    return UnacceptedChanges(changes, len(state.played), state.remaining_games())


def _apply_changes(changes: FileChanges, tried: Sequence[BotRow], store: Store) -> None:
    new = {row.name for row in changes.new_bots}
    _add_entries([row for row in tried if row.name in new], store)
    numbers = {entry.name: entry.number for entry in store.entries()}
    for row in tried:
        if row.name not in new:
            store.set_version(_next_version(numbers[row.name], row, store.versions()))
    for name in changes.removed_names:
        store.add_host_action("remove", name, "no longer in the tournament file")
    for name in changes.restored_names:
        store.add_host_action("restore", name, "in the tournament file again")
    if changes.descriptions:
        store.add_host_action("accept-changes", "", "; ".join(changes.descriptions))


def _add_entries(rows: Sequence[BotRow], store: Store, state: VersionState = "ready") -> None:
    """Number in order of entry, including bots that did not pass: they may be repaired."""
    number = len(store.entries())
    for row in rows:
        number += 1
        store.set_entry(Entry(number, row.name, row.author, row.path, house=row.house))
        store.set_version(_next_version(number, row, [], state))


def _next_version(number: int, row: BotRow, versions: Sequence[Version], state: VersionState = "ready") -> Version:
    sentence, _, details = row.problem.partition("\n")
    return Version(
        entry=number,
        edition=_next_version_number(number, versions),
        hash=row.digest,
        version=row.version,
        language=row.language,
        state="refused" if row.problem else state,
        problem=sentence,
        details=details,
        copy=row.copy,
        at=time.time(),
        start=row.start,
        seconds=row.seconds,
    )


def _next_version_number(number: int, versions: Sequence[Version]) -> int:
    """A folder that was not found does not count as a version."""
    return 1 + sum(version.entry == number and bool(version.hash) for version in versions)


def _update_paths(bot_rows: Sequence[BotRow], store: Store) -> None:
    """A tournament may be moved to another folder, but a newer version may come from elsewhere."""
    newest = {version.entry: version.hash for version in store.versions()}
    paths = {(row.name, row.digest): row.path for row in bot_rows}
    for entry in store.entries():
        path = paths.get((entry.name, newest.get(entry.number, "")), entry.path)
        if path != entry.path:
            store.set_entry(replace(entry, path=path))


def _store_config(tournament_file: TournamentFile, store: Store) -> None:
    for key, value in {
        "config": tournament_file.stored_text,
        "components": tournament_file.components,
        "name": tournament_file.config.name,
    }.items():
        store.set_meta(key, value)
