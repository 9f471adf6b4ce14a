"""The table: plays one game between players, judges them, and writes the record.

`play` is the whole game. A game that is played elsewhere (`peloarena play`) uses its parts: `begin`, then `ask_seat`,
the only way to ask a seat, then `finish` or `abandon`. Knows players and the game; knows neither processes nor where
the record goes.
"""

from __future__ import annotations

from collections import ChainMap
from collections.abc import Awaitable, Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field
from functools import partial

import trio
from msgspec import UNSET, UnsetType
from msgspec.structs import replace

from ..game import RULES, Decision, Game
from ..game.kinds import Event, Move
from ..protocol.messages import Decide, GameOver, NewGame
from .caretaker import caretaker_move
from .game_clock import to_the_microsecond
from .idle_bots import PAUSE_AFTER_SECONDS, IdlePauser
from .job import GameJob, GameReport, SeatStats
from .player import Player, PlayerAnswer, PlayerFailure, ResolveMove, TimeSpent
from .record import (
    ChosenBy,
    DecisionLine,
    Header,
    RecordOrigin,
    ResultLine,
    SeatInfo,
    Timing,
    VerdictLine,
    make_header,
)
from .record_writer import RecordWriter
from .seat_messages import decide_message, newgame_message, resolve_move, visible_names
from .shapes import SeatAnswer
from .stderr import GameStderr
from .verdict import Evidence, Outcome, Verdict, is_decided, is_forgiven, outcome_of

Watcher = Callable[[Game, Sequence[Event]], None]
RestartBot = Callable[[int], Awaitable[Player | None]]
"""Called with the seat of a bot that was gone when the game began; None when that is its own fault."""


@dataclass
class Chair:
    """One seat during one game."""

    number: int
    info: SeatInfo
    player: Player
    out_at: int | None = None
    """The question at which it went out."""
    forgiven: int = 0
    unsent_events: list[Event] = field(default_factory=list)
    """Events that were not sent yet."""
    decisions: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    cpu: float = 0.0
    stderr: GameStderr = field(default_factory=GameStderr)

    @property
    def is_out(self) -> bool:
        return self.out_at is not None

    def count_time(self, spent: TimeSpent) -> None:
        self.decisions += 1
        self.seconds += spent.seconds
        self.slowest = max(self.slowest, spent.seconds)
        self.cpu += spent.cpu or 0.0

    def stats(self) -> SeatStats:
        return SeatStats(self.decisions, self.seconds, self.slowest, self.cpu, self.player.startup_seconds)


class GameTable:
    """One game. `play` returns the report; the players stay alive."""

    def __init__(
        self,
        job: GameJob,
        infos: Sequence[SeatInfo],
        players: Sequence[Player],
        watch: Watcher | None = None,
        restart_bot: RestartBot | None = None,
        idle_pauser: IdlePauser | None = None,
    ) -> None:
        """`idle_pauser` pauses players while they are not asked."""
        self.job = job
        self.game = Game(job.options, job.seed, RULES if job.start is None else job.start.rules)
        self._resolve_move: ResolveMove = partial(resolve_move, self.game)
        self.chairs = [Chair(n, info, player) for n, (info, player) in enumerate(zip(infos, players, strict=True))]
        self.writer = RecordWriter()
        self.verdicts: list[Verdict] = []
        self.evidence: list[Evidence] = []
        self.question = 0
        self.all_seated = False
        """All players are seated: only the asked one is awaited."""
        self.last_events: list[Event] = []
        """The events of the last move."""
        self.decided_early = False
        """One seat is left, or none: nothing is left to play for."""
        self.watch = watch
        self.restart_bot = restart_bot
        self.idle_pauser = idle_pauser

    async def play(self, absent: Mapping[int, PlayerFailure] | None = None) -> GameReport:
        """`absent`: the seats whose bots failed their handshake; they are out from the start."""
        with nullcontext() if self.idle_pauser is None else self.idle_pauser.pausing(self.pause_idle_players):
            await self.begin(absent)
            await self.play_decisions()
        return await self.finish()

    def _header(self, opening: list[Event]) -> Header:
        job = self.job
        seats = tuple(chair.info for chair in self.chairs)
        header = make_header(job.game, job.options, job.seed, seats, job.clock, job.faults, opening, job.seating)
        if job.anonymous or job.token_key:
            header = replace(header, anonymous=job.anonymous, token_key=job.token_key)
        if job.start is None:
            return header
        return replace(header, rules=job.start.rules, origin=RecordOrigin(job.start.digest, len(job.start.indexes)))

    # ---- the start

    async def begin(self, absent: Mapping[int, PlayerFailure] | None = None) -> None:
        """Plays up to the first question: writes the header, judges the absent, seats all others."""
        opening = self.game.opening
        self.writer.add(self._header(opening))
        self.deliver_events(opening)
        if self.job.start is not None:
            self.play_recorded(self.job.start.indexes)
        for number, failure in sorted((absent or {}).items()):
            self.judge(self.chairs[number], failure)
        await self.seat_all()

    def play_recorded(self, indexes: Sequence[int]) -> None:
        """Plays the decisions of another record, up to the position from which this game continues."""
        for index in indexes:
            decision = self.game.decision
            assert decision is not None, "the record was checked when the job was made"
            self.play_unasked(decision, decision.legal[index], by="record")

    async def seat_all(self) -> None:
        """Seats players that are known to be quick one after another, which needs no tasks; then all others at once.
        Those that fail are out before the first question."""
        failures: dict[int, PlayerFailure] = {}

        async def try_to_seat(chair: Chair) -> None:
            try:
                await self.seat_one(chair)
            except PlayerFailure as failure:
                failures[chair.number] = failure

        slow = []
        for chair in self.chairs:
            if chair.player.starts_quickly:
                await try_to_seat(chair)
            elif not chair.player.is_out:
                slow.append(chair)
        if slow:
            async with trio.open_nursery() as nursery:
                for chair in slow:
                    nursery.start_soon(try_to_seat, chair)
        for chair in self.chairs:
            if chair.number in failures:
                self.judge(chair, failures[chair.number])
        self.all_seated = True

    async def seat_one(self, chair: Chair) -> None:
        """Restarts a bot that left without output after an earlier game (PROTOCOL.md, P4)."""
        try:
            await chair.player.start_game(self.make_newgame(chair), self.job.clock)
        except PlayerFailure as failure:
            player = await self.restart_bot(chair.number) if self.restart_bot and failure.exited_silently else None
            if player is None:
                raise
            chair.player = player
            await player.start_game(self.make_newgame(chair), self.job.clock)

    def make_newgame(self, chair: Chair) -> NewGame:
        names = visible_names([c.info.name for c in self.chairs], self.job.anonymous)
        job = self.job
        return newgame_message(self.game, chair.number, names, job.clock, job.seating, job.token_key)

    # ---- the game

    async def play_decisions(self) -> None:
        while (decision := self.game.decision) is not None and not self.decided_early:
            answered = await self.ask_seat(decision)
            if not self.decided_early:  # by a verdict on this very question, which then stays open
                self.play_answer(decision, answered)

    async def ask_seat(self, decision: Decision) -> SeatAnswer | None:
        """The only way to ask a seat: asks, counts its time, checks its move, judges it. None: the caretaker
        answers."""
        self.question += 1
        chair = self.chairs[decision.seat]
        if chair.is_out:
            return None
        try:
            thought = await chair.player.decide(self.decide_message(chair, decision), self._resolve_move)
        except PlayerFailure as failure:
            if failure.spent is not None:
                chair.count_time(failure.spent)
            self.judge(chair, failure)
            return None
        chair.count_time(thought.spent)
        chair.stderr.add(self.question, thought.stderr)
        return SeatAnswer(thought.move, rounded_timing(thought, chair.player.bank), thought.note)

    def play_answer(self, decision: Decision, answered: SeatAnswer | None) -> None:
        if answered is None:
            self.play_move(decision, caretaker_move(decision), by="caretaker")
        else:
            self.play_move(decision, answered.move, note=answered.note, timing=answered.timing)

    def decide_message(self, chair: Chair, decision: Decision) -> Decide:
        wants = chair.player.hello.wants
        news: list[Event] | UnsetType = UNSET
        if wants != "state":
            news, chair.unsent_events = chair.unsent_events, []
        return decide_message(self.game, decision, self.question, chair.player.bank, wants, news)

    def play_unasked(self, decision: Decision, move: Move, by: ChosenBy = "bot") -> None:
        """Plays a decision for which this table asked no player: a person's, or another record's."""
        self.question += 1
        self.play_move(decision, move, by=by)

    def play_move(
        self, decision: Decision, move: Move, *, by: ChosenBy = "bot", note: str = "", timing: Timing | None = None
    ) -> None:
        self.last_events = events = self.game.choose(move)
        line = DecisionLine(self.question, decision.seat, decision.kind, move, events, note, by)
        self.writer.add(line, timing)
        self.deliver_events(events)

    def deliver_events(self, events: list[Event]) -> None:
        for chair in self.chairs:
            if chair.player.hello.wants != "state":
                chair.unsent_events.extend(events)
        if self.watch is not None:
            self.watch(self.game, events)

    # ---- judging

    def judge(self, chair: Chair, failure: PlayerFailure) -> None:
        """Writes the verdict: forgiven, and the caretaker answers this once; or out."""
        forgiven = is_forgiven(failure.fault, chair.forgiven, self.job.faults)
        verdict = Verdict(chair.number, failure.fault, failure.reason, self.question, forgiven)
        self.verdicts.append(verdict)
        self.evidence.append(failure.evidence)
        self.writer.add(VerdictLine(verdict), self._evidence_for_record(failure.evidence))
        if forgiven:
            chair.forgiven += 1
            chair.player.overrule_answer()
        else:
            chair.out_at = self.question
            chair.player.drop_out()
            self.decided_early = is_decided([chair.is_out for chair in self.chairs])

    def pause_idle_players(self) -> None:
        """Freezes every bot that is not asked or, with pondering, gives it the CPU time that the asked one leaves.
        Until all are seated nobody ponders: it would slow down those that are still starting."""
        now = trio.current_time()
        pondering = self.job.pondering and self.all_seated
        for chair in self.chairs:
            chair.player.pause_if_idle(now, PAUSE_AFTER_SECONDS, pondering)

    # ---- the end

    async def finish(self) -> GameReport:
        outcome = self.outcome()
        self.writer.add(ResultLine(outcome))
        await self.tell_outcome(outcome)
        stderr_by_decision = self._stderr_by_decision()
        public = self.job.stderr == "record"
        return GameReport(
            game=self.job.game,
            seed=self.job.seed,
            seats=tuple(chair.info.name for chair in self.chairs),
            outcome=outcome,
            verdicts=tuple(self.verdicts),
            evidence=tuple(self.evidence),
            stats=tuple(chair.stats() for chair in self.chairs),
            stderr=tuple(chair.player.stderr_tail() for chair in self.chairs),
            record=self.writer.finish(ChainMap(*stderr_by_decision) if public else {}),
            said=() if public else stderr_by_decision,
            civilizations=tuple(seat.civilization for seat in self.game.state.seats),
        )

    def abandon(self) -> bytes:
        """The record of a game that a person left, as far as it went. Sends the players nothing."""
        self.writer.add(ResultLine(self.outcome()))
        return self.writer.finish(ChainMap(*self._stderr_by_decision()))

    def _evidence_for_record(self, evidence: Evidence) -> Evidence:
        """Keeps other people's output out of the record: what a bot printed belongs to its author, and is in the
        report."""
        return evidence if self.job.stderr == "record" else replace(evidence, stderr="")

    def _stderr_by_decision(self) -> tuple[dict[int, str], ...]:
        for chair in self.chairs:
            chair.stderr.add_to_last(chair.player.take_stderr())
        return tuple(chair.stderr.bounded_texts() for chair in self.chairs)

    def outcome(self) -> Outcome:
        return outcome_of(self.game.result, [chair.out_at for chair in self.chairs])

    async def tell_outcome(self, outcome: Outcome) -> None:
        """Sends it to the remaining players, with the events they have not received."""
        for chair in self.chairs:
            if not chair.is_out:
                news = UNSET if chair.player.hello.wants == "state" else chair.unsent_events
                await chair.player.send_game_over(GameOver(outcome.ranks, outcome.result, events=news))


def rounded_timing(thought: PlayerAnswer, bank: float) -> Timing:
    spent = thought.spent
    cpu = None if spent.cpu is None else to_the_microsecond(spent.cpu)
    lag = to_the_microsecond(spent.lag)
    return Timing(to_the_microsecond(spent.seconds), cpu, bank, thought.dropped, lag)
