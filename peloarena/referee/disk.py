"""A full disk: the host has to fix it, and it is never a bot's fault."""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from ..game import ConfigError

DISK_FULL_ERRNOS = (errno.ENOSPC, errno.EDQUOT)
"""No block is left, or none that this user may use."""
MIN_FREE_BYTES = 1 << 20
"""With less than this left, a failed build is not the bot's failure."""


class DiskFull(ConfigError):
    """Nothing more can be written there. A caller that can wait tries again: the host may free space."""


@contextmanager
def report_disk_full(folder: Path) -> Iterator[None]:
    """Turns the kernel's errors for a full disk into DiskFull, with the folder's name."""
    try:
        yield
    except OSError as error:
        if error.errno not in DISK_FULL_ERRNOS:
            raise
        raise disk_full_error(folder) from None


def check_not_full(folder: Path) -> None:
    """Raises DiskFull if nothing is left for this user. Does not see a quota."""
    disk = os.statvfs(folder)
    if disk.f_bavail * disk.f_frsize < MIN_FREE_BYTES:
        raise disk_full_error(folder)


def mentions_full_disk(output: str) -> bool:
    """Whether a program's output quotes the kernel's error for a full disk, as compilers and shells do."""
    return any(os.strerror(number) in output for number in DISK_FULL_ERRNOS)


def disk_full_error(folder: Path) -> DiskFull:
    return DiskFull(f"the disk of {str(folder)!r} is full: make room there")
