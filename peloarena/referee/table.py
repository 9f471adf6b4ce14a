"""The table: plays one game between players, judges them, and writes the record.

Knows players and the game; knows neither processes nor where the record goes.
"""

from __future__ import annotations

import hashlib
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field

import trio
from msgspec import UNSET, UnsetType

from ..game import Decision, Game
from ..game.kinds import Event, Move
from ..protocol import BotError
from ..protocol.about import about
from ..protocol.codec import move_of
from ..protocol.messages import Answer, Decide, GameOver, NewGame, TableOptions
from .caretaker import care
from .job import GameJob, GameReport, SeatStats
from .player import Failure, Player
from .record import (
    By,
    DecisionLine,
    Header,
    Outcome,
    RecordWriter,
    ResultLine,
    SeatInfo,
    Timing,
    VerdictLine,
    header,
)
from .verdict import Evidence, Verdict

FREEZE_AFTER = 0.005
"""Without pondering a bot is frozen so long after its answer; quick games do not pay for it."""
FORGIVABLE = ("late", "illegal")

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
    """Events not yet told."""
    decisions: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    cpu: float = 0.0

    @property
    def out(self) -> bool:
        return self.out_at is not None

    def stats(self) -> SeatStats:
        return SeatStats(self.decisions, self.seconds, self.slowest, self.cpu)


class Table:
    """One game. `play` returns the report; the players stay alive."""

    def __init__(
        self,
        job: GameJob,
        infos: Sequence[SeatInfo],
        players: Sequence[Player],
        watch: Watcher | None = None,
        revive: Revive | None = None,
    ) -> None:
        self.job = job
        self.game = Game(job.options, job.seed)
        self.chairs = [Chair(n, info, player) for n, (info, player) in enumerate(zip(infos, players, strict=True))]
        self.writer = RecordWriter()
        self.verdicts: list[Verdict] = []
        self.evidence: list[Evidence] = []
        self.question = 0
        self.decided_early = False
        """One seat is left, or none: there is nothing more to play for."""
        self.watch = watch
        self.revive = revive

    async def play(self, absent: Mapping[int, Failure] | None = None) -> GameReport:
        """`absent`: the seats whose bots did not survive their handshake; they are out from the start."""
        opening = self.game.opening
        self.writer.add(self._header(opening))
        self.tell_news(opening)
        for number, failure in sorted((absent or {}).items()):
            self.judge(self.chairs[number], failure)
        if self.job.pondering:
            await self.play_through()
        else:
            async with trio.open_nursery() as nursery:
                nursery.start_soon(self.freeze_idle)
                await self.play_through()
                nursery.cancel_scope.cancel()
        return await self.finish()

    async def play_through(self) -> None:
        await self.seat_all()
        await self.decide_all()

    def _header(self, opening: list[Event]) -> Header:
        job = self.job
        seats = tuple(chair.info for chair in self.chairs)
        return header(job.game, job.options, job.seed, seats, job.clock, job.faults, opening)

    # ---- the start

    async def seat_all(self) -> None:
        """All sit down at once; those who fail are out before the first question."""
        failures: dict[int, Failure] = {}

        async def try_to(chair: Chair) -> None:
            try:
                await self.seat_one(chair)
            except Failure as failure:
                failures[chair.number] = failure

        async with trio.open_nursery() as nursery:
            for chair in self.chairs:
                if not chair.player.gone:
                    nursery.start_soon(try_to, chair)
        for chair in self.chairs:
            if chair.number in failures:
                self.judge(chair, failures[chair.number])

    async def seat_one(self, chair: Chair) -> None:
        """A bot that left without a word after an earlier game is started again (PROTOCOL.md, P4)."""
        try:
            await chair.player.sit_down(self.newgame(chair), self.job.clock)
        except Failure as failure:
            player = await self.revive(chair.number) if self.revive and failure.left else None
            if player is None:
                raise
            chair.player = player
            await player.sit_down(self.newgame(chair), self.job.clock)

    def newgame(self, chair: Chair) -> NewGame:
        rules = self.game.rules
        options = self.job.options
        return NewGame(
            game=self.job.game,
            seat=chair.number,
            seats=tuple(c.info.name for c in self.chairs),
            options=TableOptions(options.players, options.modules, options.level, rules.rounds, rules.tiles_per_round),
            clock=self.job.clock.limits(),
            random=own_random(self.job.seed, chair.number),
            catalogue=rules.catalogue,
        )

    # ---- the game

    async def decide_all(self) -> None:
        while (decision := self.game.decision) is not None and not self.decided_early:
            self.question += 1
            chair = self.chairs[decision.seat]
            if chair.out:
                self.play_move(decision, care(decision), by="caretaker")
            else:
                await self.ask(chair, decision)

    async def ask(self, chair: Chair, decision: Decision) -> None:
        try:
            thought = await chair.player.decide(self.decide_message(chair, decision))
            self.count(chair, thought.seconds, thought.cpu)
            move = self.legal_move(chair, decision, thought.answer)
        except Failure as failure:
            if failure.evidence.seconds is not None:  # late; an answer that came is counted already
                self.count(chair, failure.evidence.seconds, failure.evidence.cpu_seconds)
            self.judge(chair, failure)
            if not self.decided_early:
                self.play_move(decision, care(decision), by="caretaker")
            return
        bank = round(chair.player.clock.bank, 6)
        timing = Timing(round(thought.seconds, 6), rounded(thought.cpu), bank, thought.dropped)
        self.play_move(decision, move, note=thought.answer.note, timing=timing)

    def decide_message(self, chair: Chair, decision: Decision) -> Decide:
        wants = chair.player.hello.wants
        bank = int(chair.player.clock.bank * 1000)
        news: list[Event] | UnsetType = UNSET
        if wants != "state":
            news, chair.news = chair.news, []
        state, rules = self.game.state, self.game.rules
        subject = about(state.agenda[-1])
        if wants == "events":
            return Decide(self.question, decision.kind, decision.legal, bank, subject, events=news)
        tiles = tuple([rules.tiles[tile] for tile in state.open + state.conquest])
        view = self.game.view(chair.number)
        return Decide(self.question, decision.kind, decision.legal, bank, subject, view, tiles, news)

    def legal_move(self, chair: Chair, decision: Decision, answer: Answer) -> Move:
        """The move an answer means. Looking it up in the list is the check of its legality."""
        try:
            if answer.index is not UNSET:
                return move_at(decision, answer.index)
            assert answer.move is not UNSET
            move = move_of(answer.move)
            if move not in decision.legal:
                raise BotError("illegal", self.game.refusal(decision, move))
        except BotError as error:
            raise Failure(error.fault, error.reason, chair.player.evidence()) from None
        return move

    def count(self, chair: Chair, seconds: float, cpu: float | None) -> None:
        chair.decisions += 1
        chair.seconds += seconds
        chair.slowest = max(chair.slowest, seconds)
        chair.cpu += cpu or 0.0

    def play_move(
        self, decision: Decision, move: Move, *, by: By = "bot", note: str = "", timing: Timing | None = None
    ) -> None:
        events = self.game.choose(move)
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
        """Write the verdict: forgiven, and the caretaker answers this once; or out."""
        forgiven = failure.fault in FORGIVABLE and chair.forgiven < self.job.faults
        verdict = Verdict(chair.number, failure.fault, failure.reason, self.question, forgiven)
        self.verdicts.append(verdict)
        self.evidence.append(failure.evidence)
        self.writer.add(VerdictLine(verdict), failure.evidence)
        if forgiven:
            chair.forgiven += 1
            chair.player.overrule()
        else:
            chair.out_at = self.question
            chair.player.leave()
            left = sum(not chair.out for chair in self.chairs)
            self.decided_early = left == 0 or (left == 1 and len(self.chairs) > 1)

    async def freeze_idle(self) -> None:
        """Holds every bot that is not asked (pondering = false)."""
        while True:
            await trio.sleep(FREEZE_AFTER)
            now = trio.current_time()
            for chair in self.chairs:
                player = chair.player
                if not player.asked and not player.gone and now - player.idle_since >= FREEZE_AFTER:
                    player.freeze()

    # ---- the end

    async def finish(self) -> GameReport:
        outcome = outcome_of(self.game, [chair.out_at for chair in self.chairs])
        self.writer.add(ResultLine(outcome))
        await self.tell_outcome(outcome)
        return GameReport(
            game=self.job.game,
            seed=self.job.seed,
            seats=tuple(chair.info.name for chair in self.chairs),
            outcome=outcome,
            verdicts=tuple(self.verdicts),
            evidence=tuple(self.evidence),
            stats=tuple(chair.stats() for chair in self.chairs),
            stderr=tuple(chair.player.body.stderr_tail() for chair in self.chairs),
            record=self.writer.finish(),
        )

    async def tell_outcome(self, outcome: Outcome) -> None:
        """To those who are still there, with the events they have not heard of."""
        for chair in self.chairs:
            if not chair.out:
                news = UNSET if chair.player.hello.wants == "state" else chair.news
                await chair.player.game_over(GameOver(outcome.ranks, outcome.result, events=news))


def own_random(seed: str, seat: int) -> int:
    """A number of each seat's own that does not give the seed away."""
    return int.from_bytes(hashlib.sha256(f"{seed}\nrandom\n{seat}".encode()).digest()[:6], "big")


def move_at(decision: Decision, index: int) -> Move:
    if not 0 <= index < len(decision.legal):
        shown = str(index) if abs(index) < 10**20 else "a huge number"
        raise BotError("illegal", f"index {shown}: this {decision.kind} decision has 0 to {len(decision.legal) - 1}")
    return decision.legal[index]


def rounded(cpu: float | None) -> float | None:
    return None if cpu is None else round(cpu, 6)


def outcome_of(game: Game, out_at: Sequence[int | None]) -> Outcome:
    """Who finished ranks by the rules; who is out ranks behind them, the later out the higher."""
    out = tuple(at is not None for at in out_at)
    result = game.result
    if result is None:
        keys: list[tuple[int, int]] = [(0, 0) if at is None else (1, -at) for at in out_at]
    else:
        keys = [(0, seat.rank) if at is None else (1, -at) for seat, at in zip(result.seats, out_at, strict=True)]
    ranks = tuple(1 + sum(other < key for other in keys) for key in keys)
    scores: tuple[int | None, ...] = tuple(
        None if result is None or is_out else result.scores[number] for number, is_out in enumerate(out)
    )
    return Outcome(ranks, scores, out, result is not None, result)
