"""Start a tournament: load a file and its bots into a store. Decides whether it is the same tournament or a change.

Knows no terminal; plays nothing except the trials of the field. begun.py reads a tournament that has begun.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

import trio
from msgspec import Struct
from msgspec.structs import replace

from ..game import ConfigError
from ..referee.bots import Bot
from ..referee.disk import DiskFull
from ..referee.sandbox.isolation import prepare
from ..referee.sandbox.show import refuse_if_shown
from ..referee.workshop import TellMaking, Workshop, nobody
from .begun import Begun, begun, bot_row, state_of
from .changes import SECOND_NIGHT, Changes, changes_of
from .config import Night, stored_config
from .course import rounds_begun
from .entries import BotVersion, Entry, Version, VersionState, playing_versions
from .entry_files import write_entry_file, write_entry_files
from .field import Tell, check_field, kept_row, try_field
from .handing_in import waiting
from .keeping import Keeping, Warn, check_keeping, keeping_of
from .rows import BotRow, Order
from .secret import drawn_source
from .store import Store
from .trying import try_version


class Differences(Struct, frozen=True):
    """The file changed, and nobody accepted that. Nothing was done."""

    changes: Changes
    keeps: int
    """Finished games, all of which stay."""
    plays: int
    """Games still to come, if all new versions pass."""


class Failures(Struct, frozen=True):
    """Bots that did not pass although all had to. Nothing was started."""

    bots: tuple[BotRow, ...]


async def begin(
    night: Night,
    found: Sequence[BotRow],
    store: Store,
    tell: Tell,
    *,
    accept: bool = False,
    all_must_pass: bool = False,
    warn: Warn = lambda _: None,
    tell_making: TellMaking = nobody,
) -> Begun | Differences | Failures:
    """Start a tournament with the given field, or resume it: then only new bots and versions are tried. All bots that
    play or are tried here are first built in parallel; `tell_making` receives the progress.

    `accept`: resume even if the file or bots changed. No change ever loses a finished game.
    """
    refuse_if_shown(store.path, "the night's store")
    keeping = keeping_of(store.path)
    keeping.strip()
    if not store.entries():
        return await _begin_anew(night, found, store, tell, all_must_pass, tell_making)
    changes = changes_since(night, found, store)
    if changes.refused:
        raise ConfigError(f"{'; '.join(changes.refused)}: {SECOND_NIGHT}")
    if changes.said and not accept:
        return differences_of(night, changes, store)
    numbered = _numbered(changes, store.entries(), store.versions())
    tried = await try_field(night, numbered, drawn_source(store, night.config), keeping, tell, tell_making)
    failed = tuple(row for row in tried if row.problem)
    if failed and all_must_pass:
        return Failures(failed)
    with store.transaction():
        _apply(changes, tried, store)
        _relocate(found, store)
        _set_night(night, store)
    write_entry_files(store, tried)
    check_keeping(keeping, store.entries(), playing_versions(store.versions()), warn)
    _check_waiting(keeping, store, warn)
    with prepare(night.config.sandbox) as isolation:
        workshop = Workshop(isolation, tell_making)
        await _make_ready(keeping, store, workshop, warn)
        if not store.rounds():
            failed = await _try_queued(night, store, tell, workshop)
            if failed and all_must_pass:
                return Failures(failed)
    keeping.tidy(store.versions())
    return begun(store)


async def _make_ready(keeping: Keeping, store: Store, workshop: Workshop, warn: Warn) -> None:
    """All snapshots were stripped, and the build cache may be empty, or this is another machine. Waiting versions are
    built here only if they are tried here: once there are rounds, that happens alongside the games."""
    names = {entry.number: entry.name for entry in store.entries()}

    def found(versions: Sequence[Version]) -> list[Bot]:
        return keeping.bots((version.copy, names[version.entry]) for version in versions)

    playing, late = found(playing_versions(store.versions())), found(waiting(store.versions()))
    await workshop.compile_all([*playing, *late], keeping.home)
    await workshop.build_all(playing if store.rounds() else [*playing, *late])
    for bot in playing:
        try:
            await workshop.build(bot)
        except DiskFull:
            raise
        except ConfigError as error:
            warn(f"{error}. Its games cannot be played here.")


def _check_waiting(keeping: Keeping, store: Store, warn: Warn) -> None:
    """If an untried version has lost its snapshot, reject that version; do not stop the tournament."""
    for version in waiting(store.versions()):
        try:
            check_keeping(keeping, store.entries(), [version], warn)
        except DiskFull:
            raise
        except ConfigError as error:
            store.set_version(replace(version, state="refused", problem=str(error)))
            write_entry_file(store, version.entry)


async def _try_queued(night: Night, store: Store, tell: Tell, workshop: Workshop) -> tuple[BotRow, ...]:
    """Try all bots that were entered before the start. Returns those that failed."""
    failed = []
    for version in waiting(store.versions()):
        await try_version(store, version, workshop)
        row = bot_row(next(e for e in store.entries() if e.number == version.entry), store.versions())
        tell(row)
        failed += [row] if row.problem else []
    check_field(night, [bot_row(entry, store.versions()) for entry in store.entries()])
    return tuple(failed)


def queue_field(night: Night, found: Sequence[BotRow], store: Store) -> None:
    """The file's bots are the first entries, even if another one is entered before the start."""
    kept = trio.run(_kept, found, keeping_of(store.path))
    with store.transaction():
        _enter(kept, store, "queued")
        _set_night(night, store)


async def _kept(found: Sequence[BotRow], keeping: Keeping) -> list[BotRow]:
    return [await kept_row(row, keeping) for row in found]


async def _begin_anew(
    night: Night, found: Sequence[BotRow], store: Store, tell: Tell, all_must_pass: bool, tell_making: TellMaking
) -> Begun | Failures:
    check_field(night, found)  # report a wrong challenger now, not after trying everybody
    numbered = [(row, (number, 1)) for number, row in enumerate(found, 1)]
    source, keeping = drawn_source(store, night.config), keeping_of(store.path)
    rows = await try_field(night, numbered, source, keeping, tell, tell_making)
    failed = tuple(row for row in rows if row.problem)
    if failed and all_must_pass:
        return Failures(failed)
    check_field(night, rows)
    with store.transaction():
        _enter(rows, store)
        _set_night(night, store)
    keeping.tidy(store.versions())
    write_entry_files(store, failed)
    return begun(store)


def _numbered(
    changes: Changes, entries: Sequence[Entry], versions: Sequence[Version]
) -> list[tuple[BotRow, BotVersion]]:
    """New bots and new versions, with their future numbers."""
    numbers = {entry.name: entry.number for entry in entries}
    new = [(row, (number, 1)) for number, row in enumerate(changes.enter, len(entries) + 1)]
    return new + [(row, (numbers[row.name], _next_edition(numbers[row.name], versions))) for row in changes.update]


def changes_since(night: Night, found: Sequence[BotRow], store: Store) -> Changes:
    old = stored_config(store.meta("config"))
    state = state_of(store, old, ())
    rounds = rounds_begun(old, state.rounds)
    changes = changes_of(old, night.config, rounds, state.entries, state.versions, state.removed(), found)
    if (store.meta("components") or "") != night.components:
        return replace(changes, refused=(*changes.refused, "components: the file has other pieces"))
    return changes


def differences_of(night: Night, changes: Changes, store: Store) -> Differences:
    """Forecast the effect of the changes."""
    now = state_of(store, night.config, store.games())
    number = len(now.entries)
    for row in changes.enter:
        number += 1
        now.entries.append(Entry(number, row.name))
        now.versions.append(Version(number, 1, row.digest, state="refused" if row.problem else "ready"))
    numbers = {entry.name: entry.number for entry in now.entries}
    for row in changes.update:
        now.versions.append(replace(_next_version(numbers[row.name], row, now.versions), state="ready"))
    wishes = [("remove", name) for name in changes.remove] + [("restore", name) for name in changes.restore]
    last = max((order.id for order in now.orders), default=0)
    now.orders += [Order(last + place, kind, name, "", 0.0) for place, (kind, name) in enumerate(wishes, 1)]
    return Differences(changes, len(now.played), now.to_come())


def _apply(changes: Changes, tried: Sequence[BotRow], store: Store) -> None:
    new = {row.name for row in changes.enter}
    _enter([row for row in tried if row.name in new], store)
    numbers = {entry.name: entry.number for entry in store.entries()}
    for row in tried:
        if row.name not in new:
            store.set_version(_next_version(numbers[row.name], row, store.versions()))
    for name in changes.remove:
        store.order("remove", name, "no longer in the tournament file")
    for name in changes.restore:
        store.order("restore", name, "in the tournament file again")
    if changes.said:
        store.order("accept-changes", "", "; ".join(changes.said))


def _enter(rows: Sequence[BotRow], store: Store, state: VersionState = "ready") -> None:
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
        edition=_next_edition(number, versions),
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


def _next_edition(number: int, versions: Sequence[Version]) -> int:
    """A folder that was not found does not count as a version."""
    return 1 + sum(version.entry == number and bool(version.hash) for version in versions)


def _relocate(found: Sequence[BotRow], store: Store) -> None:
    """A tournament may be moved to another folder, but a newer version may come from elsewhere."""
    newest = {version.entry: version.hash for version in store.versions()}
    paths = {(row.name, row.digest): row.path for row in found}
    for entry in store.entries():
        path = paths.get((entry.name, newest.get(entry.number, "")), entry.path)
        if path != entry.path:
            store.set_entry(replace(entry, path=path))


def _set_night(night: Night, store: Store) -> None:
    for key, value in {"config": night.stored_text, "components": night.components, "name": night.config.name}.items():
        store.set_meta(key, value)
