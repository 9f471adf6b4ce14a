"""Running Trio under a command: Ctrl-C ends cleanly, errors come out one by one."""

from __future__ import annotations

import signal
from collections.abc import Awaitable, Callable

import trio

from peloarena.game import ConfigError


def run(main: Callable[[], Awaitable[None]]) -> bool:
    """Run to the end, or until Ctrl-C (or a termination signal) cancels it: True then. Clean-up is done either way."""
    interrupted = False

    async def outer() -> None:
        async with trio.open_nursery() as nursery:

            async def listen() -> None:
                nonlocal interrupted
                with trio.open_signal_receiver(signal.SIGINT, signal.SIGTERM) as signals:
                    async for _ in signals:
                        interrupted = True
                        nursery.cancel_scope.cancel()

            nursery.start_soon(listen)
            await main()
            nursery.cancel_scope.cancel()

    try:
        trio.run(outer)
    except BaseExceptionGroup as group:
        raise single(group) from None
    return interrupted


def single(group: BaseExceptionGroup[BaseException]) -> BaseException:
    """The user's mistake if there is one; the only error if there is only one; else the group itself."""
    mistakes = group.subgroup(ConfigError)
    if mistakes is not None:
        return leaf(mistakes)
    return leaf(group) if len(leaves(group)) == 1 else group


def leaf(error: BaseException) -> BaseException:
    return leaves(error)[0]


def leaves(error: BaseException) -> list[BaseException]:
    if isinstance(error, BaseExceptionGroup):
        return [found for inner in error.exceptions for found in leaves(inner)]
    return [error]
