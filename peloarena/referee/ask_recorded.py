"""Asks again: rebuilds the messages of a recorded decision and lets a bot answer them.

A bot's memory at the time of the original question cannot be restored; everything that it was sent can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from ..game.kinds import Event, Move
from ..protocol.messages import PROTOCOL_VERSION, Decide, Hello, NewGame, Wants
from .bot_finder import Bot
from .bot_process import open_bot_process
from .game_clock import Clock
from .link_player import LinkPlayer
from .player import PlayerFailure, TimeSpent
from .record import software_version
from .replay import Frame, Replay
from .sandbox.isolation import Isolation
from .seat_messages import decide_message, newgame_message, resolve_move, visible_names
from .time_control import TimeControl
from .verdict import Evidence


class RepeatedDecision(Struct, frozen=True):
    """The result of one decision."""

    frame: Frame
    move: Move | None = None
    """None: it failed."""
    note: str = ""
    stderr: str = ""
    spent: TimeSpent | None = None
    fault: str = ""
    reason: str = ""
    evidence: Evidence | None = None

    @property
    def is_same_move(self) -> bool:
        return self.move == self.frame.line.move


def with_clock(replay: Replay, clock: TimeControl) -> Replay:
    """The same game with another clock, with the whole bank for every decision: nobody knows what would be left."""
    return replace(
        replay, header=replace(replay.header, clock=clock), frames=tuple(map(_without_timing, replay.frames))
    )


def _without_timing(frame: Frame) -> Frame:
    verdicts = tuple(replace(one, evidence=replace(one.evidence, seconds=None)) for one in frame.verdicts_with_evidence)
    return replace(frame, timing=None, verdicts_with_evidence=verdicts)


def was_asked(frame: Frame) -> bool:
    """Whether the seat itself was asked then, whatever the result."""
    return frame.line.by == "bot" or any(verdict.decision == frame.number for verdict in frame.verdicts)


def rebuild_newgame(replay: Replay, seat: int) -> NewGame:
    header = replay.header
    names = visible_names(replay.names, header.anonymous)
    return newgame_message(replay.final_game, seat, names, header.clock, header.seating, header.token_key)


def bank_at(replay: Replay, frame: Frame) -> float:
    """What its clock showed. A decision records the time left, the evidence of a forgiven one the time used."""
    clock = Clock(replay.header.clock)
    for one in replay.frames[: frame.number - 1]:
        if one.line.seat != frame.line.seat:
            continue
        if one.timing is not None and one.timing.bank is not None:
            clock.bank = one.timing.bank
        for judged in one.verdicts_with_evidence:
            if judged.verdict.forgiven and judged.evidence.seconds is not None:
                clock.charge(judged.evidence.seconds)
    return clock.bank


def events_since_last_question(replay: Replay, frame: Frame) -> list[Event]:
    """The events since the seat was last asked."""
    news = list(replay.opening)
    for one in replay.frames[: frame.number - 1]:
        if one.line.seat == frame.line.seat and was_asked(one):
            news = []
        news += one.line.events
    return news


def rebuild_decide(replay: Replay, frame: Frame, wants: Wants) -> Decide:
    """The exact message that was sent to a bot with this `wants`."""
    decision = frame.game.decision
    assert decision is not None
    news: list[Event] | UnsetType = UNSET if wants == "state" else events_since_last_question(replay, frame)
    return decide_message(frame.game, decision, frame.number, bank_at(replay, frame), wants, news)


def rebuild_messages(replay: Replay, frames: Iterable[Frame], wants: Wants) -> list[Hello | NewGame | Decide]:
    """Everything that a bot receives up to these decisions of one seat, if it is asked nothing else."""
    asked = list(frames)
    opening: list[Hello | NewGame | Decide] = [
        Hello(PROTOCOL_VERSION, software_version()),
        rebuild_newgame(replay, asked[0].line.seat),
    ]
    return opening + [rebuild_decide(replay, frame, wants) for frame in asked]


async def ask_again(
    replay: Replay, frames: Iterable[Frame], bot: Bot, isolation: Isolation, report: Callable[[RepeatedDecision], None]
) -> None:
    """Asks the bot these decisions of one seat, in one process; starts a new one after each failure."""
    waiting = list(frames)
    while waiting:
        async with open_bot_process(bot, isolation) as process:
            player = LinkPlayer(process.transport, process)
            try:
                await player.greet(replay.header.clock.startup)
                await player.start_game(rebuild_newgame(replay, waiting[0].line.seat), replay.header.clock)
            except PlayerFailure as failure:
                report(failed_decision(waiting[0], failure))
                return
            while waiting:
                answered = await ask_one(player, replay, waiting.pop(0))
                report(answered)
                if answered.move is None:
                    break


async def ask_one(player: LinkPlayer, replay: Replay, frame: Frame) -> RepeatedDecision:
    player.clock.bank = bank_at(replay, frame)
    try:
        thought = await player.decide(
            rebuild_decide(replay, frame, player.hello.wants), partial(resolve_move, frame.game)
        )
    except PlayerFailure as failure:
        return failed_decision(frame, failure)
    return RepeatedDecision(frame, thought.move, thought.note, thought.stderr, thought.spent)


def failed_decision(frame: Frame, failure: PlayerFailure) -> RepeatedDecision:
    evidence = failure.evidence
    return RepeatedDecision(frame, None, "", evidence.stderr, failure.spent, failure.fault, failure.reason, evidence)
