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

from . import syscalls
from .base_mounts import PREPARED_FOLDER, BaseMountsPlan, deferred_mount_path, make_file, mount_tree

if sys.platform != "win32":
    import fcntl
    import resource

NAMESPACES = (
    syscalls.CLONE_NEWNS | syscalls.CLONE_NEWPID | syscalls.CLONE_NEWIPC | syscalls.CLONE_NEWUTS | syscalls.CLONE_NEWNET
)
"""Those of every sandbox; the cgroup namespace is created after joining the groups."""
READY = b"ready"
"""Written when the bot's own program runs, or cannot be run: from then on a failure is the bot's."""
EXIT_NOT_OPENED, EXIT_NOT_RUN, EXIT_SIGNAL_OFFSET = 1, 127, 128
"""Exit codes: the sandbox was not opened; the program cannot be run; and the offset added to the number of a signal."""
BOT_OOM_SCORE = b"500"
"""When the machine has no memory left, the kernel kills bots before anything else."""
READ_ONLY_PROC_FOLDERS = ("sys", "sysrq-trigger", "irq", "bus")
"""Parts of /proc: nobody without privileges may write there, and here not even with them. As bubblewrap does."""
PRIVATE_MOUNT_FLAGS = syscalls.MS_NOSUID | syscalls.MS_NODEV
SIOCSIFFLAGS, IFF_UP = 0x8914, 1
SHELL = "/bin/sh"
STATUS_FD = 3
"""Its number in the sandbox, after the three streams."""


class SandboxRequest(NamedTuple):
    """One sandbox, as the referee wants it. Plain values, because it arrives as JSON."""

    argv: list[str]
    env: dict[str, str]
    cwd: str
    uid: int
    tmp_bytes: int
    rlimits: list[tuple[int, int]]
    single_file: str
    """The name of the one visible file; "": the whole folder is visible."""


class SandboxDescriptors(NamedTuple):
    """The open files that come with a request."""

    stdin: int
    stdout: int
    stderr: int
    status: int
    """Where READY is written."""
    bot_tree: int
    """The tree that is mounted at /bot, or the file in it."""
    group_files: list[int]
    """Files of control groups (v1); a process joins by writing "0" to them."""


class ZygoteSettings(NamedTuple):
    """Values common to all sandboxes of a zygote."""

    plan: BaseMountsPlan
    seccomp_program: bytes
    """The seccomp program; empty where there is none."""
    covered_proc_paths: list[str]
    """Folders of /proc that must not even appear writable in a sandbox."""
    referee_pidfd: int
    """The referee's pidfd."""


def run_init(request: SandboxRequest, descriptors: SandboxDescriptors, settings: ZygoteSettings) -> NoReturn:
    """The life of process 1. Each page that it writes to is copied for it, which takes longer than all its mounts, so
    the zygote does once whatever it can do for all sandboxes."""
    try:
        for number, descriptor in enumerate((descriptors.stdin, descriptors.stdout, descriptors.stderr)):
            os.dup2(descriptor, number)
        _join(descriptors.group_files)
        _die_with_referee(settings.referee_pidfd)
        os.setsid()
        _mount_private_files(request, descriptors, settings)
        _bring_up_loopback()
        _close_other_descriptors(descriptors.status)
        os.chdir(request.cwd)  # a bot's link to one of our folders (/proc/self/fd) would have led out of the sandbox
        if settings.seccomp_program:
            syscalls.install_seccomp_filter(settings.seccomp_program)  # for both: loading it twice would cost 0.2 ms
        bot = _start_bot(request)
        os.write(STATUS_FD, READY)
        os.close(STATUS_FD)
        os._exit(_wait_for_bot(bot))
    except BaseException as error:  # any error: a half-finished sandbox must not go on
        _give_up(f"the sandbox could not be opened: {error}", EXIT_NOT_OPENED)


def _give_up(problem: str, code: int) -> NoReturn:
    with contextlib.suppress(OSError):
        os.write(2, f"peloarena: {problem}\n".encode(errors="replace"))
    os._exit(code)


def _join(groups: list[int]) -> None:
    """Has no other threads, so "tasks" is as good as "cgroup.procs", which waits for the whole kernel: 10 ms."""
    for descriptor in groups:
        os.write(descriptor, b"0")
    syscalls.unshare(syscalls.CLONE_NEWCGROUP)


def _die_with_referee(referee_pidfd: int) -> None:
    """We are the referee's child, not the zygote's. It may have died before we asked for the signal: its pidfd shows
    that."""
    syscalls.prctl(syscalls.PR_SET_PDEATHSIG, signal.SIGKILL)
    if select.select([referee_pidfd], [], [], 0)[0]:
        os._exit(EXIT_NOT_OPENED)


def _mount_private_files(request: SandboxRequest, descriptors: SandboxDescriptors, settings: ZygoteSettings) -> None:
    """Mounts what this sandbox has for itself. The rest is there already, a copy of the base mounts."""
    _mount_proc(settings.covered_proc_paths)
    syscalls.mount(_passwd_path(request.uid), "/etc/passwd", flags=syscalls.MS_BIND)
    syscalls.make_read_only("/etc/passwd")
    late = [
        (syscalls.open_mount(deferred_mount_path(number)), path) for number, (_, path) in enumerate(settings.plan.late)
    ]
    for path in ("/tmp", "/dev/shm"):
        syscalls.mount("tmpfs", path, "tmpfs", PRIVATE_MOUNT_FLAGS, f"mode=1777,size={request.tmp_bytes}")
    for tree, path in late:
        mount_tree(tree, path)
    if request.single_file:
        syscalls.mount("tmpfs", "/bot", "tmpfs", PRIVATE_MOUNT_FLAGS, "mode=0755")
        mount_tree(descriptors.bot_tree, f"/bot/{request.single_file}")
        syscalls.make_read_only("/bot")
    else:
        mount_tree(descriptors.bot_tree, "/bot")
    syscalls.make_read_only("/")


def proc_paths_to_cover() -> list[str]:
    """Runs in the zygote, which sees the host's /proc: returns what has to be covered in a sandbox's own."""
    return [path for name in READ_ONLY_PROC_FOLDERS if os.path.exists(path := f"/proc/{name}")]


def _mount_proc(covered: list[str]) -> None:
    hidden = syscalls.MS_NOSUID | syscalls.MS_NODEV | syscalls.MS_NOEXEC
    syscalls.mount("proc", "/proc", "proc", hidden)
    with contextlib.suppress(OSError), open("/proc/self/oom_score_adj", "wb", buffering=0) as score:
        score.write(BOT_OOM_SCORE)
    for path in covered:
        syscalls.mount(path, path, flags=syscalls.MS_BIND | syscalls.MS_REC)
        syscalls.make_read_only(path, hidden)
    syscalls.mount("/dev/null", "/proc/locks", flags=syscalls.MS_BIND)
    syscalls.make_read_only("/proc/locks")


def _passwd_path(uid: int) -> str:
    """The file for /etc/passwd, prepared by the zygote."""
    return f"{PREPARED_FOLDER}/passwd-{uid}"


def prepare_passwd(request: SandboxRequest) -> None:
    """Runs in the zygote, for its sandbox: writes the file for /etc/passwd. There are as many as uids, and they are
    reused."""
    path = _passwd_path(request.uid)
    if not os.path.exists(path):
        make_file(path, f"bot:x:{request.uid}:{request.uid}:bot:/tmp:/bin/sh\n".encode())


def _bring_up_loopback() -> None:
    with socket.socket(socket.AF_INET, socket.SOCK_DGRAM) as one:
        fcntl.ioctl(one, SIOCSIFFLAGS, struct.pack("16sH14x", b"lo", IFF_UP))


def _close_other_descriptors(status_fd: int) -> None:
    """Keeps the three streams and this descriptor, which is closed on exec; nothing else of the zygote's."""
    if status_fd != STATUS_FD:
        os.dup2(status_fd, STATUS_FD, inheritable=False)
    syscalls.close_from(STATUS_FD + 1)


def _start_bot(request: SandboxRequest) -> int:
    """Starts the bot's program with a uid of its own, for good: a program run by posix_spawn with `resetids` has our
    real uid as its only one. Neither going there nor coming back needs a capability, so none is left when it begins. (A
    fork would copy our memory to throw it away: 1 ms.)"""
    for which, most in request.rlimits:  # limits on files, of which process 1 opens no more
        resource.setrlimit(which, (most, most))
    os.setresgid(request.uid, 0, 0)
    os.setresuid(request.uid, 0, 0)
    syscalls.drop_capabilities()
    syscalls.prctl(syscalls.PR_SET_DUMPABLE, 0)
    try:
        return _spawn_program(request)
    except (OSError, ValueError) as error:  # ValueError: a null character in a word
        if isinstance(error, OSError) and error.errno == errno.EAGAIN:
            raise  # the kernel refused us a process; a program that cannot be run fails differently
        os.write(STATUS_FD, READY)
        _give_up(f"failed to execute {request.argv[0]}: {getattr(error, 'strerror', error)}", EXIT_NOT_RUN)
    finally:
        os.setresgid(0, 0, 0)
        os.setresuid(0, 0, 0)


def _spawn_program(request: SandboxRequest) -> int:
    """Runs the program by its path, or the first of this name in PATH; if that one cannot be run, the next, as shells
    do. The shell runs a text without an interpreter's name, as in bubblewrap's sandboxes (by execvp) and without a
    sandbox."""
    name, folders = request.argv[0], request.env.get("PATH", os.defpath).split(os.pathsep)
    paths = [name] if "/" in name else [f"{folder}/{name}" for folder in folders]
    problem: OSError | None = None
    for path in paths:
        try:
            return os.posix_spawn(path, request.argv, request.env, resetids=True)
        except OSError as error:
            if error.errno == errno.ENOEXEC:
                return os.posix_spawn(SHELL, [SHELL, path, *request.argv[1:]], request.env, resetids=True)
            if problem is None or error.errno not in (errno.ENOENT, errno.ENOTDIR):
                problem = error
    assert problem is not None
    raise problem


def _wait_for_bot(bot_pid: int) -> int:
    """Waits for every process that ends inside, until it is the bot; returns its exit code, with signals as shells
    report them."""
    while True:
        pid, status = os.wait()
        if pid == bot_pid:
            return EXIT_SIGNAL_OFFSET + os.WTERMSIG(status) if os.WIFSIGNALED(status) else os.WEXITSTATUS(status)
