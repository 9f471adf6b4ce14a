"""A bot's process: started in its cage, its stderr kept, its whole tree ended. The only place that starts bots."""

from __future__ import annotations

import contextlib
import errno
import os
import subprocess
from collections.abc import AsyncIterator, Callable

import trio

from ..game import ConfigError
from .bots import Bot, command_line
from .one_error import ungrouped
from .page_cache import drop_pages
from .sandbox.cage import Cage
from .sandbox.errors import SandboxError
from .sandbox.isolation import Isolation
from .sandbox.limits import MIB
from .stderr import Stderr
from .transport import PipeTransport

SHORTAGES = (errno.EAGAIN, errno.ENOMEM, errno.EMFILE, errno.ENFILE)
"""The machine's fault, not the bot's: the game is void."""
STDERR_CHUNK = 64 * 1024
STDERR_PAUSE = 0.001
"""After each full chunk: a flood costs the bot its time, not the referee."""
STDERR_DRAINED = 8
"""The most chunks read at the end: a pipe holds one, and a bot that lives may go on writing."""
EXIT_PATIENCE = 0.2
"""Seconds in which a bot that closed its output must show its exit status."""


class BotProcess:
    """Started from the main thread with subprocess.Popen: a parent-death signal follows the thread that forked."""

    def __init__(self, bot: Bot, isolation: Isolation, overhear: Callable[[bytes], None] | None = None) -> None:
        self.bot = bot
        self.stderr = Stderr()
        self.overhear = overhear
        """Called with what it writes to stderr, as it comes."""
        self.ended = False
        if isolation.style != "none":  # without a room a bot may keep notes where it likes
            drop_pages(bot.single_file or bot.folder, bot.digest)
        self.cage: Cage = isolation.cage(bot.folder, bot.limits, single_file=bot.single_file)
        try:
            launch = self.cage.command(command_line(bot))
            self.process = launch.start(stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        except OSError as error:
            self.cage.close()
            problem = f"{bot.name}: cannot be started: {error}"
            raise SandboxError(problem) if error.errno in SHORTAGES else ConfigError(problem) from None
        except SandboxError as error:
            self.cage.close()
            raise SandboxError(f"{bot.name} could not be started: {error}") from None
        self.cage.watch(self.process)
        self.cpu_ns = self.cage.cpu_ns
        """Bound, not wrapped: it is asked twice for every decision."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self._stderr_fd = self.process.stderr.fileno()
        os.set_blocking(self._stderr_fd, False)
        self.transport = PipeTransport(self.process.stdin.fileno(), self.process.stdout.fileno(), self._stderr_fd)

    async def keep_stderr(self) -> None:
        """Reads stderr for as long as there is one; keeps its end. Runs beside the game."""
        while not self.ended:
            try:
                await trio.lowlevel.wait_readable(self._stderr_fd)
            except trio.ClosedResourceError:
                return
            data = None if self.ended else self._read_stderr()
            if data == b"":
                return
            if data is not None and len(data) == STDERR_CHUNK:
                await trio.sleep(STDERR_PAUSE)

    def _read_stderr(self) -> bytes | None:
        try:
            data = os.read(self._stderr_fd, STDERR_CHUNK)
        except BlockingIOError:
            return None
        self.stderr.add(data)
        if self.overhear is not None and data:
            self.overhear(data)
        return data

    def drain_stderr(self) -> None:
        """What lies in the pipe now, without waiting."""
        for _ in range(0 if self.ended else STDERR_DRAINED):
            if not self._read_stderr():
                return

    def stderr_tail(self) -> str:
        self.drain_stderr()
        return self.stderr.tail.decode("utf-8", "replace")

    def new_stderr(self) -> str:
        """What it wrote since this was last asked: after an answer, with which the transport saw if there is any."""
        if self.transport.heard:
            self.transport.heard = False
            self.drain_stderr()
        return self.stderr.take() if self.stderr.news else ""

    def last_stderr(self) -> str:
        """The same when no answer was read just now."""
        self.drain_stderr()
        return self.stderr.take()

    def out_of_memory(self) -> bool:
        return self.cage.oom()

    def raise_if_starved(self) -> None:
        """SandboxError when the machine had no memory left for a bot that kept to its limit: such a game is void."""
        if self.cage.starved():
            raise SandboxError(f"{self.bot.name} was killed because the machine has no memory left")

    def memory_mib(self) -> int:
        return self.cage.memory_bytes() // MIB

    def freeze(self) -> None:
        self.cage.freeze()

    def thaw(self) -> None:
        self.cage.thaw()

    def background(self) -> None:
        self.cage.background()

    def foreground(self) -> None:
        self.cage.foreground()

    def kill(self) -> None:
        """The tree, now; `end` cleans up later. Blocks for milliseconds, at worst for sandbox.cage.PATIENCE."""
        self.cage.kill()

    def exited(self) -> bool:
        return self.process.poll() is not None

    async def exit_status(self, patience: float = EXIT_PATIENCE) -> int | None:
        """The status of a process that is ending by itself; None when it still runs."""
        return await self._exit_within(patience)

    async def leave(self, patience: float) -> int | None:
        """After `quit`: its input ends too, for bots that only wait for that. The status, None when it stays."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return await self._exit_within(patience)

    async def _exit_within(self, patience: float) -> int | None:
        if self.process.poll() is None:
            # The pid is still the child's own: only our poll() buries it.
            descriptor = os.pidfd_open(self.process.pid)
            try:
                with trio.move_on_after(patience):
                    await trio.lowlevel.wait_readable(descriptor)
            finally:
                os.close(descriptor)
        return self.process.poll()

    def never_started(self) -> bool:
        """It has ended because the sandbox could not start it: not its fault."""
        status = self.process.poll()
        self.drain_stderr()
        return status is not None and self.cage.never_started(status, bytes(self.stderr.tail))

    def end(self) -> None:
        """Ends the whole tree. What does not die within milliseconds goes on dying outside of any game; see `gone`."""
        if self.ended:
            return
        self.cage.kill()
        self.drain_stderr()
        self.ended = True
        trio.lowlevel.notify_closing(self._stderr_fd)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()
        self.cage.close()

    @property
    def gone(self) -> bool:
        """Ended, and no process, uid or group of it is left."""
        return self.cage.gone


@contextlib.asynccontextmanager
async def started(
    bot: Bot, isolation: Isolation, overhear: Callable[[bytes], None] | None = None
) -> AsyncIterator[BotProcess]:
    """A process of the bot's; ended on the way out. An error comes out as it is, not in a nursery's group."""
    with ungrouped():
        async with trio.open_nursery() as nursery:
            process = BotProcess(bot, isolation, overhear)
            nursery.start_soon(process.keep_stderr)
            try:
                yield process
            finally:
                process.end()
                nursery.cancel_scope.cancel()
