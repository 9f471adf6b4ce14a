"""A text file for each entry, for its author: what became of every version that was handed in, and why.

In NIGHT.entries beside the store. It holds what builds and bots printed, so it is for the host and the author; folders
of the host's are left out.
"""

from __future__ import annotations

from collections.abc import Sequence

from ..referee.plain_text import plain
from .entries import Entry, Version
from .report.public import public_problem
from .rows import BotRow, file_name
from .store import Store

SUFFIX = ".entries"


def write_entry_file(store: Store, number: int) -> None:
    """Anew, with all versions. A disk that is full costs the file, not the night."""
    entry = next(entry for entry in store.entries() if entry.number == number)
    versions = [version for version in store.versions() if version.entry == number]
    folder = store.path.with_suffix(SUFFIX)
    try:
        folder.mkdir(exist_ok=True)
        (folder / file_name(entry.name)).write_text(entry_text(entry, versions), "utf-8")
    except OSError:
        pass


def write_entry_files(store: Store, rows: Sequence[BotRow]) -> None:
    numbers = {entry.name: entry.number for entry in store.entries()}
    for row in rows:
        write_entry_file(store, numbers[row.name])


def entry_text(entry: Entry, versions: list[Version]) -> str:
    lines = [f"{entry.name}, entry {entry.number}" + (f", by {entry.author}" if entry.author else "")]
    for version in versions:
        lines += ["", *version_lines(version)]
    return "".join(f"{plain(line)}\n" for line in lines)


def version_lines(version: Version) -> list[str]:
    own = f" ({version.version})" if version.version else ""
    refused = f"refused: {public_problem(version.problem)}"
    states = {"ready": "passed its trial: plays from the next round on", "refused": refused}
    lines = [f"v{version.edition}{own}: {states.get(version.state, version.state)}"]
    return lines + [f"  {line}" for line in version.details.splitlines()]
