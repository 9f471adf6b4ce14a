"""The table: plays one game between players, judges them, and writes the record.

`play` is the whole game. A game that is played elsewhere (`peloarena play`) uses its parts: `begin`, then `answer`, the
only way to ask a seat, then `finish` or `break_off`. Knows players and the game; knows neither processes nor where the
record goes.
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
from .asking import decide_message, move_meant, names_told, newgame_message
from .caretaker import care
from .game_clock import to_the_microsecond
from .job import GameJob, GameReport, SeatStats
from .player import Failure, Meaning, Player, Spent, Thought
from .record import (
    By,
    DecisionLine,
    Header,
    Origin,
    ResultLine,
    SeatInfo,
    Timing,
    VerdictLine,
    header,
)
from .record_writer import RecordWriter
from .resting import REST_AFTER, Resting
from .shapes import Answered
from .stderr import GameStderr
from .verdict import Evidence, Outcome, Verdict, is_decided, is_forgiven, outcome_of

Watcher = Callable[[Game, Sequence[Event]], None]
Revive = Callable[[int], Awaitable[Player | None]]
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
    news: list[Event] = field(default_factory=list)
    """Events that were not sent yet."""
    decisions: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    cpu: float = 0.0
    stderr: GameStderr = field(default_factory=GameStderr)

    @property
    def out(self) -> bool:
        return self.out_at is not None

    def count(self, spent: Spent) -> None:
        self.decisions += 1
        self.seconds += spent.seconds
        self.slowest = max(self.slowest, spent.seconds)
        self.cpu += spent.cpu or 0.0

    def stats(self) -> SeatStats:
        return SeatStats(self.decisions, self.seconds, self.slowest, self.cpu, self.player.startup)


class Table:
    """One game. `play` returns the report; the players stay alive."""

    def __init__(
        self,
        job: GameJob,
        infos: Sequence[SeatInfo],
        players: Sequence[Player],
        watch: Watcher | None = None,
        revive: Revive | None = None,
        resting: Resting | None = None,
    ) -> None:
        """`resting` pauses players while they are not asked."""
        self.job = job
        self.game = Game(job.options, job.seed, RULES if job.start is None else job.start.rules)
        self._meaning: Meaning = partial(move_meant, self.game)
        self.chairs = [Chair(n, info, player) for n, (info, player) in enumerate(zip(infos, players, strict=True))]
        self.writer = RecordWriter()
        self.verdicts: list[Verdict] = []
        self.evidence: list[Evidence] = []
        self.question = 0
        self.all_seated = False
        """All players are seated: only the asked one is awaited."""
        self.happened: list[Event] = []
        """The events of the last move."""
        self.decided_early = False
        """One seat is left, or none: nothing is left to play for."""
        self.watch = watch
        self.revive = revive
        self.resting = resting

    async def play(self, absent: Mapping[int, Failure] | None = None) -> GameReport:
        """`absent`: the seats whose bots failed their handshake; they are out from the start."""
        with nullcontext() if self.resting is None else self.resting.during(self.rest_idle):
            await self.begin(absent)
            await self.decide_all()
        return await self.finish()

    def _header(self, opening: list[Event]) -> Header:
        job = self.job
        seats = tuple(chair.info for chair in self.chairs)
        made = header(job.game, job.options, job.seed, seats, job.clock, job.faults, opening, job.seating)
        if job.anonymous or job.token_key:
            made = replace(made, anonymous=job.anonymous, token_key=job.token_key)
        if job.start is None:
            return made
        return replace(made, rules=job.start.rules, origin=Origin(job.start.digest, len(job.start.indexes)))

    # ---- the start

    async def begin(self, absent: Mapping[int, Failure] | None = None) -> None:
        """Plays up to the first question: writes the header, judges the absent, seats all others."""
        opening = self.game.opening
        self.writer.add(self._header(opening))
        self.tell_news(opening)
        if self.job.start is not None:
            self.play_given(self.job.start.indexes)
        for number, failure in sorted((absent or {}).items()):
            self.judge(self.chairs[number], failure)
        await self.seat_all()

    def play_given(self, indexes: Sequence[int]) -> None:
        """Plays the decisions of another record, up to the position from which this game continues."""
        for index in indexes:
            decision = self.game.decision
            assert decision is not None, "the record was checked when the job was made"
            self.play_unasked(decision, decision.legal[index], by="record")

    async def seat_all(self) -> None:
        """Seats players that are known to be quick one after another, which needs no tasks; then all others at once.
        Those that fail are out before the first question."""
        failures: dict[int, Failure] = {}

        async def try_to(chair: Chair) -> None:
            try:
                await self.seat_one(chair)
            except Failure as failure:
                failures[chair.number] = failure

        slow = []
        for chair in self.chairs:
            if chair.player.sits_down_quickly:
                await try_to(chair)
            elif not chair.player.gone:
                slow.append(chair)
        if slow:
            async with trio.open_nursery() as nursery:
                for chair in slow:
                    nursery.start_soon(try_to, chair)
        for chair in self.chairs:
            if chair.number in failures:
                self.judge(chair, failures[chair.number])
        self.all_seated = True

    async def seat_one(self, chair: Chair) -> None:
        """Restarts a bot that left without output after an earlier game (PROTOCOL.md, P4)."""
        try:
            await chair.player.sit_down(self.newgame(chair), self.job.clock)
        except Failure as failure:
            player = await self.revive(chair.number) if self.revive and failure.left else None
            if player is None:
                raise
            chair.player = player
            await player.sit_down(self.newgame(chair), self.job.clock)

    def newgame(self, chair: Chair) -> NewGame:
        names = names_told([c.info.name for c in self.chairs], self.job.anonymous)
        job = self.job
        return newgame_message(self.game, chair.number, names, job.clock, job.seating, job.token_key)

    # ---- the game

    async def decide_all(self) -> None:
        while (decision := self.game.decision) is not None and not self.decided_early:
            answered = await self.answer(decision)
            if not self.decided_early:  # by a verdict on this very question, which then stays open
                self.play_answer(decision, answered)

    async def answer(self, decision: Decision) -> Answered | None:
        """The only way to ask a seat: asks, counts its time, checks its move, judges it. None: the caretaker
        answers."""
        self.question += 1
        chair = self.chairs[decision.seat]
        if chair.out:
            return None
        try:
            thought = await chair.player.decide(self.decide_message(chair, decision), self._meaning)
        except Failure as failure:
            if failure.spent is not None:
                chair.count(failure.spent)
            self.judge(chair, failure)
            return None
        chair.count(thought.spent)
        chair.stderr.add(self.question, thought.stderr)
        return Answered(thought.move, timing_of(thought, chair.player.bank), thought.note)

    def play_answer(self, decision: Decision, answered: Answered | None) -> None:
        if answered is None:
            self.play_move(decision, care(decision), by="caretaker")
        else:
            self.play_move(decision, answered.move, note=answered.note, timing=answered.timing)

    def decide_message(self, chair: Chair, decision: Decision) -> Decide:
        wants = chair.player.hello.wants
        news: list[Event] | UnsetType = UNSET
        if wants != "state":
            news, chair.news = chair.news, []
        return decide_message(self.game, decision, self.question, chair.player.bank, wants, news)

    def play_unasked(self, decision: Decision, move: Move, by: By = "bot") -> None:
        """Plays a decision for which this table asked no player: a person's, or another record's."""
        self.question += 1
        self.play_move(decision, move, by=by)

    def play_move(
        self, decision: Decision, move: Move, *, by: By = "bot", note: str = "", timing: Timing | None = None
    ) -> None:
        self.happened = events = self.game.choose(move)
        line = DecisionLine(self.question, decision.seat, decision.kind, move, events, note, by)
        self.writer.add(line, timing)
        self.tell_news(events)

    def tell_news(self, events: list[Event]) -> None:
        for chair in self.chairs:
            if chair.player.hello.wants != "state":
                chair.news.extend(events)
        if self.watch is not None:
            self.watch(self.game, events)

    # ---- judging

    def judge(self, chair: Chair, failure: Failure) -> None:
        """Writes the verdict: forgiven, and the caretaker answers this once; or out."""
        forgiven = is_forgiven(failure.fault, chair.forgiven, self.job.faults)
        verdict = Verdict(chair.number, failure.fault, failure.reason, self.question, forgiven)
        self.verdicts.append(verdict)
        self.evidence.append(failure.evidence)
        self.writer.add(VerdictLine(verdict), self._recorded(failure.evidence))
        if forgiven:
            chair.forgiven += 1
            chair.player.overrule()
        else:
            chair.out_at = self.question
            chair.player.leave()
            self.decided_early = is_decided([chair.out for chair in self.chairs])

    def rest_idle(self) -> None:
        """Freezes every bot that is not asked or, with pondering, gives it the CPU time that the asked one leaves.
        Until all are seated nobody ponders: it would slow down those that are still starting."""
        now = trio.current_time()
        pondering = self.job.pondering and self.all_seated
        for chair in self.chairs:
            chair.player.rest_if_idle(now, REST_AFTER, pondering)

    # ---- the end

    async def finish(self) -> GameReport:
        outcome = self.outcome()
        self.writer.add(ResultLine(outcome))
        await self.tell_outcome(outcome)
        said = self._stderr_by_decision()
        public = self.job.stderr == "record"
        return GameReport(
            game=self.job.game,
            seed=self.job.seed,
            seats=tuple(chair.info.name for chair in self.chairs),
            outcome=outcome,
            verdicts=tuple(self.verdicts),
            evidence=tuple(self.evidence),
            stats=tuple(chair.stats() for chair in self.chairs),
            stderr=tuple(chair.player.stderr() for chair in self.chairs),
            record=self.writer.finish(ChainMap(*said) if public else {}),
            said=() if public else said,
            civilizations=tuple(seat.civilization for seat in self.game.state.seats),
        )

    def break_off(self) -> bytes:
        """The record of a game that a person left, as far as it went. Sends the players nothing."""
        self.writer.add(ResultLine(self.outcome()))
        return self.writer.finish(ChainMap(*self._stderr_by_decision()))

    def _recorded(self, evidence: Evidence) -> Evidence:
        """Keeps other people's output out of the record: what a bot printed belongs to its author, and is in the
        report."""
        return evidence if self.job.stderr == "record" else replace(evidence, stderr="")

    def _stderr_by_decision(self) -> tuple[dict[int, str], ...]:
        for chair in self.chairs:
            chair.stderr.add_to_last(chair.player.last_stderr())
        return tuple(chair.stderr.kept() for chair in self.chairs)

    def outcome(self) -> Outcome:
        return outcome_of(self.game.result, [chair.out_at for chair in self.chairs])

    async def tell_outcome(self, outcome: Outcome) -> None:
        """Sends it to the remaining players, with the events they have not received."""
        for chair in self.chairs:
            if not chair.out:
                news = UNSET if chair.player.hello.wants == "state" else chair.news
                await chair.player.game_over(GameOver(outcome.ranks, outcome.result, events=news))


def timing_of(thought: Thought, bank: float) -> Timing:
    spent = thought.spent
    cpu = None if spent.cpu is None else to_the_microsecond(spent.cpu)
    lag = to_the_microsecond(spent.lag)
    return Timing(to_the_microsecond(spent.seconds), cpu, bank, thought.dropped, lag)
