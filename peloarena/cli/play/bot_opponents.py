"""Bots as opponents in `peloarena play`: real processes at a real table, whose game the person's session plays.

The session blocks in the main thread, where Ctrl-C arrives; Trio and the bots live in a thread beside it for as long
as the game lasts (a parent-death signal follows the thread that forked). The bots' clocks run, the person's does not.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from contextlib import AsyncExitStack
from queue import SimpleQueue
from types import TracebackType
from typing import Self

import trio

from ...game import Game, GameOptions
from ...game.kinds import Event, Move
from ...protocol.messages import Decide
from ...referee.bots import Bot
from ...referee.caretaker import care
from ...referee.inprocess import InProcessPlayer
from ...referee.job import GameJob, SeatJob
from ...referee.one_error import ungrouped
from ...referee.player import Failure, Player
from ...referee.process import started
from ...referee.record import SeatInfo
from ...referee.sandbox.isolation import Policy, prepare
from ...referee.table import Table, outcome_of
from ...referee.verdict import Verdict

Tell = Callable[[str, Verdict], None]
"""tell(the bot's name, why it is out)."""


class BotOpponent:
    """An `Opponent` whose choice comes from a process."""

    def __init__(self, room: BotRoom) -> None:
        self.room = room

    def choose(self, game: Game, seat: int) -> Move:
        return self.room.call(seat)


class BotRoom:
    """The bots at the table, by seat. Inside `with`, `game` is the game to play."""

    def __init__(self, options: GameOptions, seed: str, bots: Mapping[int, Bot], policy: Policy, tell: Tell) -> None:
        self.bots = bots
        self.policy: Policy = policy
        self.tell = tell
        names = [bots[seat].name if seat in bots else f"seat {seat}" for seat in range(options.players)]
        seats = tuple(SeatJob("", name) for name in names)
        infos = [SeatInfo(name, "") for name in names]
        house: list[Player] = [InProcessPlayer(nobody) for _ in names]
        self.table = Table(GameJob("play", options, seed, seats), infos, house)
        self.opponents = {seat: BotOpponent(self) for seat in bots}
        self._tokens: SimpleQueue[trio.lowlevel.TrioToken] = SimpleQueue()
        self._opened: SimpleQueue[BaseException | None] = SimpleQueue()
        self._closing = trio.Event()
        self._scope = trio.CancelScope()
        self._thread = threading.Thread(target=self._run)

    @property
    def game(self) -> Game:
        return self.table.game

    def __enter__(self) -> Self:
        self._thread.start()
        self._token = self._tokens.get()
        try:
            problem = self._opened.get()
        except BaseException:  # Ctrl-C while bots start: the other thread must end, whatever it was
            self._leave(self._scope.cancel)
            raise
        if problem is not None:
            self._thread.join()
            raise problem
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._leave(self._closing.set if error is None else self._scope.cancel)

    def _leave(self, end: Callable[[], None]) -> None:
        trio.from_thread.run_sync(end, trio_token=self._token)
        self._thread.join()

    def call(self, seat: int) -> Move:
        return trio.from_thread.run(self.ask, seat, trio_token=self._token)

    def hear(self, events: list[Event]) -> None:
        """What happened, for bots that want events."""
        self.table.tell_news(events)

    # -- in the other thread

    def _run(self) -> None:
        try:
            with ungrouped():
                trio.run(self._serve)
        except BaseException as error:  # handed to the thread that waits, which raises it
            self._opened.put(error)

    async def _serve(self) -> None:
        self._tokens.put(trio.lowlevel.current_trio_token())
        with self._scope:
            async with AsyncExitStack() as stack:
                isolation = stack.enter_context(prepare(self.policy))
                for seat, bot in self.bots.items():
                    process = await stack.enter_async_context(started(bot, isolation))
                    self.table.chairs[seat].player = Player(process.transport, process)
                await self._begin()
                self._opened.put(None)
                await self._closing.wait()
                await self._end()

    async def _begin(self) -> None:
        for seat in self.bots:
            chair = self.table.chairs[seat]
            try:
                await chair.player.greet(self.table.job.clock.startup)
            except Failure as failure:
                self._judge(seat, failure)
        self.table.tell_news(self.game.opening)
        await self.table.seat_all()
        for verdict in self.table.verdicts:
            self.tell(self.bots[verdict.seat].name, verdict)

    async def ask(self, seat: int) -> Move:
        """The move of a bot; the caretaker's when it is out."""
        table, decision = self.table, self.game.decision
        assert decision is not None
        table.question += 1
        chair = table.chairs[seat]
        if chair.out:
            return care(decision)
        try:
            thought = await chair.player.decide(table.decide_message(chair, decision))
            return table.legal_move(chair, decision, thought.answer)
        except Failure as failure:
            self._judge(seat, failure)
            self.tell(self.bots[seat].name, table.verdicts[-1])
            return care(decision)

    def _judge(self, seat: int, failure: Failure) -> None:
        self.table.judge(self.table.chairs[seat], failure)

    async def _end(self) -> None:
        """A goodbye to those who are still there, if the game came to its end."""
        if self.game.decision is not None:
            return
        outcome = outcome_of(self.game, [chair.out_at for chair in self.table.chairs])
        await self.table.tell_outcome(outcome)
        for seat in self.bots:
            player = self.table.chairs[seat].player
            if await player.quit():
                await player.body.exit_status()  # a moment to leave by itself


def nobody(decide: Decide) -> int:
    raise AssertionError("the session asks these seats itself")
