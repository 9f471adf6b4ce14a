"""Terminating bots: killed and not gone yet. Every worker on the machine knows them, as the next game may be elsewhere.

A mark is a file in the cache: which bot's tree, since when, and the control groups that exist as long as the tree does.
So a mark lapses without being removed. Where there are no groups, or no cache, each worker knows only its own.
"""

from __future__ import annotations

import contextlib
import hashlib
import itertools
import os
import time
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

import msgspec
import trio

from ..game import encode
from .bot_process import BotProcess
from .cache import private_cache
from .sandbox.hidden_paths import own_cache_folder

TERMINATION_SECONDS = 5.0
"""Seconds after its end in which the last process of a bot must be gone. A normal bot needs milliseconds."""
TERMINATION_POLL_SECONDS = 0.02
"""Seconds between two looks at terminating bots: the reaper ends them in a thread of its own, which cannot wake
Trio."""
SETTLED_NANOSECONDS = 1_000_000_000
"""Nanoseconds after which two changes of a folder surely have different times; the kernel's tick is 10 ms at most."""
MARK_WRITE_SECONDS = 60.0
"""Seconds after which no worker is still writing a mark."""
BOT_KEY_LENGTH = 32
"""Characters of a mark's name that identify its bot."""
MARKS_FOLDER = "dying"
"""The folder of marks in the cache."""
MAX_MARK_BYTES = 16 * 1024

_mark_numbers = itertools.count(1)


class TerminatingMark(msgspec.Struct, frozen=True):
    since: float
    """By CLOCK_MONOTONIC, which all processes of a machine share."""
    groups: tuple[str, ...]

    def has_lapsed(self) -> bool:
        """True when the tree is gone, and its groups with it; after a reboot there are none either."""
        return not any(os.path.exists(group) for group in self.groups)


class TerminatingBots:
    """The terminating bots of this worker, and the marks of all workers."""

    def __init__(self) -> None:
        self._own: list[tuple[str, BotProcess, float]] = []
        self._folder = own_cache_folder() / MARKS_FOLDER
        self._names: list[str] = []
        self._listed: int | None = None
        """The folder's modification time at our last look; None: it may have changed since unnoticed."""

    def add(self, path: str, process: BotProcess) -> None:
        """For a bot that was found at `path` and has just been killed."""
        since = time.monotonic()
        self._own.append((path, process, since))
        groups = tuple(str(folder) for folder in process.sandbox.group_folders)
        if groups:
            with contextlib.suppress(OSError):
                private_cache(MARKS_FOLDER)
                self._remove_lapsed_marks()
                mark_file = self._folder / f"{_bot_key(path)}-{os.getpid()}-{next(_mark_numbers)}"
                mark_file.write_bytes(encode(TerminatingMark(since, groups)))

    def may_include_any(self, paths: Iterable[str]) -> bool:
        """Whether any of these bots may be terminating: one look for a whole table, and nearly always that is
        enough."""
        marked = {name[:BOT_KEY_LENGTH] for name in self._mark_names()}
        return bool(self._own) or any(_bot_key(path) in marked for path in paths)

    async def survives_kill(self, path: str) -> bool:
        """Whether this bot's earlier processes have outlived our patience, which is then its own fault.

        Before any clock runs: on a busy machine an ordinary bot may also need some of that time.
        """
        while (since := self._killed_at(path)) is not None:
            if time.monotonic() > since + TERMINATION_SECONDS:
                return True
            await trio.sleep(TERMINATION_POLL_SECONDS)
        return False

    def _killed_at(self, path: str) -> float | None:
        """When the bot's longest terminating tree was killed; None if there is none."""
        self._own = [one for one in self._own if not one[1].is_gone]
        own = [since for bot_path, _, since in self._own if bot_path == path]
        return min([*own, *self._marked_kill_times(path)], default=None)

    def _marked_kill_times(self, path: str) -> list[float]:
        times = []
        for mark_file in [self._folder / name for name in self._mark_names() if name.startswith(_bot_key(path))]:
            mark = _read_mark(mark_file)
            if mark is None or mark.has_lapsed():
                with contextlib.suppress(OSError):  # another worker was quicker
                    mark_file.unlink()
            else:
                times.append(mark.since)
        return times

    def _remove_lapsed_marks(self) -> None:
        """Removes all lapsed marks: those of bots that never play again would stay for ever.

        Leaves a young mark that it cannot read: another worker may be writing it.
        """
        oldest = time.time() - MARK_WRITE_SECONDS
        for mark_file in self._folder.iterdir():
            mark = _read_mark(mark_file)
            with contextlib.suppress(OSError):  # another worker was quicker
                if mark_file.stat().st_mtime < oldest if mark is None else mark.has_lapsed():
                    mark_file.unlink()

    def _mark_names(self) -> list[str]:
        """Called before every game, so it lists the folder only when that has changed: 6 µs instead of 30."""
        try:
            changed = os.stat(self._folder).st_mtime_ns
            if changed != self._listed:
                self._names = os.listdir(self._folder)
                self._listed = changed if time.time_ns() - changed > SETTLED_NANOSECONDS else None
        except OSError:  # usually there is no such folder
            return []
        return self._names


@lru_cache(maxsize=1024)  # called for every seat before every game
def _bot_key(path: str) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:BOT_KEY_LENGTH]


def _read_mark(path: Path) -> TerminatingMark | None:
    """None for a mark that another worker has just removed, or that was cut off."""
    try:
        with path.open("rb") as file:
            return msgspec.json.decode(file.read(MAX_MARK_BYTES), type=TerminatingMark)
    except (OSError, msgspec.DecodeError):
        return None
