"""The zygote: a small root process that holds the base mounts and clones sandboxes, each a child of the referee.

Bubblewrap repeats every mount for each start, and joining a control group from outside waits for the whole kernel. Here
the mounts are made once (base_mounts.py) and a sandbox (sandbox_init.py) is born inside its group. Only a referee that
is root has a zygote, which obeys nobody else because no other process has its socket. Standard library only: it starts
without `site`.
"""

from __future__ import annotations

import gc
import json
import os
import select
import signal
import socket
import sys
from typing import Any

from . import base_mounts, sandbox_init, syscalls

MAX_ZYGOTE_MESSAGE_BYTES = 256 * 1024
MAX_REQUEST_DESCRIPTORS = 32
HOSTNAME = "arena"
RESET_SIGNALS = ("SIGPIPE", "SIGXFSZ", "SIGINT", "SIGCHLD")
"""Python or the host's shell ignores or catches these signals, and a program started from here would inherit that. A
process that ignores the last one cannot wait for a child."""
REPLY_OPENED, REPLY_REFUSED = b"+", b"-"
"""How a reply begins: followed by the sandbox's pid, or by what went wrong."""


def main() -> None:
    """Arguments: the socket's number and the referee's pid. The first message is the plan of the base mounts."""
    channel, referee = socket.socket(fileno=int(sys.argv[2])), int(sys.argv[3])
    channel.set_inheritable(False)
    syscalls.prctl(syscalls.PR_SET_PDEATHSIG, signal.SIGKILL)
    referee_pidfd = os.pidfd_open(referee)
    if os.getppid() != referee or select.select([referee_pidfd], [], [], 0)[0]:
        return
    message, _ = _receive(channel)
    values = _decode_message(message)
    settings = sandbox_init.ZygoteSettings(
        base_mounts.BaseMountsPlan(**values["plan"]),
        bytes.fromhex(values["calls"]),
        sandbox_init.proc_paths_to_cover(),
        referee_pidfd,
    )
    try:
        _set_up(settings.plan)
    except OSError as error:
        channel.send(REPLY_REFUSED + str(error).encode())
        return
    channel.send(REPLY_OPENED)
    while (received := _receive(channel))[0]:
        channel.send(_open_sandbox(*received, settings))


def _set_up(plan: base_mounts.BaseMountsPlan) -> None:
    """Does once what all sandboxes inherit: the mounts, the name of the machine, signal handling, and that no process
    gains a privilege."""
    os.umask(0o022)
    os.setgroups([])
    for name in RESET_SIGNALS:
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    syscalls.unshare(syscalls.CLONE_NEWUTS)
    socket.sethostname(HOSTNAME)
    base_mounts.build_base_mounts(plan)
    syscalls.drop_bounding_set()
    syscalls.clear_inheritable_capabilities()
    syscalls.prctl(syscalls.PR_SET_NO_NEW_PRIVS, 1)
    gc.freeze()  # objects that exist now are shared with the sandboxes, as long as nobody writes to them
    gc.disable()


def _receive(channel: socket.socket) -> tuple[bytes, list[int]]:
    message, descriptors, _, _ = socket.recv_fds(
        channel, MAX_ZYGOTE_MESSAGE_BYTES, MAX_REQUEST_DESCRIPTORS, socket.MSG_CMSG_CLOEXEC
    )
    return message, descriptors


def _decode_message(message: bytes) -> dict[str, Any]:
    """A path may contain any bytes: they arrive as Python represents them in a string."""
    values: dict[str, Any] = json.loads(message.decode(errors="surrogateescape"))
    return values


def _open_sandbox(message: bytes, descriptors: list[int], settings: sandbox_init.ZygoteSettings) -> bytes:
    """The reply to a request. In the child it never returns."""
    try:
        values = _decode_message(message)
        request = sandbox_init.SandboxRequest(**values["request"])
        group = descriptors.pop() if values["unified"] else None
        stdin, stdout, stderr, status, bot, *groups = descriptors
        streams_and_files = sandbox_init.SandboxDescriptors(stdin, stdout, stderr, status, bot, groups)
        sandbox_init.prepare_passwd(request)
        pid = syscalls.clone_sibling(sandbox_init.NAMESPACES, group)
        if pid == 0:
            sandbox_init.run_init(request, streams_and_files, settings)
        if group is not None:
            os.close(group)
        return REPLY_OPENED + str(pid).encode()
    except OSError as error:
        return REPLY_REFUSED + str(error).encode()
    finally:
        for descriptor in descriptors:
            os.close(descriptor)
