"""Who may read a bot's files: where the host is root, bots run as users of their own. Checks and mends modes."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from ..game import ConfigError
from .bot_files import files_of
from .bots import Bot
from .sandbox.isolation import Isolation

READ, ENTER = 0o004, 0o005


def open_up(copy: Path) -> None:
    """Lets everybody read our copy: where the host is root, a bot runs as a user of its own."""
    for above, folders, files in os.walk(copy):
        for name in (".", *folders, *files):
            path = Path(above, name)
            mode = path.lstat().st_mode
            if stat.S_ISDIR(mode) or (stat.S_ISREG(mode) and mode & 0o100):
                path.chmod(stat.S_IMODE(mode) | ENTER)
            elif stat.S_ISREG(mode):
                path.chmod(stat.S_IMODE(mode) | READ)


def check_access(bot: Bot, isolation: Isolation) -> None:
    """ConfigError with the remedy when a bot could not read its own files."""
    if isolation.style != "root":
        return
    closed = next((path for path, needed in needs(bot) if path.stat().st_mode & needed != needed), None)
    if closed is not None:
        shown = closed.name if bot.single_file else closed.relative_to(bot.folder.parent)
        raise ConfigError(
            f"{bot.name}: bots run as a user of their own here, which may not read {str(shown)!r}: "
            f"chmod -R o+rX {bot.source.name}"
        )


def needs(bot: Bot) -> Iterator[tuple[Path, int]]:
    """Each file and folder with the rights that others need on it."""
    if bot.single_file is not None:
        yield bot.single_file, ENTER
        return
    yield bot.folder, ENTER
    folders: set[Path] = set()
    for file in files_of(bot.folder):
        folders.update(parent for parent in file.path.relative_to(bot.folder).parents)
        if not file.is_link:
            yield file.path, READ
    for folder in sorted(folders):
        yield bot.folder / folder, ENTER
