"""Gives up rights: a root process becomes a user that owns nothing, has no capabilities and can gain none."""

from __future__ import annotations

import ctypes
import os
import sys

from .sandbox.uids import UidPool

if sys.platform != "win32":
    import resource

PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS = 4, 38
MAX_OPEN_FILES = 1024
"""Includes connections; beyond that the process accepts none."""


def forbid_new_privileges() -> None:
    """For this thread and all that it starts: no program that it executes can gain rights."""
    _prctl(PR_SET_NO_NEW_PRIVS, 1)


def drop_privileges() -> None:
    """Permanent. A process that is not root keeps its uid and can no longer change it.

    In a process with threads, each loses uid and capabilities (the C library does that), but only this one and those
    that it starts are under `no_new_privs`: call `forbid_new_privileges` before the first of them starts.
    """
    if os.getuid() == 0:
        uid = UidPool().take_uid()
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)  # drops all capabilities as well: the kernel clears them on leaving uid 0
    forbid_new_privileges()
    _prctl(PR_SET_DUMPABLE, 0)
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    most = MAX_OPEN_FILES if hard == resource.RLIM_INFINITY else min(MAX_OPEN_FILES, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))


def _prctl(option: int, value: int) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    if libc.prctl(option, value, 0, 0, 0) != 0:
        raise OSError(ctypes.get_errno(), "prctl")
