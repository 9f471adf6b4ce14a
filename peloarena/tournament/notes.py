"""Notes below a table: absent bots, byes, older versions, bots with the same files. Pure.

Not admitted, withdrawn, benched, late, bye, version in progress: the same words on the live screen and below the table.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Literal

from msgspec import Struct

from ..game.texts import plural
from .catch_up import CATCH_UP_FORMATS
from .entries import Entry, Version, build_roster, newest_ready_numbers, playing_versions
from .fixtures import Round
from .game_selection import first_rounds_of_entries
from .host_actions import readmission_text, removed_entries, withdrawn_entries
from .rating_text import rating_text
from .ratings import RatingTable
from .scheduler import last_swiss_entry_round
from .stored_tournament import StoredTournament
from .tournament_state import TournamentState

NoteKind = Literal["out", "version", "bye"]
PROGRESS_TEXTS = {"queued": "waits to be tried", "building": "is being built", "trying": "is being tried"}
"""The progress of a version that is neither ready nor rejected."""
NOT_ADMITTED = "not admitted"
FROM_NEXT_ROUND, CAME_TOO_LATE, AFTER_LAST_ROUND = (
    "plays from the next round on",
    "came too late",
    "came after the last round",
)


class Note(Struct, frozen=True):
    kind: NoteKind
    """It does not play; its version is in progress, rejected or waits; it has a bye."""
    entry: int
    label: str
    text: str


# ---- below a table


def tournament_notes(tournament: StoredTournament, table: RatingTable | None) -> list[str]:
    """Omits why bots were not admitted, which other output explains at length."""
    state, round = tournament.state, last_round(tournament.state)
    over = round is not None and not state.due_fixtures(round) and tournament.is_over()
    notes = [note for note in attendance_notes(state, round, over) if note.kind != "bye" and note.label != NOT_ADMITTED]
    absent = [f"{state.names[note.entry]}: {note.text}" for note in notes]
    return [*absent, *latecomer_notes(tournament), *older_version_notes(table), *duplicate_notes(tournament)]


def latecomer_notes(tournament: StoredTournament) -> list[str]:
    """Until they have caught up, or permanently if there is no catch-up."""
    late = {number: first for number, first in first_rounds_of_entries(tournament.state.rounds).items() if first > 1}
    if not late:
        return []
    catches_up = tournament.config.catch_up and tournament.config.format in CATCH_UP_FORMATS
    if catches_up and tournament.is_over():
        return []
    after = "; what it missed is played after the last round" if catches_up else ""
    return [f"{tournament.state.names[number]}: from round {first} on{after}" for number, first in late.items()]


def older_version_notes(table: RatingTable | None) -> list[str]:
    rows = [] if table is None else table.history
    told = [(row, rating_text(row.rating, row.error, row.open_end)) for row in rows]
    return [f"earlier: {row.player}, {rating}, {plural(row.games, 'game')}" for row, rating in told]


def duplicate_notes(tournament: StoredTournament) -> list[str]:
    """The same files under another name once won a tournament, and nobody noticed."""
    names: dict[str, list[str]] = {}
    house = {entry.number for entry in tournament.state.entries if entry.house}
    for version in playing_versions(tournament.state.versions):
        if version.entry in house:
            continue
        names.setdefault(version.hash, []).append(tournament.state.names[version.entry])
    return [f"the same files: {', '.join(same)}" for same in names.values() if len(same) > 1]


# ---- who is there


def current_round(state: TournamentState) -> Round | None:
    """The current round, or the last one."""
    missing = (round for round in state.open_rounds() if state.due_fixtures(round))
    return next(missing, state.rounds[-1] if state.rounds else None)


def last_round(state: TournamentState) -> Round | None:
    """The newest roster: a void may have reopened an earlier round, whose roster is outdated."""
    return state.rounds[-1] if state.rounds else None


def attendance_notes(state: TournamentState, round: Round | None, is_last_round: bool = False) -> list[Note]:
    """As of a round. `is_last_round`: no round follows. In order of entry, byes last."""
    ready = newest_ready_numbers(state.versions)
    absent = _absence_reasons(state, round)
    notes: list[Note] = []
    for entry in state.entries:
        if entry.house:
            continue
        mine = [version for version in state.versions if version.entry == entry.number]
        notes += _absence_notes(state, round, entry, mine, absent, is_last_round)
        notes += _version_notes(round, entry, mine, ready.get(entry.number), is_last_round)
    return notes + [Note("bye", number, "bye", "bye") for number in entries_with_bye(state, round)]


def _absence_reasons(state: TournamentState, round: Round | None) -> dict[int, str]:
    """The reasons: from the round's roster and, once it is over, for bots that it benched.

    On a ladder, for entries that cannot be chosen next; its finish leaves them out.
    """
    if round is None:
        return {}
    if state.is_endless():
        present = build_roster(state.entries, state.versions, state.actions, state.benched_versions())
        return {row.entry: row.absent for row in present}
    found = {row.entry: row.absent for row in round.roster}
    if round.stage == "finish" or not state.due_fixtures(round):
        playing = newest_ready_numbers(state.versions)
        found |= {
            entry: why for (entry, edition), why in state.benched_versions().items() if playing.get(entry) == edition
        }
    return found


def _absence_notes(
    state: TournamentState,
    round: Round | None,
    entry: Entry,
    versions: Sequence[Version],
    absent: Mapping[int, str],
    is_last_round: bool,
) -> Iterator[Note]:
    out, gone = withdrawn_entries(state.actions), removed_entries(state.actions)
    if not any(version.state == "ready" for version in versions):
        if versions and versions[-1].state == "refused":
            yield Note("out", entry.number, NOT_ADMITTED, f"{NOT_ADMITTED}: {versions[-1].problem}")
    elif entry.name in gone:
        yield Note("out", entry.number, "removed", gone[entry.name])
    elif entry.name in out:
        yield Note("out", entry.number, "withdrawn", f"withdrawn: {out[entry.name]}")
    elif round is not None and entry.number not in absent:
        when = CAME_TOO_LATE if _is_too_late(state, round) else AFTER_LAST_ROUND if is_last_round else FROM_NEXT_ROUND
        yield Note("out", entry.number, "waits", when)
    elif round is not None and (reason := absent[entry.number]):
        back = any(o.kind == "readmit" and o.target == entry.name and o.id > round.orders for o in state.actions)
        word = reason.split()[0]  # benched, withdrawn
        yield Note("out", entry.number, word, f"{word}, {readmission_text(state.is_endless())}" if back else reason)


def _is_too_late(state: TournamentState, round: Round) -> bool:
    match state.config.format:
        case "knockout" | "ladder":
            return True
        case "swiss":
            return round.number >= last_swiss_entry_round(state.config.rounds)
        case _:
            return False


def _version_notes(
    round: Round | None, entry: Entry, versions: Sequence[Version], ready: int | None, is_last_round: bool
) -> Iterator[Note]:
    """About the newest version, unless it plays."""
    if not versions:
        return
    newest = versions[-1]
    plays_on = f"; v{ready} plays on" if ready else ""
    playing = {row.entry: row.edition for row in round.roster} if round else {}
    if newest.state == "ready":
        if playing.get(entry.number, newest.edition) != newest.edition:
            yield Note(
                "version",
                entry.number,
                "",
                f"v{newest.edition} {AFTER_LAST_ROUND if is_last_round else FROM_NEXT_ROUND}",
            )
    elif newest.state != "refused":
        yield Note("version", entry.number, "", f"v{newest.edition} {PROGRESS_TEXTS[newest.state]}{plays_on}")
    elif ready:
        yield Note("version", entry.number, "", f"v{newest.edition} refused: {newest.problem}{plays_on}")


def entries_with_bye(state: TournamentState, round: Round | None) -> list[int]:
    """Entries that could play this round but sit at no table."""
    if round is None or round.stage != "main" or (state.config.format == "knockout" and round.number > 1):
        return []  # only the first round of a bracket has byes; a bot missing later has lost
    seated = {number for table in round.tables for number in table}
    return [row.entry for row in round.roster if not row.absent and row.entry not in seated]
