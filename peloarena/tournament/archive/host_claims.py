"""Check what only the host can know (times, host actions, reasons) for contradictions. Pure.

A host who invents all of it consistently is believed (spec/ARCHIVE.md says so); a host who changes part of it is not.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence, Set
from typing import get_args

from ..report.public_text import without_folders
from ..rows import HostAction
from ..store import VoidOrigin
from . import archive_files
from .archive_files import ArchivedGame, ArchivedVoid, ArchiveHeader, EntryRow
from .manifest import ArchiveError

CLOCK_SKEW = 300.0
"""Seconds by which a time may precede one that it must follow. Setting the clock, or moving a tournament to another
machine, makes honest times run backwards; Kerberos tolerates five minutes between two clocks."""
MAX_HOST_ACTIONS = 10_000
"""Every round depends on all host actions before it. A host takes a handful in a tournament."""
UNTARGETED_KINDS = ("pause", "pause-after-round", "resume", "lock", "unlock", "finish", "accept-changes")
"""Kinds of host actions that have no target ..."""
TARGETED_KINDS = ("withdraw", "readmit", "remove", "restore")
"""... or target an entry by name. The target of `void` describes in words which games were chosen."""
HOST_ACTION_KINDS = (*UNTARGETED_KINDS, *TARGETED_KINDS, "void")

TimedEvent = tuple[str, str, float]
"""The file, the event and its time."""


def check_host_claims(
    header: ArchiveHeader,
    entries: Sequence[EntryRow],
    actions: Sequence[HostAction],
    games: Sequence[ArchivedGame],
    voids: Sequence[ArchivedVoid],
) -> None:
    _check_problems(entries)
    _check_host_actions(actions, {entry.name for entry in entries})
    _check_voids(voids, actions)
    _check_times(header, list(_timed_events(entries, actions, games, voids)))


def _check_problems(entries: Sequence[EntryRow]) -> None:
    for index, entry in enumerate(entries):
        for number, version in enumerate(entry.versions):
            if version.problem and version.state != "refused":
                problem = f"it has a problem, but its state is {version.state}"
                raise ArchiveError(archive_files.ENTRIES_JSON, f"[{index}].versions[{number}]: {problem}")


def _check_host_actions(actions: Sequence[HostAction], names: Set[str]) -> None:
    if len(actions) > MAX_HOST_ACTIONS:
        raise ArchiveError(archive_files.ORDERS_JSON, f"more than {MAX_HOST_ACTIONS} host actions")
    before = 0
    for number, action in enumerate(actions):
        if action.id <= before:
            raise ArchiveError(archive_files.ORDERS_JSON, f"[{number}]: id is {action.id}, but ids must ascend")
        if action.kind not in HOST_ACTION_KINDS:
            raise ArchiveError(
                archive_files.ORDERS_JSON, f"[{number}]: no host action is of the kind {action.kind[:100]!r}"
            )
        if (action.kind in UNTARGETED_KINDS and action.target) or (
            action.kind in TARGETED_KINDS and action.target not in names
        ):
            raise ArchiveError(
                archive_files.ORDERS_JSON, f"[{number}]: {action.kind} cannot have the target {action.target[:100]!r}"
            )
        before = action.id


def _check_voids(voids: Sequence[ArchivedVoid], actions: Sequence[HostAction]) -> None:
    """The host voids games with an action, which gives one reason for all of them."""
    void_reasons = {without_folders(action.reason) for action in actions if action.kind == "void"}
    for number, void in enumerate(voids):
        if void.origin not in get_args(VoidOrigin):
            raise ArchiveError(archive_files.VOIDS_JSON, f"[{number}]: origin is {void.origin[:100]!r}")
        if void.origin == "host" and void.reason not in void_reasons:
            raise ArchiveError(
                archive_files.VOIDS_JSON, f"[{number}]: no host action has the reason {void.reason[:100]!r}"
            )
    reasons = {void.reason for void in voids if void.origin == "host"}
    for number, action in enumerate(actions):
        if action.kind == "void" and without_folders(action.reason) not in reasons:
            raise ArchiveError(
                archive_files.ORDERS_JSON, f"[{number}]: no game is void for the reason {action.reason[:100]!r}"
            )


def _timed_events(
    entries: Sequence[EntryRow],
    actions: Sequence[HostAction],
    games: Sequence[ArchivedGame],
    voids: Sequence[ArchivedVoid],
) -> Iterator[TimedEvent]:
    for entry in entries:
        for version in entry.versions:
            yield (
                archive_files.ENTRIES_JSON,
                f"version {version.edition} of entry {entry.number} was submitted",
                version.at,
            )
    for number, action in enumerate(actions):
        yield archive_files.ORDERS_JSON, f"[{number}] was stored", action.at
    for game in games:
        yield archive_files.GAMES_JSON, f"{game.game} was over", game.at
    for number, void in enumerate(voids):
        yield archive_files.VOIDS_JSON, f"[{number}] was declared", void.at


def _check_times(header: ArchiveHeader, events: Sequence[TimedEvent]) -> None:
    """Commitment, room word, games, close: in this order. Versions and host actions may precede all of them."""
    if header.closed_at is None:
        raise ArchiveError(archive_files.NIGHT_JSON, "closed_at is null, but there is no archive before the close")
    if header.word and (header.committed_at is None or header.word_at is None):
        raise ArchiveError(archive_files.NIGHT_JSON, "committed_at or word_at is null, but the room gave a word")
    started = [
        (archive_files.NIGHT_JSON, what, at)
        for what, at in (
            ("the commitment was printed", header.committed_at),
            ("the room word was given", header.word_at),
        )
        if at is not None
    ]
    closed = (archive_files.NIGHT_JSON, "the tournament was closed", header.closed_at)
    for earlier, later in itertools.combinations([*started, closed], 2):
        _check_sequence(earlier, later)
    for moment in events:
        _check_sequence(moment, closed)
        for earlier in started if moment[0] not in (archive_files.ORDERS_JSON, archive_files.ENTRIES_JSON) else ():
            _check_sequence(earlier, moment)


def _check_sequence(earlier: TimedEvent, later: TimedEvent) -> None:
    (_, first, before), (file, second, after) = earlier, later
    if before > after + CLOCK_SKEW:
        raise ArchiveError(file, f"{second} {before - after:.0f} s before {first}, which is impossible")
