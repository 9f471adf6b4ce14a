"""Starting programs in sandboxes, for the tests of this folder."""

import contextlib
import subprocess
import sys
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from peloarena.referee.sandbox.isolation import Isolation
from peloarena.referee.sandbox.sandbox import Sandbox
from peloarena.referee.sandbox.zygote_client import StartedProcess

PATIENCE = 30.0
"""Seconds: half of what a bot of these tests would live if nobody ended it."""
STARTED: list[StartedProcess] = []


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


def by_bubblewrap(isolation: Isolation) -> Isolation:
    """As on a machine where no base mounts can be made."""
    if isolation.zygote is not None:
        isolation.zygote.close()
        isolation.zygote = None
    return isolation


def start(sandbox: Sandbox, argv: list[str], folder: str = ".") -> StartedProcess:
    pipe = subprocess.PIPE
    process = sandbox.command(argv, folder).start(stdin=pipe, stdout=pipe, stderr=pipe)
    sandbox.track(process)
    STARTED.append(process)
    return process


def close_streams() -> None:
    """Of all that were started: an open file that is forgotten is a warning, and warnings are errors."""
    while STARTED:
        process = STARTED.pop()
        for stream in (process.stdin, process.stdout, process.stderr):
            if stream is not None:
                stream.close()


def start_python(sandbox: Sandbox, program: str, *arguments: str) -> StartedProcess:
    return start(sandbox, [sys.executable, "-c", program, *arguments])


def finish(process: StartedProcess, said: bytes = b"") -> Outcome:
    """Its input ends, after this; what it says is read to its end."""
    assert process.stdin is not None
    assert process.stdout is not None
    assert process.stderr is not None
    with contextlib.suppress(BrokenPipeError):
        process.stdin.write(said)
    process.stdin.close()
    with ThreadPoolExecutor(2) as both:
        heard = [both.submit(stream.read) for stream in (process.stdout, process.stderr)]
        out, err = ((one.result(timeout=3 * PATIENCE) or b"").decode() for one in heard)
    process.stdout.close()
    process.stderr.close()
    return Outcome(process.wait(timeout=3 * PATIENCE), out, err)


def eventually(holds: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.001)  # whom it waits for may need this core
    return True
