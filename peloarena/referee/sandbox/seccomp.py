"""The system calls that no bot needs, as a seccomp program for bwrap. Makes bytes; knows no processes.

The program refuses
- new namespaces (in a user namespace of its own a bot would be root over mounts and networks), the kernel's keyrings
  (inherited from the host and in no namespace), tracing (bubblewrap's process 1 may have the bot's uid), the kernel's
  log, and parts of the kernel with a history of holes;
- what draws on pools that belong to the whole machine: filters of its own, whose code takes the memory of the JIT
  compiler (without which no sandbox opens any more), asynchronous I/O contexts, huge pages;
- what reveals one sandbox to another: watching files (inotify, fanotify, dnotify, leases);
- what asks which pages of a file are in memory, or changes that by anything but a read: they are the same for all
  sandboxes, so a process could leave notes there for the next one (spec/SECURITY.md says what reads alone reveal);
- what makes a thread wait for all others (SCHED_IDLE and the like; a lower priority is accepted and not given): a
  thread that gets no CPU time while it holds a kernel lock blocks every process that needs that lock;
- asking which process is at the other end of a local socket: for a bot's streams that is the referee;
- sockets of families other than local and internet, including vsock, which ignores network namespaces; and of the
  kernel's own (netlink) all but the network's settings: one of them tells everybody about the machine's devices.

Everything else is allowed: bots come in any language. spec/SECURITY.md goes through the pools one by one.
"""

import errno
import functools
import os
import struct
from collections.abc import Mapping
from itertools import groupby
from operator import attrgetter
from typing import NamedTuple

LOAD, JUMP_EQUAL, JUMP_FROM, JUMP_BITS, RETURN = 0x20, 0x15, 0x35, 0x45, 0x06
NUMBER_AT, ARCH_AT, ARGUMENTS_AT, ARGUMENT_SIZE = 0, 4, 16, 8
"""Offsets in struct seccomp_data. Only the lower half of an argument is checked; the kernel also truncates these to
it."""
ALLOW, KILL, ERRNO = 0x7FFF_0000, 0x8000_0000, 0x0005_0000
SUCCESS = 0
"""As an error number: the call does nothing and returns 0."""
X32_BIT = 0x4000_0000
NEW_NAMESPACE = 0x0002_0000 | 0x0200_0000 | 0x0400_0000 | 0x0800_0000 | 0x1000_0000 | 0x2000_0000 | 0x4000_0000
"""CLONE_NEW: NS, CGROUP, UTS, IPC, USER, PID, NET."""


class Architecture(NamedTuple):
    audit_arch: int
    calls: Mapping[str, int]


class BitsRule(NamedTuple):
    """A call that is refused when its argument has any of these bits."""

    call: str
    argument: int
    bits: int
    error: int


class ValuesRule(NamedTuple):
    """A call that is refused when its argument is one of these values or, if inverted, none of them."""

    call: str
    argument: int
    values: tuple[int, ...]
    error: int
    allowed: bool = False
    """The values are those that are not refused."""
    when: tuple[int, int] | None = None
    """Checked only when this argument (its index) has this value."""


REFUSED_CALLS = (
    "setns", "add_key", "request_key", "keyctl", "ptrace", "process_vm_readv", "process_vm_writev", "kcmp",
    "pidfd_getfd", "bpf", "perf_event_open", "userfaultfd", "open_by_handle_at", "syslog", "fanotify_init",
)  # fmt: skip
UNKNOWN_CALLS = (
    "clone3", "io_uring_setup", "io_uring_enter", "io_uring_register", "seccomp", "io_setup", "inotify_init",
    "inotify_init1", "memfd_secret",
    "mincore", "cachestat", "process_madvise", "sched_setattr",
)  # fmt: skip
"""Programs treat these as unknown to the kernel and work without them. clone3 hides its flags; glibc then uses clone.
sched_setattr hides its policy; there is sched_setscheduler."""
IGNORED_CALLS = ("fadvise64", "readahead", "setpriority")
"""Advice about the page cache, and the call behind `nice`: they succeed and do nothing, so that programs work
unchanged."""
AF_UNIX, AF_INET, AF_INET6, AF_NETLINK = 1, 2, 10, 16
NETLINK_ROUTE = 0
"""What runtimes list network interfaces with (getaddrinfo, if_nameindex)."""
PR_SET_SECCOMP = 22
SOL_SOCKET = 1
SO_ATTACH = (26, 50, 51, 52)
"""FILTER, BPF, REUSEPORT_CBPF, REUSEPORT_EBPF. At other levels the numbers are harmless and needed (IPV6_V6ONLY)."""
SO_PEER = (17, 31, 59, 77)
"""CRED, SEC, GROUPS, PIDFD."""
SO_PASS = (16, 34, 76)
"""CRED, SEC, PIDFD: the same about the sender, with every message."""
NORMAL_SCHEDULING_POLICIES = (0, 0x4000_0000)
"""SCHED_OTHER, with or without SCHED_RESET_ON_FORK. The kernel itself refuses higher-priority policies."""
F_SETLEASE, F_NOTIFY = 1024, 1026
PAGE_ADVICE = (3, 20, 21, 22)
"""MADV: WILLNEED, COLD, PAGEOUT, POPULATE_READ. DONTNEED and FREE give back memory of one's own: runtimes need them."""
RWF_NOWAIT, RWF_DONTCACHE = 0x08, 0x80
ARGUMENT_RULES: tuple[BitsRule | ValuesRule, ...] = (  # the rules of one call are adjacent
    BitsRule("clone", 0, NEW_NAMESPACE, errno.EPERM),
    BitsRule("unshare", 0, NEW_NAMESPACE, errno.EPERM),
    BitsRule("mmap", 3, 0x4_0000, errno.ENOMEM),  # MAP_HUGETLB
    BitsRule("shmget", 2, 0o4000, errno.ENOMEM),  # SHM_HUGETLB
    BitsRule("memfd_create", 1, 0x4, errno.ENOMEM),  # MFD_HUGETLB
    ValuesRule("socket", 0, (AF_UNIX, AF_INET, AF_INET6, AF_NETLINK), errno.EAFNOSUPPORT, allowed=True),
    ValuesRule("socket", 2, (NETLINK_ROUTE,), errno.EPROTONOSUPPORT, allowed=True, when=(0, AF_NETLINK)),
    ValuesRule("socketpair", 0, (AF_UNIX,), errno.EAFNOSUPPORT, allowed=True),
    ValuesRule("setsockopt", 2, SO_ATTACH, errno.EPERM, when=(1, SOL_SOCKET)),
    ValuesRule("setsockopt", 2, SO_PASS, errno.ENOPROTOOPT, when=(1, SOL_SOCKET)),
    ValuesRule("getsockopt", 2, SO_PEER, errno.ENOPROTOOPT, when=(1, SOL_SOCKET)),
    ValuesRule("sched_setscheduler", 1, NORMAL_SCHEDULING_POLICIES, errno.EPERM, allowed=True),
    ValuesRule("prctl", 0, (PR_SET_SECCOMP,), errno.EINVAL),
    ValuesRule("fcntl", 1, (F_SETLEASE, F_NOTIFY), errno.EINVAL),
    ValuesRule("madvise", 2, PAGE_ADVICE, SUCCESS),
    BitsRule("preadv2", 5, RWF_NOWAIT | RWF_DONTCACHE, errno.EOPNOTSUPP),
)

SHARED_CALL_NUMBERS = {
    "pidfd_getfd": 438, "clone3": 435, "io_uring_setup": 425, "io_uring_enter": 426, "io_uring_register": 427,
    "memfd_secret": 447,
    "cachestat": 451, "process_madvise": 440,
}  # fmt: skip
ARCHITECTURES = {
    "x86_64": Architecture(
        0xC000_003E,
        {
            **SHARED_CALL_NUMBERS,
            "clone": 56, "unshare": 272, "setns": 308, "add_key": 248, "request_key": 249, "keyctl": 250,
            "ptrace": 101, "process_vm_readv": 310, "process_vm_writev": 311, "kcmp": 312, "bpf": 321,
            "perf_event_open": 298, "userfaultfd": 323, "open_by_handle_at": 304, "syslog": 103, "fanotify_init": 300,
            "seccomp": 317, "io_setup": 206, "inotify_init": 253, "inotify_init1": 294, "mmap": 9, "shmget": 29,
            "memfd_create": 319, "socket": 41, "socketpair": 53, "setsockopt": 54, "prctl": 157, "fcntl": 72,
            "mincore": 27, "fadvise64": 221, "readahead": 187, "madvise": 28, "preadv2": 327, "getsockopt": 55,
            "setpriority": 141, "sched_setscheduler": 144, "sched_setattr": 314,
        },
    ),
    "aarch64": Architecture(
        0xC000_00B7,
        {
            **SHARED_CALL_NUMBERS,
            "clone": 220, "unshare": 97, "setns": 268, "add_key": 217, "request_key": 218, "keyctl": 219,
            "ptrace": 117, "process_vm_readv": 270, "process_vm_writev": 271, "kcmp": 272, "bpf": 280,
            "perf_event_open": 241, "userfaultfd": 282, "open_by_handle_at": 265, "syslog": 116, "fanotify_init": 262,
            "seccomp": 277, "io_setup": 0, "inotify_init1": 26, "mmap": 222, "shmget": 194,
            "memfd_create": 279, "socket": 198, "socketpair": 199, "setsockopt": 208, "prctl": 167, "fcntl": 25,
            "mincore": 232, "fadvise64": 223, "readahead": 213, "madvise": 233, "preadv2": 286, "getsockopt": 209,
            "setpriority": 140, "sched_setscheduler": 119, "sched_setattr": 274,
        },
    ),
}  # fmt: skip
"""A call that a machine never had (inotify_init) is missing from its numbers."""


@functools.cache
def program(machine: str | None = None) -> bytes | None:
    """None for a machine whose numbers are not known here."""
    known = ARCHITECTURES.get(machine or os.uname().machine)
    if known is None:
        return None
    answers = dict.fromkeys(REFUSED_CALLS, errno.EPERM) | dict.fromkeys(UNKNOWN_CALLS, errno.ENOSYS)
    answers |= dict.fromkeys(IGNORED_CALLS, SUCCESS)
    lines = [*_kill_other_architectures(known.audit_arch), _instruction(LOAD, NUMBER_AT), *_refuse_x32()]
    for name, error in answers.items():
        if name in known.calls:
            lines += _if_call(known.calls[name], [_refuse(error)])
    for name, rules in groupby(ARGUMENT_RULES, attrgetter("call")):
        looks = [line for rule in rules for line in _argument_check_instructions(rule)]
        lines += _if_call(known.calls[name], [*looks, _instruction(RETURN, ALLOW)])
    return b"".join([*lines, _instruction(RETURN, ALLOW)])


def _instruction(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    """One instruction; the jumps are counted in instructions to skip."""
    return struct.pack("=HBBI", code, if_true, if_false, value)


def _refuse(error: int) -> bytes:
    return _instruction(RETURN, ERRNO | error)


def _kill_other_architectures(audit_arch: int) -> list[bytes]:
    """32-bit programs have other numbers: they do not run at all."""
    return [_instruction(LOAD, ARCH_AT), _instruction(JUMP_EQUAL, audit_arch, if_true=1), _instruction(RETURN, KILL)]


def _refuse_x32() -> list[bytes]:
    return [_instruction(JUMP_FROM, X32_BIT, if_false=1), _refuse(errno.ENOSYS)]


def _if_call(number: int, then: list[bytes]) -> list[bytes]:
    """The lines in `then` have to return: they may have loaded something else in place of the number."""
    return [_instruction(JUMP_EQUAL, number, if_false=len(then)), *then]


def _load(argument: int) -> bytes:
    return _instruction(LOAD, ARGUMENTS_AT + ARGUMENT_SIZE * argument)


def _argument_check_instructions(rule: BitsRule | ValuesRule) -> list[bytes]:
    """Refuses, or continues after the last of these lines."""
    load, refuse = _load(rule.argument), _refuse(rule.error)
    if isinstance(rule, BitsRule):
        return [load, _instruction(JUMP_BITS, rule.bits, if_false=1), refuse]
    last = len(rule.values) - 1
    over = int(rule.allowed)
    found = [_instruction(JUMP_EQUAL, value, if_true=last - n + over) for n, value in enumerate(rule.values[:-1])]
    found = [load, *found, _instruction(JUMP_EQUAL, rule.values[-1], if_true=over, if_false=1 - over), refuse]
    if rule.when is None:
        return found
    argument, value = rule.when
    return [_load(argument), _instruction(JUMP_EQUAL, value, if_false=len(found)), *found]
