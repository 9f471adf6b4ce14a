"""Copies of bots: what a run starts is exactly what the hash names, whatever becomes of the original meanwhile.

    HOME/HASH/bot   the files, checked against the hash; a bot that is a single file lies here alone

A Python bot's copy has a __pycache__ of our making, too: compiled in the room, not at every start. (PYTHONPYCACHEPREFIX
at the start of a bot would keep the library's own __pycache__ from being found.) No hash names it, so a night that goes
on strips its copies and has them compiled anew. A copy is found like any bot (`find_bot` of its place), so a game job
just names it. Knows files and the sandbox, but not how long a home is kept: `match` removes its own (workshop.py), a
night keeps it (tournament/keeping.py).
"""

from __future__ import annotations

import contextlib
import os
import stat
import subprocess
import sys
import tempfile
from pathlib import Path

import trio

from ..game import ConfigError
from .bot_files import IGNORED, BotFile, content_hash, copy_files, files_of
from .bots import Bot, checked_copy
from .build import cache_folder
from .build_watch import watch_build
from .entry_files import PYTHON
from .leftovers import own_folder, remove
from .sandbox.bubblewrap import BOT, OUT
from .sandbox.isolation import Isolation

FILES = "bot"
PYCACHE = "__pycache__"
COMPILE_SECONDS = 20
COMPILE = """
import compileall, os, py_compile
mode = py_compile.PycInvalidationMode.UNCHECKED_HASH
compileall.compile_dir(os.getcwd(), quiet=2, maxlevels=64, invalidation_mode=mode)
"""
"""Unchecked: the files do not change any more, and their times are those of the copy."""


def keep_copy(bot: Bot, home: Path, isolation: Isolation) -> Path:
    """The place of the bot's copy in home, made and compiled if it is not; for whoever has no Trio."""
    place = lay_copy(bot, home)
    trio.run(compile_copy, bot, home, isolation)
    return place


def lay_copy(bot: Bot, home: Path) -> Path:
    """The files alone. ConfigError when the bot changes meanwhile."""
    place = home / bot.digest
    if not _is_whole(place, bot):
        _make_copy(bot, home, place)
    return place / FILES if bot.single_file is None else place / FILES / bot.single_file.name


def strip(place: Path) -> None:
    """A copy without what its hash does not name, which could be anybody's by now; nobody may be playing it."""
    for folder, folders, files in os.walk(place / FILES):
        for name in IGNORED.intersection((*folders, *files)):
            if not stat.S_ISREG(os.lstat(os.path.join(folder, name)).st_mode):
                remove(Path(folder, name))
        folders[:] = [name for name in folders if name not in IGNORED]


def runs_folder() -> Path:
    """In the cache, for the machine's temporary folder may be mounted noexec; there only where no cache can be made."""
    runs = cache_folder().parent / "runs"
    try:
        runs.mkdir(parents=True, exist_ok=True)
    except OSError:
        return Path(tempfile.gettempdir())
    return runs


def _is_whole(place: Path, bot: Bot) -> bool:
    """A copy that is kept may have been damaged: its hash tells."""
    try:
        return place.is_dir() and content_hash(place / FILES) == bot.digest
    except ConfigError:
        return False


def _make_copy(bot: Bot, home: Path, place: Path) -> None:
    """As a whole: a copy that was cut off leaves nothing that could be taken for one."""
    with own_folder(home, "copying") as site:
        site.chmod(0o755)
        copy = site / FILES
        copy.mkdir()
        checked_copy(bot, copy, writable=False)
        remove(place)
        site.rename(place)


def needs_compiling(bot: Bot, home: Path, isolation: Isolation) -> bool:
    """Without a room nobody compiles a stranger's source."""
    copy = home / bot.digest / FILES
    return PYTHON in bot.argv and isolation.style != "none" and not (copy / PYCACHE).exists()


async def compile_copy(bot: Bot, home: Path, isolation: Isolation) -> None:
    """A copy cannot be written to, so every start would compile again. In the room, for it is a stranger's source, and
    with no right to write to the copy; whatever goes wrong there costs the bot its head start and nothing else."""
    if not needs_compiling(bot, home, isolation):
        return
    copy = home / bot.digest / FILES
    with own_folder(home, "copying") as site:
        site.chmod(0o755)
        compiled = site / "compiled"
        compiled.mkdir()
        with isolation.cage(copy, bot.limits, writable=compiled) as cage:
            launch = cage.command([sys.executable, "-S", "-X", f"pycache_prefix={OUT}", "-c", COMPILE])
            process = launch.start(stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
            cage.watch(process)
            watched = await watch_build(process, cage, compiled, COMPILE_SECONDS)
        below = compiled / BOT.strip("/")  # what it made of the library's files lies beside it
        if not watched.problem and below.is_dir():
            with contextlib.suppress(ConfigError):  # too much of it
                made = [_in_pycache(file) for file in files_of(below) if not file.is_link]
                copy_files(made, site / "made", writable=False)
                _move_in(site / "made", copy)


def _move_in(made: Path, copy: Path) -> None:
    """Folder by folder, the one at the top last: where it is, all of them are whole."""
    for folder in sorted(made.rglob(PYCACHE), key=lambda path: -len(path.parts)):
        place = copy / folder.relative_to(made)
        remove(place)  # of one that was cut off
        with contextlib.suppress(OSError):  # another process was quicker
            folder.rename(place)


def _in_pycache(file: BotFile) -> BotFile:
    folder, slash, name = file.name.rpartition(b"/")
    return file._replace(name=folder + slash + os.fsencode(PYCACHE) + b"/" + name)
