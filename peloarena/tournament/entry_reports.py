"""A text file for each entry, for its author: the outcome of every submitted version, and why.

In `friday.entries` next to `friday.sqlite`. It holds output of builds and bots, so it is for the host and the author;
paths on the host's machine are left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ..referee.plain_text import to_plain_text
from .catch_up import CATCH_UP_FORMATS
from .config import TournamentConfig, stored_config
from .entries import BotVersion, Entry, Version
from .fixtures import Round
from .pairing import rounds_in
from .report.public_text import public_problem
from .rows import BotRow, bot_file_name
from .scheduler import count_started_rounds
from .store import Store

ENTRIES_FOLDER_SUFFIX = ".entries"


def write_entry_report(store: Store, entry_number: int) -> None:
    """Rewrite it with all versions. A full disk costs the file, not the tournament."""
    entry = next(entry for entry in store.entries() if entry.number == entry_number)
    versions = [version for version in store.versions() if version.entry == entry_number]
    folder = store.path.with_suffix(ENTRIES_FOLDER_SUFFIX)
    try:
        folder.mkdir(exist_ok=True)
        (folder / bot_file_name(entry.name)).write_text(entry_report(entry, versions, read_schedule(store)), "utf-8")
    except OSError:
        pass


def write_entry_reports(store: Store, rows: Sequence[BotRow]) -> None:
    numbers = {entry.name: entry.number for entry in store.entries()}
    for row in rows:
        write_entry_report(store, numbers[row.name])


def entry_report(entry: Entry, versions: list[Version], schedule: VersionSchedule) -> str:
    lines = [f"{entry.name}, entry {entry.number}" + (f", by {entry.author}" if entry.author else "")]
    for version in versions:
        lines += ["", *version_lines(version, schedule)]
    return "".join(f"{to_plain_text(line)}\n" for line in lines)


def version_lines(version: Version, schedule: VersionSchedule) -> list[str]:
    own = f" ({version.version})" if version.version else ""
    states = {
        "ready": f"passed its trial: {schedule.describe_start(version)}",
        "refused": f"refused: {public_problem(version.problem)}",
    }
    lines = [f"v{version.edition}{own}: {states.get(version.state, version.state)}"]
    return lines + [f"  {line}" for line in version.details.splitlines()]


class VersionSchedule(Struct, frozen=True):
    """Determines when a version plays."""

    config: TournamentConfig
    rounds: Sequence[Round]
    """The rounds that began."""

    def describe_start(self, version: Version) -> str:
        """For a version that passed its trial."""
        played_in = [round for round in self.rounds if (version.entry, version.edition) in _versions_in(round)]
        if played_in:
            return f"plays from {_round_label(played_in[0])} on"
        if not self._has_last_round_begun():
            return "plays at once" if self.config.format == "ladder" else "plays from the next round on"
        if not self.config.catch_up or self.config.format not in CATCH_UP_FORMATS:
            return "submitted after the last round: it does not play"
        if any(row.entry == version.entry for round in self.rounds for row in round.roster):
            return "submitted after the last round: it plays the remaining catch-up games, if any"
        return "submitted after the last round: it plays catch-up games for the deals it missed"

    def _has_last_round_begun(self) -> bool:
        started = count_started_rounds(self.config, self.rounds)
        return bool(started) and started >= rounds_in(self.config, len(self.rounds[0].roster))


def read_schedule(store: Store) -> VersionSchedule:
    return VersionSchedule(stored_config(store.meta("config")), store.rounds())


def _versions_in(round: Round) -> set[BotVersion]:
    return {(row.entry, row.edition) for row in round.roster}


def _round_label(round: Round) -> str:
    if round.stage == "main":
        return f"round {round.number}" if round.number else f"deal {round.id}"
    return f"the {round.stage}"
