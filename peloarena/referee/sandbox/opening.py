"""The referee's side of the zygote (opener.py): starts it, orders sandboxes, and wraps their processes as Popen would.

Bubblewrap makes each sandbox where the base mounts cannot be built (not root, Linux before 5.12, a container that
forbids it), where no sandbox opens in them (a container's user namespace), or where orders fail repeatedly; both make
the same sandbox.
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

from . import kernel, processes, runtimes, seccomp, streams
from .errors import SandboxError
from .house import HousePlan
from .limits import MIB
from .opener import MOST_BYTES, OPENED
from .room import READY, RoomOrder
from .uids import Uids

START = "import sys; sys.path.append(sys.argv[1]); from sandbox.opener import main; main()"
PATIENCE = 30.0
"""Seconds for the zygote's answer. It needs milliseconds; if it takes longer, the machine is out of order."""
MOST_FAILURES = 3
"""Consecutive orders that may fail before bubblewrap takes over: void games must come to an end."""
PAUSE = 0.0005
ROOMS_OWN = (Path("/tmp"), Path("/dev"))
"""The base mounts do not show what is below these; each sandbox mounts it in its own."""
PROCESSES = 1
"""The sandbox's own: process 1. The bot's own number comes on top."""


def plan(extra: Sequence[Path]) -> HousePlan:
    """Shows the same as bubblewrap.py."""
    same = (*runtimes.system_folders(), *runtimes.etc(network=False), *runtimes.var(), *extra)
    shown = [*((path, path) for path in same), *runtimes.interpreter()]
    late = [pair for pair in shown if any(pair[1].is_relative_to(own) for own in ROOMS_OWN)]
    words = [(str(source), str(place)) for source, place in shown if (source, place) not in late]
    links = [(target, link) for target, link in runtimes.system_links()]
    return HousePlan(words, [(str(source), str(place)) for source, place in late], links)


class Resident:
    """A process that the zygote started: our child, with our ends of its streams. Implements the parts of Popen in
    use."""

    def __init__(self, pid: int, ours: Sequence[io.FileIO | None]) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._waiting = threading.Lock()
        self.stdin, self.stdout, self.stderr = ours

    def poll(self) -> int | None:
        with self._waiting:  # the reaper's thread also asks
            if self.returncode is None:
                try:
                    pid, status = os.waitpid(self.pid, os.WNOHANG)
                except ChildProcessError:  # a referee that inherited "ignore SIGCHLD" gets no status: as in Popen
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
"""The result of a start."""


class Opening(msgspec.Struct, frozen=True):
    """A sandbox that is about to be opened; the counterpart of bubblewrap's Launch."""

    opener: Opener
    order: RoomOrder
    bot: Path
    status: int
    """Where the sandbox reports that it is ready; the start closes it."""
    groups: Sequence[Path] = ()
    unified: Path | None = None

    def start(self, *, stdin: int, stdout: int, stderr: int) -> Resident:
        with ExitStack() as stack:
            stack.callback(os.close, self.status)
            handed = stack.enter_context(streams.opened(stdin, stdout, stderr))
            pid = self.opener.open(self.order, self.bot, [*handed.theirs, self.status], self.groups, self.unified)
        return Resident(pid, handed.ours)


def _written(message: object) -> bytes:
    """Not by msgspec: a path may contain any bytes, which Python then has as lone surrogates."""
    return json.dumps(message, ensure_ascii=False).encode(errors="surrogateescape")


class Opener:
    """Starts with the first sandbox, from the main thread: sandboxes die with the thread that started the zygote.

    A zygote found dead is replaced. One that dies during an order, or refuses it, voids that game and no other: the
    sandbox may be half-finished, so it is not ordered twice.
    """

    def __init__(self, extra: Sequence[Path]) -> None:
        self._extra = extra
        self._owner = os.getpid()
        self._process: subprocess.Popen[bytes] | None = None
        self._channel: socket.socket | None = None
        self._impossible = os.geteuid() != 0
        self._failures = 0
        """Orders that failed since a sandbox was last opened."""

    def ready(self) -> bool:
        """Whether it opens sandboxes; starts it if it is not running."""
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
        ours.settimeout(PATIENCE)  # no bot gets it: like all descriptors that Python opens, it is closed on exec
        self._channel = ours
        told = {"plan": plan(self._extra)._asdict(), "calls": (seccomp.program() or b"").hex()}
        try:
            built = self._asked(_written(told), ()).startswith(OPENED)
        except OSError:
            built = False
        failures = self._failures
        self._impossible = not (built and self._opens())
        self._failures = failures  # that a first sandbox opens says little about those that are ordered later
        if self._impossible:
            self.close()

    def _opens(self) -> bool:
        """Tries one sandbox. With the base mounts built, a sandbox may still fail, and each failure would void a game:
        root of a user namespace may not mount /proc where there is none, and a container may refuse only clone3."""
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
        except BaseException:  # Ctrl-C included: a late answer must not be taken for the answer to the next order
            self.close()
            raise

    def open(
        self, order: RoomOrder, bot: Path, handed: Sequence[int], groups: Sequence[Path], unified: Path | None
    ) -> int:
        """Returns the pid of the sandbox's process 1; raises SandboxError when there is none. `handed` is its three
        streams and the descriptor where it reports ready; `groups` are files of v1, `unified` is the folder of v2."""
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
        """The next sandbox comes from a new zygote, or from bubblewrap if this happens repeatedly."""
        self._failures += 1
        self.close()
        return SandboxError(f"no room: {problem}")

    def kill(self) -> None:
        """Open sandboxes stay: they are our children, not the zygote's."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()
            self._process = None

    def close(self) -> None:
        if self._channel is not None:
            self._channel.close()
            self._channel = None
        self.kill()
