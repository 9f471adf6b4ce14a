"""Who does not play as one might expect, and why: left out, withdrawn, benched, bye, a version in work. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from .course import latest_swiss_entry
from .entries import Entry, Version, newest_ready
from .host_orders import removed, withdrawn
from .night_state import NightState
from .rounds import Round

NoteKind = Literal["out", "version", "bye"]
IN_WORK = {"queued": "waits to be tried", "building": "is being built", "trying": "is being tried"}
"""What a version that is neither ready nor refused does."""


class Note(Struct, frozen=True):
    kind: NoteKind
    """It does not play; a version of it is in work, refused or waits; it has a bye."""
    entry: int
    word: str
    text: str


def attendance(state: NightState, round: Round | None) -> list[Note]:
    """`round`: the one that is played, or was the last. In order of entry, byes last."""
    ready = newest_ready(state.versions)
    notes: list[Note] = []
    for entry in state.entries:
        mine = [version for version in state.versions if version.entry == entry.number]
        notes += _absence(state, round, entry, mine, ready.get(entry.number))
        notes += _versions(round, entry, mine, ready.get(entry.number))
    return notes + [Note("bye", number, "bye", "bye") for number in byes(state, round)]


def _absence(
    state: NightState, round: Round | None, entry: Entry, mine: Sequence[Version], ready: int | None
) -> Iterator[Note]:
    out, gone = withdrawn(state.orders), removed(state.orders)
    roster = {row.entry: row.absent for row in round.roster} if round else {}
    if ready is None:
        if mine and mine[-1].state == "refused":
            yield Note("out", entry.number, "left out", f"left out: {mine[-1].problem}")
    elif entry.name in gone:
        yield Note("out", entry.number, "removed", gone[entry.name])
    elif entry.name in out:
        yield Note("out", entry.number, "withdrawn", f"withdrawn: {out[entry.name]}")
    elif round is not None and entry.number not in roster:
        when = "came too late" if _too_late(state, round) else "plays from the next round on"
        yield Note("out", entry.number, "waits", when)
    elif round is not None and (reason := roster.get(entry.number)):
        back = any(o.kind == "readmit" and o.target == entry.name and o.id > round.orders for o in state.orders)
        word = reason.split()[0]  # benched, withdrawn
        yield Note("out", entry.number, word, f"{word}, plays again from the next round on" if back else reason)


def _too_late(state: NightState, round: Round) -> bool:
    match state.config.format:
        case "knockout":
            return True
        case "swiss":
            return round.number >= latest_swiss_entry(state.config.rounds)
        case _:
            return False


def _versions(round: Round | None, entry: Entry, mine: Sequence[Version], ready: int | None) -> Iterator[Note]:
    """Of the newest one, unless it plays."""
    if not mine:
        return
    newest = mine[-1]
    plays_on = f"; v{ready} plays on" if ready else ""
    playing = {row.entry: row.edition for row in round.roster} if round else {}
    if newest.state == "ready":
        if playing.get(entry.number, newest.edition) != newest.edition:
            yield Note("version", entry.number, "", f"v{newest.edition} plays from the next round on")
    elif newest.state != "refused":
        yield Note("version", entry.number, "", f"v{newest.edition} {IN_WORK[newest.state]}{plays_on}")
    elif ready:
        yield Note("version", entry.number, "", f"v{newest.edition} refused: {newest.problem}{plays_on}")


def byes(state: NightState, round: Round | None) -> list[int]:
    """Who could play this round and sits at no table of it."""
    if round is None or round.stage != "main" or (state.config.format == "knockout" and round.number > 1):
        return []  # in a bracket only the first round has byes; later, who is not there has lost
    seated = {number for table in round.tables for number in table}
    return [row.entry for row in round.roster if not row.absent and row.entry not in seated]
