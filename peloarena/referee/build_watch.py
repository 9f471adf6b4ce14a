"""Watching a build: its time, its words and its use of the disk are bounded, for it is a stranger's program.

Knows a running process, its cage and its folder; not what is built.
"""

from __future__ import annotations

import contextlib
import os
import select
import stat
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

from ..protocol.shown import BUILD_OUTPUT
from .sandbox.cage import Cage

MOST_MIB = 1024
"""All files together; a single one is bounded by the bot's `file_mib`."""
MOST_FILES = 50_000
END_SECONDS = 5.0
"""For a tree that is killed; on a busy machine that takes a moment, or a build makes it take one."""
DEEPEST = 64
LOOK_EVERY = 0.25
"""Seconds from one look at its folder to the next."""


def watch_build(process: subprocess.Popen[bytes], cage: Cage, folder: Path, seconds: float) -> tuple[str, str]:
    """Waits for a build and ends it where it goes too far: the end of what it said, and what it did wrong, if anything.

    What it leaves running when it ends is ended with it, and cannot hold us by its output.
    """
    assert process.stdout is not None
    os.set_blocking(process.stdout.fileno(), False)
    said = bytearray()
    deadline = time.monotonic() + seconds
    problem = ""
    while process.poll() is None and not problem:
        listen(process.stdout.fileno(), said, min(LOOK_EVERY, max(0.0, deadline - time.monotonic())))
        problem = excess(folder, cage) or (f"took longer than {seconds:g} s" if time.monotonic() > deadline else "")
    problem = problem or _ended(process, cage)
    listen(process.stdout.fileno(), said, 0)
    process.stdout.close()
    return said.decode("utf-8", "replace")[-BUILD_OUTPUT:].strip(), problem or excess(folder, cage)


def _ended(process: subprocess.Popen[bytes], cage: Cage) -> str:
    """Blocking, like all of a build: nobody's clock runs while bots are made ready."""
    deadline = time.monotonic() + END_SECONDS
    while not cage.kill():
        if time.monotonic() > deadline:
            return f"does not end within {END_SECONDS:g} s of being killed"
    process.wait()
    return ""


def listen(output: int, said: bytearray, seconds: float) -> None:
    """Keeps the end of what is said within these seconds, or until the other side hangs up."""
    deadline = time.monotonic() + seconds
    while select.select([output], [], [], max(0.0, deadline - time.monotonic()))[0]:
        data = os.read(output, 65_536)
        said += data
        del said[: -4 * BUILD_OUTPUT]
        if not data or time.monotonic() > deadline:
            time.sleep(max(0.0, min(0.01, deadline - time.monotonic())))
            return


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
