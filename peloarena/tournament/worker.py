"""A worker process: reads game jobs from stdin, plays them one at a time, writes the reports to stdout.

Exits when its stdin closes, even during a game: then the runner is gone. Not for people; see game_runner.py.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import get_args

import msgspec
import trio

from ..game import ConfigError, encode
from ..referee.arena import open_arena
from ..referee.job import GameJob
from ..referee.sandbox.errors import SandboxError
from ..referee.sandbox.isolation import WHOLE_MACHINE, GameSlot, SandboxPolicy
from .game_runner import BotExited, GamePlayed, JobFailed, JobRefused, WorkerMessage
from .live_feed import LiveFeed

STDIN, STDOUT = 0, 1


async def jobs_from_stdin(send: trio.MemorySendChannel[bytes], scope: trio.CancelScope) -> None:
    """Put jobs into the channel; the end of stdin ends everything."""
    os.set_blocking(STDIN, False)
    buffer = bytearray()
    while True:
        await trio.lowlevel.wait_readable(STDIN)
        data = os.read(STDIN, 1 << 16)
        if not data:
            scope.cancel()
            return
        buffer += data
        while (end := buffer.find(b"\n")) >= 0:
            await send.send(bytes(buffer[:end]))
            del buffer[: end + 1]


async def serve(policy: SandboxPolicy, slot: GameSlot, feed: LiveFeed) -> None:
    send, receive = trio.open_memory_channel[bytes](100)
    async with trio.open_nursery() as nursery:
        nursery.start_soon(jobs_from_stdin, send, nursery.cancel_scope)
        nursery.start_soon(feed.write_periodically)
        async with open_arena(policy, slot, lambda departure: write(encode(BotExited(departure)) + b"\n")) as arena:
            arena.isolation.pin_to_bot_cores()
            async for line in receive:
                job = msgspec.json.decode(line, type=GameJob)
                message: WorkerMessage
                try:
                    with feed.watch_game(job) as watch:
                        message = GamePlayed(await arena.play(job, watch))
                except ConfigError as error:
                    message = JobRefused(str(error))
                except SandboxError as error:
                    message = JobFailed(str(error))
                write(encode(message) + b"\n")


def write(data: bytes) -> None:
    """Blocking is fine: the runner reads."""
    while data:
        data = data[os.write(STDOUT, data) :]


def main() -> None:
    policy: SandboxPolicy = sys.argv[1] if sys.argv[1] in get_args(SandboxPolicy) else "auto"  # type: ignore[assignment]
    slot = GameSlot.parse(sys.argv[2]) if len(sys.argv) > 2 else WHOLE_MACHINE
    feed = LiveFeed(Path(sys.argv[3]) if len(sys.argv) > 3 else None, slot.number)
    try:
        trio.run(serve, policy, slot, feed)
    except (BrokenPipeError, KeyboardInterrupt):
        sys.exit(1)


if __name__ == "__main__":
    main()
