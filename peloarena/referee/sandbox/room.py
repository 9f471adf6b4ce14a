"""A room from inside: what a child of the opener does to become its process 1, and what that one's child does to become
the bot. The same room as bubblewrap.py's (a test compares them). Standard library only; knows no groups by name.

Process 1 is ours and stays root without a single capability, so that the bot can neither end, trace nor silence it; it
buries orphans, holds the bot's pipes as bubblewrap does, and its end is the end of everybody inside.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import resource
import select
import signal
import socket
import struct
import sys
from typing import NamedTuple, NoReturn

from . import kernel
from .house import STORE, HousePlan, make_file, put, stored

SPACES = kernel.CLONE_NEWNS | kernel.CLONE_NEWPID | kernel.CLONE_NEWIPC | kernel.CLONE_NEWUTS | kernel.CLONE_NEWNET
"""Those of every room; that of the control groups is made when it has joined them."""
READY = b"ready"
"""Said before the bot's own program is run: what fails from then on is the bot's failure, not before."""
BROKEN, NOT_RUN, BY_SIGNAL = 1, 127, 128
"""Exit codes: the room was not opened; the program cannot be run; and what is added to the number of a signal."""
EXPOSED = b"500"
"""When the machine has no memory left, the kernel kills bots before anything else."""
COVERED_DIRS = ("sys", "sysrq-trigger", "irq", "bus")
"""Of /proc: nobody without privileges may write there, and here not even then. As bubblewrap does."""
PRIVATE = kernel.MS_NOSUID | kernel.MS_NODEV
SIOCSIFFLAGS, IFF_UP = 0x8914, 1
RESET = ("SIGPIPE", "SIGXFSZ", "SIGINT")
"""Python ignores or catches them, and a program that is run would inherit that."""


class RoomOrder(NamedTuple):
    """One room, as the referee wants it. Plain values: it comes as JSON."""

    argv: list[str]
    env: dict[str, str]
    cwd: str
    uid: int
    tmp_bytes: int
    rlimits: list[tuple[int, int]]
    single_file: str
    """The name of the one file that is shown; "": the folder is."""


class Handed(NamedTuple):
    """The open files that come with an order."""

    stdin: int
    stdout: int
    stderr: int
    status: int
    """Where READY is said."""
    bot: int
    """The tree that is shown as /bot, or the file in it."""
    groups: list[int]
    """Files of control groups (v1) into which "0" is written to be inside."""


class Setting(NamedTuple):
    """What is the same for all rooms of an opener."""

    plan: HousePlan
    calls: bytes
    """The seccomp program; empty where there is none."""
    referee: int
    """Its pidfd."""


def live(order: RoomOrder, handed: Handed, setting: Setting) -> NoReturn:
    """The life of process 1."""
    try:
        for number, descriptor in enumerate((handed.stdin, handed.stdout, handed.stderr)):
            os.dup2(descriptor, number)
        _join(handed.groups)
        _die_with(setting.referee)
        os.setsid()
        _furnish(order, handed, setting.plan)
        _raise_loopback()
        if setting.calls:
            kernel.refuse_calls(setting.calls)  # of both: to load it twice would cost 0.2 ms
        bot = os.fork()
        if bot == 0:
            _become_bot(order, handed.status)
        kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
        kernel.drop_capabilities()
        kernel.close_from(3)
        os._exit(_buried(bot))
    except BaseException as error:  # whatever it was: a half-finished room must not go on
        _give_up(f"the room was not opened: {error}", BROKEN)


def _give_up(problem: str, code: int) -> NoReturn:
    with contextlib.suppress(OSError):
        os.write(2, f"peloarena: {problem}\n".encode(errors="replace"))
    os._exit(code)


def _join(groups: list[int]) -> None:
    """Alone among threads, so "tasks" is as good as "cgroup.procs", which waits for the whole kernel: 10 ms."""
    for descriptor in groups:
        os.write(descriptor, b"0")
    kernel.unshare(kernel.CLONE_NEWCGROUP)


def _die_with(referee: int) -> None:
    """We are its child, not the opener's. It may have died before it was asked for: its pidfd tells."""
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    if select.select([referee], [], [], 0)[0]:
        os._exit(BROKEN)


def _furnish(order: RoomOrder, handed: Handed, plan: HousePlan) -> None:
    """What this room has for itself. The rest is there already, a copy of the house."""
    _mount_proc()
    kernel.mount(_names(order.uid), "/etc/passwd", flags=kernel.MS_BIND)
    kernel.make_read_only("/etc/passwd")
    late = [(kernel.grasp_tree(stored(number)), place) for number, (_, place) in enumerate(plan.late)]
    for place in ("/tmp", "/dev/shm"):
        kernel.mount("tmpfs", place, "tmpfs", PRIVATE, f"mode=1777,size={order.tmp_bytes}")
    for tree, place in late:
        put(tree, place)
    pts = "newinstance,ptmxmode=0666,mode=620"
    kernel.mount("devpts", "/dev/pts", "devpts", kernel.MS_NOSUID | kernel.MS_NOEXEC, pts)
    if order.single_file:
        kernel.mount("tmpfs", "/bot", "tmpfs", PRIVATE, "mode=0755")
        put(handed.bot, f"/bot/{order.single_file}")
        kernel.make_read_only("/bot")
    else:
        put(handed.bot, "/bot")
    kernel.make_read_only("/")


def _mount_proc() -> None:
    hidden = kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC
    kernel.mount("proc", "/proc", "proc", hidden)
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "wb", buffering=0) as score:
        score.write(EXPOSED)
    for name in COVERED_DIRS:
        place = f"/proc/{name}"
        if os.path.exists(place):
            kernel.mount(place, place, flags=kernel.MS_BIND | kernel.MS_REC)
            kernel.make_read_only(place, hidden)
    kernel.mount("/dev/null", "/proc/locks", flags=kernel.MS_BIND)
    kernel.make_read_only("/proc/locks")


def _names(uid: int) -> str:
    """The file for /etc/passwd, laid ready by the opener."""
    return f"{STORE}/passwd-{uid}"


def lay_ready(order: RoomOrder) -> None:
    """In the opener, for its room: who is named in /etc/passwd. There are as many as uids, and they come again."""
    place = _names(order.uid)
    if not os.path.exists(place):
        make_file(place, f"bot:x:{order.uid}:{order.uid}:bot:/tmp:/bin/sh\n".encode())


def _raise_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        fcntl.ioctl(one, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", IFF_UP))


def _become_bot(order: RoomOrder, status: int) -> NoReturn:
    """From root to a uid of its own, for good. The opener has set no_new_privs and emptied the bounding set, process 1
    has refused the calls that no bot needs: both are inherited."""
    try:
        os.setgroups([])
        os.setresgid(order.uid, order.uid, order.uid)
        os.setresuid(order.uid, order.uid, order.uid)
        kernel.drop_capabilities()
        for name in RESET:
            signal.signal(getattr(signal, name), signal.SIG_DFL)
        os.chdir(order.cwd)
        os.dup2(status, 3, inheritable=False)
        kernel.close_from(4)
        for (
            which,
            most,
        ) in order.rlimits:  # last: the bot's own wish must not keep the room from being opened
            resource.setrlimit(which, (most, most))
        os.write(3, READY)
    except BaseException as error:  # as above: nothing of the bot has run yet
        _give_up(f"the room was not opened: {error}", BROKEN)
    try:
        os.execvpe(order.argv[0], order.argv, order.env)
    except OSError as error:
        _give_up(f"failed to execute {order.argv[0]}: {error.strerror}", NOT_RUN)
    sys.exit(NOT_RUN)


def _buried(bot: int) -> int:
    """Waits for everybody who ends inside, until it is the bot; its exit code, a signal as shells tell it."""
    while True:
        pid, status = os.wait()
        if pid == bot:
            return BY_SIGNAL + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
