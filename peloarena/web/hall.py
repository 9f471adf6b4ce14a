"""The hall's process: everything is imported and read first, then it gives up its rights, then it listens.

    python -m peloarena.web.hall FD JSON

FD is its end of the channel to the porter; JSON says where to listen. Ends when the porter does. Not for people.
"""

from __future__ import annotations

import signal
import socket
import sys

import msgspec
import trio

from ..game import Game, make_options
from ..game.registry import MODULES
from ..referee.dropping import give_up_rights
from .app import Hall
from .assets import assets
from .channel import Cannot, ChannelClosed, HallEnd
from .guard import Guard
from .porter import Serving
from .server import listening, serve


def read_all() -> None:
    """Whatever lies in files: afterwards they may be out of reach."""
    assets()
    for modules in ([], list(MODULES)):
        Game(make_options(4, modules), "warm")


async def main(connection: socket.socket, serving: Serving) -> None:
    channel = HallEnd(connection)
    try:
        sockets = [listening(host, serving.port) for host in serving.binds]
    except (OSError, OverflowError) as error:
        strerror = getattr(error, "strerror", None) or str(error)
        await channel.ask(Cannot(f"cannot listen at port {serving.port}: {strerror}; --port chooses another"))
        return
    stop = trio.Event()
    hall = Hall(channel, serving.page, serving.desk)
    app = Guard(hall.app(), serving.hosts)
    async with trio.open_nursery() as nursery:
        try:
            await hall.look()
        except ChannelClosed:
            return
        nursery.start_soon(hall.keep_looking, stop)
        await serve(app, sockets, stop)
        nursery.cancel_scope.cancel()


def run() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    connection = socket.socket(fileno=int(sys.argv[1]))
    serving = msgspec.json.decode(sys.argv[2], type=Serving)
    read_all()
    give_up_rights()
    trio.run(main, connection, serving)


if __name__ == "__main__":
    run()
