"""Floods, slow readers, bytes that are no request: bounded, and the next guest does not notice."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator
from pathlib import Path

import pytest
from halls import Visitor, asking, connected, eventually, open_hall
from little_night import made
from patience import PATIENCE

from peloarena.web.server import MOST_FROM_ONE

IMPATIENT = "from peloarena.web import server; server.IDLE_SECONDS = 1; from peloarena.web.hall import run; run()"
"""A hall as it is, but for the five seconds that an idle connection has."""
NIGHT = 'name = "Early"\nbots = ["a", "b"]\ndeals = 2\nsandbox = "off"\n'


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    store = made(tmp_path_factory.mktemp("hall") / "night.sqlite", NIGHT, ["a", "b"])
    with open_hall(store, program=("-c", IMPATIENT)) as found:
        yield found


def is_served(visitor: Visitor) -> None:
    eventually(lambda: visitor.text("/"), "Standings")


def is_closed(connection: socket.socket) -> bool:
    connection.settimeout(PATIENCE)
    try:
        return connection.recv(1) == b""
    except ConnectionError:
        return True


def test_a_flood_of_connections_is_turned_away_and_leaves_room_afterwards(visitor: Visitor) -> None:
    with contextlib.ExitStack() as stack:
        flood = [stack.enter_context(connected(visitor)) for _ in range(MOST_FROM_ONE + 20)]
        assert all(is_closed(one) for one in flood[-10:])
    is_served(visitor)


def test_whoever_left_holds_no_place(tmp_path: Path) -> None:
    """More visits in a row than there are places, each by a connection of its own, as phones behind one router come."""
    store = made(tmp_path / "night.sqlite", NIGHT, ["a", "b"])
    with open_hall(store, program=("-c", IMPATIENT.replace("= 1;", "= 600;"))) as visitor:
        for _ in range(MOST_FROM_ONE * 3):
            assert visitor.text("/health") == "ok\n"


def test_whoever_reads_nothing_holds_up_nobody(visitor: Visitor) -> None:
    with contextlib.ExitStack() as stack:
        for path in ("/events", "/", "/static/hall.css"):
            for _ in range(20):
                stack.enter_context(connected(visitor, asking(visitor, path)))
        is_served(visitor)


def test_half_a_request_is_closed_after_a_while(visitor: Visitor) -> None:
    with connected(visitor, b"GET / HTTP/1.1\r\nHost: ") as connection:
        assert is_closed(connection)


@pytest.mark.parametrize(
    "said",
    [
        b"\x16\x03\x01\x00\xff\x01",
        b"GET / HTTP/9.9\r\n\r\n",
        b"GET " + b"a" * 100_000 + b" HTTP/1.1\r\n",
        b"POST /host/order HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 99999999999\r\n\r\n",
        b"\x00" * 1000,
    ],
)
def test_bytes_that_are_no_request_end_the_connection_alone(visitor: Visitor, said: bytes) -> None:
    with contextlib.suppress(ConnectionError), connected(visitor, said) as connection:
        connection.recv(1 << 16)
    is_served(visitor)
