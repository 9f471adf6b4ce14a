"""A text file for each entry, for its author: the outcome of every submitted version, and why.

In NIGHT.entries next to the store. It holds output of builds and bots, so it is for the host and the author; paths on
the host's machine are left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from ..referee.plain_text import plain
from .catch_up import CATCHING_UP
from .config import NightConfig, stored_config
from .course import rounds_begun
from .entries import BotVersion, Entry, Version
from .report.public import public_problem
from .rounds import Round
from .rows import BotRow, file_name
from .store import Store
from .tables import rounds_in

SUFFIX = ".entries"


def write_entry_file(store: Store, number: int) -> None:
    """Rewrite it with all versions. A full disk costs the file, not the tournament."""
    entry = next(entry for entry in store.entries() if entry.number == number)
    versions = [version for version in store.versions() if version.entry == number]
    folder = store.path.with_suffix(SUFFIX)
    try:
        folder.mkdir(exist_ok=True)
        (folder / file_name(entry.name)).write_text(entry_text(entry, versions, course_of(store)), "utf-8")
    except OSError:
        pass


def write_entry_files(store: Store, rows: Sequence[BotRow]) -> None:
    numbers = {entry.name: entry.number for entry in store.entries()}
    for row in rows:
        write_entry_file(store, numbers[row.name])


def entry_text(entry: Entry, versions: list[Version], course: Course) -> str:
    lines = [f"{entry.name}, entry {entry.number}" + (f", by {entry.author}" if entry.author else "")]
    for version in versions:
        lines += ["", *version_lines(version, course)]
    return "".join(f"{plain(line)}\n" for line in lines)


def version_lines(version: Version, course: Course) -> list[str]:
    own = f" ({version.version})" if version.version else ""
    states = {
        "ready": f"passed its trial: {course.when(version)}",
        "refused": f"refused: {public_problem(version.problem)}",
    }
    lines = [f"v{version.edition}{own}: {states.get(version.state, version.state)}"]
    return lines + [f"  {line}" for line in version.details.splitlines()]


class Course(Struct, frozen=True):
    """Determines when a version plays."""

    config: NightConfig
    rounds: Sequence[Round]
    """The rounds that began."""

    def when(self, version: Version) -> str:
        """For a version that passed its trial."""
        seen = [round for round in self.rounds if (version.entry, version.edition) in _versions(round)]
        if seen:
            return f"plays from {_named(seen[0])} on"
        if not self._began_last():
            return "plays at once" if self.config.format == "ladder" else "plays from the next round on"
        if not self.config.catch_up or self.config.format not in CATCHING_UP:
            return "came after the last round: it does not play"
        if any(row.entry == version.entry for round in self.rounds for row in round.roster):
            return "came after the last round: it plays what is still caught up, if anything"
        return "came after the last round: what it missed is caught up"

    def _began_last(self) -> bool:
        begun = rounds_begun(self.config, self.rounds)
        return bool(begun) and begun >= rounds_in(self.config, len(self.rounds[0].roster))


def course_of(store: Store) -> Course:
    return Course(stored_config(store.meta("config")), store.rounds())


def _versions(round: Round) -> set[BotVersion]:
    return {(row.entry, row.edition) for row in round.roster}


def _named(round: Round) -> str:
    if round.stage == "main":
        return f"round {round.number}" if round.number else f"deal {round.id}"
    return f"the {round.stage}"
