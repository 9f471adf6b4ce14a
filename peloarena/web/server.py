"""HTTP by Hypercorn's Trio worker, with what it lacks: a bounded number of connections, and an end in time.

Knows sockets and limits; what is answered is the app's.
"""

from __future__ import annotations

import socket
from collections import Counter
from functools import partial

import trio
from hypercorn.app_wrappers import ASGIWrapper
from hypercorn.config import Config
from hypercorn.events import Event, Updated
from hypercorn.trio.tcp_server import TCPServer
from hypercorn.trio.worker_context import WorkerContext
from hypercorn.typing import ConnectionState
from starlette.types import ASGIApp

MOST_CONNECTIONS = 600
MOST_FROM_ONE = 200
"""From one address: a hall behind one router looks like one."""
BACKLOG = 100
IDLE_SECONDS = 5
"""A connection without a whole request is closed then; so is one that is kept alive."""
GOODBYE = 0.3
"""Seconds for open streams to end by themselves."""


def config() -> Config:
    found = Config()
    found.keep_alive_timeout = IDLE_SECONDS
    found.graceful_timeout = GOODBYE
    found.include_server_header = False
    found.include_date_header = True
    found.h11_max_incomplete_size = 16 * 1024
    found.accesslog = None
    found.errorlog = None
    return found


def listening(host: str, port: int) -> socket.socket:
    """OSError if the port is taken, or this is no address of ours."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    found = socket.socket(family, socket.SOCK_STREAM)
    try:
        found.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        found.bind((host, port))
        found.listen(BACKLOG)
    except OSError:
        found.close()
        raise
    return found


class Door(trio.abc.Listener[trio.SocketStream]):
    """Lets in as many as there are places; whoever is too much is turned away at once."""

    def __init__(self, listener: trio.SocketListener, inside: Counter[str]) -> None:
        self._listener = listener
        self._inside = inside

    async def accept(self) -> trio.SocketStream:
        while True:
            stream = await self._listener.accept()
            who = name_of(stream)
            if self._inside.total() < MOST_CONNECTIONS and self._inside[who] < MOST_FROM_ONE:
                return stream
            await trio.aclose_forcefully(stream)

    async def aclose(self) -> None:
        await self._listener.aclose()


class Connection(TCPServer):
    """Ends when the guest leaves. Hypercorn's keeps the place of one who is gone until it would have been idle for too
    long: 200 quick visits within five seconds, and a whole hall behind one router was turned away."""

    _gone = False

    async def _read_data(self) -> None:
        await super()._read_data()
        self._gone = True
        await self.idle_task.stop()

    async def protocol_send(self, event: Event) -> None:
        if not (self._gone and isinstance(event, Updated)):  # which would begin to wait again
            await super().protocol_send(event)


def name_of(stream: trio.SocketStream) -> str:
    try:
        return str(stream.socket.getpeername()[0])
    except OSError:  # gone already
        return ""


async def answer(app: ASGIApp, stream: trio.SocketStream) -> None:
    """One connection alone, to its end: for a rehearsal."""
    wrapped = ASGIWrapper(app)  # type: ignore[arg-type]  # as in `serve`
    await Connection(wrapped, config(), WorkerContext(None), ConnectionState({}), stream)  # type: ignore[arg-type]


async def serve(app: ASGIApp, sockets: list[socket.socket], stop: trio.Event) -> None:
    """Until `stop`; then open connections have a moment to end."""
    settings, context = config(), WorkerContext(None)
    wrapped = ASGIWrapper(app)  # type: ignore[arg-type]  # Hypercorn's types of ASGI differ from Starlette's in form
    inside: Counter[str] = Counter()

    async def guest(stream: trio.SocketStream) -> None:
        who = name_of(stream)
        inside[who] += 1
        try:
            await Connection(wrapped, settings, context, ConnectionState({}), stream)  # type: ignore[arg-type]
        finally:
            inside[who] -= 1
            if not inside[who]:
                del inside[who]

    listeners = [Door(trio.SocketListener(trio.socket.from_stdlib_socket(one)), inside) for one in sockets]
    async with trio.open_nursery() as guests, trio.open_nursery() as doors:
        doors.start_soon(partial(trio.serve_listeners, guest, listeners, handler_nursery=guests))
        await stop.wait()
        doors.cancel_scope.cancel()
        await context.terminated.set()
        guests.cancel_scope.deadline = trio.current_time() + GOODBYE
