"""The running bots: which process takes a seat, which waits for a later game, which is ended.

Knows processes and players; not what is played.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable

import trio
from msgspec import Struct
from msgspec.structs import replace

from ..protocol.excerpt_lengths import EVIDENCE_STDERR_LENGTH, START_FAILURE_STDERR_LENGTH
from .bot_finder import Bot
from .bot_process import BotProcess
from .job import GameJob, SeatJob
from .link_player import LinkPlayer
from .sandbox.errors import SandboxError
from .sandbox.isolation import Isolation
from .terminating import TerminatingBots

QUIT_GRACE_SECONDS = 0.5
"""Seconds after `quit` in which a bot may leave by itself; then it is killed."""
MAX_WAITING_BOTS = 16
"""The most processes that wait for a deal they have not seen: four bots with one for each seating. Beyond that, bots
are restarted."""
MAX_DEALS_PER_PROCESS = 10_000
"""A process that has seen this many is not used again, so that the set of its deals stays small."""

LogCallback = Callable[[str, str, bytes], None]
"""log(seat name, ">" or "<", line); "!" with a piece of its stderr, which need not end where a line does."""


class UnexpectedExit(Struct, frozen=True):
    """A bot that ended by itself, and badly, between games. No game's fault: reported to its author."""

    name: str
    status: int
    out_of_memory: bool
    stderr: str
    """The end of its stderr."""


OnUnexpectedExit = Callable[[UnexpectedExit], None]


class RunningBot:
    """A running bot: its process and its player."""

    def __init__(self, bot: Bot, seat: SeatJob, isolation: Isolation, log: LogCallback | None) -> None:
        self.bot = replace(bot, name=seat.name, env={**bot.env, **seat.env})  # a copy is found under another name
        self.path, self.name, self.env = seat.path, seat.name, seat.env
        line_log = None if log is None else (lambda way, line: log(seat.name, way, line))
        self.process = BotProcess(self.bot, isolation, None if line_log is None else (lambda data: line_log("!", data)))
        self.player = LinkPlayer(self.process.transport, self.process, line_log)
        self.games = 0
        self.deals: set[str] = set()
        """The seeds of its games, where no process may see a deal twice."""

    def may_play(self, seat: SeatJob, job: GameJob) -> bool:
        """Whether this process may take the seat: same bot, name and settings, and the deal is new to it."""
        return (self.path, self.name, self.env) == (seat.path, seat.name, seat.env) and job.seed not in self.deals

    def raise_if_never_started(self) -> None:
        """Raises SandboxError when it failed because it was never started: such a game is void."""
        if self.process.never_started():
            stderr = self.process.stderr_tail().strip()[-START_FAILURE_STDERR_LENGTH:]
            raise SandboxError(f"{self.bot.name} could not be started: {stderr}")

    def unexpected_exit(self) -> UnexpectedExit | None:
        """Of a bot that has ended badly after a game; None for all others."""
        status = self.process.process.poll()
        if status in (None, 0) or self.player.is_out or self.games == 0:
            return None
        stderr = self.process.stderr_tail() or self.process.stderr.last_game
        return UnexpectedExit(self.name, status, self.process.ran_out_of_memory(), stderr[-EVIDENCE_STDERR_LENGTH:])

    async def shut_down(self) -> UnexpectedExit | None:
        """Asks politely first, if it is between games; then kills the whole tree. Raises no error of the machine: a
        game that is over counts."""
        try:
            with contextlib.suppress(OSError):  # no descriptor left to wait with: then kill at once
                if await self.player.quit():
                    await self.process.close_input_and_wait(QUIT_GRACE_SECONDS)
            return self.unexpected_exit()
        finally:
            self.process.end()


class BotPool:
    """The running bots of one arena. `running` is in the order of use, the longest unused first."""

    def __init__(
        self, isolation: Isolation, nursery: trio.Nursery, on_unexpected_exit: OnUnexpectedExit | None = None
    ) -> None:
        self._isolation = isolation
        self._nursery = nursery
        self._on_unexpected_exit = on_unexpected_exit
        self.running: list[RunningBot] = []
        self.terminating = TerminatingBots()

    def reuse(self, seat: SeatJob, job: GameJob, seated: Iterable[RunningBot]) -> RunningBot | None:
        """A living process that may play there; None: one has to be started."""
        member = next((m for m in self.running if m not in seated and m.may_play(seat, job)), None)
        if member is None:
            return None
        self.running.remove(member)
        member.process.drain_stderr()
        member.process.stderr.begin_game()
        return self._register(member, job)

    def start(self, seat: SeatJob, bot: Bot, job: GameJob, log: LogCallback | None) -> RunningBot:
        member = RunningBot(bot, seat, self._isolation, log)
        self._nursery.start_soon(member.process.collect_stderr)
        return self._register(member, job)

    def _register(self, member: RunningBot, job: GameJob) -> RunningBot:
        self.running.append(member)
        if job.restart == "deal":
            member.deals.add(job.seed)
        return member

    def freeze_waiting(self, playing: Iterable[RunningBot]) -> None:
        """Freezes the bots that wait for a later game, pondering or not."""
        for member in self.running:
            if member not in playing:
                member.player.freeze()

    async def end(self, leaving: Iterable[RunningBot]) -> None:
        async with trio.open_nursery() as nursery:
            for member in list(leaving):
                self.running.remove(member)
                nursery.start_soon(self._end_one, member)

    async def _end_one(self, member: RunningBot) -> None:
        unexpected_exit = await member.shut_down()
        if unexpected_exit is not None and self._on_unexpected_exit is not None:
            self._on_unexpected_exit(unexpected_exit)
        if not member.process.is_gone:
            self.terminating.add(member.path, member.process)

    def bots_to_end(self) -> list[RunningBot]:
        """The bots that failed or have seen too many deals; and those that wait for new deals, if there are too
        many."""
        leaving = [m for m in self.running if m.player.is_out or len(m.deals) >= MAX_DEALS_PER_PROCESS]
        waiting = [m for m in self.running if m.deals and m not in leaving]
        kept = waiting[-MAX_WAITING_BOTS:]
        while kept and sum(m.process.memory_mib() for m in kept) > self._isolation.memory_mib // 2:
            del kept[0]
        return leaving + waiting[: len(waiting) - len(kept)]

    def waiting_memory_mib(self, playing: Iterable[RunningBot]) -> int:
        """MiB held by the waiting bots. They are frozen, so it does not grow."""
        return sum(member.process.memory_mib() for member in self.running if member not in playing)
