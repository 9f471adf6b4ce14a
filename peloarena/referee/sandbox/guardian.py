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
from .bot_cgroup import leave_referee_group, remove_stale_groups

GUARDIAN_PROGRAM = "import sys; sys.path.append(sys.argv[1]); from sandbox.guardian import main; main()"
KILL_ROUNDS = 100
GROUP_KILL_TIMEOUT_SECONDS = 600.0
"""Seconds for each group: a bot can make its own end last for minutes, and nobody waits for the guardian."""


def start(mark: str) -> subprocess.Popen[bytes]:
    """Guards this process; `mark` is in the environment of its bots without a sandbox."""
    pid = os.getpid()
    above = Path(__file__).resolve().parents[1]
    argv = [
        sys.executable,
        "-I",
        "-S",
        "-c",
        GUARDIAN_PROGRAM,
        str(above),
        str(pid),
        str(processes.start_time(pid)),
        mark,
    ]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(argv, stdin=quiet, stdout=quiet, stderr=quiet, cwd="/", start_new_session=True)


def main() -> None:
    pid, start, mark = int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    wait_for_exit(pid, start)
    kill_marked(mark)
    hierarchy = cgroup.find()
    if hierarchy is not None:
        remove_stale_groups(hierarchy, GROUP_KILL_TIMEOUT_SECONDS)
        if hierarchy.supports("weight"):
            leave_referee_group(hierarchy)


def wait_for_exit(pid: int, start_time: int) -> None:
    """Uses a pidfd, not a pipe: forked workers would hold a pipe open."""
    try:
        descriptor = os.pidfd_open(pid)
    except ProcessLookupError:
        return
    try:
        if processes.is_alive(pid, start_time):
            select.select([descriptor], [], [])
    finally:
        os.close(descriptor)


def kill_marked(mark: str) -> None:
    """Repeats, because a process that is being killed may just have forked; but not for ever."""
    for _ in range(KILL_ROUNDS):
        pids = processes.find_marked(mark)
        if not pids:
            return
        processes.send_signal(pids, signal.SIGKILL)
