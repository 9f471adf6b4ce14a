"""The referee's side of the zygote (zygote.py): starts it, requests sandboxes, wraps their processes as Popen would.

Bubblewrap makes each sandbox where the base mounts cannot be built (not root, Linux before 5.12, a container that
forbids it), where no sandbox opens in them (a container's user namespace), or where requests fail repeatedly; both make
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

from . import processes, runtimes, seccomp, streams, syscalls
from .base_mounts import BaseMountsPlan
from .errors import SandboxError
from .limits import MIB
from .sandbox_init import READY, SandboxRequest
from .uids import UidPool
from .zygote import MAX_ZYGOTE_MESSAGE_BYTES, REPLY_OPENED

ZYGOTE_PROGRAM = "import sys; sys.path.append(sys.argv[1]); from sandbox.zygote import main; main()"
ZYGOTE_TIMEOUT_SECONDS = 30.0
"""Seconds for the zygote's reply. It needs milliseconds; if it takes longer, the machine is out of order."""
MAX_FAILURES = 3
"""Consecutive requests that may fail before bubblewrap takes over: void games must come to an end."""
EXIT_POLL_SECONDS = 0.0005
PRIVATE_FOLDERS = (Path("/tmp"), Path("/dev"))
"""The base mounts do not show what is below these; each sandbox mounts it in its own."""
INIT_PROCESS_COUNT = 1
"""Processes of the sandbox itself: process 1. The bot's own come on top."""


def plan_base_mounts(extra_runtimes: Sequence[Path]) -> BaseMountsPlan:
    """Shows the unmoved as bubblewrap.py."""
    unmoved = (*runtimes.system_folders(), *runtimes.etc_paths(network=False), *runtimes.var_folders(), *extra_runtimes)
    shown = [*((path, path) for path in unmoved), *runtimes.interpreter_mounts()]
    late = [pair for pair in shown if any(pair[1].is_relative_to(own) for own in PRIVATE_FOLDERS)]
    early = [(str(source), str(target)) for source, target in shown if (source, target) not in late]
    links = [(target, link) for target, link in runtimes.system_links()]
    return BaseMountsPlan(early, [(str(source), str(target)) for source, target in late], links)


class SandboxProcess:
    """A process that the zygote started: our child, with our ends of its streams. Implements the parts of Popen in
    use."""

    def __init__(self, pid: int, ours: Sequence[io.FileIO | None]) -> None:
        self.pid = pid
        self.returncode: int | None = None
        self._wait_lock = threading.Lock()
        self.stdin, self.stdout, self.stderr = ours

    def poll(self) -> int | None:
        with self._wait_lock:  # the reaper's thread also asks
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
                raise subprocess.TimeoutExpired("a sandbox", timeout or 0.0)
            time.sleep(EXIT_POLL_SECONDS)
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


StartedProcess = subprocess.Popen[bytes] | SandboxProcess
"""The result of a start."""


class ZygoteLaunch(msgspec.Struct, frozen=True):
    """A sandbox that is about to be opened; the counterpart of bubblewrap's Launch."""

    zygote: ZygoteClient
    request: SandboxRequest
    bot_path: Path
    status: int
    """Where the sandbox reports that it is ready; the start closes it."""
    group_files: Sequence[Path] = ()
    v2_folder: Path | None = None

    def start(self, *, stdin: int, stdout: int, stderr: int) -> SandboxProcess:
        with ExitStack() as stack:
            stack.callback(os.close, self.status)
            opened = stack.enter_context(streams.open_streams(stdin, stdout, stderr))
            pid = self.zygote.open_sandbox(
                self.request, self.bot_path, [*opened.theirs, self.status], self.group_files, self.v2_folder
            )
        return SandboxProcess(pid, opened.ours)


def _encode_message(message: object) -> bytes:
    """Not by msgspec: a path may contain any bytes, which Python then has as lone surrogates."""
    return json.dumps(message, ensure_ascii=False).encode(errors="surrogateescape")


class ZygoteClient:
    """Starts with the first sandbox, from the main thread: sandboxes die with the thread that started the zygote.

    A zygote found dead is replaced. One that dies during a request, or refuses it, voids that game and no other:
    the sandbox may be half-finished, so it is not requested twice.
    """

    def __init__(self, extra_runtimes: Sequence[Path]) -> None:
        self._extra_runtimes = extra_runtimes
        self._owner = os.getpid()
        self._process: subprocess.Popen[bytes] | None = None
        self._channel: socket.socket | None = None
        self._is_unavailable = os.geteuid() != 0
        self._failures = 0
        """Requests that failed since a sandbox was last opened."""

    def ensure_running(self) -> bool:
        """Whether it opens sandboxes; starts it if it is not running."""
        if self._process is not None and self._process.poll() is not None:
            self.close()
        if self._failures >= MAX_FAILURES:
            self._is_unavailable = True
        if self._channel is None and not self._is_unavailable:
            try:
                self._start()
            except OSError as error:
                self.close()
                raise SandboxError(f"the sandbox maker (zygote) could not be started: {error}") from error
        return self._channel is not None

    def _start(self) -> None:
        ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        above = str(Path(__file__).resolve().parents[1])
        argv = [sys.executable, "-I", "-S", "-c", ZYGOTE_PROGRAM, above, str(theirs.fileno()), str(self._owner)]
        quiet = subprocess.DEVNULL
        with theirs:
            self._process = subprocess.Popen(
                argv,
                stdin=quiet,
                stdout=quiet,
                stderr=quiet,
                cwd="/",
                env={},
                pass_fds=(theirs.fileno(),),
                start_new_session=True,
            )
        ours.settimeout(
            ZYGOTE_TIMEOUT_SECONDS
        )  # no bot gets it: like all descriptors that Python opens, it is closed on exec
        self._channel = ours
        settings = {"plan": plan_base_mounts(self._extra_runtimes)._asdict(), "calls": (seccomp.program() or b"").hex()}
        try:
            built = self._request(_encode_message(settings), ()).startswith(REPLY_OPENED)
        except OSError:
            built = False
        failures = self._failures
        self._is_unavailable = not (built and self._try_sandbox())
        self._failures = failures  # that a first sandbox opens says little about those that are requested later
        if self._is_unavailable:
            self.close()

    def _try_sandbox(self) -> bool:
        """Tries one sandbox. With the base mounts built, a sandbox may still fail, and each failure would void a game:
        root of a user namespace may not mount /proc where there is none, and a container may refuse only clone3."""
        status_read, status_write = os.pipe2(os.O_CLOEXEC)
        request = SandboxRequest(["true"], {}, "/", UidPool().take_uid(), MIB, [], "")
        quiet = subprocess.DEVNULL
        try:
            process = ZygoteLaunch(self, request, Path("/usr"), status_write).start(
                stdin=quiet, stdout=quiet, stderr=quiet
            )
            ready = (
                bool(select.select([status_read], [], [], ZYGOTE_TIMEOUT_SECONDS)[0])
                and os.read(status_read, len(READY)) == READY
            )
            if not ready:
                processes.send_signal([process.pid], signal.SIGKILL)
            process.wait()
        except SandboxError:
            return False
        finally:
            os.close(status_read)
        return ready

    def _request(self, message: bytes, descriptors: Sequence[int]) -> bytes:
        assert self._channel is not None
        try:
            socket.send_fds(self._channel, [message], descriptors)
            return self._channel.recv(MAX_ZYGOTE_MESSAGE_BYTES)
        except BaseException:  # Ctrl-C included: a late reply must not be taken for the reply to the next request
            self.close()
            raise

    def open_sandbox(
        self,
        request: SandboxRequest,
        bot_path: Path,
        descriptors: Sequence[int],
        group_files: Sequence[Path],
        v2_folder: Path | None,
    ) -> int:
        """Returns the pid of the sandbox's process 1; raises SandboxError when there is none. `descriptors` are its
        three streams and the descriptor where it reports ready; `group_files` are those of v1."""
        if os.getpid() != self._owner:
            raise SandboxError("a sandbox can be opened only by the process that made it")
        with ExitStack() as stack:
            try:
                lent = [syscalls.clone_mount_tree(str(bot_path))]
                stack.callback(os.close, lent[0])
                wanted = [(path, os.O_WRONLY) for path in group_files]
                wanted += [] if v2_folder is None else [(v2_folder, os.O_RDONLY | os.O_DIRECTORY)]
                for path, mode in wanted:
                    lent.append(os.open(path, mode | os.O_CLOEXEC))
                    stack.callback(os.close, lent[-1])
                message = {"request": request._asdict(), "unified": v2_folder is not None}
                reply = self._request(_encode_message(message), [*descriptors, *lent])
            except OSError as error:
                raise self._record_failure(str(error)) from error
        if not reply.startswith(REPLY_OPENED):
            raise self._record_failure(reply[1:].decode(errors="replace") or "its zygote has ended")
        self._failures = 0
        return int(reply[1:])

    def _record_failure(self, problem: str) -> SandboxError:
        """The next sandbox comes from a new zygote, or from bubblewrap if this happens repeatedly."""
        self._failures += 1
        self.close()
        return SandboxError(f"no sandbox: {problem}")

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
