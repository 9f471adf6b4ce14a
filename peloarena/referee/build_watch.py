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

from ..protocol.excerpt_lengths import BUILD_OUTPUT_LENGTH
from .sandbox import streams
from .sandbox.sandbox import Sandbox
from .sandbox.zygote_client import StartedProcess

MAX_DISK_MIB = 1024
"""For all files together; the bot's `file_mib` limits a single file."""
MAX_BUILD_FILES = 50_000
KILL_TIMEOUT_SECONDS = 5.0
"""Seconds for a killed tree to end; a busy machine needs a moment, or the build itself delays it."""
MAX_BUILD_FOLDER_DEPTH = 64
CHECK_INTERVAL_SECONDS = 0.25
"""Seconds between two looks at its folder."""
CLOSED_OUTPUT_POLL_SECONDS = 0.01
"""Seconds between two looks at a process that has closed its output."""


class WatchResult(NamedTuple):
    output: str
    """The end of its output."""
    problem: str
    """What it did wrong, if anything."""
    out_of_time: bool = False


async def watch_build(process: StartedProcess, sandbox: Sandbox, folder: Path, seconds: float) -> WatchResult:
    """Waits for a build and kills it if it exceeds a limit.

    Kills what it leaves running when it ends, whose open output cannot hold us up. When cancelled, leaves nothing
    running.
    """
    assert process.stdout is not None
    os.set_blocking(process.stdout.fileno(), False)
    output = bytearray()
    try:
        problem, out_of_time = await _wait_for_end(process, sandbox, folder, seconds, output)
    except BaseException:  # cancelled, or Ctrl-C: its folder is about to be removed; raised again
        with trio.CancelScope(shield=True):
            await _kill_and_wait(process, sandbox)
        streams.close(process.stdout)
        raise
    problem = problem or await _kill_and_wait(process, sandbox)
    with contextlib.suppress(streams.DescriptorsPassed):
        _read_available(process.stdout.fileno(), output)
    streams.close(process.stdout)
    text = output.decode("utf-8", "replace")[-BUILD_OUTPUT_LENGTH:].strip()
    return WatchResult(text, problem or exceeded_limit_text(folder, sandbox), out_of_time)


async def _wait_for_end(
    process: StartedProcess, sandbox: Sandbox, folder: Path, seconds: float, output: bytearray
) -> tuple[str, bool]:
    """What it did wrong, and whether that is the time it took."""
    assert process.stdout is not None
    deadline = trio.current_time() + seconds
    while process.poll() is None:
        try:
            await _read_output_until(
                process.stdout.fileno(), output, min(trio.current_time() + CHECK_INTERVAL_SECONDS, deadline)
            )
        except streams.DescriptorsPassed as error:
            return str(error), False
        if problem := exceeded_limit_text(folder, sandbox):
            return problem, False
        if trio.current_time() > deadline:
            return f"took longer than {seconds:g} s", True
    return "", False


async def _kill_and_wait(process: StartedProcess, sandbox: Sandbox) -> str:
    """Each attempt to kill blocks for up to 0.1 s: no clock runs while bots are built."""
    deadline = trio.current_time() + KILL_TIMEOUT_SECONDS
    while not sandbox.kill():
        if trio.current_time() > deadline:
            return f"does not end within {KILL_TIMEOUT_SECONDS:g} s of being killed"
        await trio.lowlevel.checkpoint()
    process.wait()
    return ""


async def _read_output_until(descriptor: int, output: bytearray, deadline: float) -> None:
    """Reads until then, or until the other side closes; keeps the end of the output."""
    with trio.move_on_at(deadline):
        while True:
            await trio.lowlevel.wait_readable(descriptor)
            if not _read_available(descriptor, output):
                await trio.sleep(CLOSED_OUTPUT_POLL_SECONDS)
                return


def _read_available(descriptor: int, output: bytearray) -> bool:
    """Reads what is available; False at the end of the stream."""
    with contextlib.suppress(BlockingIOError):
        data = streams.read(descriptor, 65_536)
        output += data
        del output[: -4 * BUILD_OUTPUT_LENGTH]
        return bool(data)
    return True


def exceeded_limit_text(folder: Path, sandbox: Sandbox) -> str:
    """What a build has too much of, if anything. Deleted files that are still open count as well."""
    blocks = sum(deleted_file_blocks(pid) for pid in sandbox.pids())
    waiting, files = [(folder, 0)], 0
    while waiting:
        current, depth = waiting.pop()
        for info, path in scan_entries(current):
            files += 1
            blocks += info.st_blocks
            if stat.S_ISDIR(info.st_mode):
                waiting.append((path, depth + 1))
            if files > MAX_BUILD_FILES:
                return f"makes more than {MAX_BUILD_FILES} files"
            if depth > MAX_BUILD_FOLDER_DEPTH:
                return f"makes folders nested more than {MAX_BUILD_FOLDER_DEPTH} deep"
    return f"takes more than {MAX_DISK_MIB} MiB of the disk" if blocks * 512 > MAX_DISK_MIB * 2**20 else ""


def scan_entries(folder: Path) -> Iterator[tuple[os.stat_result, Path]]:
    """The entries that existed a moment ago: a build may be at work."""
    with contextlib.suppress(FileNotFoundError, NotADirectoryError, PermissionError), os.scandir(folder) as entries:
        for entry in entries:
            with contextlib.suppress(FileNotFoundError):
                yield entry.stat(follow_symlinks=False), Path(entry.path)


def deleted_file_blocks(pid: int) -> int:
    """Blocks of files that a process holds open and that have no name any more."""
    total = 0
    with contextlib.suppress(OSError):
        for name in os.listdir(f"/proc/{pid}/fd"):
            with contextlib.suppress(OSError):
                info = os.stat(f"/proc/{pid}/fd/{name}")
                total += info.st_blocks if stat.S_ISREG(info.st_mode) and info.st_nlink == 0 else 0
    return total
