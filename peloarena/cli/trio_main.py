"""How a command runs Trio: Ctrl-C ends it cleanly, and of a group of errors one comes out."""

from __future__ import annotations

import signal
from collections.abc import Awaitable, Callable

import trio

from ..referee.one_error import ungrouped


def trio_main(main: Callable[[], Awaitable[None]]) -> bool:
    """Run to the end, or until Ctrl-C (or a termination signal) cancels it: True then. Clean-up is done either way."""
    interrupted = False

    async def outer() -> None:
        async with trio.open_nursery() as nursery:

            async def listen(task_status: trio.TaskStatus[None]) -> None:
                nonlocal interrupted
                with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
                    task_status.started()  # before `main` begins: it may have the terminal to put back
                    async for _ in signals:
                        interrupted = True
                        nursery.cancel_scope.cancel()

            await nursery.start(listen)
            await main()
            nursery.cancel_scope.cancel()

    with ungrouped():
        trio.run(outer)
    return interrupted
