"""What of ours no bot may read, wherever it lies: nights and copies of bots, known by what they are. spec/SECURITY.md.

Knows names and files only; a night of another host, or of last year, is recognised as well as the one that is played.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

NIGHT_FOLDERS = {
    ".bots": "the bots of a night",
    ".entries": "the entry files of a night",
    ".uploads": "what was handed in",
}
"""They lie beside the store: `friday.bots`, `friday.entries`, `friday.uploads`."""
COPY = re.compile(r"v\d+-[0-9a-f]{64}")
"""A folder named by the hash of a bot, as in a night's keeping and in every cache."""
STORES = (".sqlite", ".sqlite3", ".db")
"""Of a store under another name, the bots that lie beside it tell."""
SQLITE, OUR_TABLE = b"SQLite format 3\0", b"games_in_order"
SCHEMA_BYTES = 1 << 16
"""Tables are made first, so their names stand at the beginning, of the file or of what waits to come into it."""
DEEPEST = 8
"""Levels below a folder that are looked through. Tool chains have 100,000 files, most of them deeper."""


def own_cache() -> Path:
    """Where builds and the copies of a run lie."""
    base = os.environ.get("XDG_CACHE_HOME") or os.path.join(os.path.expanduser("~"), ".cache")
    return Path(base, "peloarena")


def reason_to_hide(folder: Path) -> str:
    """Why this folder, links resolved, is never shown; nothing if it is none of ours and holds none of it."""
    cache = own_cache().resolve()
    if folder.is_relative_to(cache) or cache.is_relative_to(folder):
        return f"the bots of all runs lie in {str(cache)!r}, and bots may not read each other"
    for place in (folder, *folder.parents):
        if what := _what(place):
            return f"{str(place)!r} holds {what}, which bots may not read"
    for place, what in _ours_below(folder):
        return f"{str(place)!r} in it holds {what}, which bots may not read"
    return ""


def _what(folder: Path) -> str:
    """By its name."""
    return "the copy of a bot" if COPY.fullmatch(folder.name) else NIGHT_FOLDERS.get(folder.suffix, "")


def _ours_below(folder: Path) -> Iterator[tuple[Path, str]]:
    top = len(folder.parts)
    for name, folders, files in os.walk(folder):
        place = Path(name)
        if len(place.parts) - top >= DEEPEST:
            folders.clear()
        yield from ((place / one, what) for one in folders if (what := _what(place / one)))
        yield from ((place / one, "a night") for one in files if one.endswith(STORES) and _is_store(place / one))


def _is_store(file: Path) -> bool:
    if not file.is_file():
        return False
    start = _beginning(file)
    return start.startswith(SQLITE) and OUR_TABLE in start + _beginning(Path(f"{file}-wal"))


def _beginning(file: Path) -> bytes:
    try:
        with file.open("rb") as stream:
            return stream.read(SCHEMA_BYTES)
    except OSError:
        return b""
