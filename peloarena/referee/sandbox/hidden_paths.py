"""What no bot may have, wherever it is: stores and copies of bots, sockets and pipes. spec/SECURITY.md.

Recognises tournaments by names and files only, so one of another host, or of last year, is hidden as well as the
current one.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

TOURNAMENT_FOLDERS = {
    ".bots": "the bots of a tournament",
    ".entries": "the entry files of a tournament",
    ".uploads": "submitted bots",
}
"""Folders next to the store: `friday.bots`, `friday.entries`, `friday.uploads`."""
SNAPSHOT_NAME_PATTERN = re.compile(r"v\d+-[0-9a-f]{64}")
"""A folder named by the hash of a bot, as among a tournament's snapshots and in every cache."""
STORE_SUFFIXES = (".sqlite", ".sqlite3", ".db")
"""A store with another suffix is recognised by the bots in the folders next to it."""
SQLITE_MAGIC, STORE_TABLE = b"SQLite format 3\0", b"games_in_order"
SCHEMA_BYTES = 1 << 16
"""Tables are created first, so their names are at the beginning of the file, or of its write-ahead log."""
SPECIAL_FILE_REASON = "is a socket, a named pipe or a device, by which bots could reach the host"
"""A read-only mount refuses neither to connect to a socket nor to write to a pipe."""
MAX_SEARCH_DEPTH = 8
"""Levels below a folder that are searched. Tool chains have 100,000 files, most of them deeper."""


def own_cache_folder() -> Path:
    """Where builds and a run's copies are stored."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base, "peloarena")


def reason_to_hide(folder: Path) -> str:
    """Why this folder, links resolved, is never shown; empty if it is not one of these and contains none."""
    cache = own_cache_folder().resolve()
    if folder.is_relative_to(cache) or cache.is_relative_to(folder):
        return f"the bots of all runs lie in {str(cache)!r}, and bots may not read each other"
    for path in (folder, *folder.parents):
        if what := _tournament_content(path):
            return f"{str(path)!r} contains {what}, which bots may not read"
    for path, what in _hidden_paths_below(folder):
        return f"{str(path)!r} in it {what}"
    return ""


def _tournament_content(folder: Path) -> str:
    """By its name."""
    return (
        "the copy of a bot"
        if SNAPSHOT_NAME_PATTERN.fullmatch(folder.name)
        else TOURNAMENT_FOLDERS.get(folder.suffix, "")
    )


def _hidden_paths_below(folder: Path, levels: int = MAX_SEARCH_DEPTH) -> Iterator[tuple[Path, str]]:
    try:
        with os.scandir(folder) as entries:
            listed = list(entries)
    except OSError:  # nor can a bot read it
        return
    for entry in listed:
        if entry.is_dir(follow_symlinks=False) or (entry.is_symlink() and os.path.isdir(entry)):
            if levels and (what := _tournament_content(Path(entry.path))):
                yield Path(entry.path), f"contains {what}, which bots may not read"
            if levels and not entry.is_symlink():
                yield from _hidden_paths_below(Path(entry.path), levels - 1)
        elif entry.name.endswith(STORE_SUFFIXES) and _is_store(Path(entry.path)):
            yield Path(entry.path), "contains a tournament, which bots may not read"
        elif not entry.is_file(follow_symlinks=False) and not entry.is_symlink():
            yield Path(entry.path), SPECIAL_FILE_REASON


def _is_store(file: Path) -> bool:
    start = _read_beginning(file)
    return start.startswith(SQLITE_MAGIC) and STORE_TABLE in start + _read_beginning(Path(f"{file}-wal"))


def _read_beginning(file: Path) -> bytes:
    try:
        if not file.is_file():
            return b""  # a named pipe would keep us waiting
        with file.open("rb") as stream:
            return stream.read(SCHEMA_BYTES)
    except OSError:
        return b""
