"""System calls that Python does not wrap: mounts, namespaces, privileges. Standard library (see zygote.py).

Each raises OSError with the name of the call. Knows numbers and flags; not what they are used for.
"""

from __future__ import annotations

import ctypes
import os
import struct
import sys

CLONE3, CLOSE_RANGE, OPEN_TREE, MOVE_MOUNT, MOUNT_SETATTR = 435, 436, 428, 429, 442
"""Numbers of system calls that came after 2019 are the same on all machines."""
CLONE_NEWNS, CLONE_NEWCGROUP, CLONE_NEWUTS, CLONE_NEWIPC = 0x2_0000, 0x200_0000, 0x400_0000, 0x800_0000
CLONE_NEWPID, CLONE_NEWNET = 0x2000_0000, 0x4000_0000
CLONE_PARENT, CLONE_INTO_CGROUP = 0x8000, 0x2_0000_0000
MS_RDONLY, MS_NOSUID, MS_NODEV, MS_NOEXEC, MS_REMOUNT, MS_BIND = 1, 2, 4, 8, 32, 0x1000
MS_REC, MS_PRIVATE = 0x4000, 0x4_0000
MNT_DETACH = 2
AT_FDCWD, AT_EMPTY_PATH, AT_RECURSIVE = -100, 0x1000, 0x8000
OPEN_TREE_CLONE, OPEN_TREE_CLOEXEC, MOVE_MOUNT_F_EMPTY_PATH = 1, getattr(os, "O_CLOEXEC", 0), 4
ATTR_RDONLY, ATTR_NOSUID, ATTR_NODEV = 1, 2, 4
PR_SET_PDEATHSIG, PR_SET_DUMPABLE, PR_SET_SECCOMP, PR_CAPBSET_DROP = 1, 4, 22, 24
PR_SET_NO_NEW_PRIVS, PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL = 38, 47, 4
SECCOMP_MODE_FILTER = 2
MAX_DESCRIPTOR = 0xFFFF_FFFF
BPF_INSTRUCTION_BYTES = 8
"""Bytes of one instruction of a seccomp program."""
CAPABILITY_HEADER = struct.pack("=Ii", 0x2008_0522, 0)
"""The version of the sets, and the process: our own."""
CAPABILITY_SETS = struct.Struct("=6I")
"""Effective, permitted, inheritable; then the same for the higher numbers."""
MAX_CAPABILITIES = 64

if sys.platform != "win32":
    _libc = ctypes.CDLL(None, use_errno=True)


def _check_result(name: str, result: int) -> int:
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, f"{name}: {os.strerror(error)}")
    return result


def _syscall(name: str, number: int, *arguments: object) -> int:
    return _check_result(name, _libc.syscall(ctypes.c_long(number), *arguments))


def unshare(flags: int) -> None:
    _check_result("unshare", _libc.unshare(flags))


def clone_sibling(flags: int, group: int | None = None) -> int:
    """Like fork, but the child is a child of our parent. It is inside the cgroup (v2) whose folder is open as `group`
    from its first moment, and in the new namespaces that the flags name."""
    into = 0 if group is None else CLONE_INTO_CGROUP
    arguments = struct.pack("=11Q", flags | CLONE_PARENT | into, *([0] * 9), group or 0)
    return _syscall("clone3", CLONE3, arguments, ctypes.c_size_t(len(arguments)))


def mount(source: str, target: str, kind: str = "", flags: int = 0, data: str = "") -> None:
    words = (os.fsencode(word) or None for word in (source, target, kind))
    result = _libc.mount(*words, ctypes.c_ulong(flags), data.encode() or None)
    _check_result(f"mount {target}", result)


def make_read_only(target: str, flags: int = MS_NOSUID | MS_NODEV) -> None:
    """Changes this mount only, not those below it."""
    mount("", target, flags=MS_REMOUNT | MS_BIND | MS_RDONLY | flags)


def unmount(target: str) -> None:
    """Unmounts at once for us; a process that still uses it keeps it until it is done."""
    _check_result(f"umount {target}", _libc.umount2(os.fsencode(target), MNT_DETACH))


def change_root(folder: str) -> None:
    """Makes that folder, which is a mount of its own, the root; the old root is gone."""
    os.chdir(folder)
    _check_result("pivot_root", _libc.pivot_root(b".", b"."))
    unmount(".")
    os.chdir("/")


def clone_mount_tree(path: str, *, devices: bool = False) -> int:
    """Returns an open copy of the mount at a path and of all mounts below it, not mounted anywhere yet: read-only,
    without set-uid and, unless wanted, devices; and private, because the host's own mounts are often shared."""
    flags = OPEN_TREE_CLONE | OPEN_TREE_CLOEXEC | AT_RECURSIVE
    tree = _syscall(f"open_tree {path}", OPEN_TREE, AT_FDCWD, os.fsencode(path), ctypes.c_uint(flags))
    try:
        wanted = ATTR_RDONLY | ATTR_NOSUID | (0 if devices else ATTR_NODEV)
        attributes = struct.pack("=4Q", wanted, 0, MS_PRIVATE, 0)
        how = ctypes.c_uint(AT_EMPTY_PATH | AT_RECURSIVE)
        size = ctypes.c_size_t(len(attributes))
        _syscall(f"mount_setattr {path}", MOUNT_SETATTR, tree, b"", how, attributes, size)
    except OSError:
        os.close(tree)
        raise
    return tree


def open_mount(path: str) -> int:
    """Returns the mount at this path, to be mounted elsewhere instead."""
    flags = ctypes.c_uint(OPEN_TREE_CLOEXEC)
    return _syscall(f"open_tree {path}", OPEN_TREE, AT_FDCWD, os.fsencode(path), flags)


def attach_mount_tree(tree: int, path: str) -> None:
    """Mounts an open tree."""
    flags = ctypes.c_uint(MOVE_MOUNT_F_EMPTY_PATH)
    _syscall(f"move_mount {path}", MOVE_MOUNT, tree, b"", AT_FDCWD, os.fsencode(path), flags)


def prctl(option: int, *values: int) -> None:
    padded = (*values, 0, 0, 0, 0)[:4]
    _check_result(f"prctl {option}", _libc.prctl(option, *map(ctypes.c_ulong, padded)))


def close_from(first: int) -> None:
    """Closes every descriptor from this number on. Not os.closerange: a Python built for a C library without
    close_range (glibc before 2.34, musl) tries the numbers one by one."""
    _syscall("close_range", CLOSE_RANGE, ctypes.c_uint(first), ctypes.c_uint(MAX_DESCRIPTOR), ctypes.c_uint(0))


def drop_bounding_set() -> None:
    """Keeps every program run from here on from gaining a capability, whatever its file says."""
    for capability in range(MAX_CAPABILITIES):
        try:
            prctl(PR_CAPBSET_DROP, capability)
        except OSError:
            if capability == 0:
                raise
            return  # the kernel has no more of them


def drop_capabilities() -> None:
    """Drops every capability of this process, for good."""
    _capset(bytes(CAPABILITY_SETS.size))


def clear_inheritable_capabilities() -> None:
    """Keeps this process's capabilities to itself: no program that it runs inherits any."""
    prctl(PR_CAP_AMBIENT, PR_CAP_AMBIENT_CLEAR_ALL)
    own = ctypes.create_string_buffer(CAPABILITY_SETS.size)
    _check_result("capget", _libc.capget(CAPABILITY_HEADER, own))
    effective, permitted, _, more_effective, more_permitted, _ = CAPABILITY_SETS.unpack(own.raw)
    _capset(CAPABILITY_SETS.pack(effective, permitted, 0, more_effective, more_permitted, 0))


def _capset(sets: bytes) -> None:
    _check_result("capset", _libc.capset(CAPABILITY_HEADER, sets))


class _FilterProgram(ctypes.Structure):
    _fields_ = (("length", ctypes.c_ushort), ("lines", ctypes.c_char_p))


def install_seccomp_filter(program: bytes) -> None:
    """Installs a seccomp program for this process and all its descendants. Needs no_new_privs, or to be root."""
    filter_program = _FilterProgram(len(program) // BPF_INSTRUCTION_BYTES, program)
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.addressof(filter_program))
