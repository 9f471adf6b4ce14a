"""Notes below a table: absent bots, byes, older versions, bots with the same files. Pure.

Left out, withdrawn, benched, late, bye, version in progress: the same words on the live screen and below the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from ..game.texts import plural
from .begun import Begun
from .catch_up import CATCHING_UP
from .counting import joined
from .course import latest_swiss_entry
from .entries import Entry, Version, newest_ready, playing_versions, roster_of
from .host_orders import plays_again, removed, withdrawn
from .night_state import NightState
from .rating_text import rating_text
from .ratings import RatingTable
from .rounds import Round

NoteKind = Literal["out", "version", "bye"]
IN_WORK = {"queued": "waits to be tried", "building": "is being built", "trying": "is being tried"}
"""The progress of a version that is neither ready nor rejected."""
LEFT_OUT = "left out"
NEXT_ROUND, TOO_LATE, OVER = "plays from the next round on", "came too late", "came after the last round"


class Note(Struct, frozen=True):
    kind: NoteKind
    """It does not play; its version is in progress, rejected or waits; it has a bye."""
    entry: int
    word: str
    text: str


# ---- below a table


def night_notes(night: Begun, table: RatingTable | None) -> list[str]:
    """Omits why bots were left out, which other output explains at length."""
    state, round = night.state, last_round(night.state)
    over = round is not None and not state.missing(round) and night.is_over()
    notes = [note for note in attendance(state, round, over) if note.kind != "bye" and note.word != LEFT_OUT]
    absent = [f"{state.names[note.entry]}: {note.text}" for note in notes]
    return [*absent, *latecomers(night), *older_versions(table), *twins(night)]


def latecomers(night: Begun) -> list[str]:
    """Until they have caught up, or permanently if there is no catch-up."""
    late = {number: first for number, first in joined(night.state.rounds).items() if first > 1}
    if not late:
        return []
    catches_up = night.config.catch_up and night.config.format in CATCHING_UP
    if catches_up and night.is_over():
        return []
    after = "; what it missed is played after the last round" if catches_up else ""
    return [f"{night.state.names[number]}: from round {first} on{after}" for number, first in late.items()]


def older_versions(table: RatingTable | None) -> list[str]:
    rows = [] if table is None else table.history
    told = [(row, rating_text(row.rating, row.error, row.open_end)) for row in rows]
    return [f"earlier: {row.player}, {rating}, {plural(row.games, 'game')}" for row, rating in told]


def twins(night: Begun) -> list[str]:
    """The same files under another name once won a tournament, and nobody noticed."""
    names: dict[str, list[str]] = {}
    house = {entry.number for entry in night.state.entries if entry.house}
    for version in playing_versions(night.state.versions):
        if version.entry in house:
            continue
        names.setdefault(version.hash, []).append(night.state.names[version.entry])
    return [f"the same files: {', '.join(same)}" for same in names.values() if len(same) > 1]


# ---- who is there


def round_on(state: NightState) -> Round | None:
    """The current round, or the last one."""
    missing = (round for round in state.open_rounds() if state.missing(round))
    return next(missing, state.rounds[-1] if state.rounds else None)


def last_round(state: NightState) -> Round | None:
    """The newest roster: a void may have reopened an earlier round, whose roster is outdated."""
    return state.rounds[-1] if state.rounds else None


def attendance(state: NightState, round: Round | None, over: bool = False) -> list[Note]:
    """As of a round. `over`: it is the last. In order of entry, byes last."""
    ready = newest_ready(state.versions)
    absent = _absent(state, round)
    notes: list[Note] = []
    for entry in state.entries:
        if entry.house:
            continue
        mine = [version for version in state.versions if version.entry == entry.number]
        notes += _absence(state, round, entry, mine, absent, over)
        notes += _versions(round, entry, mine, ready.get(entry.number), over)
    return notes + [Note("bye", number, "bye", "bye") for number in byes(state, round)]


def _absent(state: NightState, round: Round | None) -> dict[int, str]:
    """The reasons: from the round's roster and, once it is over, for bots that it benched.

    On a ladder, for entries that cannot be chosen next; its finish leaves them out.
    """
    if round is None:
        return {}
    if state.is_endless():
        present = roster_of(state.entries, state.versions, state.orders, state.benched())
        return {row.entry: row.absent for row in present}
    found = {row.entry: row.absent for row in round.roster}
    if round.stage == "finish" or not state.missing(round):
        playing = newest_ready(state.versions)
        found |= {entry: why for (entry, edition), why in state.benched().items() if playing.get(entry) == edition}
    return found


def _absence(
    state: NightState,
    round: Round | None,
    entry: Entry,
    mine: Sequence[Version],
    absent: Mapping[int, str],
    over: bool,
) -> Iterator[Note]:
    out, gone = withdrawn(state.orders), removed(state.orders)
    if not any(version.state == "ready" for version in mine):
        if mine and mine[-1].state == "refused":
            yield Note("out", entry.number, LEFT_OUT, f"{LEFT_OUT}: {mine[-1].problem}")
    elif entry.name in gone:
        yield Note("out", entry.number, "removed", gone[entry.name])
    elif entry.name in out:
        yield Note("out", entry.number, "withdrawn", f"withdrawn: {out[entry.name]}")
    elif round is not None and entry.number not in absent:
        when = TOO_LATE if _too_late(state, round) else OVER if over else NEXT_ROUND
        yield Note("out", entry.number, "waits", when)
    elif round is not None and (reason := absent[entry.number]):
        back = any(o.kind == "readmit" and o.target == entry.name and o.id > round.orders for o in state.orders)
        word = reason.split()[0]  # benched, withdrawn
        yield Note("out", entry.number, word, f"{word}, {plays_again(state.is_endless())}" if back else reason)


def _too_late(state: NightState, round: Round) -> bool:
    match state.config.format:
        case "knockout" | "ladder":
            return True
        case "swiss":
            return round.number >= latest_swiss_entry(state.config.rounds)
        case _:
            return False


def _versions(
    round: Round | None, entry: Entry, mine: Sequence[Version], ready: int | None, over: bool
) -> Iterator[Note]:
    """About the newest version, unless it plays."""
    if not mine:
        return
    newest = mine[-1]
    plays_on = f"; v{ready} plays on" if ready else ""
    playing = {row.entry: row.edition for row in round.roster} if round else {}
    if newest.state == "ready":
        if playing.get(entry.number, newest.edition) != newest.edition:
            yield Note("version", entry.number, "", f"v{newest.edition} {OVER if over else NEXT_ROUND}")
    elif newest.state != "refused":
        yield Note("version", entry.number, "", f"v{newest.edition} {IN_WORK[newest.state]}{plays_on}")
    elif ready:
        yield Note("version", entry.number, "", f"v{newest.edition} refused: {newest.problem}{plays_on}")


def byes(state: NightState, round: Round | None) -> list[int]:
    """Entries that could play this round but sit at no table."""
    if round is None or round.stage != "main" or (state.config.format == "knockout" and round.number > 1):
        return []  # only the first round of a bracket has byes; a bot missing later has lost
    seated = {number for table in round.tables for number in table}
    return [row.entry for row in round.roster if not row.absent and row.entry not in seated]
