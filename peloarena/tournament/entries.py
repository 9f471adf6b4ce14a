"""Entries, their versions, and which of them play a round. Pure: a function of rows and of earlier games.

Points and ranks belong to an entry, ratings to a version. Entries are numbered once, in order of entry; everything that
must not change (deals, names of games) depends on that number alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from .host_actions import HostAction, removed_entries, withdrawn_entries

VersionState = Literal["queued", "building", "trying", "ready", "refused"]


class Entry(Struct, frozen=True):
    number: int
    name: str
    author: str = ""
    path: str = ""
    """Where its newest files were submitted from; the tournament plays its own snapshot."""
    listed: bool = True
    """In the tournament file; otherwise entered with `tournament enter`."""
    house: bool = False
    """It fills seats for which there is no entry, and is not ranked."""


class Version(Struct, frozen=True):
    """One submission of an entry."""

    entry: int
    edition: int
    """1, 2, … within the entry; independent of the `version` in bot.toml."""
    hash: str
    version: str = ""
    language: str = ""
    state: VersionState = "queued"
    problem: str = ""
    """Why it was rejected, in a line."""
    details: str = ""
    """For its author: request, stderr, build output."""
    copy: str = ""
    """Its path among the tournament's snapshots."""
    at: float = 0.0
    start: float = 0.0
    seconds: float = 0.0
    """In its trial: time until `hello`, and for all its answers in a game (see BotPace)."""


class RosterRow(Struct, frozen=True, omit_defaults=True):
    """One entry in one round."""

    entry: int
    edition: int
    absent: str = ""
    """Why it forfeits its games of this round."""


Roster = tuple[RosterRow, ...]
BotVersion = tuple[int, int]
"""Entry and version number."""


def build_roster(
    entries: Iterable[Entry],
    versions: Iterable[Version],
    actions: Sequence[HostAction],
    benched: Mapping[BotVersion, str],
) -> Roster:
    """The entries of the round that begins now, with their versions; omits those removed or without a ready version."""
    playing = newest_ready_numbers(versions)
    gone, out = removed_entries(actions), withdrawn_entries(actions)
    rows = []
    for entry in entries:
        edition = playing.get(entry.number)
        if edition is None or entry.name in gone:
            continue
        reason = benched.get((entry.number, edition), "")
        if entry.name in out:
            reason = withdrawal_text(out[entry.name])
        rows.append(RosterRow(entry.number, edition, reason))
    return tuple(sorted(rows, key=lambda row: row.entry))


def withdrawal_text(reason: str) -> str:
    return f"withdrawn by the host: {reason}"


def newest_ready_numbers(versions: Iterable[Version]) -> dict[int, int]:
    """The version number that plays, by entry: a rejected or unfinished one changes nothing."""
    newest: dict[int, int] = {}
    for version in versions:
        if version.state == "ready":
            newest[version.entry] = max(version.edition, newest.get(version.entry, 0))
    return newest


def playing_versions(versions: Iterable[Version]) -> list[Version]:
    every = list(versions)
    playing = newest_ready_numbers(every)
    return [version for version in every if playing.get(version.entry) == version.edition]


class Appearance(Struct, frozen=True):
    """A version in a finished game."""

    version: BotVersion
    guilty: bool
    """It got a verdict that was not forgiven."""


class BenchTracker:
    """Tracks benched versions over rounds in order. Benching a version lets the next one of its entry play."""

    def __init__(self, bench_after: int) -> None:
        self._bench_after = bench_after
        self._streaks: dict[BotVersion, int] = {}
        self._benched: dict[BotVersion, str] = {}
        self._last_action = 0

    def copy(self) -> BenchTracker:
        other = BenchTracker(self._bench_after)
        other._streaks, other._benched, other._last_action = dict(self._streaks), dict(self._benched), self._last_action
        return other

    def add_round(
        self,
        round_number: int,
        last_action: int,
        appearances: Iterable[Appearance],
        actions: Sequence[HostAction],
        names: Mapping[int, str],
    ) -> None:
        """Add a finished round: the last host action when it began, and the versions present, in the order of the
        schedule.

        A game without a verdict ends a streak; a forfeit is no appearance and leaves it unchanged.
        """
        self._readmit(
            _readmitted_names(action for action in actions if self._last_action < action.id <= last_action), names
        )
        self._last_action = last_action
        for one in appearances:
            self._streaks[one.version] = self._streaks.get(one.version, 0) + 1 if one.guilty else 0
        for version, streak in self._streaks.items():
            if 0 < self._bench_after <= streak and version not in self._benched:
                after = f" after round {round_number}" if round_number else ""
                self._benched[version] = f"benched{after}: {streak} verdicts in a row"

    def benched_versions(self, actions: Sequence[HostAction], names: Mapping[int, str]) -> dict[BotVersion, str]:
        """The reasons, by version, for a round that begins after these host actions."""
        back = _readmitted_names(action for action in actions if action.id > self._last_action)
        return {version: why for version, why in self._benched.items() if names.get(version[0]) not in back}

    def _readmit(self, readmitted: set[str], names: Mapping[int, str]) -> None:
        for version in [version for version in self._streaks if names.get(version[0]) in readmitted]:
            self._streaks[version] = 0
            self._benched.pop(version, None)


def _readmitted_names(actions: Iterable[HostAction]) -> set[str]:
    return {action.target for action in actions if action.kind == "readmit"}
