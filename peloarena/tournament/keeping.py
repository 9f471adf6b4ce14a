"""The keeping of a night: copies of all bots that entered, beside the store. Only these are built and played.

So what is played is what was handed in: the folders they came from may change or vanish.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from ..game import ConfigError
from ..referee.bot_files import content_hash
from ..referee.bots import Bot, find_bot
from ..referee.copies import FILES, keep_copy
from ..referee.sandbox.isolation import Isolation
from .entries import Entry, Version

MOST_BYTES = 8 * 1024 * 1024 * 1024
"""Of all copies together."""


class Keeping:
    def __init__(self, home: Path) -> None:
        self.home = home

    def keep(self, bot: Bot, isolation: Isolation) -> str:
        """The place of the bot's copy, relative to the keeping; ConfigError if it has no room."""
        self.home.mkdir(exist_ok=True)
        self.home.chmod(0o755)  # bots of a host that is root run as users of their own
        if self.size() > MOST_BYTES:
            raise ConfigError(f"{str(self.home)!r} is full: more than {MOST_BYTES >> 30} GiB of bots")
        return str(keep_copy(bot, self.home, isolation).relative_to(self.home))

    def place(self, version: Version) -> Path:
        return self.home / version.copy

    def is_whole(self, version: Version) -> bool:
        try:
            return content_hash(self.home / version.hash / FILES) == version.hash
        except ConfigError:
            return False

    def restore(self, entry: Entry, version: Version, isolation: Isolation) -> None:
        """From where it was handed in, if that has still the same files; a night may be carried without its keeping."""
        problem = f"{entry.name}: its copy in {str(self.home)!r} is gone or damaged"
        try:
            bot = find_bot(entry.path, entry.name)
        except ConfigError as error:
            raise ConfigError(f"{problem}, and where it was handed in: {error}") from None
        if bot.digest != version.hash:
            raise ConfigError(f"{problem}, and {entry.path!r} has other files by now")
        self.keep(bot, isolation)

    def size(self) -> int:
        """In bytes, of the files as they are."""
        return sum(
            os.lstat(os.path.join(folder, name)).st_size for folder, _, names in os.walk(self.home) for name in names
        )


def keeping_of(store: Path) -> Keeping:
    """`friday.bots` beside `friday.sqlite`."""
    return Keeping(store.resolve().with_suffix(".bots"))


def check_keeping(keeping: Keeping, entries: Sequence[Entry], playing: Sequence[Version], isolation: Isolation) -> None:
    """Every version that plays has its copy, unchanged; what is missing is copied again if that can be."""
    known = {entry.number: entry for entry in entries}
    for version in playing:
        if not keeping.is_whole(version):
            keeping.restore(known[version.entry], version, isolation)
