"""The zygote: a small root process that holds the base mounts and clones sandboxes, each a child of the referee.

Bubblewrap repeats every mount for each start, and joining a control group from outside waits for the whole kernel. Here
the mounts are made once (house.py) and a sandbox (room.py) is born inside its group. Only a referee that is root has a
zygote, which obeys nobody else because no other process has its socket. Standard library only: it starts without
`site`.
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
"""How an answer begins: followed by the sandbox's pid, or by what went wrong."""


def main() -> None:
    """Arguments: the socket's number and the referee's pid. The first message is the plan of the base mounts."""
    channel, referee = socket.socket(fileno=int(sys.argv[2])), int(sys.argv[3])
    channel.set_inheritable(False)
    syscalls.prctl(syscalls.PR_SET_PDEATHSIG, signal.SIGKILL)
    watched = os.pidfd_open(referee)
    if os.getppid() != referee or select.select([watched], [], [], 0)[0]:
        return
    message, _ = _receive(channel)
    told = _decode_message(message)
    setting = sandbox_init.ZygoteSettings(
        base_mounts.BaseMountsPlan(**told["plan"]),
        bytes.fromhex(told["calls"]),
        sandbox_init.proc_paths_to_cover(),
        watched,
    )
    try:
        _set_up(setting.plan)
    except OSError as error:
        channel.send(REPLY_REFUSED + str(error).encode())
        return
    channel.send(REPLY_OPENED)
    while (received := _receive(channel))[0]:
        channel.send(_open_sandbox(*received, setting))


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
    told: dict[str, Any] = json.loads(message.decode(errors="surrogateescape"))
    return told


def _open_sandbox(message: bytes, descriptors: list[int], settings: sandbox_init.ZygoteSettings) -> bytes:
    """The answer to an order. In the child it never returns."""
    try:
        told = _decode_message(message)
        order = sandbox_init.SandboxRequest(**told["order"])
        group = descriptors.pop() if told["unified"] else None
        stdin, stdout, stderr, status, bot, *groups = descriptors
        handed = sandbox_init.SandboxDescriptors(stdin, stdout, stderr, status, bot, groups)
        sandbox_init.prepare_passwd(order)
        pid = syscalls.clone_sibling(sandbox_init.NAMESPACES, group)
        if pid == 0:
            sandbox_init.run_init(order, handed, settings)
        if group is not None:
            os.close(group)
        return REPLY_OPENED + str(pid).encode()
    except OSError as error:
        return REPLY_REFUSED + str(error).encode()
    finally:
        for descriptor in descriptors:
            os.close(descriptor)
