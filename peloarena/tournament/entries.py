"""Entries, their versions, and who of them plays a round. Pure: a function of rows and of earlier games.

Points and places belong to an entry, ratings to a version. The number of an entry is given once, in order of entry;
everything that must not change (deals, names of games) hangs on it and on nothing else.
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
    """Where its newest files were handed in from; what is played is the night's own copy."""
    listed: bool = True
    """By the tournament file; otherwise by `tournament enter`."""
    house: bool = False
    """It fills seats that no entry is there for, and has no place in the table."""


class Version(Struct, frozen=True):
    """What an entry handed in at one time."""

    entry: int
    edition: int
    """1, 2, … within the entry; beside it stands bot.toml's own `version`."""
    hash: str
    version: str = ""
    language: str = ""
    state: VersionState = "queued"
    problem: str = ""
    """Why it was refused, in a line."""
    details: str = ""
    """For its author: request, stderr, build output."""
    copy: str = ""
    """Its place in the night's keeping."""
    at: float = 0.0
    start: float = 0.0
    seconds: float = 0.0
    """In its trial: until `hello`, and for all its answers in a game (see BotPace)."""


class RosterRow(Struct, frozen=True, omit_defaults=True):
    """One entry in one round."""

    entry: int
    edition: int
    absent: str = ""
    """Why its games of this round are forfeits."""


Roster = tuple[RosterRow, ...]
BotVersion = tuple[int, int]
"""Entry and edition."""


def roster_of(
    entries: Iterable[Entry], versions: Iterable[Version], orders: Sequence[Order], benched: Mapping[BotVersion, str]
) -> Roster:
    """Who plays the round that begins now, and with which version; who has none yet, or is removed, is not in it."""
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
    """The edition that plays, by entry: one that is refused or still in work changes nothing."""
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
    """Who is benched, over rounds in order. A version is benched, so that the next one of its entry plays."""

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
        """A round that is over: the last order seen when it began, and who was there, in the order of the schedule.

        A game without a verdict ends a streak; a forfeit is no appearance and leaves it as it is.
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
        """For the round that begins with these orders given; the reasons."""
        back = _readmitted(order for order in orders if order.id > self._seen)
        return {version: why for version, why in self._benched.items() if names.get(version[0]) not in back}

    def _readmit(self, back: set[str], names: Mapping[int, str]) -> None:
        for version in [version for version in self._streaks if names.get(version[0]) in back]:
            self._streaks[version] = 0
            self._benched.pop(version, None)


def _readmitted(orders: Iterable[Order]) -> set[str]:
    return {order.target for order in orders if order.kind == "readmit"}
