"""Untrusted processes: in a sandbox that shows no file of the host and, if the host is root, with another uid.

Each has one socket, its stdin. If no sandbox can be created it is a plain process, which drops root by itself.
"""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import trio

from ..referee.module_command import module_command
from ..referee.sandbox.isolation import Isolation
from ..referee.sandbox.limits import Limits
from ..referee.temporary_folders import remove_folder
from .wire_messages import LENGTH_PREFIX, WireMessageError, clean_line, length_of, pack_message

UNTRUSTED_LIMITS = Limits(memory_mib=2048, processes=128, open_files=1024)


def exposure_warning(isolation: Isolation) -> str:
    """A warning for the host if the broker has neither a sandbox nor its own uid. Empty if it has one of them."""
    if isolation.style != "none" or os.getuid() == 0:
        return ""
    lack = isolation.missing_parts[0].what if isolation.missing_parts else "no sandbox"
    return (
        f"UNPROTECTED: members of the cluster can read and change everything that you can, including the store and the "
        f"secret ({lack})"
    )


class ProcessExited(Exception):
    """The process ended, or violates the message format."""


class UntrustedProcess:
    """The runner's end of an untrusted process. One task reads, any number write."""

    def __init__(self, ours: socket.socket, errors: IO[bytes]) -> None:
        self._stream = trio.SocketStream(trio.socket.from_stdlib_socket(ours))
        self._errors = errors
        self._send_lock = trio.Lock()

    async def send(self, value: object) -> None:
        async with self._send_lock:
            with trio.CancelScope(shield=True):  # half a message would break the channel
                try:
                    await self._stream.send_all(pack_message(value))
                except (trio.BrokenResourceError, trio.ClosedResourceError) as error:
                    raise ProcessExited(str(error)) from None

    async def receive(self) -> bytes:
        try:
            return await self._receive_exactly(length_of(await self._receive_exactly(LENGTH_PREFIX.size)))
        except (trio.BrokenResourceError, trio.ClosedResourceError, WireMessageError) as error:
            raise ProcessExited(str(error)) from None

    async def _receive_exactly(self, size: int) -> bytes:
        parts = bytearray()
        while len(parts) < size:
            read = await self._stream.receive_some(min(size - len(parts), 1 << 20))
            if not read:
                raise ProcessExited("the process ended")
            parts += read
        return bytes(parts)

    def last_stderr_line(self) -> str:
        """The last line that it wrote to stderr."""
        self._errors.seek(0)
        lines = self._errors.read(1 << 20).decode(errors="replace").strip().splitlines()
        return clean_line(lines[-1]) if lines else ""


@contextlib.contextmanager
def run_untrusted(isolation: Isolation, module: str, *, network: bool = False) -> Iterator[UntrustedProcess]:
    """The process is gone on exit. Call from the main thread: its death signal follows the thread that forked."""
    folder = Path(tempfile.mkdtemp(prefix="peloarena-untrusted-"))
    folder.chmod(0o755)
    ours, its = socket.socketpair()
    try:
        with (
            tempfile.TemporaryFile() as errors,
            isolation.make_sandbox(folder, UNTRUSTED_LIMITS, network=network) as sandbox,
        ):
            launch = sandbox.command(module_command(f"cluster.{module}"))
            process = launch.start(stdin=its.fileno(), stdout=subprocess.DEVNULL, stderr=errors.fileno())
            its.close()
            sandbox.track(process)
            try:
                yield UntrustedProcess(ours, errors)
            finally:
                sandbox.kill()
                process.wait()
    finally:
        ours.close()
        its.close()
        remove_folder(folder)
