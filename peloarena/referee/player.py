"""A player: one bot at the table. Asks over its link, keeps its clock, and turns every failure into a Failure.

Knows the body (a process, or nothing in tests) only by the few things it needs of it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

import trio
from msgspec import Struct

from ..protocol import BotError, Fault
from ..protocol.messages import PROTOCOL, Answer, BotHello, Decide, GameOver, Hello, NewGame, Quit
from .clock import Clock, TimeControl
from .link import Link, TooLate
from .record import software
from .transport import Transport
from .verdict import SHOWN, STDERR_SHOWN, Evidence, exit_text

TELL_PATIENCE = 0.2
"""For what needs no answer: a bot that does not read misses it."""


class Body(Protocol):
    """What carries a bot."""

    def cpu_ns(self) -> int | None: ...

    def stderr_tail(self) -> str: ...

    def out_of_memory(self) -> bool: ...

    def exited(self) -> bool: ...

    async def exit_status(self) -> int | None: ...

    def freeze(self) -> None: ...

    def thaw(self) -> None: ...

    def kill(self) -> None: ...


class NoBody:
    """For bots that are no processes."""

    def cpu_ns(self) -> int | None:
        return None

    def stderr_tail(self) -> str:
        return ""

    def out_of_memory(self) -> bool:
        return False

    def exited(self) -> bool:
        return False

    async def exit_status(self) -> int | None:
        return None

    def freeze(self) -> None:
        pass

    def thaw(self) -> None:
        pass

    def kill(self) -> None:
        pass


class Failure(Exception):
    """A bot failed: its fault, a sentence, and what its author needs to mend it."""

    def __init__(self, fault: Fault, reason: str, evidence: Evidence) -> None:
        super().__init__(reason)
        self.fault: Fault = fault
        self.reason = reason
        self.evidence = evidence

    @property
    def left(self) -> bool:
        """It ended without a word."""
        return self.evidence.exit_status is not None and not self.evidence.answer


class Thought(Struct, frozen=True):
    """An answer and what it took, in seconds."""

    answer: Answer
    seconds: float
    cpu: float | None
    dropped: int = 0
    """Late answers to forgiven questions that came before it."""


class Player:
    def __init__(
        self, transport: Transport, body: Body | None = None, log: Callable[[str, bytes], None] | None = None
    ) -> None:
        self.link = Link(transport, log)
        self.body: Body = body or NoBody()
        self.hello = BotHello("")
        self.clock = Clock(TimeControl())
        self.gone = False
        """It failed; nothing is asked of it any more."""
        self.frozen = False
        self.idle_since = 0.0

    @property
    def asked(self) -> bool:
        """Something is awaited of it."""
        return self.link.dialogue.awaiting

    async def greet(self, limit: float) -> None:
        """The handshake; a bot that fails it never sat at the table."""
        reply = await self._start_up(Hello(PROTOCOL, software()), "`hello`", limit)
        assert isinstance(reply, BotHello)
        self.hello = reply

    async def sit_down(self, message: NewGame, control: TimeControl) -> None:
        self.clock = Clock(control)
        await self._start_up(message, "`ready`", control.startup)

    async def _start_up(self, message: Hello | NewGame, awaited: str, limit: float) -> object:
        self.wake()
        try:
            reply = (await self.link.exchange(message, limit)).message
        except TooLate:
            raise await self._failed("no handshake", f"no {awaited} within {limit:g} s") from None
        except BotError as error:
            raise await self._failed("no handshake", f"instead of {awaited}: {error.reason}") from None
        self.idle_since = trio.current_time()
        return reply

    async def decide(self, message: Decide) -> Thought:
        """One question, one answer, under the clock."""
        self.wake()
        clock = self.clock
        before, dropped = self.body.cpu_ns(), self.link.dropped
        try:
            reply = await self.link.exchange(message, clock.allowance() + clock.control.grace)
        except TooLate as late:
            raise await self._late(late.seconds, before) from None
        except BotError as error:
            raise await self._failed(error.fault, error.reason) from None
        cpu = self._cpu_since(before)
        clock.charge(reply.seconds)
        self.idle_since = reply.at
        assert isinstance(reply.message, Answer)
        return Thought(reply.message, reply.seconds, cpu, self.link.dropped - dropped)

    def _cpu_since(self, before: int | None) -> float | None:
        after = self.body.cpu_ns()
        return None if before is None or after is None else (after - before) / 1e9

    async def _late(self, seconds: float, before: int | None) -> Failure:
        """Late by the bank or by the limit of a move; its CPU time shows whose fault it was.

        One that has ended while a child holds its output is not late: it crashed.
        """
        control, allowed = self.clock.control, self.clock.allowance()
        which = "the limit of a move" if control.move is not None and allowed == control.move else "its clock"
        cpu = self._cpu_since(before)
        used = "" if cpu is None else f"; it used {cpu:.3f} s of CPU time"
        reason = f"no answer within {allowed:.3f} s ({which}) and {control.grace * 1000:.0f} ms of grace{used}"
        self.clock.charge(seconds)
        self.idle_since = trio.current_time()
        return await self._failed("crashed" if self.body.exited() else "late", reason, seconds, cpu)

    async def _failed(
        self, fault: Fault, reason: str, seconds: float | None = None, cpu: float | None = None
    ) -> Failure:
        status = None if fault == "late" else await self.body.exit_status()
        ending = [] if status is None else [exit_text(status)]
        if self.body.out_of_memory():
            ending.append("out of memory")
        if ending:
            reason = f"{reason} ({', '.join(ending)})"
        return Failure(fault, reason, self.evidence(status, seconds, cpu))

    def evidence(self, status: int | None = None, seconds: float | None = None, cpu: float | None = None) -> Evidence:
        answer = self.link.last_answer or self.link.lines.peek()
        return Evidence(
            request=self.link.last_request[:SHOWN].decode("utf-8", "replace"),
            answer=answer[:SHOWN].decode("utf-8", "replace"),
            stderr=self.body.stderr_tail()[-STDERR_SHOWN:],
            exit_status=status,
            out_of_memory=self.body.out_of_memory(),
            seconds=seconds,
            cpu_seconds=cpu,
        )

    def overrule(self) -> None:
        """The caretaker answers for it, and it plays on. An illegal answer has come: then nothing is open any more."""
        if self.asked:
            self.link.dialogue.overrule()

    def leave(self) -> None:
        """It is out: nothing more is said, and what it runs does not burn the others' CPU until the game ends."""
        self.gone = True
        self.link.dialogue.drop_out()
        self.body.kill()

    async def game_over(self, message: GameOver) -> None:
        self.wake()
        await self.link.tell(message, TELL_PATIENCE)

    async def quit(self) -> bool:
        """Ask it to leave; False when it is not in a state to be asked."""
        self.wake()
        if not self.link.dialogue.may_send(Quit):
            return False
        await self.link.tell(Quit(), TELL_PATIENCE)
        return True

    def wake(self) -> None:
        if self.frozen:
            self.body.thaw()
            self.frozen = False

    def freeze(self) -> None:
        if not self.frozen:
            self.body.freeze()
            self.frozen = True
