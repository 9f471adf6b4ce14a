"""The link to one bot: one message out, one message in, one absolute deadline that no output can extend.

Knows transports and the dialogue; neither processes nor the game. Time is Trio's, so tests can mock it.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable

import trio

from ..protocol import BotError, Dialogue, LineBuffer
from ..protocol.excerpt_lengths import EVIDENCE_LINE_LENGTH
from ..protocol.messages import FromBot, ToBot
from .shapes import BotReply
from .standstill import runnable_seconds, standstill_seconds, wait_monitor
from .transport import Transport

QUICK_SECONDS = 0.005
"""Seconds that a blocking poll may last before Trio takes over. Longer than the kernel's tick (4 ms at 250 Hz): for a
shorter wait the kernel sets a timer of its own, 13 µs a question with a bot that thinks 100 µs (measured in a virtual
machine)."""
CHECKPOINT_SECONDS = 0.02
"""Quick answers never yield to Trio by themselves. After this many seconds the link does, so that other tasks can
run."""


MAX_WAIT_SECONDS = 0.1
"""The longest single wait, in seconds: one that lasts longer shows that we stood still, and since when."""


class TooLate(Exception):
    """No whole line within the granted time."""

    def __init__(self, seconds: float) -> None:
        super().__init__(f"{seconds:.3f} s")
        self.seconds = seconds


class Link:
    def __init__(self, transport: Transport, log: Callable[[str, bytes], None] | None = None) -> None:
        self.transport = transport
        self.dialogue = Dialogue()
        self.lines = LineBuffer()
        self.log = log
        """Called with ">" or "<" and every line."""
        self.unsent = b""
        """The rest of a line that a bot did not read in time; it goes out before the next line."""
        self.last_request = b""
        self.last_answer = b""
        self.dropped = 0
        """Late answers that came after all."""
        self._now = trio.lowlevel.current_clock().current_time
        """`trio.current_time` looks up the clock on each call, three times a question."""
        trio.lowlevel.add_instrument(wait_monitor)
        self._yielded = 0.0
        self._runnable = runnable_seconds()
        """Hardly older than CHECKPOINT_SECONDS when a wait begins: reading it for each question would cost too much."""

    async def exchange(self, message: ToBot, limit: float) -> BotReply:
        """Sends, and awaits the reply. BotError when the bot breaks the protocol, TooLate after `limit` seconds."""
        self.refuse_early_lines()
        self.queue(message)
        # Before the write: it wakes the bot, which may take our core before we read the clock.
        started = self._now()
        self.write_now()
        if self.unsent:
            with trio.move_on_at(started + limit) as scope:
                await self.write_rest()
            if scope.cancelled_caught:
                raise TooLate(self._now() - started)
        return await self.await_reply(started, limit)

    async def await_reply(self, started: float, limit: float) -> BotReply:
        """An answer that is there at our first look after a standstill counts, and the standstill is not charged."""
        overslept = wait_monitor.overslept
        reply = self.read_quickly(
            min(QUICK_SECONDS, limit)
        )  # most bots answer within it; Trio costs more (see transport)
        if reply is None:
            reply, lag = await self.read_patiently(started + limit)
            now = self._now()
        else:
            now = self._now()
            lag = (
                0.0
                if wait_monitor.overslept == overslept
                else standstill_seconds(wait_monitor.overslept - overslept, self._runnable)
            )
        seconds = now - started - lag
        if reply is None or seconds > limit:
            raise TooLate(now - started)
        if now - self._yielded > CHECKPOINT_SECONDS:
            await trio.lowlevel.checkpoint()
            self._yielded = now
            self._runnable = runnable_seconds()
        return BotReply(reply, seconds, now, lag)

    def read_quickly(self, patience: float) -> FromBot | None:
        if self.lines.pending_bytes:  # arrived while the rest of the question went out
            reply = self.next_message()
            if reply is not None:
                return reply
        data = self.transport.read_now(patience)
        if data is None:
            return None
        self.feed(data)
        return self.next_message()

    async def read_patiently(self, deadline: float) -> tuple[FromBot | None, float]:
        """The reply, None at the deadline; and how long we stood still just before we found it."""
        while True:
            self._runnable = runnable_seconds()
            overslept = wait_monitor.overslept
            with trio.move_on_at(min(deadline, self._now() + MAX_WAIT_SECONDS)) as wait:
                await self.transport.wait_readable()
            lag = standstill_seconds(wait_monitor.overslept - overslept, self._runnable)
            if not wait.cancelled_caught or lag:
                reply = self.read_quickly(0)
                if reply is not None:
                    return reply, lag
            if self._now() >= deadline:
                return None, 0.0

    def next_message(self) -> FromBot | None:
        """The first whole line as a message; skips late answers that were forgiven."""
        while (line := self.lines.next_line()) is not None:
            self.remember_answer(line)
            message = self.dialogue.receive(line)
            if message is not None:
                return message
            self.dropped += 1
        return None

    def feed(self, data: bytes) -> None:
        if not data:
            raise BotError("crashed", "it closed its output")
        self.lines.feed(data)

    def refuse_early_lines(self) -> None:
        """Any line that arrives before a question was sent out of turn.

        Checked before the question goes out: otherwise an answer sent in advance would pass for a very quick one.
        """
        data = self.transport.read_now(0)
        if data is None and not self.lines.pending_bytes:
            return
        if data is not None:
            self.feed(data)
        message = self.next_message()
        assert message is None, "a dialogue accepts only messages that were asked for"

    def queue(self, message: ToBot) -> None:
        data = self.dialogue.send(message)
        self.unsent += data
        self.remember_request(data)

    def write_now(self) -> None:
        sent = self.transport.write_now(self.unsent)
        if sent < 0:
            raise BotError("crashed", "it closed its input")
        self.unsent = self.unsent[sent:]

    async def write_rest(self) -> None:
        while self.unsent:
            await self.transport.wait_writable()
            self.write_now()

    async def send_without_reply(self, message: ToBot, limit: float) -> None:
        """Sends a message that needs no answer; a bot that does not read in time gets it with the next message, if
        ever."""
        self.queue(message)
        with contextlib.suppress(BotError):
            self.write_now()
            if self.unsent:
                with trio.move_on_after(limit):
                    await self.write_rest()

    def remember_request(self, data: bytes) -> None:
        self.last_request = data
        self.last_answer = b""
        if self.log is not None:
            self.log(">", data)

    def remember_answer(self, line: bytes) -> None:
        self.last_answer = line[:EVIDENCE_LINE_LENGTH]
        if self.log is not None:
            self.log("<", line)
