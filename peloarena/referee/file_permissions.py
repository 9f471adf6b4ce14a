"""Who may read a bot's files: where the host is root, each bot runs as a user of its own. Checks and sets modes."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from ..game import ConfigError
from .bot_files import files_of
from .bot_finder import Bot
from .sandbox.isolation import Isolation

READ_MODE, ENTER_MODE = 0o004, 0o005
PROGRAM_MODE, FILE_MODE = 0o755, 0o644
"""Where the host is root a bot runs as a user of its own, so everybody must be able to read."""
REMOVED_ATTRIBUTE_PREFIXES = ("security.capability", "system.posix_acl_", "trusted.", "user.")
"""Prefixes of extended attributes that give rights or carry notes. Others are the system's (SELinux)."""


def normalize_permissions(folder: Path) -> None:
    """Sets plain modes on the files of a build: 0755 or 0644, no set-uid, set-gid or sticky bit, no access list, no
    capability, no other attribute; only folders, files and links. Raises ConfigError if that is impossible.

    No process may be alive inside. Hard links have no other names elsewhere: the folder was a mount of its own in the
    sandbox.
    """
    try:
        _normalize_entry(folder)
        for above, folders, files in os.walk(folder):  # enters a folder after its mode is set
            for name in (*folders, *files):
                _normalize_entry(Path(above, name))
    except OSError as error:
        problem = f"{Path(error.filename or folder).name!r}: {error.strerror}"
        raise ConfigError(f"the permissions of its built files cannot be set: {problem}") from None


def _normalize_entry(path: Path) -> None:
    mode = path.lstat().st_mode
    if stat.S_ISLNK(mode):
        return
    if not (stat.S_ISDIR(mode) or stat.S_ISREG(mode)):
        path.unlink()
        return
    plain = PROGRAM_MODE if stat.S_ISDIR(mode) or mode & stat.S_IXUSR else FILE_MODE
    path.chmod(plain)  # first, because a file's attributes can be removed only with write permission
    for name in _extended_attributes(path):
        if name.startswith(REMOVED_ATTRIBUTE_PREFIXES):
            os.removexattr(path, name, follow_symlinks=False)
    path.chmod(plain)  # with an access list, these were the bits of its mask


def _extended_attributes(path: Path) -> list[str]:
    try:
        return os.listxattr(path, follow_symlinks=False)
    except OSError as error:
        if error.errno != errno.ENOTSUP:
            raise
        return []


def check_access(bot: Bot, isolation: Isolation) -> None:
    """Raises ConfigError with the remedy when a bot could not read its own files."""
    if isolation.style != "root":
        return
    closed = next((path for path, needed in required_modes(bot) if path.stat().st_mode & needed != needed), None)
    if closed is not None:
        shown = closed.name if bot.single_file else closed.relative_to(bot.folder.parent)
        raise ConfigError(
            f"{bot.name}: bots run as a user of their own here, which may not read {str(shown)!r}: "
            f"chmod -R o+rX {bot.source.name}"
        )


def required_modes(bot: Bot) -> Iterator[tuple[Path, int]]:
    """Each file and folder with the rights that others need on it."""
    if bot.single_file is not None:
        yield bot.single_file, ENTER_MODE
        return
    yield bot.folder, ENTER_MODE
    folders: set[Path] = set()
    for file in files_of(bot.folder):
        folders.update(parent for parent in file.path.relative_to(bot.folder).parents)
        if not file.is_link:
            yield file.path, READ_MODE
    for folder in sorted(folders):
        yield bot.folder / folder, ENTER_MODE
