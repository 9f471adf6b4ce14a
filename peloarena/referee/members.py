"""The running bots: which process takes a seat, which waits for a later game, which is ended.

Knows processes and players; not what is played.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterable

import trio
from msgspec import Struct
from msgspec.structs import replace

from ..protocol.shown import EVIDENCE_STDERR, NEVER_STARTED_STDERR
from .bots import Bot
from .dying import Dying
from .job import GameJob, SeatJob
from .link_player import LinkPlayer
from .process import BotProcess
from .sandbox.errors import SandboxError
from .sandbox.isolation import Isolation

QUIT_PATIENCE = 0.5
"""Seconds after `quit` in which a bot may leave by itself; then it is killed."""
MOST_LIVING = 16
"""The most processes that wait for a deal they have not seen: four bots with one for each seating. Beyond that, bots
are restarted."""
MOST_DEALS = 10_000
"""A process that has seen this many is not used again, so that the set of its deals stays small."""

Log = Callable[[str, str, bytes], None]
"""log(seat name, ">" or "<", line); "!" with a piece of its stderr, which need not end where a line does."""


class Departure(Struct, frozen=True):
    """A bot that ended by itself, and badly, between games. No game's fault: reported to its author."""

    name: str
    status: int
    out_of_memory: bool
    stderr: str
    """The end of its stderr."""


Departed = Callable[[Departure], None]


class Member:
    """A running bot: its process and its player."""

    def __init__(self, bot: Bot, seat: SeatJob, isolation: Isolation, log: Log | None) -> None:
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
            said = self.process.stderr_tail().strip()[-NEVER_STARTED_STDERR:]
            raise SandboxError(f"{self.bot.name} could not be started: {said}")

    def departure(self) -> Departure | None:
        """Of a bot that has ended badly after a game; None for all others."""
        status = self.process.process.poll()
        if status in (None, 0) or self.player.gone or self.games == 0:
            return None
        said = self.process.stderr_tail() or self.process.stderr.last_game
        return Departure(self.name, status, self.process.out_of_memory(), said[-EVIDENCE_STDERR:])

    async def quit(self) -> Departure | None:
        """Asks politely first, if it is between games; then kills the whole tree. Raises no error of the machine: a
        game that is over counts."""
        try:
            with contextlib.suppress(OSError):  # no descriptor left to wait with: then kill at once
                if await self.player.quit():
                    await self.process.leave(QUIT_PATIENCE)
            return self.departure()
        finally:
            self.process.end()


class Members:
    """The members of one arena. `living` is in the order of use, the longest unused first."""

    def __init__(self, isolation: Isolation, nursery: trio.Nursery, departed: Departed | None = None) -> None:
        self._isolation = isolation
        self._nursery = nursery
        self._departed = departed
        self.living: list[Member] = []
        self.dying = Dying()

    def again(self, seat: SeatJob, job: GameJob, taken: Iterable[Member]) -> Member | None:
        """A living process that may play there; None: one has to be started."""
        member = next((m for m in self.living if m not in taken and m.may_play(seat, job)), None)
        if member is None:
            return None
        self.living.remove(member)
        member.process.drain_stderr()
        member.process.stderr.begin_game()
        return self._use(member, job)

    def start(self, seat: SeatJob, bot: Bot, job: GameJob, log: Log | None) -> Member:
        member = Member(bot, seat, self._isolation, log)
        self._nursery.start_soon(member.process.keep_stderr)
        return self._use(member, job)

    def _use(self, member: Member, job: GameJob) -> Member:
        self.living.append(member)
        if job.restart == "deal":
            member.deals.add(job.seed)
        return member

    def hold_others(self, playing: Iterable[Member]) -> None:
        """Freezes the bots that wait for a later game, pondering or not."""
        for member in self.living:
            if member not in playing:
                member.player.freeze()

    async def end(self, leaving: Iterable[Member]) -> None:
        async with trio.open_nursery() as nursery:
            for member in list(leaving):
                self.living.remove(member)
                nursery.start_soon(self._end, member)

    async def _end(self, member: Member) -> None:
        departure = await member.quit()
        if departure is not None and self._departed is not None:
            self._departed(departure)
        if not member.process.gone:
            self.dying.add(member.path, member.process)

    def spent(self) -> list[Member]:
        """The bots that failed or have seen too many deals; and those that wait for new deals, if there are too
        many."""
        found = [m for m in self.living if m.player.gone or len(m.deals) >= MOST_DEALS]
        waiting = [m for m in self.living if m.deals and m not in found]
        kept = waiting[-MOST_LIVING:]
        while kept and sum(m.process.memory_mib() for m in kept) > self._isolation.memory_mib // 2:
            del kept[0]
        return found + waiting[: len(waiting) - len(kept)]

    def memory_of_others(self, playing: Iterable[Member]) -> int:
        """MiB held by the waiting bots. They are frozen, so it does not grow."""
        return sum(member.process.memory_mib() for member in self.living if member not in playing)
