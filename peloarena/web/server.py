"""The listening side of the web process: admits connections, closes some when there are too many, reports errors.

Knows sockets and limits; http1.py speaks the protocol, and the app answers.
"""

from __future__ import annotations

import contextlib
import ipaddress
import socket
import sys
import traceback
from collections.abc import Iterator
from functools import partial

import trio
from starlette.types import ASGIApp

from .http1 import Http1, socket_address

MAX_CONNECTIONS = 600
"""Connections from all other machines together."""
MAX_CONNECTIONS_PER_VISITOR = 200
"""From one address: many phones behind one router look like one. This machine may have as many more."""
THIS_MACHINE = "this machine"
IPV6_PREFIX_BITS = 64
"""Bits that identify one visitor: anybody with IPv6 has all the addresses of such a network."""
LONGEST_PATH = 200
"""Characters of a path that are shown to the host."""
BACKLOG = 100
SHUTDOWN_SECONDS = 0.3
"""Seconds for open streams to end by themselves."""


def open_listening_socket(host: str, port: int) -> socket.socket:
    """OSError if the port is in use, or this machine does not have the address."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listener = socket.socket(family, socket.SOCK_STREAM)
    try:
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind((host, port))
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener


class Connections:
    """Open connections by visitor, each with the scope that ends it. Everybody is admitted: the visitor with the most
    connections loses one.

    Turning newcomers away instead would let three addresses close the site for all others.
    """

    def __init__(self) -> None:
        self._open: dict[str, dict[trio.CancelScope, None]] = {}
        """The oldest first."""

    @contextlib.contextmanager
    def admit(self, visitor: str) -> Iterator[None]:
        """The block is cancelled when this connection must make room for another."""
        self._make_room(visitor)
        with trio.CancelScope() as scope:
            self._open.setdefault(visitor, {})[scope] = None
            try:
                yield
            finally:
                self._remove(visitor, scope)

    def _make_room(self, visitor: str) -> None:
        others = {name: scopes for name, scopes in self._open.items() if name != THIS_MACHINE}
        if len(self._open.get(visitor, ())) >= MAX_CONNECTIONS_PER_VISITOR:
            self._end_oldest(visitor)
        elif visitor != THIS_MACHINE and sum(map(len, others.values())) >= MAX_CONNECTIONS:
            self._end_oldest(max(others, key=lambda name: len(others[name])))

    def _end_oldest(self, visitor: str) -> None:
        oldest = next(iter(self._open[visitor]))
        oldest.cancel()
        self._remove(visitor, oldest)

    def _remove(self, visitor: str, scope: trio.CancelScope) -> None:
        """Does nothing for a connection that had to make room."""
        scopes = self._open.get(visitor, {})
        scopes.pop(scope, None)
        if not scopes:
            self._open.pop(visitor, None)


def visitor_of(stream: trio.SocketStream) -> str:
    """The visitor to whom a connection counts. Empty if it is already gone."""
    peer, own = socket_address(stream.socket.getpeername), socket_address(stream.socket.getsockname)
    if peer is None:
        return ""
    if own is not None and peer[0] == own[0]:  # 127.0.0.1, ::1, or this machine by its address in the network
        return THIS_MACHINE
    return network_of(peer[0])


def network_of(address: str) -> str:
    ip = ipaddress.ip_address(address.partition("%")[0])  # fe80::1%eth0
    if isinstance(ip, ipaddress.IPv4Address):
        return str(ip)
    if ip.ipv4_mapped is not None:  # an IPv4 visitor of an IPv6 socket
        return str(ip.ipv4_mapped)
    return str(ipaddress.ip_network((ip, IPV6_PREFIX_BITS), strict=False))


class FailureLog:
    """Reports bugs of the server. A visitor may repeat one at will, so each place in the code is reported once."""

    def __init__(self) -> None:
        self._reported: set[str] = set()

    def report(self, what: str, error: BaseException) -> None:
        place = _raised_at(error)
        if place not in self._reported:
            self._reported.add(place)
            text = "".join(traceback.format_exception(error))
            print(f"{what[:LONGEST_PATH]} failed:", text, sep="\n", end="", file=sys.stderr, flush=True)


def _raised_at(error: BaseException) -> str:
    """The kind of the error and the line that raised it; of several, the first. A group that `except*` made has no
    traceback of its own."""
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    lines = [f"{frame.filename}:{frame.lineno}" for frame in traceback.extract_tb(error.__traceback__)]
    return " ".join([type(error).__name__, *lines[-1:]])


async def serve_connection(app: ASGIApp, stream: trio.SocketStream) -> None:
    """Serve a single connection to its end: for a rehearsal."""
    await Http1(app, stream, FailureLog().report).serve()


async def serve_app(app: ASGIApp, sockets: list[socket.socket], stop: trio.Event) -> None:
    """Serve until `stop`; then open connections have a moment to end."""
    connections, failures = Connections(), FailureLog()

    async def serve_visitor(stream: trio.SocketStream) -> None:
        """Any error ends this connection and no other."""
        try:
            with connections.admit(visitor_of(stream)):
                await Http1(app, stream, failures.report).serve()
        except* Exception as errors:
            failures.report("a connection", errors)

    listeners = [trio.SocketListener(trio.socket.from_stdlib_socket(one)) for one in sockets]
    async with trio.open_nursery() as serving, trio.open_nursery() as accepting:
        accepting.start_soon(partial(trio.serve_listeners, serve_visitor, listeners, handler_nursery=serving))
        await stop.wait()
        accepting.cancel_scope.cancel()
        serving.cancel_scope.deadline = trio.current_time() + SHUTDOWN_SECONDS
