"""Ports for servers of tests, none of which the kernel gives to anybody else meanwhile."""

from __future__ import annotations

import itertools
import os
import socket

FIRST, LAST = 12_000, 32_000
"""Below those that the kernel chooses (net.ipv4.ip_local_port_range). One of its own might be given to a connection
before the server takes it; and whoever tries to reach a server that is not up yet might be given it himself, and be
connected to himself."""

_numbers = itertools.count(os.getpid() * 97)
"""Processes begin at places of their own, and no port is given twice by one of them."""


def free_port() -> int:
    while True:
        port = FIRST + next(_numbers) % (LAST - FIRST)
        with socket.socket() as probe:
            try:
                probe.bind(("127.0.0.1", port))
            except OSError:
                continue
        return port
