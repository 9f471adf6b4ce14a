"""Why does a running bot say nothing? Looks closer once it is too late anyway, to report the cause to its author.

Three mistakes look alike: a line that was not flushed, input that is read by blocks, a start that takes too long. Only
the checker asks, never a table: no bot should have to understand what is sent here.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple

import trio

from ..protocol import BotError
from ..protocol.codec import encode
from ..protocol.messages import Quit
from .bot_process import BotProcess
from .hints import BUSY_CPU_SHARE, Diagnosis

VERY_BUSY_CPU_SHARE = 0.5
"""Share of its time that it spent as CPU time: above this its start was too slow, whatever comes later."""
STILL_BUSY_CPU_SECONDS = 0.05
"""Seconds of CPU time while nothing was sent: a bot that waits for input uses none. Seen with an import of 12 s on a
busy machine that finished just when its input was closed."""


class ProbeStage(NamedTuple):
    """An action on the bot, and what a line that comes after it shows."""

    act: Callable[[BotProcess], None]
    seconds: float
    diagnosis: Diagnosis


def _wait(process: BotProcess) -> None:
    pass


def _send_quit(process: BotProcess) -> None:
    """A bot that reads lines leaves now, or fails at the second of them; either way its buffer is flushed."""
    process.transport.write_now(encode(Quit()) + b"neither a message nor JSON\n")


def _close_input(process: BotProcess) -> None:
    assert process.process.stdin is not None
    process.process.stdin.close()


PROBE_STAGES = (
    ProbeStage(_wait, 2.0, "comes late"),
    ProbeStage(_send_quit, 1.0, "comes after a line"),
    ProbeStage(_close_input, 1.0, "comes after the end"),
)


async def diagnose_silence(process: BotProcess, waited_seconds: float) -> Diagnosis:
    """For a bot that output nothing for `waited_seconds`. Afterwards it can play no more."""
    used = (process.cpu_ns() or 0) / 1e9 / waited_seconds
    if used >= VERY_BUSY_CPU_SHARE:
        return "busy"
    for stage in PROBE_STAGES:
        before = process.cpu_ns() or 0
        stage.act(process)
        output = await _read_within(process, stage.seconds)
        if output:
            return stage.diagnosis
        if output == b"":
            break
        if stage.act is _wait and (process.cpu_ns() or 0) - before >= STILL_BUSY_CPU_SECONDS * 1e9:
            return "busy"
    return "busy" if used >= BUSY_CPU_SHARE else ""


async def _read_within(process: BotProcess, seconds: float) -> bytes | None:
    """The output within this time; b"" at its end, None when nothing comes."""
    with trio.move_on_after(seconds):
        await process.transport.wait_readable()
        try:
            return process.transport.read_now(0)
        except BotError:
            return b""
    return None
