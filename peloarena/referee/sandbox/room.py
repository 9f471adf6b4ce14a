"""A sandbox from inside: how a child of the zygote becomes its process 1 (the init) and runs the bot's program there.
The same sandbox as bubblewrap.py's (a test compares them). Standard library only; knows no groups by name.

Process 1 is ours and stays root without a single capability, so that the bot can neither end, trace nor silence it; it
reaps orphans, holds the bot's streams as bubblewrap does, and its end is the end of every process inside.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import signal
import socket
import struct
import sys
from typing import NamedTuple, NoReturn

from . import kernel
from .house import STORE, HousePlan, make_file, put, stored

if sys.platform != "win32":
    import fcntl
    import resource

SPACES = kernel.CLONE_NEWNS | kernel.CLONE_NEWPID | kernel.CLONE_NEWIPC | kernel.CLONE_NEWUTS | kernel.CLONE_NEWNET
"""Those of every sandbox; the cgroup namespace is created after joining the groups."""
READY = b"ready"
"""Written when the bot's own program runs, or cannot be run: from then on a failure is the bot's."""
BROKEN, NOT_RUN, BY_SIGNAL = 1, 127, 128
"""Exit codes: the sandbox was not opened; the program cannot be run; and the offset added to the number of a signal."""
EXPOSED = b"500"
"""When the machine has no memory left, the kernel kills bots before anything else."""
COVERED_DIRS = ("sys", "sysrq-trigger", "irq", "bus")
"""Parts of /proc: nobody without privileges may write there, and here not even with them. As bubblewrap does."""
PRIVATE = kernel.MS_NOSUID | kernel.MS_NODEV
SIOCSIFFLAGS, IFF_UP = 0x8914, 1
SHELL = "/bin/sh"
STATUS = 3
"""Its number in the sandbox, after the three streams."""


class RoomOrder(NamedTuple):
    """One sandbox, as the referee wants it. Plain values, because it arrives as JSON."""

    argv: list[str]
    env: dict[str, str]
    cwd: str
    uid: int
    tmp_bytes: int
    rlimits: list[tuple[int, int]]
    single_file: str
    """The name of the one visible file; "": the whole folder is visible."""


class Handed(NamedTuple):
    """The open files that come with an order."""

    stdin: int
    stdout: int
    stderr: int
    status: int
    """Where READY is written."""
    bot: int
    """The tree that is mounted at /bot, or the file in it."""
    groups: list[int]
    """Files of control groups (v1); a process joins by writing "0" to them."""


class Setting(NamedTuple):
    """Values common to all sandboxes of a zygote."""

    plan: HousePlan
    calls: bytes
    """The seccomp program; empty where there is none."""
    covers: list[str]
    """Folders of /proc that must not even appear writable in a sandbox."""
    referee: int
    """The referee's pidfd."""


def live(order: RoomOrder, handed: Handed, setting: Setting) -> NoReturn:
    """The life of process 1. Each page that it writes to is copied for it, which takes longer than all its mounts, so
    the zygote does once whatever it can do for all sandboxes."""
    try:
        for number, descriptor in enumerate((handed.stdin, handed.stdout, handed.stderr)):
            os.dup2(descriptor, number)
        _join(handed.groups)
        _die_with(setting.referee)
        os.setsid()
        _furnish(order, handed, setting)
        _raise_loopback()
        _keep_open(handed.status)
        os.chdir(order.cwd)  # a bot's link to one of our folders (/proc/self/fd) would have led out of the sandbox
        if setting.calls:
            kernel.refuse_calls(setting.calls)  # for both: loading it twice would cost 0.2 ms
        bot = _started(order)
        os.write(STATUS, READY)
        os.close(STATUS)
        os._exit(_buried(bot))
    except BaseException as error:  # any error: a half-finished sandbox must not go on
        _give_up(f"the room was not opened: {error}", BROKEN)


def _give_up(problem: str, code: int) -> NoReturn:
    with contextlib.suppress(OSError):
        os.write(2, f"peloarena: {problem}\n".encode(errors="replace"))
    os._exit(code)


def _join(groups: list[int]) -> None:
    """Has no other threads, so "tasks" is as good as "cgroup.procs", which waits for the whole kernel: 10 ms."""
    for descriptor in groups:
        os.write(descriptor, b"0")
    kernel.unshare(kernel.CLONE_NEWCGROUP)


def _die_with(referee: int) -> None:
    """We are the referee's child, not the zygote's. It may have died before we asked for the signal: its pidfd shows
    that."""
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    if select.select([referee], [], [], 0)[0]:
        os._exit(BROKEN)


def _furnish(order: RoomOrder, handed: Handed, setting: Setting) -> None:
    """Mounts what this sandbox has for itself. The rest is there already, a copy of the base mounts."""
    _mount_proc(setting.covers)
    kernel.mount(_names(order.uid), "/etc/passwd", flags=kernel.MS_BIND)
    kernel.make_read_only("/etc/passwd")
    late = [(kernel.grasp_tree(stored(number)), place) for number, (_, place) in enumerate(setting.plan.late)]
    for place in ("/tmp", "/dev/shm"):
        kernel.mount("tmpfs", place, "tmpfs", PRIVATE, f"mode=1777,size={order.tmp_bytes}")
    for tree, place in late:
        put(tree, place)
    if order.single_file:
        kernel.mount("tmpfs", "/bot", "tmpfs", PRIVATE, "mode=0755")
        put(handed.bot, f"/bot/{order.single_file}")
        kernel.make_read_only("/bot")
    else:
        put(handed.bot, "/bot")
    kernel.make_read_only("/")


def covers() -> list[str]:
    """Runs in the zygote, which sees the host's /proc: returns what has to be covered in a sandbox's own."""
    return [place for name in COVERED_DIRS if os.path.exists(place := f"/proc/{name}")]


def _mount_proc(covered: list[str]) -> None:
    hidden = kernel.MS_NOSUID | kernel.MS_NODEV | kernel.MS_NOEXEC
    kernel.mount("proc", "/proc", "proc", hidden)
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "wb", buffering=0) as score:
        score.write(EXPOSED)
    for place in covered:
        kernel.mount(place, place, flags=kernel.MS_BIND | kernel.MS_REC)
        kernel.make_read_only(place, hidden)
    kernel.mount("/dev/null", "/proc/locks", flags=kernel.MS_BIND)
    kernel.make_read_only("/proc/locks")


def _names(uid: int) -> str:
    """The file for /etc/passwd, prepared by the zygote."""
    return f"{STORE}/passwd-{uid}"


def lay_ready(order: RoomOrder) -> None:
    """Runs in the zygote, for its sandbox: writes the file for /etc/passwd. There are as many as uids, and they are
    reused."""
    place = _names(order.uid)
    if not os.path.exists(place):
        make_file(place, f"bot:x:{order.uid}:{order.uid}:bot:/tmp:/bin/sh\n".encode())


def _raise_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        fcntl.ioctl(one, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", IFF_UP))


def _keep_open(status: int) -> None:
    """Keeps the three streams and this descriptor, which is closed on exec; nothing else of the zygote's."""
    if status != STATUS:
        os.dup2(status, STATUS, inheritable=False)
    kernel.close_from(STATUS + 1)


def _started(order: RoomOrder) -> int:
    """Starts the bot's program with a uid of its own, for good: a program run by posix_spawn with `resetids` has our
    real uid as its only one. Neither going there nor coming back needs a capability, so none is left when it begins. (A
    fork would copy our memory to throw it away: 1 ms.)"""
    for which, most in order.rlimits:  # limits on files, of which process 1 opens no more
        resource.setrlimit(which, (most, most))
    os.setresgid(order.uid, 0, 0)
    os.setresuid(order.uid, 0, 0)
    kernel.drop_capabilities()
    kernel.prctl(kernel.PR_SET_DUMPABLE, 0)
    try:
        return _run(order)
    except (OSError, ValueError) as error:  # ValueError: a null character in a word
        if isinstance(error, OSError) and error.errno == errno.EAGAIN:
            raise  # the kernel refused us a process; a program that cannot be run fails differently
        os.write(STATUS, READY)
        _give_up(f"failed to execute {order.argv[0]}: {getattr(error, 'strerror', error)}", NOT_RUN)
    finally:
        os.setresgid(0, 0, 0)
        os.setresuid(0, 0, 0)


def _run(order: RoomOrder) -> int:
    """Runs the program by its path, or the first of this name in PATH; if that one cannot be run, the next, as shells
    do. The shell runs a text without an interpreter's name, as in bubblewrap's sandboxes (by execvp) and without a
    sandbox."""
    name, folders = order.argv[0], order.env.get("PATH", os.defpath).split(os.pathsep)
    places = [name] if "/" in name else [f"{folder}/{name}" for folder in folders]
    problem: OSError | None = None
    for place in places:
        try:
            return os.posix_spawn(place, order.argv, order.env, resetids=True)
        except OSError as error:
            if error.errno == errno.ENOEXEC:
                return os.posix_spawn(SHELL, [SHELL, place, *order.argv[1:]], order.env, resetids=True)
            if problem is None or error.errno not in (errno.ENOENT, errno.ENOTDIR):
                problem = error
    assert problem is not None
    raise problem


def _buried(bot: int) -> int:
    """Waits for every process that ends inside, until it is the bot; returns its exit code, with signals as shells
    report them."""
    while True:
        pid, status = os.wait()
        if pid == bot:
            return BY_SIGNAL + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
