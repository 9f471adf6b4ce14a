"""Runs `peloarena`, or a Python program, as another system would: what that system lacks cannot be imported or called.

    python tests/elsewhere.py win32 verify FILE
    python tests/elsewhere.py darwin -c "from peloarena.game import Game"

Python's own and other people's packages are loaded before: on that system they have code of its own, which would not
run here. For the same reason `select.epoll`, `socket.AF_UNIX` and `os.name` stay. What our code imports, and what it
asks of os, signal and select, is hidden from it. On Windows text files have another encoding unless one is named, so
there a file of ours that is opened without naming one is an error.
"""

from __future__ import annotations

import importlib
import os
import select
import shutil
import signal
import sys
import warnings

THEIRS = (
    *("asyncio", "compileall", "concurrent.futures.process", "ctypes", "glob", "multiprocessing.pool", "platform"),
    *("random", "shutil", "socket", "sqlite3", "statistics", "subprocess", "tempfile", "uuid", "zipfile"),
    "urllib.request",
    *("click.shell_completion", "msgspec.structs", "numpy.ma", "numpy.random", "numpy.linalg", "trio"),
    *("rich.live", "rich.markup", "rich.padding", "rich.progress", "rich.table", "rich.pretty", "rich.traceback"),
)
"""Packages that are loaded before anything is hidden."""
UNIX_MODULES = ("fcntl", "grp", "pty", "pwd", "readline", "resource", "syslog", "termios", "tty")
LINUX_NAMES = (
    *("sched_getaffinity", "sched_setaffinity", "sched_getscheduler", "sched_setscheduler", "sched_getparam"),
    *("memfd_create", "pidfd_open", "pipe2", "posix_fadvise", "setns", "unshare", "copy_file_range", "eventfd"),
)
"""Of os; macOS has none of them."""
UNIX_NAMES = (
    *("sysconf", "fork", "forkpty", "posix_spawn", "posix_spawnp", "wait", "wait3", "wait4", "waitid", "WNOHANG"),
    *("geteuid", "getuid", "getegid", "getgid", "getgroups", "setuid", "setgid", "setreuid", "setresuid", "setsid"),
    *("killpg", "getpgid", "getpgrp", "setpgid", "nice", "getpriority", "setpriority", "getloadavg", "uname"),
    *("chown", "fchown", "lchown", "fchmod", "mkfifo", "mknod", "statvfs", "fstatvfs", "pread", "pwrite", "chroot"),
    *("O_CLOEXEC", "O_DIRECTORY", "O_NOFOLLOW", "O_NONBLOCK", "set_blocking", "get_blocking", "sendfile"),
)
"""Of os, besides; Windows has none of them, or not in all versions of Python."""
UNIX_SIGNALS = (
    *("SIGALRM", "SIGCHLD", "SIGCONT", "SIGHUP", "SIGKILL", "SIGPIPE", "SIGQUIT", "SIGSTOP", "SIGTSTP", "SIGUSR1"),
    *("SIGUSR2", "SIGWINCH", "SIGXCPU", "SIGXFSZ", "alarm", "pause", "pthread_kill", "pthread_sigmask", "setitimer"),
    *("sigwait", "sigpending"),
)


def hide(system: str) -> None:
    sys.platform = system
    names = LINUX_NAMES if system == "darwin" else LINUX_NAMES + UNIX_NAMES
    for name in names:
        if hasattr(os, name):
            delattr(os, name)
    if system == "win32":
        shutil._use_fd_functions = False  # type: ignore[attr-defined]  # as there: else it needs what is hidden
        shutil._rmtree_impl = getattr(shutil, "_rmtree_unsafe", None)  # type: ignore[attr-defined]  # from 3.14 on
        for name in UNIX_SIGNALS:
            delattr(signal, name)
        del select.poll
        for name in UNIX_MODULES:
            sys.modules[name] = None  # type: ignore[assignment]
        warnings.filterwarnings("error", category=EncodingWarning, module=r"peloarena(\.|$)")


def main() -> None:
    system = sys.argv.pop(1)
    for name in THEIRS:
        importlib.import_module(name)
    assert not any(name.partition(".")[0] == "peloarena" for name in sys.modules)
    hide(system)
    if sys.argv[1:2] == ["-c"]:
        exec(compile(sys.argv[2], "<elsewhere>", "exec"), {"__name__": "__main__"})
    else:
        importlib.import_module("peloarena.cli.main").main()


if __name__ == "__main__":
    main()
