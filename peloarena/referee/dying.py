"""Bots that were ended and are not gone yet: known to every worker on the machine, for the next game may be elsewhere.

A mark is a file in the cache: whose tree, since when, and the control groups that are there as long as it is. So no one
has to take a mark away for it to lapse. Where there are no groups, or no cache, each worker knows of its own only.
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
from .build import cache_folder
from .process import BotProcess

DEATH_PATIENCE = 5.0
"""Seconds after its end in which the last process of a bot must be gone. What does nothing odd needs milliseconds."""
DEATH_POLL = 0.02
"""Seconds between two looks at the dying: the reaper ends them in a thread of its own, which cannot wake Trio."""
SETTLED = 1_000_000_000
"""Nanoseconds after which a change of a folder is surely told from the next one; the kernel's tick is 10 ms at most."""
WRITTEN_WITHIN = 60.0
"""Seconds after which nobody is writing a mark any more."""
KEY = 32
"""Characters of a mark's name that tell whose it is."""
LARGEST_MARK = 16 * 1024

_numbers = itertools.count(1)


class DyingMark(msgspec.Struct, frozen=True):
    since: float
    """By CLOCK_MONOTONIC, which all processes of a machine share."""
    groups: tuple[str, ...]

    def lapsed(self) -> bool:
        """The tree is gone, and its groups with it; after a new start of the machine there are none either."""
        return not any(os.path.exists(group) for group in self.groups)


class Dying:
    """Those of this worker, and the marks of all."""

    def __init__(self) -> None:
        self._own: list[tuple[str, BotProcess, float]] = []
        self._folder = cache_folder().parent / "dying"
        self._names: list[str] = []
        self._listed: int | None = None
        """When the folder was changed last, as it was at our last look; None: it may have changed since unseen."""

    def add(self, path: str, process: BotProcess) -> None:
        """Of a bot that was found at `path` and has just been ended."""
        since = time.monotonic()
        self._own.append((path, process, since))
        groups = tuple(str(folder) for folder in process.cage.group_folders)
        if groups:
            with contextlib.suppress(OSError):
                self._folder.mkdir(parents=True, exist_ok=True)
                self._sweep()
                place = self._folder / f"{_key(path)}-{os.getpid()}-{next(_numbers)}"
                place.write_bytes(encode(DyingMark(since, groups)))

    def may_be_any_of(self, paths: Iterable[str]) -> bool:
        """Whether any of these bots may be dying: one look for a whole table, and nearly always no more is needed."""
        marked = {name[:KEY] for name in self._marks()}
        return bool(self._own) or any(_key(path) in marked for path in paths)

    async def outlives_patience(self, path: str) -> bool:
        """Whether what this bot ran before has outlived our patience, which is then its own fault.

        Before any clock runs: on a busy machine an ordinary bot may need some of that time, too.
        """
        while (since := self._since(path)) is not None:
            if time.monotonic() > since + DEATH_PATIENCE:
                return True
            await trio.sleep(DEATH_POLL)
        return False

    def _since(self, path: str) -> float | None:
        """When the one was ended that is dying for the longest time; None: nothing of that bot is."""
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
        """All marks that have lapsed: those of bots that never play again would stay for ever.

        One that cannot be read may be another worker's, who is writing it now: it is left alone, while it is young.
        """
        oldest = time.time() - WRITTEN_WITHIN
        for place in self._folder.iterdir():
            mark = _read(place)
            with contextlib.suppress(OSError):  # another worker was quicker
                if place.stat().st_mtime < oldest if mark is None else mark.lapsed():
                    place.unlink()

    def _marks(self) -> list[str]:
        """Looked for before every game, hence listed only when the folder has changed: 6 µs and not 30."""
        try:
            changed = os.stat(self._folder).st_mtime_ns
            if changed != self._listed:
                self._names = os.listdir(self._folder)
                self._listed = changed if time.time_ns() - changed > SETTLED else None
        except OSError:  # mostly there is no such folder
            return []
        return self._names


@lru_cache(maxsize=1024)  # asked of every seat before every game
def _key(path: str) -> str:
    return hashlib.sha256(os.fsencode(path)).hexdigest()[:KEY]


def _read(place: Path) -> DyingMark | None:
    """None for one that another worker has just taken away, or that was cut off."""
    try:
        with place.open("rb") as file:
            return msgspec.json.decode(file.read(LARGEST_MARK), type=DyingMark)
    except (OSError, msgspec.DecodeError):
        return None
