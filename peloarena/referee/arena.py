"""The arena: finds, builds, starts and ends bots for game jobs. One game at a time; bots may live through many.

`async with open_arena(policy) as arena: report = await arena.play(job)`. Whatever happens, leaving the block ends
every process that was started.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import trio

from ..protocol.shown import NEVER_STARTED_STDERR
from .bots import Bot, distinct_names, find_bot
from .build import built
from .inprocess import EmptySeat
from .job import GameJob, GameReport, SeatJob
from .link_player import LinkPlayer, greet_all
from .one_error import ungrouped
from .player import Failure, Player
from .process import BotProcess
from .record import SeatInfo
from .sandbox.errors import SandboxError
from .sandbox.isolation import WHOLE_MACHINE, Isolation, Place, Policy, prepare
from .table import Table, Watcher
from .verdict import Evidence, is_decided

QUIT_PATIENCE = 0.5
"""Seconds after `quit` in which a bot may leave by itself; then it is ended."""

Log = Callable[[str, str, bytes], None]
"""log(seat name, ">" or "<", line)."""


class Member:
    """A bot that is running: its process and its player."""

    def __init__(self, bot: Bot, name: str, isolation: Isolation, log: Log | None) -> None:
        self.bot = bot
        self.process = BotProcess(bot, isolation)
        line_log = None if log is None else (lambda way, line: log(name, way, line))
        self.player = LinkPlayer(self.process.transport, self.process, line_log)
        self.games = 0

    def raise_if_never_started(self) -> None:
        """SandboxError when it failed because it was never started: such a game is void."""
        if self.process.never_started():
            said = self.process.stderr_tail().strip()[-NEVER_STARTED_STDERR:]
            raise SandboxError(f"{self.bot.name} could not be started: {said}")

    async def quit(self) -> None:
        """Politely first, if it is between games; then the whole tree is ended."""
        try:
            if await self.player.quit():
                await self.process.leave(QUIT_PATIENCE)
        finally:
            self.process.end()


class Arena:
    def __init__(self, isolation: Isolation, nursery: trio.Nursery) -> None:
        self.isolation = isolation
        self._nursery = nursery
        self._bots: dict[str, Bot] = {}
        self._members: dict[str, Member] = {}

    def bot(self, path: str) -> Bot:
        """Found, checked and built; ConfigError before any game if it cannot be.

        A build blocks Trio for up to 120 s. That is harmless here: bots are built before the first of a game is
        started, so no clock runs; whoever keeps bots alive through many games has built them all by then.
        """
        if path not in self._bots:
            self._bots[path] = built(find_bot(Path(path)), self.isolation)
        return self._bots[path]

    async def play(self, job: GameJob, watch: Watcher | None = None, log: Log | None = None) -> GameReport:
        """SandboxError when the machine spoiled the game; then, or when cancelled, no bot of it plays on."""
        spoiled = True
        try:
            with ungrouped():
                report = await self._game(job, watch, log)
            spoiled = False
        finally:
            with trio.CancelScope(shield=True):
                await self._tidy(everyone=spoiled or job.restart == "game")
        return report

    async def _game(self, job: GameJob, watch: Watcher | None, log: Log | None) -> GameReport:
        infos = [seat_info(seat, None if seat.forfeit else self.bot(seat.path)) for seat in job.seats]
        members = {n: self._member(job.seats[n], log) for n in to_start(job)}
        self._hold_others({seat.name for seat in job.seats})
        failures = await self._greet(members, job.clock.startup)
        for number, seat in enumerate(job.seats):
            if seat.forfeit:
                failures[number] = Failure("forfeit", seat.forfeit, Evidence())
        players = [members[n].player if n in members else EmptySeat() for n in range(len(job.seats))]

        async def revive(number: int) -> Player | None:
            return await self._revive(job.seats[number], log, job.clock.startup)

        report = await Table(job, infos, players, watch, revive).play(failures)
        for number in members:
            self._members[job.seats[number].name].games += 1
        return report

    async def _revive(self, seat: SeatJob, log: Log | None, limit: float) -> Player | None:
        """A new process for a bot that left between two games, which is no fault; None for one that never played."""
        old = self._members[seat.name]
        if old.games == 0:
            return None
        await old.quit()
        del self._members[seat.name]
        member = self._member(seat, log)
        try:
            await member.player.greet(limit)
        except Failure:
            member.raise_if_never_started()
            raise
        return member.player

    def _member(self, seat: SeatJob, log: Log | None) -> Member:
        member = self._members.get(seat.name)
        if member is None:
            member = Member(self.bot(seat.path), seat.name, self.isolation, log)
            self._members[seat.name] = member
            self._nursery.start_soon(member.process.keep_stderr)
        member.process.stderr.clear()
        return member

    def _hold_others(self, seated: set[str]) -> None:
        """Bots that live on from earlier games take no CPU time from those who play now."""
        for name, member in self._members.items():
            if name not in seated:
                member.player.freeze()

    async def _greet(self, members: dict[int, Member], limit: float) -> dict[int, Failure]:
        failures = await greet_all({number: member.player for number, member in members.items()}, limit)
        for number in failures:
            members[number].raise_if_never_started()
        return failures

    async def _tidy(self, everyone: bool) -> None:
        """End the bots that failed; after the last game, or when every game has its own, all of them."""
        leaving = {name: m for name, m in self._members.items() if everyone or m.player.gone}
        problems: list[SandboxError] = []

        async def leave(member: Member) -> None:
            try:
                await member.quit()
            except SandboxError as error:
                problems.append(error)

        async with trio.open_nursery() as nursery:
            for name, member in leaving.items():
                del self._members[name]
                nursery.start_soon(leave, member)
        if problems:
            raise problems[0]

    async def close(self) -> None:
        await self._tidy(everyone=True)


def ready_bots(paths: Sequence[str], policy: Policy) -> list[Bot]:
    """The bots at these paths, built where needed, under names that tell them apart. ConfigError before any game."""
    bots = [find_bot(Path(path)) for path in paths]
    if any(bot.build for bot in bots):
        with prepare(policy) as isolation:
            bots = [built(bot, isolation) for bot in bots]
    return distinct_names(bots)


def to_start(job: GameJob) -> list[int]:
    """The seats whose bots are started: none when forfeits leave nobody to play against."""
    if is_decided([bool(seat.forfeit) for seat in job.seats]):
        return []
    return [number for number, seat in enumerate(job.seats) if not seat.forfeit]


def seat_info(seat: SeatJob, bot: Bot | None) -> SeatInfo:
    """Of a seat that forfeits no file is read: its bot may be gone."""
    if bot is None:
        return SeatInfo(seat.name, "", entry=seat.entry, edition=seat.edition)
    return SeatInfo(
        seat.name, bot.digest, bot.version, bot.author, bot.language, entry=seat.entry, edition=seat.edition
    )


@asynccontextmanager
async def open_arena(policy: Policy = "auto", place: Place = WHOLE_MACHINE) -> AsyncIterator[Arena]:
    """Everything started inside is ended on the way out."""
    with prepare(policy, place=place) as isolation:
        async with trio.open_nursery() as nursery:
            arena = Arena(isolation, nursery)
            try:
                yield arena
            finally:
                with trio.CancelScope(shield=True):
                    await arena.close()
                nursery.cancel_scope.cancel()
