"""Bots as opponents in `peloarena play`: real processes at a real table, whose game the person's session plays.

The session blocks in the main thread, where Ctrl-C arrives; Trio and the bots run in a second thread for as long as the
game lasts (a parent-death signal follows the thread that forked). The bots' clocks run, the person's does not.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from contextlib import AsyncExitStack
from queue import SimpleQueue
from types import TracebackType
from typing import Self

import trio

from ...game import Decision, Game, GameOptions
from ...game.kinds import Event, Move
from ...protocol.excerpt_lengths import EVIDENCE_STDERR_LENGTH
from ...referee.bot_finder import Bot
from ...referee.bot_pool import QUIT_GRACE_SECONDS, LogCallback, UnexpectedExit
from ...referee.bot_process import BotProcess, open_bot_process
from ...referee.build import build_bot
from ...referee.caretaker import caretaker_move
from ...referee.error_groups import unwrap_error_groups
from ...referee.game_table import GameTable
from ...referee.inprocess import EmptySeat
from ...referee.job import GameJob, SeatJob
from ...referee.link_player import LinkPlayer, greet_all
from ...referee.player import Player
from ...referee.record import SeatInfo
from ...referee.sandbox.isolation import Isolation, SandboxPolicy, prepare
from ...referee.shapes import SeatAnswer
from ...referee.verdict import Verdict

ReportVerdict = Callable[[str, Verdict], None]
"""(the bot's name, why it is out)."""


class BotOpponent:
    """An `Opponent` whose choice comes from a process."""

    def __init__(self, game_with_bots: BotGame) -> None:
        self.game_with_bots = game_with_bots

    def choose(self, game: Game, seat: int) -> Move:
        return self.game_with_bots.request_move()


class BotGame:
    """The bots at the table, by seat. Inside `with`, `game` is the game to play."""

    def __init__(
        self,
        options: GameOptions,
        seed: str,
        names: Sequence[str],
        bots: Mapping[int, Bot],
        policy: SandboxPolicy,
        report_verdict: ReportVerdict,
        log: LogCallback | None = None,
    ) -> None:
        self.bots = bots
        self._log = log
        self._answered: SeatAnswer | None = None
        self.unexpected_exits: list[UnexpectedExit] = []
        """Bots that exited badly after the game; known when `with` has ended."""
        self.policy: SandboxPolicy = policy
        self.report_verdict = report_verdict
        self.job = GameJob("play", options, seed, tuple(SeatJob("", name) for name in names), stderr="record")
        self.table: GameTable
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
        except BaseException:  # Ctrl-C while bots start: the other thread must end in any case
            self._stop_thread(self._scope.cancel)
            raise
        if problem is not None:
            self._thread.join()
            raise problem
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._stop_thread(self._closing.set if error is None else self._scope.cancel)

    def _stop_thread(self, end: Callable[[], None]) -> None:
        trio.from_thread.run_sync(end, trio_token=self._token)
        self._thread.join()

    def request_move(self) -> Move:
        return trio.from_thread.run(self.ask_bot, trio_token=self._token)

    def play(self, decision: Decision, move: Move) -> list[Event]:
        """Play through the table, which writes the record and notifies the bots that want events."""
        if decision.seat in self.bots:
            self.table.play_answer(decision, self._answered)
        else:
            self.table.play_unasked(decision, move)
        return self.table.last_events

    def record(self) -> bytes:
        if self.game.decision is not None:
            return trio.from_thread.run_sync(self.table.abandon, trio_token=self._token)
        return trio.from_thread.run(self.table.finish, trio_token=self._token).record

    # -- in the other thread

    def _run(self) -> None:
        try:
            with unwrap_error_groups():
                trio.run(self._serve)
        except BaseException as error:  # passed to the waiting thread, which raises it
            self._opened.put(error)

    async def _serve(self) -> None:
        self._tokens.put(trio.lowlevel.current_trio_token())
        with self._scope:
            async with AsyncExitStack() as stack:
                isolation = stack.enter_context(prepare(self.policy))
                players = {seat: await self._start_player(stack, bot, isolation) for seat, bot in self.bots.items()}
                await self._seat_players(players)
                self._opened.put(None)
                await self._closing.wait()
                await self._dismiss_bots(players)

    async def _start_player(self, stack: AsyncExitStack, bot: Bot, isolation: Isolation) -> LinkPlayer:
        log = self._log
        log_stderr = None if log is None else (lambda data: log(bot.name, "!", data))
        ready = await build_bot(bot, isolation)
        process = await stack.enter_async_context(open_bot_process(ready, isolation, log_stderr))
        return LinkPlayer(process.transport, process)

    async def _seat_players(self, players: Mapping[int, LinkPlayer]) -> None:
        """Greet and seat all bots; the table sees the seats of the person and of built-in opponents as empty."""
        seats = self.job.seats
        seated: list[Player] = [players.get(number) or EmptySeat() for number in range(len(seats))]
        infos = [self._seat_info(number, seat.name) for number, seat in enumerate(seats)]
        self.table = GameTable(self.job, infos, seated)
        await self.table.begin(await greet_all(players, self.job.clock.startup))
        for verdict in self.table.verdicts:
            self._report_verdict(verdict)

    def _seat_info(self, number: int, name: str) -> SeatInfo:
        bot = self.bots.get(number)
        if bot is None:
            return SeatInfo(name, "", kind="bot" if number else "human")
        return SeatInfo(name, bot.digest, bot.version, bot.author, bot.language)

    async def ask_bot(self) -> Move:
        """The move of the bot whose turn it is, or the caretaker's if the bot is out."""
        decision, judged = self.game.decision, len(self.table.verdicts)
        assert decision is not None
        self._answered = answered = await self.table.ask_seat(decision)
        for verdict in self.table.verdicts[judged:]:
            self._report_verdict(verdict)
        return caretaker_move(decision) if answered is None else answered.move

    def _report_verdict(self, verdict: Verdict) -> None:
        self.report_verdict(self.bots[verdict.seat].name, verdict)

    async def _dismiss_bots(self, players: Mapping[int, LinkPlayer]) -> None:
        """Say goodbye to the remaining bots if the game was finished: the table has already sent the outcome."""
        if self.game.decision is not None:
            return
        for seat, player in players.items():
            process = player.process
            if (
                isinstance(process, BotProcess)
                and await player.quit()
                and (status := await process.close_input_and_wait(QUIT_GRACE_SECONDS))
            ):
                stderr_end = player.stderr_tail()[-EVIDENCE_STDERR_LENGTH:]
                self.unexpected_exits.append(
                    UnexpectedExit(self.bots[seat].name, status, process.ran_out_of_memory(), stderr_end)
                )
