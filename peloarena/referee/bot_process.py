"""A bot's process: starts it in its sandbox, keeps its stderr, kills its whole tree. The only place that starts
bots."""

from __future__ import annotations

import contextlib
import errno
import os
import subprocess
import time
from collections.abc import AsyncIterator, Callable

import trio

from ..game import ConfigError
from .bot_finder import Bot, command_line
from .error_groups import unwrap_error_groups
from .page_cache import drop_pages
from .sandbox import streams
from .sandbox.errors import SandboxError
from .sandbox.isolation import Isolation
from .sandbox.limits import MIB
from .sandbox.sandbox import Sandbox
from .stderr import StderrBuffer
from .transport import PipeTransport

SHORTAGE_ERRNOS = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE)
"""The machine's fault, not the bot's: the game is void."""
STDERR_CHUNK = 64 * 1024
STDERR_GATHER_SECONDS = 0.0001
"""Seconds, blocking, before each read: otherwise a bot that writes byte by byte would wake us for each byte. With
10,000 of them before an answer that is 25 ms a question instead of 60, on one core."""
STDERR_PAUSE_SECONDS = 0.001
"""After each full chunk: a flood costs the bot its time, not the referee."""
MAX_STDERR_CHUNKS_DRAINED = 8
"""The most chunks read at the end: a stream holds four, and a living bot may go on writing."""
EXIT_STATUS_SECONDS = 0.2
"""Seconds in which a bot that closed its output must show its exit status."""


class BotProcess:
    """Started from the main thread with subprocess.Popen: a parent-death signal is tied to the thread that forked."""

    def __init__(self, bot: Bot, isolation: Isolation, on_stderr: Callable[[bytes], None] | None = None) -> None:
        self.bot = bot
        self.stderr = StderrBuffer()
        self.on_stderr = on_stderr
        """Called with each piece of stderr."""
        self.has_ended = False
        if isolation.style != "none":  # without a sandbox a bot may keep notes where it likes
            drop_pages(bot.single_file or bot.folder, bot.digest)
        self.sandbox: Sandbox = isolation.make_sandbox(bot.folder, bot.limits, single_file=bot.single_file)
        try:
            launch = self.sandbox.command(command_line(bot))
            self.process = launch.start(stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except OSError as error:
            self.sandbox.close()
            problem = f"{bot.name}: cannot be started: {error}"
            raise SandboxError(problem) if error.errno in SHORTAGE_ERRNOS else ConfigError(problem) from None
        except SandboxError as error:
            self.sandbox.close()
            raise SandboxError(f"{bot.name} could not be started: {error}") from None
        self.sandbox.track(self.process)
        self.cpu_ns = self.sandbox.cpu_ns
        """Bound, not wrapped: it is called twice for every decision."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self._stderr_fd = self.process.stderr.fileno()
        self._reads_stderr = True
        os.set_blocking(self._stderr_fd, False)
        self.transport = PipeTransport(self.process.stdin.fileno(), self.process.stdout.fileno(), self._stderr_fd)

    async def collect_stderr(self) -> None:
        """Reads stderr until it ends; keeps the last part. Runs concurrently with the game."""
        while not self.has_ended:
            try:
                await trio.lowlevel.wait_readable(self._stderr_fd)
            except trio.ClosedResourceError:
                return
            time.sleep(STDERR_GATHER_SECONDS)
            data = None if self.has_ended else self._read_stderr()
            if data == b"":
                return
            if data is not None and len(data) == STDERR_CHUNK:
                await trio.sleep(STDERR_PAUSE_SECONDS)

    def _read_stderr(self) -> bytes | None:
        try:
            data = streams.read(self._stderr_fd, STDERR_CHUNK)
        except BlockingIOError:
            return None
        except streams.DescriptorsPassed as error:
            self._reads_stderr = False
            self.stderr.add(f"peloarena: it {error}\n".encode())
            return b""
        self.stderr.add(data)
        if self.on_stderr is not None and data:
            self.on_stderr(data)
        return data

    def drain_stderr(self) -> None:
        """Reads what is in the stream now, without waiting."""
        for _ in range(MAX_STDERR_CHUNKS_DRAINED):
            if self.has_ended or not self._reads_stderr or not self._read_stderr():
                return

    def stderr_tail(self) -> str:
        self.drain_stderr()
        return self.stderr.tail.decode("utf-8", "replace")

    def take_stderr_after_answer(self) -> str:
        """Its stderr since the last call: after an answer, when the transport has seen if there is any."""
        if self.transport.has_stderr:
            self.transport.has_stderr = False
            self.drain_stderr()
        return self.stderr.take() if self.stderr.unread else ""

    def take_stderr(self) -> str:
        """The same when no answer was read just now."""
        self.drain_stderr()
        return self.stderr.take()

    def ran_out_of_memory(self) -> bool:
        return self.sandbox.was_oom_killed()

    def raise_if_host_out_of_memory(self) -> None:
        """Raises SandboxError when the machine had no memory left for a bot that kept to its limit: such a game is
        void."""
        if self.sandbox.was_oom_killed_by_host():
            raise SandboxError(f"{self.bot.name} was killed because the machine has no memory left")

    def memory_mib(self) -> int:
        return self.sandbox.memory_bytes() // MIB

    def freeze(self) -> None:
        self.sandbox.freeze()

    def thaw(self) -> None:
        self.sandbox.thaw()

    def lower_priority(self) -> None:
        self.sandbox.lower_priority()

    def restore_priority(self) -> None:
        self.sandbox.restore_priority()

    def kill(self) -> None:
        """Kills the tree now; `end` cleans up later. Blocks for milliseconds, at worst for KILL_WAIT_SECONDS of
        sandbox/sandbox.py."""
        self.sandbox.kill()

    def has_exited(self) -> bool:
        return self.process.poll() is not None

    async def exit_status(self, patience: float = EXIT_STATUS_SECONDS) -> int | None:
        """The status of a process that is ending by itself; None when it still runs."""
        return await self._wait_for_exit(patience)

    async def close_input_and_wait(self, patience: float) -> int | None:
        """After `quit`: closes its input as well, for bots that only wait for that. Returns the status, None when it
        stays."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return await self._wait_for_exit(patience)

    async def _wait_for_exit(self, patience: float) -> int | None:
        if self.process.poll() is None:
            # The pid is still the child's own: only our poll() reaps it.
            descriptor = os.pidfd_open(self.process.pid)
            try:
                with trio.move_on_after(patience):
                    await trio.lowlevel.wait_readable(descriptor)
            finally:
                os.close(descriptor)
        return self.process.poll()

    def never_started(self) -> bool:
        """True if it has ended because the sandbox could not start it: not its fault."""
        status = self.process.poll()
        self.drain_stderr()
        return status is not None and self.sandbox.never_started(status, bytes(self.stderr.tail))

    def end(self) -> None:
        """Kills the whole tree. Processes that need longer than milliseconds end outside of any game; see
        `is_gone`."""
        if self.has_ended:
            return
        self.sandbox.kill()
        self.drain_stderr()
        self.has_ended = True
        trio.lowlevel.notify_closing(self._stderr_fd)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    streams.close(stream)
        self.sandbox.close()

    @property
    def is_gone(self) -> bool:
        """Ended, with no process, uid or group left."""
        return self.sandbox.is_gone


@contextlib.asynccontextmanager
async def open_bot_process(
    bot: Bot, isolation: Isolation, on_stderr: Callable[[bytes], None] | None = None
) -> AsyncIterator[BotProcess]:
    """A process of the bot; killed on the way out. Raises an error as it is, not in a nursery's group."""
    with unwrap_error_groups():
        async with trio.open_nursery() as nursery:
            process = BotProcess(bot, isolation, on_stderr)
            nursery.start_soon(process.collect_stderr)
            try:
                yield process
            finally:
                process.end()
                nursery.cancel_scope.cancel()
