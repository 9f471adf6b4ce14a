"""Any bytes at any moment end at most their own connection: the process lives, nothing fails in it, streams go on.

Short here; `make fuzz` sends 100,000 of them (PELOARENA_FUZZ_REQUESTS), with a seed of its own.
"""

from __future__ import annotations

import os
import random
import socket
from pathlib import Path

from fuzzed_requests import UPGRADE, send_fuzz
from little_tournament import made
from patience import PATIENCE
from web_servers import Visitor, asking, connected, open_web_server

LIVELY = (
    "from peloarena.web import server_sent_events as events; events.KEEPALIVE_SECONDS = 0.1; "
    "from peloarena.web.web_main import run; run()"
)
"""A web process as it is, but its event streams are never silent for long."""
TOURNAMENT = 'name = "Early"\nbots = ["a", "b"]\ndeals = 2\nsandbox = "off"\n'
LONG = "PELOARENA_FUZZ_REQUESTS" in os.environ
REQUESTS = int(os.environ.get("PELOARENA_FUZZ_REQUESTS", "1000"))
AT_ONCE = 500
"""Connections of one seed, so that a failure is soon found again."""


def is_served(stream: socket.socket) -> bool:
    """Whether more comes than lay here already: the comment that says so is sent ten times a second."""
    stream.setblocking(False)
    try:
        while stream.recv(1 << 16):
            pass
    except BlockingIOError:
        stream.settimeout(PATIENCE)
        return stream.recv(1 << 16) != b""
    return False


def opened_stream(visitor: Visitor) -> socket.socket:
    stream = connected(visitor, asking(visitor, "/events"))
    assert stream.recv(12) == b"HTTP/1.1 200"
    return stream


def test_a_byte_after_the_request_for_a_websocket_ends_no_other_connection(tmp_path: Path) -> None:
    store = made(tmp_path / "night.sqlite", TOURNAMENT, ["a", "b"])
    with open_web_server(store, program=("-c", LIVELY)) as visitor, opened_stream(visitor) as earlier:
        for _ in range(3):
            with connected(visitor, UPGRADE % b"127.0.0.1:%d" % visitor.port + b"x") as connection:
                assert connection.recv(1 << 16).startswith(b"HTTP/1.1 ")
        assert is_served(earlier)
        assert visitor.text("/health") == "ok\n"
        assert visitor.said == []


def test_fuzzed_heads_and_bodies_end_no_other_connection(tmp_path: Path) -> None:
    store = made(tmp_path / "night.sqlite", TOURNAMENT, ["a", "b"])
    first = random.SystemRandom().randrange(10**9) if LONG else 1
    with open_web_server(store, program=("-c", LIVELY)) as visitor, opened_stream(visitor) as earlier:
        for seed in range(first, first + max(1, REQUESTS // AT_ONCE)):
            print(f"seed {seed}")
            send_fuzz(visitor.port, seed, AT_ONCE)
            assert visitor.said == [], "\n".join(visitor.said)
            assert is_served(earlier)
