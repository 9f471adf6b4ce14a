"""Watching a build: its time, its words and its use of the disk are bounded, for it is a stranger's program.

Knows a running process, its cage and its folder; not what is built. Waits with Trio, so that several can be watched at
a time, in the thread that started them: their death signals follow it.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import trio

from ..protocol.shown import BUILD_OUTPUT
from .sandbox.cage import Cage
from .sandbox.opening import Process

MOST_MIB = 1024
"""All files together; a single one is bounded by the bot's `file_mib`."""
MOST_FILES = 50_000
END_SECONDS = 5.0
"""For a tree that is killed; on a busy machine that takes a moment, or a build makes it take one."""
DEEPEST = 64
LOOK_EVERY = 0.25
"""Seconds from one look at its folder to the next."""
HUNG_UP = 0.01
"""Seconds from one look to the next at a process that has closed its output."""


class Watched(NamedTuple):
    said: str
    """The end of it."""
    problem: str
    """What it did wrong, if anything."""
    out_of_time: bool = False


async def watch_build(process: Process, cage: Cage, folder: Path, seconds: float) -> Watched:
    """Waits for a build and ends it where it goes too far.

    What it leaves running when it ends is ended with it, and cannot hold us by its output. Whoever is cancelled here
    leaves nothing running.
    """
    assert process.stdout is not None
    os.set_blocking(process.stdout.fileno(), False)
    said = bytearray()
    try:
        problem, out_of_time = await _until_it_ends(process, cage, folder, seconds, said)
    except BaseException:  # cancelled, or Ctrl-C: its folder is about to be removed; raised again
        with trio.CancelScope(shield=True):
            await _ended(process, cage)
        process.stdout.close()
        raise
    problem = problem or await _ended(process, cage)
    _hear(process.stdout.fileno(), said)
    process.stdout.close()
    told = said.decode("utf-8", "replace")[-BUILD_OUTPUT:].strip()
    return Watched(told, problem or excess(folder, cage), out_of_time)


async def _until_it_ends(
    process: Process, cage: Cage, folder: Path, seconds: float, said: bytearray
) -> tuple[str, bool]:
    """What it did wrong, and whether that is the time it took."""
    assert process.stdout is not None
    deadline = trio.current_time() + seconds
    while process.poll() is None:
        await _listen(process.stdout.fileno(), said, min(trio.current_time() + LOOK_EVERY, deadline))
        if problem := excess(folder, cage):
            return problem, False
        if trio.current_time() > deadline:
            return f"took longer than {seconds:g} s", True
    return "", False


async def _ended(process: Process, cage: Cage) -> str:
    """Each blow blocks for up to 0.1 s: nobody's clock runs while bots are made ready."""
    deadline = trio.current_time() + END_SECONDS
    while not cage.kill():
        if trio.current_time() > deadline:
            return f"does not end within {END_SECONDS:g} s of being killed"
        await trio.lowlevel.checkpoint()
    process.wait()
    return ""


async def _listen(output: int, said: bytearray, until: float) -> None:
    """Keeps the end of what is said until then, or until the other side hangs up."""
    with trio.move_on_at(until):
        while True:
            await trio.lowlevel.wait_readable(output)
            if not _hear(output, said):
                await trio.sleep(HUNG_UP)
                return


def _hear(output: int, said: bytearray) -> bool:
    """What can be read at once; False: that was all there will ever be."""
    with contextlib.suppress(BlockingIOError):
        data = os.read(output, 65_536)
        said += data
        del said[: -4 * BUILD_OUTPUT]
        return bool(data)
    return True


def excess(folder: Path, cage: Cage) -> str:
    """What a build has too much of, if anything. Files that are deleted but still open count, too."""
    blocks = sum(hidden_blocks(pid) for pid in cage.pids())
    waiting, files = [(folder, 0)], 0
    while waiting:
        place, depth = waiting.pop()
        for info, path in entries(place):
            files += 1
            blocks += info.st_blocks
            if stat.S_ISDIR(info.st_mode):
                waiting.append((path, depth + 1))
            if files > MOST_FILES:
                return f"makes more than {MOST_FILES} files"
            if depth > DEEPEST:
                return f"makes folders nested more than {DEEPEST} deep"
    return f"takes more than {MOST_MIB} MiB of the disk" if blocks * 512 > MOST_MIB * 2**20 else ""


def entries(folder: Path) -> Iterator[tuple[os.stat_result, Path]]:
    """What was there a moment ago: a build may be at work."""
    with contextlib.suppress(FileNotFoundError, NotADirectoryError, PermissionError), os.scandir(folder) as found:
        for entry in found:
            with contextlib.suppress(FileNotFoundError):
                yield entry.stat(follow_symlinks=False), Path(entry.path)


def hidden_blocks(pid: int) -> int:
    """Of the files that a process holds open and that have no name any more."""
    total = 0
    with contextlib.suppress(OSError):
        for name in os.listdir(f"/proc/{pid}/fd"):
            with contextlib.suppress(OSError):
                info = os.stat(f"/proc/{pid}/fd/{name}")
                total += info.st_blocks if stat.S_ISREG(info.st_mode) and info.st_nlink == 0 else 0
    return total
