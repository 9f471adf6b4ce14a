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

from .bot_builder import BotBuilder
from .bot_finder import Bot, find_bot
from .bot_pool import BotPool, LogCallback, OnUnexpectedExit, RunningBot
from .error_groups import unwrap_error_groups
from .game_table import GameTable, Watcher
from .idle_bots import IdlePauser
from .inprocess import EmptySeat
from .job import GameJob, GameReport, SeatJob
from .link_player import greet_all
from .player import Player, PlayerFailure
from .record import SeatInfo
from .sandbox.isolation import WHOLE_MACHINE, GameSlot, Isolation, SandboxPolicy, prepare
from .sandbox.memory import share_memory
from .terminating import TERMINATION_SECONDS
from .verdict import Evidence, is_decided


class Arena:
    def __init__(
        self, isolation: Isolation, nursery: trio.Nursery, on_unexpected_exit: OnUnexpectedExit | None = None
    ) -> None:
        self.isolation = isolation
        self._nursery = nursery
        self._bots: dict[str, Bot] = {}
        self._builder = BotBuilder(isolation)
        self._pool = BotPool(isolation, nursery, on_unexpected_exit)
        self._idle_pauser = IdlePauser()
        nursery.start_soon(self._idle_pauser.run)
        self._ready_for_game = trio.Event()
        """Set when the bots that do not play on have left; the next game may begin."""
        self._ready_for_game.set()

    async def _find_bots(self, job: GameJob) -> None:
        """Finds, checks and builds the bots; ConfigError before the game if that fails. Most were built before the
        first game."""
        for seat in job.seats:
            if not seat.forfeit and seat.path not in self._bots:
                self._bots[seat.path] = await self._builder.build(find_bot(Path(seat.path)))

    async def play(self, job: GameJob, watch: Watcher | None = None, log: LogCallback | None = None) -> GameReport:
        """Returns the report as soon as the game is over: how its bots leave does not affect it.

        Raises SandboxError when the machine spoiled the game; then, or when cancelled, none of its bots plays on.
        """
        if not self._ready_for_game.is_set():
            await self._ready_for_game.wait()
        try:
            with unwrap_error_groups():
                report = await self._play_game(job, watch, log)
        except BaseException:  # any spoiled or cancelled game: none of its bots plays on; raised again
            with trio.CancelScope(shield=True):
                await self._pool.end(self._pool.running)
            raise
        leaving = self._pool.running if job.restart == "game" else self._pool.bots_to_end()
        if leaving:
            self._ready_for_game = trio.Event()
            self._nursery.start_soon(self._end_bots, leaving)
        return report

    async def _end_bots(self, leaving: list[RunningBot]) -> None:
        try:
            with trio.CancelScope(shield=True):
                await self._pool.end(leaving)
        finally:
            self._ready_for_game.set()

    async def _play_game(self, job: GameJob, watch: Watcher | None, log: LogCallback | None) -> GameReport:
        await self._find_bots(job)
        infos = [seat_info(seat, None if seat.forfeit else self._bots[seat.path]) for seat in job.seats]
        failures = await self._find_absent_seats(job)
        bots = self._seat_bots(job, failures, log)
        failures |= await self._greet(bots, job.clock.startup)
        players = [bots[n].player if n in bots else EmptySeat() for n in range(len(job.seats))]

        async def restart_bot(number: int) -> Player | None:
            return await self._restart_bot(number, bots, job, log)

        report = await GameTable(job, infos, players, watch, restart_bot, self._idle_pauser).play(failures)
        for member in bots.values():
            member.games += 1
        return report

    async def _find_absent_seats(self, job: GameJob) -> dict[int, PlayerFailure]:
        """The seats whose bots are not started: because the host says so, or because their earlier processes do not
        die."""
        failures = {}
        may_be_terminating = self._pool.terminating.may_include_any(seat.path for seat in job.seats)
        for number, seat in enumerate(job.seats):
            if seat.forfeit:
                failures[number] = PlayerFailure("forfeit", seat.forfeit, Evidence())
            elif may_be_terminating and await self._pool.terminating.survives_kill(seat.path):
                reason = (
                    f"its processes from an earlier game were still running {TERMINATION_SECONDS:g} s after its end"
                )
                failures[number] = PlayerFailure("no handshake", reason, Evidence())
        return failures

    def _seat_bots(
        self, job: GameJob, failures: Mapping[int, PlayerFailure], log: LogCallback | None
    ) -> dict[int, RunningBot]:
        """Starts a process for each seat that plays: none when no opponent is left."""
        members: dict[int, RunningBot] = {}
        if not is_decided([number in failures for number in range(len(job.seats))]):
            missing = []
            for number, seat in enumerate(job.seats):
                if number in failures:
                    continue
                if (member := self._pool.reuse(seat, job, members.values())) is None:
                    missing.append(number)
                else:
                    members[number] = member
            for number, bot in self._with_affordable_memory(job, missing, members.values()).items():
                members[number] = self._pool.start(job.seats[number], bot, job, log)
        self._pool.freeze_waiting(members.values())
        return members

    def _with_affordable_memory(
        self, job: GameJob, to_start: Sequence[int], seated: Collection[RunningBot]
    ) -> dict[int, Bot]:
        """Lowers the memory limits of a table's bots to what the machine has for it; otherwise the kernel would kill
        one of them, and not the one that asked for most."""
        if not to_start:
            return {}
        bots = {number: self._bots[job.seats[number].path] for number in to_start}
        taken = sum(member.bot.limits.memory_mib for member in seated) + self._pool.waiting_memory_mib(seated)
        granted = share_memory([bot.limits.memory_mib for bot in bots.values()], self.isolation.memory_mib - taken)
        return {
            number: replace(bot, limits=replace(bot.limits, memory_mib=mib))
            for (number, bot), mib in zip(bots.items(), granted, strict=True)
        }

    async def _greet(self, members: dict[int, RunningBot], limit: float) -> dict[int, PlayerFailure]:
        failures = await greet_all({number: member.player for number, member in members.items()}, limit)
        for number in failures:
            members[number].raise_if_never_started()
        return failures

    async def _restart_bot(
        self, number: int, members: dict[int, RunningBot], job: GameJob, log: LogCallback | None
    ) -> Player | None:
        """Starts a new process for a bot that left between two games, which is no fault; None for one that never
        played."""
        old, seat = members[number], job.seats[number]
        if old.games == 0:
            return None
        await self._pool.end([old])
        member = members[number] = self._pool.start(seat, self._bots[seat.path], job, log)
        try:
            await member.player.greet(job.clock.startup)
        except PlayerFailure:
            member.raise_if_never_started()
            member.player.drop_out()  # the table knows only its predecessor, and would leave this one running
            raise
        return member.player

    async def close(self) -> None:
        await self._ready_for_game.wait()
        await self._pool.end(self._pool.running)


def seat_info(seat: SeatJob, bot: Bot | None) -> SeatInfo:
    """Reads no file of a seat that forfeits: its bot may be gone."""
    if bot is None:
        return SeatInfo(seat.name, "", entry=seat.entry, edition=seat.edition, env=seat.env)
    manifest = (bot.digest, bot.version, bot.author, bot.language)
    return SeatInfo(seat.name, *manifest, entry=seat.entry, edition=seat.edition, env=seat.env)


@asynccontextmanager
async def open_arena(
    policy: SandboxPolicy = "auto", slot: GameSlot = WHOLE_MACHINE, on_unexpected_exit: OnUnexpectedExit | None = None
) -> AsyncIterator[Arena]:
    """Ends everything started inside on the way out. `on_unexpected_exit`: for bots that exit badly between games."""
    with prepare(policy, slot=slot) as isolation, unwrap_error_groups():
        async with trio.open_nursery() as nursery:
            arena = Arena(isolation, nursery, on_unexpected_exit)
            try:
                yield arena
            finally:
                with trio.CancelScope(shield=True):
                    await arena.close()
                nursery.cancel_scope.cancel()
