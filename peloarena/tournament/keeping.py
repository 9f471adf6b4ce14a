"""The keeping of a night: copies of all bots that entered, beside the store. Only these are built and played.

So what is played is what was handed in: the folders they came from may change or vanish. A copy that was ever ready to
play stays as long as the night: a void game is played again by the version that played it, and whoever doubts a hash in
a record can look. A version that was refused plays nothing: its copy goes.
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
from ..referee.copies import FILES, keep_copy, lay_copy, strip
from ..referee.leftovers import remove
from ..referee.sandbox.isolation import Isolation
from .entries import Entry, Version

KEEPING_GIB = "PELOARENA_KEEPING_GIB"
MOST_GIB = 8
"""Of all copies together, unless the host allows more."""
GIB = 1 << 30
STRAY_SECONDS = 24 * 3600.0
"""A copy that no version names and that is as old as this was left by a process that was cut off."""

Warn = Callable[[str], None]


class Keeping:
    def __init__(self, home: Path) -> None:
        self.home = home

    def keep(self, bot: Bot, isolation: Isolation) -> str:
        """As `lay`, and compiled; for whoever has no Trio."""
        place = self.lay(bot)
        keep_copy(bot, self.home, isolation)
        return place

    def lay(self, bot: Bot) -> str:
        """The place of the bot's copy, relative to the keeping; ConfigError if it has no room."""
        self.home.mkdir(exist_ok=True)
        self.home.chmod(0o755)  # bots of a host that is root run as users of their own
        new = not (self.home / bot.digest).exists()
        place = lay_copy(bot, self.home)
        if new and self.size() > most_bytes():
            remove(self.home / bot.digest)
            raise ConfigError(
                f"{bot.name}: {str(self.home)!r} has no room for it: at most {most_bytes() / GIB:g} GiB of bots; "
                f"the host allows more with {KEEPING_GIB} in the environment, or starts a second night"
            )
        return str(place.relative_to(self.home))

    def tidy(self, versions: Sequence[Version]) -> None:
        """Without what no game can need; for whoever has the runner's lock, or has just refused a version."""
        needed = {version.hash for version in versions if version.state != "refused"}
        refused = {version.hash for version in versions} - needed
        if not self.home.is_dir():
            return
        for folder in self.home.glob(f"{HASH_VERSION}*"):
            stray = folder.name not in needed and time.time() - folder.stat().st_mtime > STRAY_SECONDS
            if folder.name in refused or stray:
                remove(folder)

    def strip(self) -> None:
        """Every copy without what no hash names; for whoever has the runner's lock, before anything is played."""
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
        """From where it was handed in, if that has still the same files; a night may be carried without its keeping."""
        problem = f"{entry.name}: its copy in {str(self.home)!r} is gone or damaged"
        try:
            bot = find_bot(entry.path, entry.name)
        except ConfigError as error:
            raise ConfigError(f"{problem}, and where it was handed in: {error}") from None
        if bot.digest != version.hash:
            raise ConfigError(f"{problem}, and {entry.path!r} has other files by now")
        self.lay(bot)

    def bots(self, copies: Iterable[tuple[str, str]]) -> list[Bot]:
        """Those who lie at these places, under these names. What is wrong with one is said when it is to play."""
        found = []
        for place, name in copies:
            with suppress(ConfigError):
                found.append(find_bot(self.home / place, name))
        return found

    def size(self) -> int:
        """In bytes, of the files as they are."""
        return sum(
            os.lstat(os.path.join(folder, name)).st_size for folder, _, names in os.walk(self.home) for name in names
        )


def most_bytes() -> int:
    word = os.environ.get(KEEPING_GIB, str(MOST_GIB))
    if not word.isdecimal() or not 1 <= int(word) <= 1024:
        raise ConfigError(f"{KEEPING_GIB}={word[:20]!r}: a number of GiB from 1 to 1024")
    return int(word) * GIB


def keeping_of(store: Path) -> Keeping:
    """`friday.bots` beside `friday.sqlite`."""
    return Keeping(store.resolve().with_suffix(".bots"))


def check_keeping(keeping: Keeping, entries: Sequence[Entry], needed: Sequence[Version], warn: Warn) -> None:
    """Every version that is needed has its copy, unchanged; what is damaged is copied again if possible, and told."""
    known = {entry.number: entry for entry in entries}
    for version in needed:
        if not keeping.is_whole(version):
            entry = known[version.entry]
            keeping.restore(entry, version)
            warn(f"{entry.name}: its copy in {keeping.home.name} was gone or changed; made anew from {entry.path}")
