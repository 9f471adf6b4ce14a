"""The base mounts of the zygote (zygote.py): what every sandbox of a run shows, mounted once, in a mount namespace.

They hold nothing of the host but what is shown, read-only. A sandbox is a copy of these mounts (sandbox_init.py adds
its own). Standard library only; knows paths, not bots.
"""

from __future__ import annotations

import os
import stat
from typing import NamedTuple

from . import syscalls

STAGING_FOLDER = "/tmp"
"""A folder that every machine has: the base mounts are built over it, where no other process sees them, and then become
the root."""
PREPARED_FOLDER = "/tmp"
"""Inside the base mounts: what is prepared for sandboxes. A sandbox's own /tmp covers it."""
BASE_FOLDERS = ("/dev", "/dev/shm", "/proc", "/tmp", "/bot", "/etc")
PLACEHOLDER_FILES = ("/etc/passwd",)
"""Each sandbox brings its own."""
DEVICES = ("null", "zero", "full", "random", "urandom", "tty")
"""No pseudo-terminals: threads of the kernel, in no group and on any core, process what is written to one. A bot with
24 of them made these threads work for 6 s of 8, while its own account showed 0.24 s."""
DEVICE_LINKS = (
    ("/proc/self/fd", "/dev/fd"),
    ("/proc/self/fd/0", "/dev/stdin"),
    ("/proc/self/fd/1", "/dev/stdout"),
    ("/proc/self/fd/2", "/dev/stderr"),
    ("/proc/kcore", "/dev/core"),
)


class BaseMountsPlan(NamedTuple):
    """The files that are shown. Plain lists and strings, because it arrives as JSON."""

    shown: list[tuple[str, str]]
    """Files and folders of the host, and their mount points; none is in a folder that each sandbox has to itself."""
    late: list[tuple[str, str]]
    """The ones that are: for example an interpreter below /tmp. Each sandbox mounts them in its own."""
    links: list[tuple[str, str]]
    """Target and link."""


def build_base_mounts(plan: BaseMountsPlan) -> None:
    """Makes the base mounts the root of this process, for good."""
    syscalls.unshare(syscalls.CLONE_NEWNS)
    syscalls.mount("", "/", flags=syscalls.MS_REC | syscalls.MS_PRIVATE)
    trees = [(syscalls.clone_mount_tree(source), path) for source, path in plan.shown]
    trees += [(syscalls.clone_mount_tree(f"/dev/{name}", devices=True), f"/dev/{name}") for name in DEVICES]
    trees += [
        (syscalls.clone_mount_tree(source), deferred_mount_path(number)) for number, (source, _) in enumerate(plan.late)
    ]
    syscalls.mount("tmpfs", STAGING_FOLDER, "tmpfs", syscalls.MS_NOSUID | syscalls.MS_NODEV, "mode=0755")
    syscalls.change_root(STAGING_FOLDER)
    for folder in BASE_FOLDERS:
        os.makedirs(folder, 0o755, exist_ok=True)
    for file in PLACEHOLDER_FILES:
        make_file(file)
    for target, link in (*DEVICE_LINKS, *plan.links):
        os.symlink(target, link)
    for tree, path in trees:
        mount_tree(tree, path)


def deferred_mount_path(number: int) -> str:
    """Where the late ones wait for a sandbox."""
    return f"{PREPARED_FOLDER}/late-{number}"


def mount_tree(tree: int, path: str) -> None:
    """Creates the mount point, mounts an open tree there, and closes the tree."""
    if stat.S_ISDIR(os.fstat(tree).st_mode):
        os.makedirs(path, 0o755, exist_ok=True)
    else:
        make_file(path)
    syscalls.attach_mount_tree(tree, path)
    os.close(tree)


def make_file(path: str, content: bytes = b"") -> None:
    os.makedirs(os.path.dirname(path), 0o755, exist_ok=True)
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC, 0o444)
    try:
        os.write(descriptor, content)
    finally:
        os.close(descriptor)
