"""The house: what every room of a run shows, mounted once, in a mount namespace of the opener's own; see opener.py.

Nothing of the host is in it but what is shown, read-only. A room is a copy of these mounts (room.py adds its own).
Standard library only; knows places, not bots.
"""

from __future__ import annotations

import os
import stat
from typing import NamedTuple

from . import kernel

FOUNDATION = "/tmp"
"""Any folder that every machine has: the house is built over it, where nobody else sees it, and then is the root."""
STORE = "/tmp"
"""In the house: what is laid ready for rooms. A room's own /tmp covers it."""
FOLDERS = ("/dev", "/dev/shm", "/dev/pts", "/proc", "/tmp", "/bot", "/etc")
FILES = ("/etc/passwd",)
"""Each room brings its own."""
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
LINKS = (
    ("/proc/self/fd", "/dev/fd"),
    ("/proc/self/fd/0", "/dev/stdin"),
    ("/proc/self/fd/1", "/dev/stdout"),
    ("/proc/self/fd/2", "/dev/stderr"),
    ("/proc/kcore", "/dev/core"),
    ("pts/ptmx", "/dev/ptmx"),
)


class HousePlan(NamedTuple):
    """What is shown. Plain lists and texts: it comes as JSON."""

    shown: list[tuple[str, str]]
    """Files and folders of the host, and where; none is inside a place that each room has for itself."""
    late: list[tuple[str, str]]
    """Those that are: an interpreter below /tmp, for example. Each room puts them into its own."""
    links: list[tuple[str, str]]
    """Target and link."""


def build(plan: HousePlan) -> None:
    """Makes the house the root of this process, for good."""
    kernel.unshare(kernel.CLONE_NEWNS)
    kernel.mount("", "/", flags=kernel.MS_REC | kernel.MS_PRIVATE)
    trees = [(kernel.copy_tree(source), place) for source, place in plan.shown]
    trees += [(kernel.copy_tree(f"/dev/{name}", devices=True), f"/dev/{name}") for name in DEVICES]
    trees += [(kernel.copy_tree(source), stored(number)) for number, (source, _) in enumerate(plan.late)]
    kernel.mount("tmpfs", FOUNDATION, "tmpfs", kernel.MS_NOSUID | kernel.MS_NODEV, "mode=0755")
    kernel.change_root(FOUNDATION)
    for folder in FOLDERS:
        os.makedirs(folder, 0o755, exist_ok=True)
    for file in FILES:
        make_file(file)
    for target, link in (*LINKS, *plan.links):
        os.symlink(target, link)
    for tree, place in trees:
        put(tree, place)


def stored(number: int) -> str:
    """Where the late ones wait for a room."""
    return f"{STORE}/late-{number}"


def put(tree: int, place: str) -> None:
    """Mounts an open tree at a place, which is made, and closes it."""
    if stat.S_ISDIR(os.fstat(tree).st_mode):
        os.makedirs(place, 0o755, exist_ok=True)
    else:
        make_file(place)
    kernel.place_tree(tree, place)
    os.close(tree)


def make_file(place: str, content: bytes = b"") -> None:
    os.makedirs(os.path.dirname(place), 0o755, exist_ok=True)
    descriptor = os.open(place, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o444)
    try:
        os.write(descriptor, content)
    finally:
        os.close(descriptor)
