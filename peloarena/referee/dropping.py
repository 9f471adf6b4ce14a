"""Rights given up: a process of root's becomes a user that owns nothing, has no capabilities and can gain none."""

from __future__ import annotations

import ctypes
import os
import sys

from .sandbox.uids import Uids

if sys.platform != "win32":
    import resource

PR_SET_DUMPABLE, PR_SET_NO_NEW_PRIVS = 4, 38
MOST_FILES = 1024
"""Connections among them; beyond that nobody is let in."""


def give_up_rights() -> None:
    """For good. Whoever is not root keeps the own uid and loses the way to another one."""
    if os.getuid() == 0:
        uid = Uids().take()
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)  # takes all capabilities with it: the kernel clears them on leaving uid 0
    libc = ctypes.CDLL(None, use_errno=True)
    for option, value in ((PR_SET_NO_NEW_PRIVS, 1), (PR_SET_DUMPABLE, 0)):
        if libc.prctl(option, value, 0, 0, 0) != 0:
            raise OSError(ctypes.get_errno(), "prctl")
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    most = MOST_FILES if hard == resource.RLIM_INFINITY else min(MOST_FILES, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (most, most))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
