"""The web process as its backend sees it: how it is started, what it writes to stderr, how it ended."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence

import msgspec
from msgspec import Struct

from ..referee.module_command import module_command
from ..referee.notices import RelayedLines
from ..referee.sandbox import streams
from .channel import BackendChannelEnd

WEB_PROCESS_COMMAND = tuple(module_command("web.web_main")[1:])
END_WAIT_SECONDS = 0.5
"""Seconds for the web process to end by itself; it stores nothing, so it can be killed."""
ONE_THREAD_ENVIRONMENT = dict.fromkeys(("MKL_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1")
"""numpy starts threads on import, before the process is under `no_new_privs` (referee/unprivileged.py)."""
STDERR_PREFIX = "web process: "
"""Precedes each line of its stderr, so that nobody takes it for the backend's."""


class WebProcess:
    """`end` is the backend's end of the channel."""

    def __init__(self, end: BackendChannelEnd, process: subprocess.Popen[bytes], errors: RelayedLines) -> None:
        self.end = end
        self.pid = process.pid
        self._process = process
        self._errors = errors

    def describe_end(self) -> str:
        """`exit code 1, after writing “ModuleNotFoundError: …” to stderr`. Only valid once it is gone."""
        code = self._process.returncode
        how = f"exit code {code}" if code >= 0 else f"killed by {signal_name(-code)}"
        return f"{how}, after writing “{self._errors.last}” to stderr" if self._errors.last else how


def signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


@contextlib.contextmanager
def start_web_process(
    options: Struct, say: Callable[[str], object], program: Sequence[str] = WEB_PROCESS_COMMAND
) -> Iterator[WebProcess]:
    """The process is gone on exit. `say` gets its lines; `program`: tests substitute another one."""
    ours, its = socket.socketpair()
    streams.refuse_descriptors(ours)
    stderr, its_stderr = streams.make_stream(to_process=False)
    process = subprocess.Popen(
        [sys.executable, *program, str(its.fileno()), msgspec.json.encode(options).decode()],
        pass_fds=[its.fileno()],
        stdin=subprocess.DEVNULL,
        stderr=its_stderr,
        start_new_session=True,  # Ctrl-C is for the backend, which then ends it
        env={key: value for key, value in os.environ.items() if not key.startswith("PELOARENA_")}
        | ONE_THREAD_ENVIRONMENT,
    )
    its.close()
    os.close(its_stderr)
    errors = RelayedLines(os.fdopen(stderr, "rb"), say, STDERR_PREFIX)
    try:
        yield WebProcess(BackendChannelEnd(ours), process, errors)
    finally:
        ours.close()  # which tells it to end
        with contextlib.suppress(subprocess.TimeoutExpired):
            process.wait(END_WAIT_SECONDS)
        process.kill()
        process.wait()
        errors.wait(END_WAIT_SECONDS)
