"""The streams between us and an untrusted process: a pair of unix sockets for each, never a pipe.

A process that writes to a pipe holds its lock while the kernel copies from the writer's memory, and our read of the
other end waits for that lock inside the kernel, O_NONBLOCK or not. A bot can make this last: the memory is a file that
must come from the disk, and the thread gets no CPU time meanwhile. A process that sends to a socket copies first, and
then takes the lock of the queue without sleeping.

Each stream has one direction, as a pipe has: the other one is shut down. Unlike a pipe, a socket can pass descriptors.
Linux 6.16 lets us refuse them (SO_PASSRIGHTS); before that `read` and `close` keep this thread from closing them.
Opening /dev/stdout by name, which a pipe allows, fails on a socket: hints.py explains this to authors.
"""

from __future__ import annotations

import io
import os
import socket
import subprocess
import threading
from array import array
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial
from typing import IO, NamedTuple

SEND_BUFFER_BYTES = 212_992
"""The size that the kernel lets every user ask for (net.core.wmem_max), and doubles. It lets a process write 555 times
before it waits for us, twice as often as by default, or 430 KB at once."""
SO_PASSRIGHTS = 83
"""The same on all machines of seccomp.py (the kernel's include/uapi/asm-generic/socket.h)."""
MAX_PASSED_DESCRIPTORS = 253
"""The kernel passes no more with one message (SCM_MAX_FD)."""
CLOSER_THREAD_NAME = "closes what was passed"
"""The name of a thread."""
CONTROL_BUFFER_BYTES = (
    socket.CMSG_SPACE(MAX_PASSED_DESCRIPTORS * array("i").itemsize) if hasattr(socket, "CMSG_SPACE") else 0
)


class DescriptorsPassed(Exception):
    """The process sent open files. Its stream must not be read any further: more of them would fill our descriptor
    table."""

    def __init__(self, count: int) -> None:
        super().__init__(f"passed {count} open file descriptors over a stream that only accepts bytes")


class Streams(NamedTuple):
    """stdin, stdout and stderr of a process."""

    theirs: list[int]
    """What the process gets."""
    ours: list[io.FileIO | None]
    """Our ends of those that are streams."""


@contextmanager
def open_streams(stdin: int, stdout: int, stderr: int) -> Iterator[Streams]:
    """Opens streams to start a process with. Arguments as for Popen: PIPE for a stream, DEVNULL, an open file, STDOUT
    for stderr.

    On exit it closes the process's ends, which the process has by then, and ours only if it was not started.
    """
    with ExitStack() as after, ExitStack() as on_failure:
        streams = Streams([], [])
        for number, requested in enumerate((stdin, stdout, stderr)):
            mine: io.FileIO | None = None
            given = streams.theirs[1] if requested == subprocess.STDOUT else requested
            if requested == subprocess.PIPE:
                ours, given = make_stream(to_process=number == 0)
                mine = on_failure.enter_context(io.FileIO(ours, "w" if number == 0 else "r"))
            elif requested == subprocess.DEVNULL:
                given = os.open(os.devnull, os.O_RDWR | os.O_CLOEXEC)
            if requested in (subprocess.PIPE, subprocess.DEVNULL):
                after.callback(os.close, given)
            streams.theirs.append(given)
            streams.ours.append(mine)
        yield streams
        on_failure.pop_all()


def make_stream(*, to_process: bool) -> tuple[int, int]:
    """Our end of a new stream, and the end of the process."""
    ours, theirs = socket.socketpair()
    ours.shutdown(socket.SHUT_RD if to_process else socket.SHUT_WR)  # for both ends: the kernel notifies the other one
    theirs.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SEND_BUFFER_BYTES)
    if KERNEL_REFUSES_DESCRIPTORS:
        refuse_descriptors(ours)
    return ours.detach(), theirs.detach()


def refuse_descriptors(ours: socket.socket) -> bool:
    """Makes sending descriptors to this end fail with EPERM. False where the kernel cannot do that yet."""
    try:
        ours.setsockopt(socket.SOL_SOCKET, SO_PASSRIGHTS, 0)
    except OSError:
        return False
    return True


def _can_kernel_refuse_descriptors() -> bool:
    one, other = socket.socketpair()
    with one, other:
        return refuse_descriptors(one)


KERNEL_REFUSES_DESCRIPTORS = _can_kernel_refuse_descriptors() if hasattr(socket, "AF_UNIX") else False


def close(stream: io.FileIO | IO[bytes]) -> None:
    """Closes our end and drops unread data. Where that may include descriptors, another thread closes both."""
    if KERNEL_REFUSES_DESCRIPTORS:
        stream.close()
    else:
        _run_in_thread(stream.close)


def _read_without_descriptors(descriptor: int, size: int) -> bytes:
    """A plain read drops passed descriptors, so this thread would close them, and that takes as long as the sender
    likes, with a socket that lingers or a file that has many locks. So we receive them, and another thread closes them.
    """
    stream = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM, fileno=descriptor)
    try:
        data, extras, _, _ = stream.recvmsg(size, CONTROL_BUFFER_BYTES, socket.MSG_CMSG_CLOEXEC)
    finally:
        stream.detach()
    passed = array("i")
    for level, kind, content in extras:
        if (level, kind) == (socket.SOL_SOCKET, socket.SCM_RIGHTS):
            passed.frombytes(content)
    if passed:
        _run_in_thread(partial(_close_all, passed))
        raise DescriptorsPassed(len(passed))
    return data


read = os.read if KERNEL_REFUSES_DESCRIPTORS else _read_without_descriptors
"""Like os.read. Raises DescriptorsPassed if there is more than bytes, where the kernel lets it through."""


def _close_all(descriptors: Sequence[int]) -> None:
    for descriptor in descriptors:
        os.close(descriptor)


def _run_in_thread(function: Callable[[], object]) -> None:
    threading.Thread(target=function, name=CLOSER_THREAD_NAME, daemon=True).start()
