"""Check what only the host can know (times, orders, reasons) for contradictions. Pure.

A host who invents all of it consistently is believed (spec/ARCHIVE.md says so); a host who changes part of it is not.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence, Set
from typing import get_args

from ..report.public import without_folders
from ..rows import Order
from ..store import Origin
from . import layout
from .layout import ArchivedGame, ArchivedVoid, EntryRow, NightFile
from .manifest import ArchiveError

CLOCK_SKEW = 300.0
"""Seconds by which a time may precede one that it must follow. Setting the clock, or moving a tournament to another
machine, makes honest times run backwards; Kerberos tolerates five minutes between two clocks."""
MOST_ORDERS = 10_000
"""Every round depends on all orders before it. A host gives a handful in a tournament."""
FOR_ALL = ("pause", "pause-after-round", "resume", "lock", "unlock", "finish", "accept-changes")
"""Kinds of orders that have no target ..."""
FOR_ONE = ("withdraw", "readmit", "remove", "restore")
"""... or target an entry by name. The target of `void` describes in words which games were chosen."""
KINDS = (*FOR_ALL, *FOR_ONE, "void")

Moment = tuple[str, str, float]
"""The file, the event and its time."""


def check_host_word(
    file: NightFile,
    entries: Sequence[EntryRow],
    orders: Sequence[Order],
    games: Sequence[ArchivedGame],
    voids: Sequence[ArchivedVoid],
) -> None:
    _check_problems(entries)
    _check_orders(orders, {entry.name for entry in entries})
    _check_voids(voids, orders)
    _check_times(file, list(_moments(entries, orders, games, voids)))


def _check_problems(entries: Sequence[EntryRow]) -> None:
    for place, entry in enumerate(entries):
        for number, version in enumerate(entry.versions):
            if version.problem and version.state != "refused":
                problem = f"it has a problem, but its state is {version.state}"
                raise ArchiveError(layout.ENTRIES, f"[{place}].versions[{number}]: {problem}")


def _check_orders(orders: Sequence[Order], names: Set[str]) -> None:
    if len(orders) > MOST_ORDERS:
        raise ArchiveError(layout.ORDERS, f"more than {MOST_ORDERS} orders")
    before = 0
    for number, order in enumerate(orders):
        if order.id <= before:
            raise ArchiveError(layout.ORDERS, f"[{number}]: id is {order.id}, but ids ascend")
        if order.kind not in KINDS:
            raise ArchiveError(layout.ORDERS, f"[{number}]: there is no order of the kind {order.kind[:100]!r}")
        if (order.kind in FOR_ALL and order.target) or (order.kind in FOR_ONE and order.target not in names):
            raise ArchiveError(layout.ORDERS, f"[{number}]: {order.kind} with the target {order.target[:100]!r}")
        before = order.id


def _check_voids(voids: Sequence[ArchivedVoid], orders: Sequence[Order]) -> None:
    """The host voids games with an order, which gives one reason for all of them."""
    ordered = {without_folders(order.reason) for order in orders if order.kind == "void"}
    for number, void in enumerate(voids):
        if void.origin not in get_args(Origin):
            raise ArchiveError(layout.VOIDS, f"[{number}]: origin is {void.origin[:100]!r}")
        if void.origin == "host" and void.reason not in ordered:
            raise ArchiveError(
                layout.VOIDS, f"[{number}]: the host gave no order with the reason {void.reason[:100]!r}"
            )
    reasons = {void.reason for void in voids if void.origin == "host"}
    for number, order in enumerate(orders):
        if order.kind == "void" and without_folders(order.reason) not in reasons:
            raise ArchiveError(layout.ORDERS, f"[{number}]: no game is void for the reason {order.reason[:100]!r}")


def _moments(
    entries: Sequence[EntryRow], orders: Sequence[Order], games: Sequence[ArchivedGame], voids: Sequence[ArchivedVoid]
) -> Iterator[Moment]:
    for entry in entries:
        for version in entry.versions:
            yield layout.ENTRIES, f"version {version.edition} of entry {entry.number} was handed in", version.at
    for number, order in enumerate(orders):
        yield layout.ORDERS, f"[{number}] was given", order.at
    for game in games:
        yield layout.GAMES, f"{game.game} was over", game.at
    for number, void in enumerate(voids):
        yield layout.VOIDS, f"[{number}] was declared", void.at


def _check_times(file: NightFile, moments: Sequence[Moment]) -> None:
    """Commitment, room word, games, close: in this order. Versions and orders may precede all of them."""
    if file.closed_at is None:
        raise ArchiveError(layout.NIGHT, "closed_at is null, but there is no archive before the close")
    if file.word and (file.committed_at is None or file.word_at is None):
        raise ArchiveError(layout.NIGHT, "committed_at or word_at is null, but the room gave a word")
    started = [
        (layout.NIGHT, what, at)
        for what, at in (("the commitment was printed", file.committed_at), ("the word was given", file.word_at))
        if at is not None
    ]
    closed = (layout.NIGHT, "the night was closed", file.closed_at)
    for earlier, later in itertools.combinations([*started, closed], 2):
        _check_order(earlier, later)
    for moment in moments:
        _check_order(moment, closed)
        for earlier in started if moment[0] not in (layout.ORDERS, layout.ENTRIES) else ():
            _check_order(earlier, moment)


def _check_order(earlier: Moment, later: Moment) -> None:
    (_, first, before), (place, second, after) = earlier, later
    if before > after + CLOCK_SKEW:
        raise ArchiveError(place, f"{second} {before - after:.0f} s before {first}, which is impossible")
