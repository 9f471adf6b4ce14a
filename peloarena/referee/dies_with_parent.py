"""A process that ends with the one that started it, however that ends. Linux only, like the sandbox."""

from __future__ import annotations

import ctypes
import os
import signal

PR_SET_PDEATHSIG = 1
"""From linux/prctl.h."""


def die_with_parent(parent: int | None = None) -> None:
    """The signal is tied to the *thread* that forked, which must live as long as its process. `parent` is the pid of
    that process, which may be gone already."""
    ctypes.CDLL(None).prctl(PR_SET_PDEATHSIG, signal.SIGKILL)
    if parent is not None and os.getppid() != parent:
        os.kill(os.getpid(), signal.SIGKILL)
