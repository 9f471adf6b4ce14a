"""Try a submitted version: build it and play its trial games; then it is ready, or rejected with the reason.

    python -m peloarena.tournament.trial_process STORE ENTRY EDITION

The runner starts this as a separate process in one of its slots, so that neither a build nor a bot on trial delays
running games. Not for people; if nobody plays, `tournament enter` does it itself.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

import trio
from msgspec.structs import replace

from ..referee.bot_builder import BotBuilder
from ..referee.build import builds_folder, forget_builds
from ..referee.dies_with_parent import die_with_parent
from ..referee.disk import DiskFull
from ..referee.error_groups import unwrap_error_groups
from ..referee.sandbox.isolation import prepare
from .config import TournamentFile, stored_config
from .entries import Version, playing_versions
from .entry_reports import write_entry_report
from .secret import draw_deal_source
from .snapshots import snapshots_beside
from .store import Store
from .submissions import versions_awaiting_trial
from .trial_games import TrialDeals, TrialFailure, build_and_run_trial

STDIN = 0
DISK_FULL_EXIT_CODE = 75
"""The exit code for a full disk: try again later (EX_TEMPFAIL of sysexits.h)."""

UNUSED_BUILD_SECONDS = 3600.0
"""After this time, a build that no entry needs is removed."""


async def try_version(store: Store, version: Version, workshop: BotBuilder | None = None) -> Version:
    """Stores the result; a version that fails changes only its own row. `workshop`: may have built it already, along
    with others."""
    if workshop is None:
        with prepare(stored_config(store.meta("config")).sandbox) as isolation:
            return await try_version(store, version, BotBuilder(isolation))
    text = store.meta("config") or ""
    tournament_file = TournamentFile(stored_config(text), text, "", store.meta("components") or "")
    names = {entry.number: entry.name for entry in store.entries()}
    snapshot = snapshots_beside(store.path).path_of(version)
    source = draw_deal_source(store, tournament_file.config)
    deals = TrialDeals(source, (version.entry, version.edition), tuple(names.values()))
    was_built = (builds_folder() / version.hash).exists() and not workshop.has_built(version.hash)
    store.set_version(replace(version, state="building"))
    result = await build_and_run_trial(
        snapshot,
        names[version.entry],
        tournament_file,
        deals,
        workshop,
        lambda: store.set_version(replace(version, state="trying")),
    )
    if isinstance(result, TrialFailure):
        tried = replace(version, state="refused", problem=result.problem, details=result.details)
    else:
        tried = replace(version, state="ready", start=result.start, seconds=result.seconds)
    store.set_version(tried)
    if isinstance(result, TrialFailure):
        snapshots_beside(store.path).remove_unneeded(store.versions())
    drop_unused_builds(store.versions(), tried, was_built)
    write_entry_report(store, tried.entry)
    return tried


def drop_unused_builds(versions: Sequence[Version], tried: Version, was_built: bool) -> None:
    """Remove builds from the cache that no entry plays or waits for: a rejected one built for this trial at once,
    others if nobody started them for an hour. A void game of an old version builds it again."""
    needed = {version.hash for version in (*playing_versions(versions), *versions_awaiting_trial(versions))}
    unused = {version.hash for version in versions if version.hash} - needed
    if tried.hash in unused and not was_built:
        forget_builds([tried.hash], 0.0)
    forget_builds(unused, UNUSED_BUILD_SECONDS)


def main() -> None:
    # A build blocks the event loop, so the end of stdin would be noticed two minutes late: if the runner is killed,
    # this process must exit at once, or a second one would try the same version concurrently.
    die_with_parent()
    path, entry, edition = Path(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3])
    try:
        with Store.open_to_change(path) as store:
            version = next(v for v in store.versions() if (v.entry, v.edition) == (entry, edition))
            with unwrap_error_groups():
                trio.run(try_until_stdin_closes, store, version)
    except DiskFull:
        sys.exit(DISK_FULL_EXIT_CODE)


async def try_until_stdin_closes(store: Store, version: Version) -> None:
    """Until stdin closes: then the runner is gone, and everything started here must end."""
    async with trio.open_nursery() as nursery:
        nursery.start_soon(_cancel_when_stdin_closes, nursery.cancel_scope)
        await try_version(store, version)
        nursery.cancel_scope.cancel()


async def _cancel_when_stdin_closes(scope: trio.CancelScope) -> None:
    os.set_blocking(STDIN, False)
    await trio.lowlevel.wait_readable(STDIN)  # nothing is ever written there, so this is the end
    scope.cancel()


if __name__ == "__main__":
    main()
