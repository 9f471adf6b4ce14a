"""Snapshots of all bots that entered a tournament, next to its store. Only these are built and played.

So a tournament plays exactly the submitted files: their original folders may change or vanish. A snapshot that was ever
ready to play stays as long as the tournament: a void game is replayed by the same version, and anybody who doubts a
hash in a record can check. A rejected version plays nothing: its snapshot is removed.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from ..game import ConfigError
from ..referee.bot_files import HASH_VERSION, content_hash
from ..referee.bots import Bot, find_bot
from ..referee.cache import make_private
from ..referee.copies import FILES, keep_copy, lay_copy, strip
from ..referee.leftovers import remove
from ..referee.sandbox.isolation import Isolation
from .entries import Entry, Version

KEEPING_GIB = "PELOARENA_KEEPING_GIB"
MOST_GIB = 8
"""For all snapshots together, unless the host allows more."""
GIB = 1 << 30
STRAY_SECONDS = 24 * 3600.0
"""A snapshot of this age that belongs to no version was left by an interrupted process."""

Warn = Callable[[str], None]


class Keeping:
    def __init__(self, home: Path) -> None:
        self.home = home

    def keep(self, bot: Bot, isolation: Isolation) -> str:
        """Like `lay`, and compile it; for callers without Trio."""
        place = self.lay(bot)
        keep_copy(bot, self.home, isolation)
        return place

    def lay(self, bot: Bot) -> str:
        """Copy the bot and return the relative path of its snapshot; ConfigError if there is no space."""
        self.home.mkdir(exist_ok=True)
        make_private(self.home)
        new = not (self.home / bot.digest).exists()
        place = lay_copy(bot, self.home)
        if new and self.size() > most_bytes():
            remove(self.home / bot.digest)
            raise ConfigError(
                f"{bot.name}: {str(self.home)!r} has no room for it: at most {most_bytes() / GIB:g} GiB of bots; "
                f"the host allows more with {KEEPING_GIB} in the environment, or start a second tournament"
            )
        return str(place.relative_to(self.home))

    def tidy(self, versions: Sequence[Version]) -> None:
        """Remove snapshots that no game can need. The caller holds the runner's lock, or has just rejected a
        version."""
        needed = {version.hash for version in versions if version.state != "refused"}
        refused = {version.hash for version in versions} - needed
        if not self.home.is_dir():
            return
        for folder in self.home.glob(f"{HASH_VERSION}*"):
            stray = folder.name not in needed and time.time() - folder.stat().st_mtime > STRAY_SECONDS
            if folder.name in refused or stray:
                remove(folder)

    def strip(self) -> None:
        """Remove all files that no hash covers. The caller holds the runner's lock, and nothing is played yet."""
        with suppress(FileNotFoundError, PermissionError):  # does not exist yet, or belongs to another user
            make_private(self.home)
        for folder in self.home.glob(f"{HASH_VERSION}*"):
            strip(folder)

    def place(self, version: Version) -> Path:
        return self.home / version.copy

    def is_whole(self, version: Version) -> bool:
        try:
            return content_hash(self.home / version.hash / FILES) == version.hash
        except ConfigError:
            return False

    def restore(self, entry: Entry, version: Version) -> None:
        """From the original folder, if its files are unchanged; a tournament may be moved without its snapshots."""
        problem = f"{entry.name}: its snapshot in {str(self.home)!r} is missing or damaged"
        try:
            bot = find_bot(entry.path, entry.name)
        except ConfigError as error:
            raise ConfigError(f"{problem}, and so is its original: {error}") from None
        if bot.digest != version.hash:
            raise ConfigError(f"{problem}, and {entry.path!r} has changed since")
        self.lay(bot)

    def bots(self, copies: Iterable[tuple[str, str]]) -> list[Bot]:
        """The bots at these paths, under these names. A broken one is skipped here and reported when it is to play."""
        found = []
        for place, name in copies:
            with suppress(ConfigError):
                found.append(find_bot(self.home / place, name))
        return found

    def size(self) -> int:
        """In bytes, as the files are now."""
        return sum(
            os.lstat(os.path.join(folder, name)).st_size for folder, _, names in os.walk(self.home) for name in names
        )


def most_bytes() -> int:
    word = os.environ.get(KEEPING_GIB, str(MOST_GIB))
    if not word.isdecimal() or not 1 <= int(word) <= 1024:
        raise ConfigError(f"{KEEPING_GIB}={word[:20]!r}: a number of GiB from 1 to 1024")
    return int(word) * GIB


def keeping_of(store: Path) -> Keeping:
    """`friday.bots` next to `friday.sqlite`."""
    return Keeping(store.resolve().with_suffix(".bots"))


def check_keeping(keeping: Keeping, entries: Sequence[Entry], needed: Sequence[Version], warn: Warn) -> None:
    """Check that every needed version has an intact snapshot; copy a damaged one again if possible, with a warning."""
    known = {entry.number: entry for entry in entries}
    for version in needed:
        if not keeping.is_whole(version):
            entry = known[version.entry]
            keeping.restore(entry, version)
            warn(
                f"{entry.name}: its copy in {keeping.home.name} was missing or changed; copied again from {entry.path}"
            )
