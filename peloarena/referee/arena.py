"""The arena: finds, builds, starts and ends bots for game jobs. One game at a time; bots may live through many.

`async with open_arena(policy) as arena: report = await arena.play(job)`. However the block ends, leaving it ends every
process that was started.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from pathlib import Path

import trio
from msgspec.structs import replace

from .bots import Bot, find_bot
from .dying import DEATH_PATIENCE
from .inprocess import EmptySeat
from .job import GameJob, GameReport, SeatJob
from .link_player import greet_all
from .members import Departed, Log, Member, Members
from .one_error import ungrouped
from .player import Failure, Player
from .record import SeatInfo
from .resting import Resting
from .sandbox.isolation import WHOLE_MACHINE, Isolation, Place, Policy, prepare
from .sandbox.memory import shared_out
from .table import Table, Watcher
from .verdict import Evidence, is_decided
from .workshop import Workshop


class Arena:
    def __init__(self, isolation: Isolation, nursery: trio.Nursery, departed: Departed | None = None) -> None:
        self.isolation = isolation
        self._nursery = nursery
        self._bots: dict[str, Bot] = {}
        self._workshop = Workshop(isolation)
        self._members = Members(isolation, nursery, departed)
        self._resting = Resting()
        nursery.start_soon(self._resting.watch)
        self._tidied = trio.Event()
        """Set when the bots that do not play on have left; the next game may begin."""
        self._tidied.set()

    async def _find_bots(self, job: GameJob) -> None:
        """Finds, checks and builds the bots; ConfigError before the game if that fails. Most were built before the
        first game."""
        for seat in job.seats:
            if not seat.forfeit and seat.path not in self._bots:
                self._bots[seat.path] = await self._workshop.build(find_bot(Path(seat.path)))

    async def play(self, job: GameJob, watch: Watcher | None = None, log: Log | None = None) -> GameReport:
        """Returns the report as soon as the game is over: how its bots leave does not affect it.

        Raises SandboxError when the machine spoiled the game; then, or when cancelled, none of its bots plays on.
        """
        if not self._tidied.is_set():
            await self._tidied.wait()
        try:
            with ungrouped():
                report = await self._game(job, watch, log)
        except BaseException:  # any spoiled or cancelled game: none of its bots plays on; raised again
            with trio.CancelScope(shield=True):
                await self._members.end(self._members.living)
            raise
        leaving = self._members.living if job.restart == "game" else self._members.spent()
        if leaving:
            self._tidied = trio.Event()
            self._nursery.start_soon(self._tidy, leaving)
        return report

    async def _tidy(self, leaving: list[Member]) -> None:
        try:
            with trio.CancelScope(shield=True):
                await self._members.end(leaving)
        finally:
            self._tidied.set()

    async def _game(self, job: GameJob, watch: Watcher | None, log: Log | None) -> GameReport:
        await self._find_bots(job)
        infos = [seat_info(seat, None if seat.forfeit else self._bots[seat.path]) for seat in job.seats]
        failures = await self._absent(job)
        members = self._seated(job, failures, log)
        failures |= await self._greet(members, job.clock.startup)
        players = [members[n].player if n in members else EmptySeat() for n in range(len(job.seats))]

        async def revive(number: int) -> Player | None:
            return await self._revive(number, members, job, log)

        report = await Table(job, infos, players, watch, revive, self._resting).play(failures)
        for member in members.values():
            member.games += 1
        return report

    async def _absent(self, job: GameJob) -> dict[int, Failure]:
        """The seats whose bots are not started: because the host says so, or because their earlier processes do not
        die."""
        failures = {}
        dying = self._members.dying.may_be_any_of(seat.path for seat in job.seats)
        for number, seat in enumerate(job.seats):
            if seat.forfeit:
                failures[number] = Failure("forfeit", seat.forfeit, Evidence())
            elif dying and await self._members.dying.outlives_patience(seat.path):
                reason = f"its processes from an earlier game were still running {DEATH_PATIENCE:g} s after its end"
                failures[number] = Failure("no handshake", reason, Evidence())
        return failures

    def _seated(self, job: GameJob, failures: Mapping[int, Failure], log: Log | None) -> dict[int, Member]:
        """Starts a process for each seat that plays: none when no opponent is left."""
        members: dict[int, Member] = {}
        if not is_decided([number in failures for number in range(len(job.seats))]):
            missing = []
            for number, seat in enumerate(job.seats):
                if number in failures:
                    continue
                if (member := self._members.again(seat, job, members.values())) is None:
                    missing.append(number)
                else:
                    members[number] = member
            for number, bot in self._affordable(job, missing, members.values()).items():
                members[number] = self._members.start(job.seats[number], bot, job, log)
        self._members.hold_others(members.values())
        return members

    def _affordable(self, job: GameJob, missing: Sequence[int], sitting: Collection[Member]) -> dict[int, Bot]:
        """Lowers the memory limits of a table's bots to what the machine has for it; otherwise the kernel would kill
        one of them, and not the one that asked for most."""
        if not missing:
            return {}
        bots = {number: self._bots[job.seats[number].path] for number in missing}
        taken = sum(member.bot.limits.memory_mib for member in sitting) + self._members.memory_of_others(sitting)
        granted = shared_out([bot.limits.memory_mib for bot in bots.values()], self.isolation.memory_mib - taken)
        return {
            number: replace(bot, limits=replace(bot.limits, memory_mib=mib))
            for (number, bot), mib in zip(bots.items(), granted, strict=True)
        }

    async def _greet(self, members: dict[int, Member], limit: float) -> dict[int, Failure]:
        failures = await greet_all({number: member.player for number, member in members.items()}, limit)
        for number in failures:
            members[number].raise_if_never_started()
        return failures

    async def _revive(self, number: int, members: dict[int, Member], job: GameJob, log: Log | None) -> Player | None:
        """Starts a new process for a bot that left between two games, which is no fault; None for one that never
        played."""
        old, seat = members[number], job.seats[number]
        if old.games == 0:
            return None
        await self._members.end([old])
        member = members[number] = self._members.start(seat, self._bots[seat.path], job, log)
        try:
            await member.player.greet(job.clock.startup)
        except Failure:
            member.raise_if_never_started()
            member.player.leave()  # the table knows only its predecessor, and would leave this one running
            raise
        return member.player

    async def close(self) -> None:
        await self._tidied.wait()
        await self._members.end(self._members.living)


def seat_info(seat: SeatJob, bot: Bot | None) -> SeatInfo:
    """Reads no file of a seat that forfeits: its bot may be gone."""
    if bot is None:
        return SeatInfo(seat.name, "", entry=seat.entry, edition=seat.edition, env=seat.env)
    told = (bot.digest, bot.version, bot.author, bot.language)
    return SeatInfo(seat.name, *told, entry=seat.entry, edition=seat.edition, env=seat.env)


@asynccontextmanager
async def open_arena(
    policy: Policy = "auto", place: Place = WHOLE_MACHINE, departed: Departed | None = None
) -> AsyncIterator[Arena]:
    """Ends everything started inside on the way out. Calls `departed` for bots that end badly between games."""
    with prepare(policy, place=place) as isolation, ungrouped():
        async with trio.open_nursery() as nursery:
            arena = Arena(isolation, nursery, departed)
            try:
                yield arena
            finally:
                with trio.CancelScope(shield=True):
                    await arena.close()
                nursery.cancel_scope.cancel()
