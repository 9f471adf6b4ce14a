"""Entries, their versions, and which of them play a round. Pure: a function of rows and of earlier games.

Points and ranks belong to an entry, ratings to a version. Entries are numbered once, in order of entry; everything that
must not change (deals, names of games) depends on that number alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from .host_orders import Order, removed, withdrawn

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


def roster_of(
    entries: Iterable[Entry], versions: Iterable[Version], orders: Sequence[Order], benched: Mapping[BotVersion, str]
) -> Roster:
    """The entries of the round that begins now, with their versions; omits those removed or without a ready version."""
    playing = newest_ready(versions)
    gone, out = removed(orders), withdrawn(orders)
    rows = []
    for entry in entries:
        edition = playing.get(entry.number)
        if edition is None or entry.name in gone:
            continue
        reason = benched.get((entry.number, edition), "")
        if entry.name in out:
            reason = withdrawal(out[entry.name])
        rows.append(RosterRow(entry.number, edition, reason))
    return tuple(sorted(rows, key=lambda row: row.entry))


def withdrawal(reason: str) -> str:
    return f"withdrawn by the host: {reason}"


def newest_ready(versions: Iterable[Version]) -> dict[int, int]:
    """The version number that plays, by entry: a rejected or unfinished one changes nothing."""
    found: dict[int, int] = {}
    for version in versions:
        if version.state == "ready":
            found[version.entry] = max(version.edition, found.get(version.entry, 0))
    return found


def playing_versions(versions: Iterable[Version]) -> list[Version]:
    every = list(versions)
    playing = newest_ready(every)
    return [version for version in every if playing.get(version.entry) == version.edition]


class Appearance(Struct, frozen=True):
    """A version in a finished game."""

    version: BotVersion
    guilty: bool
    """It got a verdict that was not forgiven."""


class Bench:
    """Tracks benched versions over rounds in order. Benching a version lets the next one of its entry play."""

    def __init__(self, bench_after: int) -> None:
        self._bench_after = bench_after
        self._streaks: dict[BotVersion, int] = {}
        self._benched: dict[BotVersion, str] = {}
        self._seen = 0

    def copy(self) -> Bench:
        other = Bench(self._bench_after)
        other._streaks, other._benched, other._seen = dict(self._streaks), dict(self._benched), self._seen
        return other

    def add(
        self,
        number: int,
        seen: int,
        appearances: Iterable[Appearance],
        orders: Sequence[Order],
        names: Mapping[int, str],
    ) -> None:
        """Add a finished round: the last order when it began, and the versions present, in the order of the schedule.

        A game without a verdict ends a streak; a forfeit is no appearance and leaves it unchanged.
        """
        self._readmit(_readmitted(order for order in orders if self._seen < order.id <= seen), names)
        self._seen = seen
        for one in appearances:
            self._streaks[one.version] = self._streaks.get(one.version, 0) + 1 if one.guilty else 0
        for version, streak in self._streaks.items():
            if 0 < self._bench_after <= streak and version not in self._benched:
                after = f" after round {number}" if number else ""
                self._benched[version] = f"benched{after}: {streak} verdicts in a row"

    def now(self, orders: Sequence[Order], names: Mapping[int, str]) -> dict[BotVersion, str]:
        """The reasons, by version, for a round that begins after these orders."""
        back = _readmitted(order for order in orders if order.id > self._seen)
        return {version: why for version, why in self._benched.items() if names.get(version[0]) not in back}

    def _readmit(self, back: set[str], names: Mapping[int, str]) -> None:
        for version in [version for version in self._streaks if names.get(version[0]) in back]:
            self._streaks[version] = 0
            self._benched.pop(version, None)


def _readmitted(orders: Iterable[Order]) -> set[str]:
    return {order.target for order in orders if order.kind == "readmit"}
