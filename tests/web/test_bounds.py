"""Floods, slow readers, bytes that are no request: bounded, and the next guest does not notice."""

from __future__ import annotations

import contextlib
import socket
from collections.abc import Iterator

import pytest
from little_tournament import made
from patience import PATIENCE
from web_servers import Visitor, asking, connected, eventually, open_web_server

from peloarena.web.server import MAX_CONNECTIONS_PER_VISITOR, network_of

IMPATIENT = "from peloarena.web import http1; http1.IDLE_SECONDS = 1; from peloarena.web.web_main import run; run()"
"""A web process as it is, but for the five seconds that an idle connection has."""
TOURNAMENT = 'name = "Early"\nbots = ["a", "b"]\ndeals = 2\nsandbox = "off"\n'


@pytest.fixture(scope="module")
def visitor(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    store = made(tmp_path_factory.mktemp("hall") / "night.sqlite", TOURNAMENT, ["a", "b"])
    with open_web_server(store, program=("-c", IMPATIENT)) as found:
        yield found


def is_served(visitor: Visitor) -> None:
    eventually(lambda: visitor.text("/"), "Standings")


def is_closed(connection: socket.socket) -> bool:
    connection.settimeout(PATIENCE)
    try:
        return connection.recv(1) == b""
    except ConnectionError:
        return True


@pytest.fixture(scope="module")
def patient(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Visitor]:
    """Nobody is sent away for being idle here."""
    store = made(tmp_path_factory.mktemp("hall") / "night.sqlite", TOURNAMENT, ["a", "b"])
    with open_web_server(store, program=("-c", IMPATIENT.replace("= 1;", "= 600;"))) as found:
        yield found


def status_from(visitor: Visitor, address: str, path: str = "/health") -> bytes:
    """The first bytes of the answer; nothing, if the connection is closed without one."""
    with contextlib.suppress(ConnectionError), connected(visitor, asking(visitor, path), address) as connection:
        return connection.recv(12)
    return b""


def crowd(visitor: Visitor, stack: contextlib.ExitStack, address: str, number: int) -> list[socket.socket]:
    """Event streams, each of which has begun: so all are inside, in this order."""
    found = []
    for _ in range(number):
        stream = stack.enter_context(connected(visitor, asking(visitor, "/events"), address))
        assert stream.recv(12) == b"HTTP/1.1 200"
        found.append(stream)
    return found


def still_open(stream: socket.socket) -> bool:
    stream.setblocking(False)
    try:
        while stream.recv(1 << 16):
            pass
    except BlockingIOError:
        return True
    except ConnectionError:
        return False
    return False


def has_ended(stream: socket.socket) -> bool:
    """Reads what was sent before."""
    stream.settimeout(PATIENCE)
    try:
        while stream.recv(1 << 16):
            pass
    except ConnectionError:
        return True
    except TimeoutError:
        return False
    return True


def test_three_addresses_close_the_site_for_nobody(patient: Visitor) -> None:
    """Whoever came first of those who have most must go; who has a single stream keeps it."""
    with contextlib.ExitStack() as stack:
        (single,) = crowd(patient, stack, "127.0.0.9", 1)
        crowds = [crowd(patient, stack, f"127.0.0.{last}", MAX_CONNECTIONS_PER_VISITOR) for last in (2, 3, 4)]
        newcomers = ["127.0.0.1", "127.0.0.5", "127.0.0.6", "127.0.0.2"]
        assert [status_from(patient, address, "/") for address in newcomers] == [b"HTTP/1.1 200"] * 4
        assert has_ended(crowds[0][0])
        assert still_open(single)
        assert all(still_open(streams[-1]) for streams in crowds)


def test_this_machine_has_room_of_its_own(patient: Visitor) -> None:
    """Nobody must go for the host's page, and the host's pages close the site for nobody."""
    with contextlib.ExitStack() as stack:
        crowds = [crowd(patient, stack, f"127.0.0.{last}", MAX_CONNECTIONS_PER_VISITOR) for last in (2, 3, 4)]
        crowd(patient, stack, "127.0.0.1", 20)
        assert all(still_open(stream) for streams in crowds for stream in streams)


def test_one_address_makes_room_for_its_own_newcomers(patient: Visitor) -> None:
    with contextlib.ExitStack() as stack:
        streams = crowd(patient, stack, "127.0.0.7", MAX_CONNECTIONS_PER_VISITOR + 20)
        assert all(has_ended(stream) for stream in streams[:20])
        assert all(still_open(stream) for stream in streams[20:])


def test_half_requests_close_the_site_for_nobody(patient: Visitor) -> None:
    with contextlib.ExitStack() as stack:
        for last in (2, 3, 4):
            for _ in range(MAX_CONNECTIONS_PER_VISITOR):
                stack.enter_context(connected(patient, b"GET / HTTP/1.1\r\nHost: ", f"127.0.0.{last}"))
        assert [status_from(patient, address) for address in ("127.0.0.1", "127.0.0.5")] == [b"HTTP/1.1 200"] * 2


def test_whoever_left_holds_no_place(patient: Visitor) -> None:
    """More visits in a row than there are places, each by a connection of its own, as phones behind one router come.
    A stream that was there before them stays."""
    with contextlib.ExitStack() as stack:
        (earlier,) = crowd(patient, stack, "127.0.0.1", 1)
        for _ in range(MAX_CONNECTIONS_PER_VISITOR * 3):
            assert patient.text("/health") == "ok\n"
        assert still_open(earlier)


@pytest.mark.parametrize(
    ("address", "visitor"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("2001:db8:1:2::9", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
    ],
)
def test_an_ipv6_visitor_is_a_whole_network(address: str, visitor: str) -> None:
    assert network_of(address) == visitor


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
