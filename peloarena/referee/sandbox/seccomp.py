"""The system calls that no bot needs, as a seccomp program for bwrap. Makes bytes; knows no processes.

Refused are new namespaces (in a user namespace of its own a bot would be root over mounts and networks), the kernel's
keyrings (inherited from the host and in no namespace), tracing (bubblewrap's process 1 may have the bot's uid), and
parts of the kernel with a history of holes. The rest is allowed: bots come in any language.
"""

import errno
import functools
import os
import struct
from collections.abc import Mapping
from typing import NamedTuple

LOAD, JUMP_EQUAL, JUMP_FROM, JUMP_BITS, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER_AT, ARCH_AT, FIRST_ARGUMENT_AT = 0, 4, 16  # offsets in struct seccomp_data
ALLOW, KILL, ERRNO = 0x7FFF_0000, 0x8000_0000, 0x0005_0000
X32_BIT = 0x4000_0000
# CLONE_NEW: NS, CGROUP, UTS, IPC, USER, PID, NET
NEW_NAMESPACE = 0x0002_0000 | 0x0200_0000 | 0x0400_0000 | 0x0800_0000 | 0x1000_0000 | 0x2000_0000 | 0x4000_0000


class Machine(NamedTuple):
    audit: int
    calls: Mapping[str, int]


REFUSED = (
    "setns", "add_key", "request_key", "keyctl", "ptrace", "process_vm_readv", "process_vm_writev", "kcmp",
    "pidfd_getfd", "bpf", "perf_event_open", "userfaultfd", "open_by_handle_at",
)  # fmt: skip
# Programs take these for unknown to the kernel and do without. clone3 hides its flags from us; glibc then uses clone.
UNKNOWN = ("clone3", "io_uring_setup", "io_uring_enter", "io_uring_register")
FLAGGED = ("clone", "unshare")

NEWER = {"pidfd_getfd": 438, "clone3": 435, "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427}
MACHINES = {
    "x86_64": Machine(
        0xC000_003E,
        {
            **NEWER, "clone": 56, "unshare": 272, "setns": 308, "add_key": 248, "request_key": 249, "keyctl": 250,
            "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312, "bpf": 321,
            "perf_event_open": 298, "userfaultfd": 323, "open_by_handle_at": 304,
        },
    ),
    "aarch64": Machine(
        0xC000_00B7,
        {
            **NEWER, "clone": 220, "unshare": 97, "setns": 268, "add_key": 217, "request_key": 218, "keyctl": 219,
            "ptrace": 117, "process_vm_readv": 270, "process_vm_writev": 271, "kcmp": 272, "bpf": 280,
            "perf_event_open": 241, "userfaultfd": 282, "open_by_handle_at": 265,
        },
    ),
}  # fmt: skip


@functools.cache
def program(machine: str | None = None) -> bytes | None:
    """None for a machine whose numbers are not known here."""
    known = MACHINES.get(machine or os.uname().machine)
    if known is None:
        return None
    lines = [*_same_machine(known.audit), _line(LOAD, NUMBER_AT), *_no_x32()]
    lines += [line for name in REFUSED for line in _answer(known.calls[name], ERRNO | errno.EPERM)]
    lines += [line for name in UNKNOWN for line in _answer(known.calls[name], ERRNO | errno.ENOSYS)]
    lines += [line for name in FLAGGED for line in _no_namespaces(known.calls[name])]
    return b"".join([*lines, _line(RETURN, ALLOW)])


def _line(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """One instruction; the jumps are counted in instructions to skip."""
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _same_machine(audit: int) -> list[bytes]:
    """32-bit programs have other numbers: they do not run at all."""
    return [_line(LOAD, ARCH_AT), _line(JUMP_EQUAL, audit, if_true=1), _line(RETURN, KILL)]


def _no_x32() -> list[bytes]:
    return [_line(JUMP_FROM, X32_BIT, if_false=1), _line(RETURN, ERRNO | errno.ENOSYS)]


def _answer(number: int, answer: int) -> list[bytes]:
    return [_line(JUMP_EQUAL, number, if_false=1), _line(RETURN, answer)]


def _no_namespaces(number: int) -> list[bytes]:
    return [
        _line(JUMP_EQUAL, number, if_false=4),
        _line(LOAD, FIRST_ARGUMENT_AT),
        _line(JUMP_BITS, NEW_NAMESPACE, if_false=1),
        _line(RETURN, ERRNO | errno.EPERM),
        _line(RETURN, ALLOW),
    ]
