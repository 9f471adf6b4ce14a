"""Starting programs in cages, for the tests of this folder."""

import subprocess
import sys
import time
from collections.abc import Callable
from typing import NamedTuple

from peloarena.referee.sandbox.cage import Cage

PATIENCE = 30.0
"""Seconds: half of what a bot of these tests would live if nobody ended it."""


class Outcome(NamedTuple):
    code: int
    out: str
    err: str


def start(cage: Cage, argv: list[str], folder: str = ".") -> "subprocess.Popen[bytes]":
    launch = cage.command(argv, folder)
    process = subprocess.Popen(
        launch.argv,
        env=launch.env,
        cwd=launch.cwd,
        pass_fds=launch.pass_fds,
        start_new_session=True,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    cage.watch(process)
    return process


def start_python(cage: Cage, program: str, *arguments: str) -> "subprocess.Popen[bytes]":
    return start(cage, [sys.executable, "-c", program, *arguments])


def finish(process: "subprocess.Popen[bytes]") -> Outcome:
    out, err = process.communicate(timeout=3 * PATIENCE)
    return Outcome(process.returncode, out.decode(), err.decode())


def eventually(holds: Callable[[], bool], seconds: float = PATIENCE) -> bool:
    deadline = time.monotonic() + seconds
    while not holds():
        if time.monotonic() > deadline:
            return False
    return True
