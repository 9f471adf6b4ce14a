"""How a command runs Trio: Ctrl-C ends it cleanly, and a group of errors is reduced to one."""

from __future__ import annotations

import signal
from collections.abc import Awaitable, Callable, Iterator
from contextlib import contextmanager

import trio

from ..referee.error_groups import unwrap_error_groups


def trio_main(main: Callable[[], Awaitable[None]]) -> bool:
    """Run to the end, or until Ctrl-C (or a termination signal) cancels it; then return True. Cleans up either way."""
    interrupted = False

    async def run_until_signal() -> None:
        async with trio.open_nursery() as nursery:

            async def cancel_on_signal(task_status: trio.TaskStatus[None]) -> None:
                nonlocal interrupted
                with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
                    task_status.started()  # before `main` starts: it may have to restore the terminal
                    async for _ in signals:
                        interrupted = True
                        nursery.cancel_scope.cancel()

            await nursery.start(cancel_on_signal)
            await main()
            nursery.cancel_scope.cancel()

    with unwrap_error_groups():
        trio.run(run_until_signal)
    return interrupted


@contextmanager
def sigterm_as_ctrl_c() -> Iterator[None]:
    """Without Trio: a termination signal also raises KeyboardInterrupt."""

    def interrupt(*_: object) -> None:
        raise KeyboardInterrupt

    before = signal.signal(signal.SIGTERM, interrupt)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)
