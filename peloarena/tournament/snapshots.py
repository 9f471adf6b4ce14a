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
from ..referee.bot_copies import FILES_FOLDER, copy_and_compile, copy_bot, remove_unhashed_files
from ..referee.bot_files import HASH_VERSION, content_hash
from ..referee.bot_finder import Bot, find_bot
from ..referee.cache import make_private
from ..referee.sandbox.isolation import Isolation
from ..referee.temporary_folders import remove_folder
from .entries import Entry, Version

SNAPSHOTS_GIB_VARIABLE = "PELOARENA_KEEPING_GIB"
DEFAULT_MAX_GIB = 8
"""For all snapshots together, unless the host allows more."""
BYTES_PER_GIB = 1 << 30
STRAY_AFTER_SECONDS = 24 * 3600.0
"""A snapshot of this age that belongs to no version was left by an interrupted process."""

Warn = Callable[[str], None]


class SnapshotFolder:
    def __init__(self, folder: Path) -> None:
        self.folder = folder

    def add_and_compile(self, bot: Bot, isolation: Isolation) -> str:
        """Like `add`, and compile it; for callers without Trio."""
        path = self.add(bot)
        copy_and_compile(bot, self.folder, isolation)
        return path

    def add(self, bot: Bot) -> str:
        """Copy the bot and return the relative path of its snapshot; ConfigError if there is no space."""
        self.folder.mkdir(exist_ok=True)
        make_private(self.folder)
        new = not (self.folder / bot.digest).exists()
        path = copy_bot(bot, self.folder)
        if new and self.size_bytes() > max_snapshot_bytes():
            remove_folder(self.folder / bot.digest)
            raise ConfigError(
                f"{bot.name}: {str(self.folder)!r} has no space for it: at most "
                f"{max_snapshot_bytes() / BYTES_PER_GIB:g} GiB of bots; "
                f"the host allows more with {SNAPSHOTS_GIB_VARIABLE} in the environment, or start a second tournament"
            )
        return str(path.relative_to(self.folder))

    def remove_unneeded(self, versions: Sequence[Version]) -> None:
        """Remove snapshots that no game can need. The caller holds the runner's lock, or has just rejected a
        version."""
        needed = {version.hash for version in versions if version.state != "refused"}
        refused = {version.hash for version in versions} - needed
        if not self.folder.is_dir():
            return
        for folder in self.folder.glob(f"{HASH_VERSION}*"):
            stray = folder.name not in needed and time.time() - folder.stat().st_mtime > STRAY_AFTER_SECONDS
            if folder.name in refused or stray:
                remove_folder(folder)

    def remove_unhashed_files(self) -> None:
        """Remove all files that no hash covers. The caller holds the runner's lock, and nothing is played yet."""
        with suppress(FileNotFoundError, PermissionError):  # does not exist yet, or belongs to another user
            make_private(self.folder)
        for folder in self.folder.glob(f"{HASH_VERSION}*"):
            remove_unhashed_files(folder)

    def path_of(self, version: Version) -> Path:
        return self.folder / version.copy

    def is_intact(self, version: Version) -> bool:
        try:
            return content_hash(self.folder / version.hash / FILES_FOLDER) == version.hash
        except ConfigError:
            return False

    def restore(self, entry: Entry, version: Version) -> None:
        """From the original folder, if its files are unchanged; a tournament may be moved without its snapshots."""
        problem = f"{entry.name}: its snapshot in {str(self.folder)!r} is missing or damaged"
        try:
            bot = find_bot(entry.path, entry.name)
        except ConfigError as error:
            raise ConfigError(f"{problem}, and its original cannot be used: {error}") from None
        if bot.digest != version.hash:
            raise ConfigError(f"{problem}, and {entry.path!r} has changed since")
        self.add(bot)

    def find_bots(self, paths_and_names: Iterable[tuple[str, str]]) -> list[Bot]:
        """The bots at these paths, under these names. A broken one is skipped here and reported when it is to play."""
        bots = []
        for path, name in paths_and_names:
            with suppress(ConfigError):
                bots.append(find_bot(self.folder / path, name))
        return bots

    def size_bytes(self) -> int:
        """In bytes, as the files are now."""
        return sum(
            os.lstat(os.path.join(folder, name)).st_size for folder, _, names in os.walk(self.folder) for name in names
        )


def max_snapshot_bytes() -> int:
    word = os.environ.get(SNAPSHOTS_GIB_VARIABLE, str(DEFAULT_MAX_GIB))
    if not word.isdecimal() or not 1 <= int(word) <= 1024:
        raise ConfigError(f"{SNAPSHOTS_GIB_VARIABLE}={word[:20]!r}: must be a number of GiB from 1 to 1024")
    return int(word) * BYTES_PER_GIB


def snapshots_beside(store: Path) -> SnapshotFolder:
    """`friday.bots` next to `friday.sqlite`."""
    return SnapshotFolder(store.resolve().with_suffix(".bots"))


def check_snapshots(snapshots: SnapshotFolder, entries: Sequence[Entry], needed: Sequence[Version], warn: Warn) -> None:
    """Check that every needed version has an intact snapshot; copy a damaged one again if possible, with a warning."""
    known = {entry.number: entry for entry in entries}
    for version in needed:
        if not snapshots.is_intact(version):
            entry = known[version.entry]
            snapshots.restore(entry, version)
            warn(
                f"{entry.name}: its snapshot in {snapshots.folder.name} was missing or changed; copied again from "
                f"{entry.path}"
            )
