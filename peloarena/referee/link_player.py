"""A bot as a player: asks over its link, keeps its clock, and turns every error into a Failure.

Code above this file never sees BotError or TooLate. Knows the body (a process, or nothing in tests) only by the few
methods it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, Protocol

import trio

from ..protocol import BotError, Fault
from ..protocol.messages import PROTOCOL, Answer, BotHello, Decide, GameOver, Hello, NewGame, Quit
from ..protocol.shown import EVIDENCE_LINE, EVIDENCE_STDERR
from .clock import TimeControl
from .game_clock import Clock
from .link import QUICK, Link, TooLate
from .player import Failure, Meaning, Spent, Thought
from .record import software
from .shapes import Reply
from .transport import Transport
from .verdict import Evidence, exit_text

TELL_PATIENCE = 0.2
"""For messages that need no answer: a bot that does not read misses them."""


class Body(Protocol):
    """The process of a bot, or its stand-in."""

    def cpu_ns(self) -> int | None: ...

    def stderr_tail(self) -> str: ...

    def new_stderr(self) -> str:
        """Stderr since the last call; called after an answer, which was read just now."""
        ...

    def last_stderr(self) -> str:
        """The same at any other time."""
        ...

    def out_of_memory(self) -> bool: ...

    def raise_if_starved(self) -> None:
        """Raises SandboxError when the machine, not the bot, is why it was killed."""

    def exited(self) -> bool: ...

    async def exit_status(self) -> int | None: ...

    def freeze(self) -> None: ...

    def thaw(self) -> None: ...

    def background(self) -> None:
        """Gives it only the CPU time that others leave."""

    def foreground(self) -> None: ...

    def kill(self) -> None: ...


class NoBody:
    """For bots that are not processes."""

    def cpu_ns(self) -> int | None:
        return None

    def stderr_tail(self) -> str:
        return ""

    def new_stderr(self) -> str:
        return ""

    def last_stderr(self) -> str:
        return ""

    def out_of_memory(self) -> bool:
        return False

    def raise_if_starved(self) -> None:
        pass

    def exited(self) -> bool:
        return False

    async def exit_status(self) -> int | None:
        return None

    def freeze(self) -> None:
        pass

    def thaw(self) -> None:
        pass

    def background(self) -> None:
        pass

    def foreground(self) -> None:
        pass

    def kill(self) -> None:
        pass


class LinkPlayer:
    def __init__(
        self, transport: Transport, body: Body | None = None, log: Callable[[str, bytes], None] | None = None
    ) -> None:
        self.link = Link(transport, log)
        self.body: Body = body or NoBody()
        self.hello = BotHello("")
        self.clock = Clock(TimeControl())
        self.gone = False
        self.startup = 0.0
        self._hello_seconds = 0.0
        self._sat_down_in = float("inf")
        self.resting: Literal["", "background", "frozen"] = ""
        self.idle_since = 0.0

    @property
    def bank(self) -> float:
        return self.clock.bank

    @property
    def sits_down_quickly(self) -> bool:
        return self._sat_down_in < QUICK and not self.gone

    @property
    def greeted(self) -> bool:
        return not self.link.dialogue.may_send(Hello)

    @property
    def asked(self) -> bool:
        """True while an answer is awaited from it."""
        return self.link.dialogue.awaiting

    async def greet(self, limit: float) -> None:
        """Makes the handshake; a bot that fails it never takes its seat."""
        reply = await self._start_up(Hello(PROTOCOL, software()), "`hello`", limit)
        assert isinstance(reply.message, BotHello)
        self.hello = reply.message
        self._hello_seconds = reply.seconds
        self.freeze()  # nobody is seated yet: its work now would slow down the bots that are still starting

    async def sit_down(self, message: NewGame, control: TimeControl) -> None:
        self.clock = Clock(control)
        reply = await self._start_up(message, "`ready`", control.startup)
        self._sat_down_in = reply.seconds
        self.startup = self._hello_seconds + reply.seconds
        self._hello_seconds = 0.0
        self.idle_since = reply.at

    async def _start_up(self, message: Hello | NewGame, awaited: str, limit: float) -> Reply:
        self.wake()
        before = self.body.cpu_ns()
        try:
            return await self.link.exchange(message, limit)
        except TooLate as late:
            waited = Spent(late.seconds, self._cpu_since(before))
            raise await self._failed("no handshake", f"no {awaited} within {limit:g} s", waited) from None
        except BotError as error:
            raise await self._failed("no handshake", f"instead of {awaited}: {error.reason}") from None

    async def decide(self, message: Decide, meaning: Meaning) -> Thought:
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
        answer, spent = reply.message, Spent(reply.seconds, cpu, reply.lag)
        assert isinstance(answer, Answer)
        try:
            move = meaning(answer)
        except BotError as error:
            raise Failure(error.fault, error.reason, self.evidence(waited=spent), spent) from None
        return Thought(move, spent, answer.note, self.link.dropped - dropped, self.body.new_stderr())

    def _cpu_since(self, before: int | None) -> float | None:
        after = self.body.cpu_ns()
        return None if before is None or after is None else (after - before) / 1e9

    async def _late(self, seconds: float, before: int | None) -> Failure:
        """Late by the bank or by the limit of a move; its CPU time shows whose fault it was.

        A bot that has ended while a child holds its output is not late: it crashed.
        """
        control, allowed = self.clock.control, self.clock.allowance()
        which = "the limit of a move" if control.move is not None and allowed == control.move else "its clock"
        spent = Spent(seconds, self._cpu_since(before))
        used = "" if spent.cpu is None else f"; it used {spent.cpu:.3f} s of CPU time"
        reason = f"no answer within {allowed:.3f} s ({which}) and {control.grace * 1000:.0f} ms of grace{used}"
        self.clock.charge(seconds)
        self.idle_since = trio.current_time()
        return await self._failed("crashed" if self.body.exited() else "late", reason, spent)

    async def _failed(self, fault: Fault, reason: str, waited: Spent | None = None) -> Failure:
        self.body.raise_if_starved()
        status = None if fault == "late" else await self.body.exit_status()
        ending = [] if status is None else [exit_text(status)]
        if self.body.out_of_memory():
            ending.append("out of memory")
        if ending:
            reason = f"{reason} ({', '.join(ending)})"
        return Failure(fault, reason, self.evidence(status, waited), waited)

    def evidence(self, status: int | None = None, waited: Spent | None = None) -> Evidence:
        answer = self.link.last_answer or self.link.lines.peek()
        return Evidence(
            request=self.link.last_request.decode("utf-8", "replace"),
            answer=answer[:EVIDENCE_LINE].decode("utf-8", "replace"),
            stderr=self.body.stderr_tail()[-EVIDENCE_STDERR:],
            exit_status=status,
            out_of_memory=self.body.out_of_memory(),
            seconds=None if waited is None else waited.seconds,
            cpu_seconds=None if waited is None else waited.cpu,
        )

    def overrule(self) -> None:
        """After an illegal answer no question is open any more, after a late one it still is."""
        if self.asked:
            self.link.dialogue.overrule()

    def leave(self) -> None:
        """Kills it at once, so that its processes use none of the others' CPU time until the game ends.

        This blocks for the few milliseconds of an ordinary end, 0.1 s at most. No clock runs meanwhile.
        """
        self.gone = True
        self.link.dialogue.drop_out()
        self.body.kill()

    async def game_over(self, message: GameOver) -> None:
        self.wake()
        await self.link.tell(message, TELL_PATIENCE)

    async def quit(self) -> bool:
        """Asks it to leave; False when it cannot be asked in its state."""
        self.wake()
        if not self.link.dialogue.may_send(Quit):
            return False
        await self.link.tell(Quit(), TELL_PATIENCE)
        return True

    def wake(self) -> None:
        if self.resting == "frozen":
            self.body.thaw()
        elif self.resting == "background":
            self.body.foreground()
        self.resting = ""

    def freeze(self) -> None:
        if self.resting != "frozen" and not self.gone:
            self.wake()
            self.body.freeze()
            self.resting = "frozen"

    def _ponder(self) -> None:
        if self.resting != "background" and not self.gone:
            self.body.background()  # before the thaw, so that it never runs with the same share as the asked bot
            if self.resting == "frozen":
                self.body.thaw()
            self.resting = "background"

    def rest_if_idle(self, now: float, after: float, pondering: bool) -> None:
        if self.asked or now - self.idle_since < after:
            return
        if pondering:
            self._ponder()
        else:
            self.freeze()

    def stderr(self) -> str:
        return self.body.stderr_tail()

    def last_stderr(self) -> str:
        return self.body.last_stderr()


async def greet_all(players: Mapping[int, LinkPlayer], limit: float) -> dict[int, Failure]:
    """Makes the handshake with all new players at once; returns the failures by seat."""
    failures: dict[int, Failure] = {}

    async def greet(seat: int, player: LinkPlayer) -> None:
        try:
            await player.greet(limit)
        except Failure as failure:
            failures[seat] = failure

    new = [(seat, player) for seat, player in players.items() if not player.greeted]
    if new:
        async with trio.open_nursery() as nursery:
            for seat, player in new:
                nursery.start_soon(greet, seat, player)
    return failures
