"""The web process: it loads and rehearses everything, drops its rights, and only then listens.

    python -m peloarena.web.web_main FD JSON

FD is its end of the channel to the backend; JSON says where to listen. Ends with the backend. Not for interactive use.
"""

from __future__ import annotations

import contextlib
import signal
import socket
import sys

import msgspec
import trio

from ..referee.unprivileged import become_unprivileged
from .app import WebApp
from .backend import WebProcessOptions
from .channel import ChannelClosed, PagesReady, StartFailed, WebChannelEnd
from .guard import Guard
from .rehearsal import rehearse
from .server import open_listening_socket, serve_app

LAZY_PACKAGES = ("anyio",)
"""Packages that import parts of themselves on first use; the rehearsal may miss one."""


async def main(connection: socket.socket, options: WebProcessOptions) -> None:
    channel = WebChannelEnd(connection)
    try:
        sockets = [open_listening_socket(host, options.port) for host in options.binds]
    except (OSError, OverflowError) as error:
        strerror = getattr(error, "strerror", None) or str(error)
        with contextlib.suppress(ChannelClosed):  # the backend ends instead of answering
            await channel.ask(
                StartFailed(f"cannot listen on port {options.port}: {strerror}; choose another with --port")
            )
        return
    stop = trio.Event()
    web_app = WebApp(channel, options.page_address, options.admin_access)
    app = Guard(web_app.app(), options.hosts)
    async with trio.open_nursery() as nursery:
        try:
            await web_app.refresh()
            await channel.ask(PagesReady())
        except ChannelClosed:
            return
        nursery.start_soon(web_app.keep_refreshing, stop)
        await serve_app(app, sockets, stop)
        nursery.cancel_scope.cancel()


def run() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    connection = socket.socket(fileno=int(sys.argv[1]))
    options = msgspec.json.decode(sys.argv[2], type=WebProcessOptions)
    become_unprivileged("the web process", LAZY_PACKAGES, rehearse)
    trio.run(main, connection, options)


if __name__ == "__main__":
    run()
