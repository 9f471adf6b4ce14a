"""A bot as a player: asks over its link, keeps its clock, and turns every error into a PlayerFailure.

Code above this file never sees BotError or TooLate. Knows its process (in tests there is none) only by the few
methods that it needs.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Literal, Protocol

import trio

from ..protocol import BotError, Fault
from ..protocol.excerpt_lengths import EVIDENCE_LINE_LENGTH, EVIDENCE_STDERR_LENGTH
from ..protocol.messages import PROTOCOL_VERSION, Answer, BotHello, Decide, GameOver, Hello, NewGame, Quit
from .game_clock import Clock
from .link import QUICK_SECONDS, Link, TooLate
from .player import PlayerAnswer, PlayerFailure, ResolveMove, TimeSpent
from .record import software_version
from .shapes import BotReply
from .time_control import TimeControl
from .transport import Transport
from .verdict import Evidence, exit_text

SEND_TIMEOUT_SECONDS = 0.2
"""For messages that need no answer: a bot that does not read misses them."""
IDLE_CPU_SHARE = 0.01
"""A late bot that used less than this share of its time as CPU time was idle: it waited for something."""


class ProcessHandle(Protocol):
    """The process of a bot, or its stand-in."""

    def cpu_ns(self) -> int | None: ...

    def stderr_tail(self) -> str: ...

    def take_stderr_after_answer(self) -> str:
        """Stderr since the last call; called after an answer, which was read just now."""
        ...

    def take_stderr(self) -> str:
        """The same at any other time."""
        ...

    def ran_out_of_memory(self) -> bool: ...

    def raise_if_host_out_of_memory(self) -> None:
        """Raises SandboxError when the machine, not the bot, is why it was killed."""

    def has_exited(self) -> bool: ...

    async def exit_status(self) -> int | None: ...

    def freeze(self) -> None: ...

    def thaw(self) -> None: ...

    def lower_priority(self) -> None:
        """Gives it only the CPU time that others leave."""

    def restore_priority(self) -> None: ...

    def kill(self) -> None: ...


class NullProcess:
    """For bots that are not processes."""

    def cpu_ns(self) -> int | None:
        return None

    def stderr_tail(self) -> str:
        return ""

    def take_stderr_after_answer(self) -> str:
        return ""

    def take_stderr(self) -> str:
        return ""

    def ran_out_of_memory(self) -> bool:
        return False

    def raise_if_host_out_of_memory(self) -> None:
        pass

    def has_exited(self) -> bool:
        return False

    async def exit_status(self) -> int | None:
        return None

    def freeze(self) -> None:
        pass

    def thaw(self) -> None:
        pass

    def lower_priority(self) -> None:
        pass

    def restore_priority(self) -> None:
        pass

    def kill(self) -> None:
        pass


class LinkPlayer:
    def __init__(
        self,
        transport: Transport,
        process: ProcessHandle | None = None,
        log: Callable[[str, bytes], None] | None = None,
    ) -> None:
        self.link = Link(transport, log)
        self.process: ProcessHandle = process or NullProcess()
        self.hello = BotHello("")
        self.clock = Clock(TimeControl())
        self.is_out = False
        self.startup_seconds = 0.0
        self._hello_seconds = 0.0
        self._ready_seconds = float("inf")
        self.pause_state: Literal["", "background", "frozen"] = ""
        self.idle_since = 0.0

    @property
    def bank(self) -> float:
        return self.clock.bank

    @property
    def starts_quickly(self) -> bool:
        return self._ready_seconds < QUICK_SECONDS and not self.is_out

    @property
    def has_greeted(self) -> bool:
        return not self.link.dialogue.may_send(Hello)

    @property
    def is_being_asked(self) -> bool:
        """True while an answer is awaited from it."""
        return self.link.dialogue.is_awaiting_message

    async def greet(self, limit: float) -> None:
        """Makes the handshake; a bot that fails it never takes its seat."""
        reply = await self._await_startup_reply(Hello(PROTOCOL_VERSION, software_version()), "`hello`", limit)
        assert isinstance(reply.message, BotHello)
        self.hello = reply.message
        self._hello_seconds = reply.seconds
        self.freeze()  # nobody is seated yet: its work now would slow down the bots that are still starting

    async def start_game(self, message: NewGame, control: TimeControl) -> None:
        self.clock = Clock(control)
        reply = await self._await_startup_reply(message, "`ready`", control.startup)
        self._ready_seconds = reply.seconds
        self.startup_seconds = self._hello_seconds + reply.seconds
        self._hello_seconds = 0.0
        self.idle_since = reply.at

    async def _await_startup_reply(self, message: Hello | NewGame, awaited: str, limit: float) -> BotReply:
        self.wake()
        before = self.process.cpu_ns()
        try:
            return await self.link.exchange(message, limit)
        except TooLate as late:
            waited = TimeSpent(late.seconds, self._cpu_since(before))
            raise await self._make_failure("no handshake", f"no {awaited} within {limit:g} s", waited) from None
        except BotError as error:
            raise await self._make_failure("no handshake", f"instead of {awaited}: {error.reason}") from None

    async def decide(self, message: Decide, resolve_move: ResolveMove) -> PlayerAnswer:
        self.wake()
        clock = self.clock
        before, dropped = self.process.cpu_ns(), self.link.dropped
        try:
            reply = await self.link.exchange(message, clock.allowance() + clock.control.grace)
        except TooLate as late:
            raise await self._late_failure(late.seconds, before) from None
        except BotError as error:
            raise await self._make_failure(error.fault, error.reason) from None
        cpu = self._cpu_since(before)
        clock.charge(reply.seconds)
        self.idle_since = reply.at
        answer, spent = reply.message, TimeSpent(reply.seconds, cpu, reply.lag)
        assert isinstance(answer, Answer)
        try:
            move = resolve_move(answer)
        except BotError as error:
            raise PlayerFailure(error.fault, error.reason, self.evidence(waited=spent), spent) from None
        return PlayerAnswer(
            move, spent, answer.note, self.link.dropped - dropped, self.process.take_stderr_after_answer()
        )

    def _cpu_since(self, before: int | None) -> float | None:
        after = self.process.cpu_ns()
        return None if before is None or after is None else (after - before) / 1e9

    async def _late_failure(self, seconds: float, before: int | None) -> PlayerFailure:
        """Late by the bank or by the limit of a move; its CPU time shows whose fault it was.

        A bot that has ended while a child holds its output is not late: it crashed.
        """
        control, allowed = self.clock.control, self.clock.allowance()
        which = "limit of a move" if control.move is not None and allowed == control.move else "its clock"
        spent = TimeSpent(seconds, self._cpu_since(before))
        reason = f"no answer within {round(allowed, 3):g} s ({which}){_work_text(spent)}"
        self.clock.charge(seconds)
        self.idle_since = trio.current_time()
        return await self._make_failure("crashed" if self.process.has_exited() else "late", reason, spent)

    async def _make_failure(self, fault: Fault, reason: str, waited: TimeSpent | None = None) -> PlayerFailure:
        self.process.raise_if_host_out_of_memory()
        status = None if fault == "late" else await self.process.exit_status()
        ending = [] if status is None else [exit_text(status)]
        if self.process.ran_out_of_memory():
            ending.append("out of memory")
        if ending:
            reason = f"{reason} ({', '.join(ending)})"
        return PlayerFailure(fault, reason, self.evidence(status, waited), waited)

    def evidence(self, status: int | None = None, waited: TimeSpent | None = None) -> Evidence:
        answer = self.link.last_answer or self.link.lines.peek()
        return Evidence(
            request=self.link.last_request.decode("utf-8", "replace"),
            answer=answer[:EVIDENCE_LINE_LENGTH].decode("utf-8", "replace"),
            stderr=self.process.stderr_tail()[-EVIDENCE_STDERR_LENGTH:],
            exit_status=status,
            out_of_memory=self.process.ran_out_of_memory(),
            seconds=None if waited is None else waited.seconds,
            cpu_seconds=None if waited is None else waited.cpu,
        )

    def overrule_answer(self) -> None:
        """After an illegal answer no question is open any more, after a late one it still is."""
        if self.is_being_asked:
            self.link.dialogue.overrule()

    def drop_out(self) -> None:
        """Kills it at once, so that its processes use none of the others' CPU time until the game ends.

        This blocks for the few milliseconds of an ordinary end, 0.1 s at most. No clock runs meanwhile.
        """
        self.is_out = True
        self.link.dialogue.drop_out()
        self.process.kill()

    async def send_game_over(self, message: GameOver) -> None:
        self.wake()
        await self.link.send_without_reply(message, SEND_TIMEOUT_SECONDS)

    async def quit(self) -> bool:
        """Asks it to leave; False when it cannot be asked in its state."""
        self.wake()
        if not self.link.dialogue.may_send(Quit):
            return False
        await self.link.send_without_reply(Quit(), SEND_TIMEOUT_SECONDS)
        return True

    def wake(self) -> None:
        if self.pause_state == "frozen":
            self.process.thaw()
        elif self.pause_state == "background":
            self.process.restore_priority()
        self.pause_state = ""

    def freeze(self) -> None:
        if self.pause_state != "frozen" and not self.is_out:
            self.wake()
            self.process.freeze()
            self.pause_state = "frozen"

    def _run_in_background(self) -> None:
        if self.pause_state != "background" and not self.is_out:
            self.process.lower_priority()  # before the thaw, so that it never runs with the same share as the asked bot
            if self.pause_state == "frozen":
                self.process.thaw()
            self.pause_state = "background"

    def pause_if_idle(self, now: float, after: float, pondering: bool) -> None:
        if self.is_being_asked or now - self.idle_since < after:
            return
        if pondering:
            self._run_in_background()
        else:
            self.freeze()

    def stderr_tail(self) -> str:
        return self.process.stderr_tail()

    def take_stderr(self) -> str:
        return self.process.take_stderr()


async def greet_all(players: Mapping[int, LinkPlayer], limit: float) -> dict[int, PlayerFailure]:
    """Makes the handshake with all new players at once; returns the failures by seat."""
    failures: dict[int, PlayerFailure] = {}

    async def greet(seat: int, player: LinkPlayer) -> None:
        try:
            await player.greet(limit)
        except PlayerFailure as failure:
            failures[seat] = failure

    new = [(seat, player) for seat, player in players.items() if not player.has_greeted]
    if new:
        async with trio.open_nursery() as nursery:
            for seat, player in new:
                nursery.start_soon(greet, seat, player)
    return failures


def _work_text(spent: TimeSpent) -> str:
    """What a late bot did meanwhile; empty where its CPU time is unknown."""
    if spent.cpu is None:
        return ""
    return "; it was idle" if spent.cpu < IDLE_CPU_SHARE * spent.seconds else f"; it used {spent.cpu:.3f} s of CPU time"
