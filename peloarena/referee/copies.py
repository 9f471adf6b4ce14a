"""Copies of bots: what a run starts is exactly what the hash names, whatever becomes of the original meanwhile.

    HOME/HASH/bot   the files, checked against the hash; a bot that is a single file lies here alone

A Python bot's copy has a __pycache__ of our making, too: compiled in the room, not at every start. (PYTHONPYCACHEPREFIX
at the start of a bot would keep the library's own __pycache__ from being found.) No hash names it, so a night that goes
on strips its copies and has them compiled anew. A copy is found like any bot (`find_bot` of its place), so a game job
just names it. Knows files and the sandbox, but not how long a home is kept: `match` removes its own, a night keeps it.
"""

from __future__ import annotations

import contextlib
import os
import stat
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from msgspec.structs import replace

from ..game import ConfigError
from .bot_files import IGNORED, BotFile, content_hash, copy_files, files_of
from .bots import Bot, checked_copy
from .build import cache_folder
from .build_watch import watch_build
from .entry_files import PYTHON
from .leftovers import own_folder, remove
from .sandbox.bubblewrap import BOT, OUT
from .sandbox.isolation import Isolation, Policy, prepare

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
    """The place of the bot's copy in home, made if it is not there. ConfigError when the bot changes meanwhile."""
    place = home / bot.digest
    if not _is_whole(place, bot):
        _make_copy(bot, home, place, isolation)
    elif not (place / FILES / PYCACHE).exists():
        with own_folder(home, "copying") as site:
            site.chmod(0o755)
            _compile(bot, place / FILES, site / "compiled", isolation)
    return _start_of(place, bot)


def strip(place: Path) -> None:
    """A copy without what its hash does not name, which could be anybody's by now; nobody may be playing it."""
    for folder, folders, files in os.walk(place / FILES):
        for name in IGNORED.intersection((*folders, *files)):
            if not stat.S_ISREG(os.lstat(os.path.join(folder, name)).st_mode):
                remove(Path(folder, name))
        folders[:] = [name for name in folders if name not in IGNORED]


@contextlib.contextmanager
def copied(bots: Sequence[Bot], policy: Policy) -> Iterator[list[Bot]]:
    """The same bots, each with the place of its copy as source, for the length of a run."""
    with own_folder(_runs(), "run") as home:
        home.chmod(0o755)  # bots of a host that is root run as users of their own
        with prepare(policy) as isolation:
            places = [keep_copy(bot, home, isolation) for bot in bots]
        yield [replace(bot, source=place) for bot, place in zip(bots, places, strict=True)]


def _runs() -> Path:
    """In the cache, for the machine's temporary folder may be mounted noexec; there only where no cache can be made."""
    runs = cache_folder().parent / "runs"
    try:
        runs.mkdir(parents=True, exist_ok=True)
    except OSError:
        return Path(tempfile.gettempdir())
    return runs


def _start_of(place: Path, bot: Bot) -> Path:
    return place / FILES if bot.single_file is None else place / FILES / bot.single_file.name


def _is_whole(place: Path, bot: Bot) -> bool:
    """A copy that is kept may have been damaged: its hash tells."""
    try:
        return place.is_dir() and content_hash(place / FILES) == bot.digest
    except ConfigError:
        return False


def _make_copy(bot: Bot, home: Path, place: Path, isolation: Isolation) -> None:
    """As a whole: a copy that was cut off leaves nothing that could be taken for one."""
    with own_folder(home, "copying") as site:
        site.chmod(0o755)
        copy = site / FILES
        copy.mkdir()
        checked_copy(bot, copy, writable=False)
        _compile(bot, copy, site / "compiled", isolation)
        remove(place)
        site.rename(place)


def _compile(bot: Bot, copy: Path, compiled: Path, isolation: Isolation) -> None:
    """A copy cannot be written to, so every start would compile again. In the room, for it is a stranger's source, and
    with no right to write to the copy; whatever goes wrong there costs the bot its head start and nothing else."""
    if PYTHON not in bot.argv or isolation.style == "none":
        return
    compiled.mkdir()
    with isolation.cage(copy, bot.limits, writable=compiled) as cage:
        launch = cage.command([sys.executable, "-S", "-X", f"pycache_prefix={OUT}", "-c", COMPILE])
        process = launch.start(stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        cage.watch(process)
        _, problem = watch_build(process, cage, compiled, COMPILE_SECONDS)
    below = compiled / BOT.strip("/")  # what it made of the library's files lies beside it
    if not problem and below.is_dir():
        copy_files([_in_pycache(file) for file in files_of(below) if not file.is_link], copy, writable=False)
    remove(compiled)


def _in_pycache(file: BotFile) -> BotFile:
    folder, slash, name = file.name.rpartition(b"/")
    return file._replace(name=folder + slash + os.fsencode(PYCACHE) + b"/" + name)
