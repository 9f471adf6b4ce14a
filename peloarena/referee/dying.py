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
from .cache import private_cache
from .process import BotProcess
from .sandbox.never_shown import own_cache

DEATH_PATIENCE = 5.0
"""Seconds after its end in which the last process of a bot must be gone. A normal bot needs milliseconds."""
DEATH_POLL = 0.02
"""Seconds between two looks at terminating bots: the reaper ends them in a thread of its own, which cannot wake
Trio."""
SETTLED = 1_000_000_000
"""Nanoseconds after which two changes of a folder surely have different times; the kernel's tick is 10 ms at most."""
WRITTEN_WITHIN = 60.0
"""Seconds after which no worker is still writing a mark."""
KEY = 32
"""Characters of a mark's name that identify its bot."""
DYING = "dying"
"""The folder of marks in the cache."""
LARGEST_MARK = 16 * 1024

_numbers = itertools.count(1)


class DyingMark(msgspec.Struct, frozen=True):
    since: float
    """By CLOCK_MONOTONIC, which all processes of a machine share."""
    groups: tuple[str, ...]

    def lapsed(self) -> bool:
        """True when the tree is gone, and its groups with it; after a reboot there are none either."""
        return not any(os.path.exists(group) for group in self.groups)


class Dying:
    """The terminating bots of this worker, and the marks of all workers."""

    def __init__(self) -> None:
        self._own: list[tuple[str, BotProcess, float]] = []
        self._folder = own_cache() / DYING
        self._names: list[str] = []
        self._listed: int | None = None
        """The folder's modification time at our last look; None: it may have changed since unnoticed."""

    def add(self, path: str, process: BotProcess) -> None:
        """For a bot that was found at `path` and has just been killed."""
        since = time.monotonic()
        self._own.append((path, process, since))
        groups = tuple(str(folder) for folder in process.cage.group_folders)
        if groups:
            with contextlib.suppress(OSError):
                private_cache(DYING)
                self._sweep()
                place = self._folder / f"{_key(path)}-{os.getpid()}-{next(_numbers)}"
                place.write_bytes(encode(DyingMark(since, groups)))

    def may_be_any_of(self, paths: Iterable[str]) -> bool:
        """Whether any of these bots may be terminating: one look for a whole table, and nearly always that is
        enough."""
        marked = {name[:KEY] for name in self._marks()}
        return bool(self._own) or any(_key(path) in marked for path in paths)

    async def outlives_patience(self, path: str) -> bool:
        """Whether this bot's earlier processes have outlived our patience, which is then its own fault.

        Before any clock runs: on a busy machine an ordinary bot may also need some of that time.
        """
        while (since := self._since(path)) is not None:
            if time.monotonic() > since + DEATH_PATIENCE:
                return True
            await trio.sleep(DEATH_POLL)
        return False

    def _since(self, path: str) -> float | None:
        """When the bot's longest terminating tree was killed; None if there is none."""
        self._own = [one for one in self._own if not one[1].gone]
        own = [since for dying, _, since in self._own if dying == path]
        return min([*own, *self._marked(path)], default=None)

    def _marked(self, path: str) -> list[float]:
        found = []
        for place in [self._folder / name for name in self._marks() if name.startswith(_key(path))]:
            mark = _read(place)
            if mark is None or mark.lapsed():
                with contextlib.suppress(OSError):  # another worker was quicker
                    place.unlink()
            else:
                found.append(mark.since)
        return found

    def _sweep(self) -> None:
        """Removes all lapsed marks: those of bots that never play again would stay for ever.

        Leaves a young mark that it cannot read: another worker may be writing it.
        """
        oldest = time.time() - WRITTEN_WITHIN
        for place in self._folder.iterdir():
            mark = _read(place)
            with contextlib.suppress(OSError):  # another worker was quicker
                if place.stat().st_mtime < oldest if mark is None else mark.lapsed():
                    place.unlink()

    def _marks(self) -> list[str]:
        """Called before every game, so it lists the folder only when that has changed: 6 µs instead of 30."""
        try:
            changed = os.stat(self._folder).st_mtime_ns
            if changed != self._listed:
                self._names = os.listdir(self._folder)
                self._listed = changed if time.time_ns() - changed > SETTLED else None
        except OSError:  # usually there is no such folder
            return []
        return self._names


@lru_cache(maxsize=1024)  # called for every seat before every game
def _key(path: str) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:KEY]


def _read(place: Path) -> DyingMark | None:
    """None for a mark that another worker has just removed, or that was cut off."""
    try:
        with place.open("rb") as file:
            return msgspec.json.decode(file.read(LARGEST_MARK), type=DyingMark)
    except (OSError, msgspec.DecodeError):
        return None
