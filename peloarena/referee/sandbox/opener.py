"""The opener: a small process of the referee's that holds the house and makes rooms of it, each a child of the referee.

Bubblewrap mounts everything anew for each start, and to join a control group from outside waits for the whole kernel.
Here the mounts are made once (house.py) and a room (room.py) is born inside its group. Only a referee that is root has
one; it obeys nobody else, for its socket is in no other process. Standard library only: it starts without `site`.
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

from . import house, kernel, room

MOST_BYTES = 256 * 1024
MOST_DESCRIPTORS = 32
HOSTNAME = "arena"
RESET = ("SIGPIPE", "SIGXFSZ", "SIGINT", "SIGCHLD")
"""Python ignores or catches them, or the host's shell does, and a program that is run would inherit that. Whoever
ignores the last cannot wait for a child."""
OPENED, REFUSED = b"+", b"-"
"""How an answer begins: with the room's pid, or with what went wrong."""


def main() -> None:
    """Arguments: the socket's number and the referee's pid. The first message is the plan of the house."""
    channel, referee = socket.socket(fileno=int(sys.argv[2])), int(sys.argv[3])
    channel.set_inheritable(False)
    kernel.prctl(kernel.PR_SET_PDEATHSIG, signal.SIGKILL)
    watched = os.pidfd_open(referee)
    if os.getppid() != referee or select.select([watched], [], [], 0)[0]:
        return
    message, _ = _received(channel)
    told = _read(message)
    setting = room.Setting(house.HousePlan(**told["plan"]), bytes.fromhex(told["calls"]), room.covers(), watched)
    try:
        _settle(setting.plan)
    except OSError as error:
        channel.send(REFUSED + str(error).encode())
        return
    channel.send(OPENED)
    while (received := _received(channel))[0]:
        channel.send(_opened(*received, setting))


def _settle(plan: house.HousePlan) -> None:
    """What holds for all rooms is done once and inherited: the mounts, the name of the machine, how signals are taken,
    and that nobody gains a privilege."""
    os.umask(0o022)
    os.setgroups([])
    for name in RESET:
        signal.signal(getattr(signal, name), signal.SIG_DFL)
    kernel.unshare(kernel.CLONE_NEWUTS)
    socket.sethostname(HOSTNAME)
    house.build(plan)
    kernel.drop_bounding_set()
    kernel.hand_on_no_capability()
    kernel.prctl(kernel.PR_SET_NO_NEW_PRIVS, 1)
    gc.freeze()  # what is there now is shared with the rooms, as long as nobody writes to it
    gc.disable()


def _received(channel: socket.socket) -> tuple[bytes, list[int]]:
    message, descriptors, _, _ = socket.recv_fds(channel, MOST_BYTES, MOST_DESCRIPTORS, socket.MSG_CMSG_CLOEXEC)
    return message, descriptors


def _read(message: bytes) -> dict[str, Any]:
    """Any bytes may be in a path: they come as Python has them in a text."""
    told: dict[str, Any] = json.loads(message.decode(errors="surrogateescape"))
    return told


def _opened(message: bytes, descriptors: list[int], setting: room.Setting) -> bytes:
    """The answer to an order. In the child it never returns."""
    try:
        told = _read(message)
        order = room.RoomOrder(**told["order"])
        group = descriptors.pop() if told["unified"] else None
        stdin, stdout, stderr, status, bot, *groups = descriptors
        handed = room.Handed(stdin, stdout, stderr, status, bot, groups)
        room.lay_ready(order)
        pid = kernel.clone_beside(room.SPACES, group)
        if pid == 0:
            room.live(order, handed, setting)
        if group is not None:
            os.close(group)
        return OPENED + str(pid).encode()
    except OSError as error:
        return REFUSED + str(error).encode()
    finally:
        for descriptor in descriptors:
            os.close(descriptor)
