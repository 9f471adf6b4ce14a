"""Why does a bot that runs not say a word? Looks closer when it is too late anyway, to tell its author the cause.

Three mistakes look alike: a line that was not flushed, input that is read by blocks, a start that takes too long. Only
the checker asks, never a table: what is sent here no bot should have to understand.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import trio

from ..protocol.codec import encode
from ..protocol.messages import Quit
from .hints import SOMEWHAT_BUSY, Found
from .process import BotProcess

BUSY = 0.5
"""Of the time it had, spent as CPU time: whatever comes afterwards, its start was too slow."""
STILL_BUSY = 0.05
"""Seconds of CPU time while nothing was done to it: whoever waits for input uses none. Seen with an import of 12 s on
a busy machine that came to its end just when its input was closed."""


class Stage(NamedTuple):
    """Something is done to the bot; what does a line show that comes then?"""

    act: Callable[[BotProcess], None]
    seconds: float
    shows: Found


def _wait(process: BotProcess) -> None:
    pass


def _say_goodbye(process: BotProcess) -> None:
    """Whoever reads lines leaves now, or fails at the second of them; either way what lies in a buffer comes out."""
    process.transport.write_now(encode(Quit()) + b"neither a message nor JSON\n")


def _end_input(process: BotProcess) -> None:
    assert process.process.stdin is not None
    process.process.stdin.close()


STAGES = (
    Stage(_wait, 2.0, "comes late"),
    Stage(_say_goodbye, 1.0, "comes after a line"),
    Stage(_end_input, 1.0, "comes after the end"),
)


async def look_closer(process: BotProcess, had: float) -> Found:
    """For a bot that said nothing for these seconds. Afterwards it can no longer be played with."""
    used = (process.cpu_ns() or 0) / 1e9 / had
    if used >= BUSY:
        return "busy"
    for stage in STAGES:
        before = process.cpu_ns() or 0
        stage.act(process)
        said = await _hear(process, stage.seconds)
        if said:
            return stage.shows
        if said == b"":
            break
        if stage.act is _wait and (process.cpu_ns() or 0) - before >= STILL_BUSY * 1e9:
            return "busy"
    return "busy" if used >= SOMEWHAT_BUSY else ""


async def _hear(process: BotProcess, seconds: float) -> bytes | None:
    """What comes within this time; b"" at the end of its output, None when nothing comes."""
    with trio.move_on_after(seconds):
        await process.transport.wait_readable()
        return process.transport.read_now(0)
    return None
