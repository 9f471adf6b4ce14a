"""The referee's side of the opener: starts it, orders rooms, and keeps what was started as Popen would.

Where no house can be built (not root, Linux before 5.12, a container that forbids it), no room opens in it (a
container's user namespace) or orders fail again and again, bubblewrap opens each room; both are the same room.
"""

from __future__ import annotations

import io
import json
import os
import select
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Sequence
from contextlib import ExitStack
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec

from . import kernel, processes, runtimes, seccomp
from .errors import SandboxError
from .house import HousePlan
from .limits import MIB
from .opener import MOST_BYTES, OPENED
from .room import READY, RoomOrder
from .uids import Uids

START = "import sys; sys.path.append(sys.argv[1]); from sandbox.opener import main; main()"
PATIENCE = 30.0
"""Seconds for the opener's answer. It needs milliseconds; whoever waits longer has a machine that is out of order."""
MOST_FAILURES = 3
"""Orders in succession that may fail before bubblewrap opens the rooms: void games must come to an end."""
PAUSE = 0.0005
ROOMS_OWN = (Path("/tmp"), Path("/dev"))
"""What lies below them is not shown by the house, but put into each room's own."""
PROCESSES = 1
"""Of the room itself: process 1. The bot's own number comes on top."""


def plan(extra: Sequence[Path]) -> HousePlan:
    """What bubblewrap.py shows, too."""
    same = (*runtimes.system_folders(), *runtimes.etc(network=False), *runtimes.var(), *extra)
    shown = [*((path, path) for path in same), *runtimes.interpreter()]
    late = [pair for pair in shown if any(pair[1].is_relative_to(own) for own in ROOMS_OWN)]
    words = [(str(source), str(place)) for source, place in shown if (source, place) not in late]
    links = [(target, link) for target, link in runtimes.system_links()]
    return HousePlan(words, [(str(source), str(place)) for source, place in late], links)


class Resident:
    """A process that the opener started: our child, with the pipes that were asked for. As much of Popen as is used."""

    def __init__(self, pid: int, pipes: Sequence[int | None]) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._waiting = threading.Lock()
        self.stdin = None if pipes[0] is None else io.FileIO(pipes[0], "w")
        self.stdout = None if pipes[1] is None else io.FileIO(pipes[1], "r")
        self.stderr = None if pipes[2] is None else io.FileIO(pipes[2], "r")

    def poll(self) -> int | None:
        with self._waiting:  # the reaper's thread asks, too
            if self.returncode is None:
                try:
                    pid, status = os.waitpid(self.pid, os.WNOHANG)
                except ChildProcessError:  # a referee that inherited "ignore SIGCHLD" is never told: as Popen has it
                    pid, status = self.pid, 0
                if pid:
                    self.returncode = os.waitstatus_to_exitcode(status)
            return self.returncode

    def wait(self, timeout: float | None = None) -> int:
        deadline = None if timeout is None else time.monotonic() + timeout
        while (code := self.poll()) is None:
            if deadline is not None and time.monotonic() > deadline:
                raise subprocess.TimeoutExpired("a room", timeout or 0.0)
            time.sleep(PAUSE)
        return code

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        for stream in (self.stdin, self.stdout, self.stderr):
            if stream is not None:
                stream.close()
        self.wait()


Process = subprocess.Popen[bytes] | Resident
"""What a start gives."""


class Opening(msgspec.Struct, frozen=True):
    """A room that is about to be opened; what Launch is for bubblewrap."""

    opener: Opener
    order: RoomOrder
    bot: Path
    status: int
    """Where the room says that it is ready; closed by the start."""
    groups: Sequence[Path] = ()
    unified: Path | None = None

    def start(self, *, stdin: int, stdout: int, stderr: int) -> Resident:
        """As Popen does it: PIPE, DEVNULL, an open file, or STDOUT for stderr."""
        with ExitStack() as theirs, ExitStack() as in_vain:
            theirs.callback(os.close, self.status)
            ours: list[int | None] = []
            handed: list[int] = []
            for number, wish in enumerate((stdin, stdout, stderr)):
                mine, given = handed_stream(wish, number, handed, theirs)
                ours.append(mine)
                handed.append(given)
                if mine is not None:
                    in_vain.callback(os.close, mine)
            pid = self.opener.open(self.order, self.bot, [*handed, self.status], self.groups, self.unified)
            in_vain.pop_all()
        return Resident(pid, ours)


def handed_stream(wish: int, number: int, before: Sequence[int], theirs: ExitStack) -> tuple[int | None, int]:
    """Our end, if there is one, and the room's, which is closed with the stack unless it is somebody's own."""
    if wish == subprocess.STDOUT:
        return None, before[1]
    if wish == subprocess.DEVNULL:
        given = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
        theirs.callback(os.close, given)
        return None, given
    if wish != subprocess.PIPE:
        return None, wish
    read, write = os.pipe2(os.O_CLOEXEC)
    mine, given = (write, read) if number == 0 else (read, write)
    theirs.callback(os.close, given)
    return mine, given


def _written(message: object) -> bytes:
    """Not by msgspec: any bytes may be in a path, which Python then has as lone surrogates."""
    return json.dumps(message, ensure_ascii=False).encode(errors="surrogateescape")


class Opener:
    """Started when the first room is wanted, from the main thread: rooms die with the thread that started it.

    One that is found dead is replaced. One that is lost over an order, or refuses it, voids that game and no other: the
    room may stand half-finished, so it is not ordered twice.
    """

    def __init__(self, extra: Sequence[Path]) -> None:
        self._extra = extra
        self._owner = os.getpid()
        self._process: subprocess.Popen[bytes] | None = None
        self._channel: socket.socket | None = None
        self._impossible = os.geteuid() != 0
        self._failures = 0
        """Orders that failed since a room was opened."""

    def ready(self) -> bool:
        """Whether it opens rooms; started if it was not, or is no more."""
        if self._process is not None and self._process.poll() is not None:
            self.close()
        if self._failures >= MOST_FAILURES:
            self._impossible = True
        if self._channel is None and not self._impossible:
            try:
                self._start()
            except OSError as error:
                self.close()
                raise SandboxError(f"no opener of rooms: {error}") from error
        return self._channel is not None

    def _start(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        above = str(Path(__file__).resolve().parents[1])
        words = [sys.executable, "-I", "-S", "-c", START, above, str(theirs.fileno()), str(self._owner)]
        quiet = subprocess.DEVNULL
        with theirs:
            self._process = subprocess.Popen(
                words,
                stdin=quiet,
                stdout=quiet,
                stderr=quiet,
                cwd="/",
                env={},
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        ours.settimeout(PATIENCE)  # and no bot gets it: like all that Python opens, it ends with the next program
        self._channel = ours
        told = {"plan": plan(self._extra)._asdict(), "calls": (seccomp.program() or b"").hex()}
        try:
            built = self._asked(_written(told), ()).startswith(OPENED)
        except OSError:
            built = False
        failures = self._failures
        self._impossible = not (built and self._opens())
        self._failures = failures  # that a first room opens says little about those that are ordered
        if self._impossible:
            self.close()

    def _opens(self) -> bool:
        """A trial. Where the house stands a room may fail all the same, and each would void a game: root of a user
        namespace may not mount /proc in a house that has none, and a container may refuse clone3 alone."""
        said, status = os.pipe2(os.O_CLOEXEC)
        order = RoomOrder(["true"], {}, "/", Uids().take(), MIB, [], "")
        quiet = subprocess.DEVNULL
        try:
            process = Opening(self, order, Path("/usr"), status).start(stdin=quiet, stdout=quiet, stderr=quiet)
            ready = bool(select.select([said], [], [], PATIENCE)[0]) and os.read(said, len(READY)) == READY
            if not ready:
                processes.send([process.pid], signal.SIGKILL)
            process.wait()
        except SandboxError:
            return False
        finally:
            os.close(said)
        return ready

    def _asked(self, message: bytes, descriptors: Sequence[int]) -> bytes:
        assert self._channel is not None
        try:
            socket.send_fds(self._channel, [message], descriptors)
            return self._channel.recv(MOST_BYTES)
        except BaseException:  # Ctrl-C, too: an answer that comes later must not be taken for the next one's
            self.close()
            raise

    def open(
        self, order: RoomOrder, bot: Path, handed: Sequence[int], groups: Sequence[Path], unified: Path | None
    ) -> int:
        """The pid of the room's process 1; SandboxError when there is none. Handed: its three streams and where it says
        that it is ready; the groups are files of v1, unified is the folder of v2."""
        if os.getpid() != self._owner:
            raise SandboxError("a room is opened for the process that asked for its cage, and for no other")
        with ExitStack() as stack:
            try:
                lent = [kernel.copy_tree(str(bot))]
                stack.callback(os.close, lent[0])
                wanted = [(path, os.O_WRONLY) for path in groups]
                wanted += [] if unified is None else [(unified, os.O_RDONLY | os.O_DIRECTORY)]
                for path, mode in wanted:
                    lent.append(os.open(path, mode | os.O_CLOEXEC))
                    stack.callback(os.close, lent[-1])
                message = {"order": order._asdict(), "unified": unified is not None}
                answer = self._asked(_written(message), [*handed, *lent])
            except OSError as error:
                raise self._failed(str(error)) from error
        if not answer.startswith(OPENED):
            raise self._failed(answer[1:].decode(errors="replace") or "its opener was lost")
        self._failures = 0
        return int(answer[1:])

    def _failed(self, problem: str) -> SandboxError:
        """The next room is another opener's, or bubblewrap's if this happens again and again."""
        self._failures += 1
        self.close()
        return SandboxError(f"no room: {problem}")

    def kill(self) -> None:
        """Rooms that are open stay: they are our children, not its."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def close(self) -> None:
        if self._channel is not None:
            self._channel.close()
            self._channel = None
        self.kill()
