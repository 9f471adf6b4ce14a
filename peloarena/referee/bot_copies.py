"""Copies of bots: a run starts exactly what the hash names, even if the original changes meanwhile.

    HOME/HASH/bot   the files, checked against the hash; a bot that is a single file is alone here

A Python bot's copy also has a __pycache__ of our making (bytecode.py): compiled once, not at every start.
(PYTHONPYCACHEPREFIX at the start of a bot would keep the library's own __pycache__ from being found.) No hash names it,
so a tournament that resumes strips its copies and compiles them again. A copy is found like any bot (`find_bot` of its
path), so a game job just names it. Knows files and the sandbox, but not how long that folder is kept: `match`
removes its own, a tournament keeps it (tournament/snapshots.py).
"""

from __future__ import annotations

import contextlib
import os
import stat
import tempfile
from pathlib import Path

import trio

from ..game import ConfigError
from .bot_files import IGNORED_FOLDERS, content_hash
from .bot_finder import Bot, copy_and_verify
from .bytecode import PYCACHE, compile_folder
from .cache import private_cache
from .disk import report_disk_full
from .sandbox.errors import SandboxError
from .sandbox.isolation import Isolation
from .start_commands import PYTHON_PLACEHOLDER
from .temporary_folders import remove_folder, temporary_folder

FILES_FOLDER = "bot"


def copy_and_compile(bot: Bot, home: Path, isolation: Isolation) -> Path:
    """The path of the bot's copy in `home`, made and compiled if missing; for callers without Trio."""
    copy = copy_bot(bot, home)
    with contextlib.suppress(ConfigError, SandboxError):
        trio.run(compile_copy, bot, home, isolation)
    return copy


def copy_bot(bot: Bot, home: Path) -> Path:
    """Copies the files alone. Raises ConfigError when the bot changes meanwhile."""
    target = home / bot.digest
    if not _is_intact(target, bot):
        _make_copy(bot, home, target)
    return target / FILES_FOLDER if bot.single_file is None else target / FILES_FOLDER / bot.single_file.name


def remove_unhashed_files(copy: Path) -> None:
    """Removes from a copy what its hash does not name, because anybody may have changed that; nobody may be playing
    it."""
    for folder, folders, files in os.walk(copy / FILES_FOLDER):
        for name in IGNORED_FOLDERS.intersection((*folders, *files)):
            if not stat.S_ISREG(os.lstat(os.path.join(folder, name)).st_mode):
                remove_folder(Path(folder, name))
        folders[:] = [name for name in folders if name not in IGNORED_FOLDERS]


def runs_folder() -> Path:
    """In the cache, because the machine's temporary folder may be mounted noexec; there only if no cache can be
    made."""
    try:
        return private_cache("runs")
    except OSError:
        return Path(tempfile.gettempdir())


def _is_intact(copy: Path, bot: Bot) -> bool:
    """A stored copy may have been damaged: its hash shows that."""
    try:
        return copy.is_dir() and content_hash(copy / FILES_FOLDER) == bot.digest
    except ConfigError:
        return False


def _make_copy(bot: Bot, home: Path, target: Path) -> None:
    """Makes it as a whole: an interrupted copy leaves nothing that could be mistaken for a complete one."""
    with report_disk_full(home), temporary_folder(home, "copying") as site:
        copy = site / FILES_FOLDER
        copy.mkdir()
        copy_and_verify(bot, copy, writable=False)
        remove_folder(target)
        site.rename(target)


def needs_compiling(bot: Bot, home: Path) -> bool:
    return PYTHON_PLACEHOLDER in bot.argv and not os.path.lexists(home / bot.digest / FILES_FOLDER / PYCACHE)


async def compile_copy(bot: Bot, home: Path, isolation: Isolation) -> None:
    """A bot cannot write to its copy, so every start would compile again. Raises ConfigError or SandboxError when there
    is no bytecode: the bot then plays from source."""
    if needs_compiling(bot, home):
        await compile_folder(home / bot.digest / FILES_FOLDER, home, isolation)
