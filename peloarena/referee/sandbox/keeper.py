"""The guardian: a small process that outlives the referee by a moment and cleans up if SIGKILL ended the referee.

Bubblewrap's sandboxes die with the referee by themselves; the guardian removes their groups, and kills the trees of
bots that run without a sandbox. It uses the standard library alone, so it costs a few tens of milliseconds once, and
little memory.
"""

from __future__ import annotations

import os
import select
import signal
import subprocess
import sys
from pathlib import Path

from . import cgroup, processes
from .bot_group import give_up_precedence, sweep

START = "import sys; sys.path.append(sys.argv[1]); from sandbox.keeper import main; main()"
ROUNDS = 100
PATIENCE = 600.0
"""Seconds for each group: a bot can make its own end last for minutes, and nobody waits for the guardian."""


def start(mark: str) -> subprocess.Popen[bytes]:
    """Guards this process; `mark` is in the environment of its bots without a sandbox."""
    pid = os.getpid()
    above = Path(__file__).resolve().parents[1]
    argv = [sys.executable, "-I", "-S", "-c", START, str(above), str(pid), str(processes.start_time(pid)), mark]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(argv, stdin=quiet, stdout=quiet, stderr=quiet, cwd="/", start_new_session=True)


def main() -> None:
    pid, start, mark = int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    wait_for_end(pid, start)
    end_marked(mark)
    hierarchy = cgroup.find()
    if hierarchy is not None:
        sweep(hierarchy, PATIENCE)
        if hierarchy.plays("weight"):
            give_up_precedence(hierarchy)


def wait_for_end(pid: int, start: int) -> None:
    """Uses a pidfd, not a pipe: forked workers would hold a pipe open."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        if processes.alive(pid, start):
            select.select([descriptor], [], [])
    finally:
        os.close(descriptor)


def end_marked(mark: str) -> None:
    """Repeats, because a process that is being killed may just have forked; but not for ever."""
    for _ in range(ROUNDS):
        found = processes.marked(mark)
        if not found:
            return
        processes.send(found, signal.SIGKILL)
