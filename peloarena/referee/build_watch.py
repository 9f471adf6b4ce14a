"""Watches a build: limits its time, its output and its disk use, because it is an untrusted process.

Knows a running process, its sandbox and its folder; not what is built. Waits with Trio, so that several can be watched
at a time, in the thread that started them: their death signals are tied to it.
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
from .sandbox import streams
from .sandbox.cage import Cage
from .sandbox.opening import Process

MOST_MIB = 1024
"""For all files together; the bot's `file_mib` limits a single file."""
MOST_FILES = 50_000
END_SECONDS = 5.0
"""Seconds for a killed tree to end; a busy machine needs a moment, or the build itself delays it."""
DEEPEST = 64
LOOK_EVERY = 0.25
"""Seconds between two looks at its folder."""
HUNG_UP = 0.01
"""Seconds between two looks at a process that has closed its output."""


class Watched(NamedTuple):
    said: str
    """The end of its output."""
    problem: str
    """What it did wrong, if anything."""
    out_of_time: bool = False


async def watch_build(process: Process, cage: Cage, folder: Path, seconds: float) -> Watched:
    """Waits for a build and kills it if it exceeds a limit.

    Kills what it leaves running when it ends, whose open output cannot hold us up. When cancelled, leaves nothing
    running.
    """
    assert process.stdout is not None
    os.set_blocking(process.stdout.fileno(), False)
    said = bytearray()
    try:
        problem, out_of_time = await _until_it_ends(process, cage, folder, seconds, said)
    except BaseException:  # cancelled, or Ctrl-C: its folder is about to be removed; raised again
        with trio.CancelScope(shield=True):
            await _ended(process, cage)
        streams.close(process.stdout)
        raise
    problem = problem or await _ended(process, cage)
    with contextlib.suppress(streams.DescriptorsPassed):
        _hear(process.stdout.fileno(), said)
    streams.close(process.stdout)
    told = said.decode("utf-8", "replace")[-BUILD_OUTPUT:].strip()
    return Watched(told, problem or excess(folder, cage), out_of_time)


async def _until_it_ends(
    process: Process, cage: Cage, folder: Path, seconds: float, said: bytearray
) -> tuple[str, bool]:
    """What it did wrong, and whether that is the time it took."""
    assert process.stdout is not None
    deadline = trio.current_time() + seconds
    while process.poll() is None:
        try:
            await _listen(process.stdout.fileno(), said, min(trio.current_time() + LOOK_EVERY, deadline))
        except streams.DescriptorsPassed as error:
            return str(error), False
        if problem := excess(folder, cage):
            return problem, False
        if trio.current_time() > deadline:
            return f"took longer than {seconds:g} s", True
    return "", False


async def _ended(process: Process, cage: Cage) -> str:
    """Each attempt to kill blocks for up to 0.1 s: no clock runs while bots are built."""
    deadline = trio.current_time() + END_SECONDS
    while not cage.kill():
        if trio.current_time() > deadline:
            return f"does not end within {END_SECONDS:g} s of being killed"
        await trio.lowlevel.checkpoint()
    process.wait()
    return ""


async def _listen(output: int, said: bytearray, until: float) -> None:
    """Reads until then, or until the other side closes; keeps the end of the output."""
    with trio.move_on_at(until):
        while True:
            await trio.lowlevel.wait_readable(output)
            if not _hear(output, said):
                await trio.sleep(HUNG_UP)
                return


def _hear(output: int, said: bytearray) -> bool:
    """Reads what is available; False at the end of the stream."""
    with contextlib.suppress(BlockingIOError):
        data = streams.read(output, 65_536)
        said += data
        del said[: -4 * BUILD_OUTPUT]
        return bool(data)
    return True


def excess(folder: Path, cage: Cage) -> str:
    """What a build has too much of, if anything. Deleted files that are still open count as well."""
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
    """The entries that existed a moment ago: a build may be at work."""
    with contextlib.suppress(FileNotFoundError, NotADirectoryError, PermissionError), os.scandir(folder) as found:
        for entry in found:
            with contextlib.suppress(FileNotFoundError):
                yield entry.stat(follow_symlinks=False), Path(entry.path)


def hidden_blocks(pid: int) -> int:
    """Blocks of files that a process holds open and that have no name any more."""
    total = 0
    with contextlib.suppress(OSError):
        for name in os.listdir(f"/proc/{pid}/fd"):
            with contextlib.suppress(OSError):
                info = os.stat(f"/proc/{pid}/fd/{name}")
                total += info.st_blocks if stat.S_ISREG(info.st_mode) and info.st_nlink == 0 else 0
    return total
