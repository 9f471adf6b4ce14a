"""Asks again: rebuilds the messages of a recorded decision and lets a bot answer them.

A bot's memory at the time of the original question cannot be restored; everything that it was sent can.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial

from msgspec import UNSET, Struct, UnsetType
from msgspec.structs import replace

from ..game.kinds import Event, Move
from ..protocol.messages import PROTOCOL, Decide, Hello, NewGame, Wants
from .asking import decide_message, move_meant, names_told, newgame_message
from .bots import Bot
from .clock import TimeControl
from .film import Film, Frame
from .game_clock import Clock
from .link_player import LinkPlayer
from .player import Failure, Spent
from .process import started
from .record import software
from .sandbox.isolation import Isolation
from .verdict import Evidence


class AskedAgain(Struct, frozen=True):
    """The result of one decision."""

    frame: Frame
    move: Move | None = None
    """None: it failed."""
    note: str = ""
    stderr: str = ""
    spent: Spent | None = None
    fault: str = ""
    reason: str = ""
    evidence: Evidence | None = None

    @property
    def same(self) -> bool:
        return self.move == self.frame.line.move


def retimed(film: Film, clock: TimeControl) -> Film:
    """The same game with another clock, with the whole bank for every decision: nobody knows what would be left."""
    return replace(film, header=replace(film.header, clock=clock), frames=tuple(map(_untimed, film.frames)))


def _untimed(frame: Frame) -> Frame:
    judged = tuple(replace(one, evidence=replace(one.evidence, seconds=None)) for one in frame.judged)
    return replace(frame, timing=None, judged=judged)


def was_asked(frame: Frame) -> bool:
    """Whether the seat itself was asked then, whatever the result."""
    return frame.line.by == "bot" or any(verdict.decision == frame.number for verdict in frame.verdicts)


def newgame_of(film: Film, seat: int) -> NewGame:
    header = film.header
    names = names_told(film.names, header.anonymous)
    return newgame_message(film.end, seat, names, header.clock, header.seating, header.token_key)


def bank_at(film: Film, frame: Frame) -> float:
    """What its clock showed. A decision records the time left, the evidence of a forgiven one the time used."""
    clock = Clock(film.header.clock)
    for one in film.frames[: frame.number - 1]:
        if one.line.seat != frame.line.seat:
            continue
        if one.timing is not None and one.timing.bank is not None:
            clock.bank = one.timing.bank
        for judged in one.judged:
            if judged.verdict.forgiven and judged.evidence.seconds is not None:
                clock.charge(judged.evidence.seconds)
    return clock.bank


def news_at(film: Film, frame: Frame) -> list[Event]:
    """The events since the seat was last asked."""
    news = list(film.opening)
    for one in film.frames[: frame.number - 1]:
        if one.line.seat == frame.line.seat and was_asked(one):
            news = []
        news += one.line.events
    return news


def decide_of(film: Film, frame: Frame, wants: Wants) -> Decide:
    """The exact message that was sent to a bot with this `wants`."""
    decision = frame.game.decision
    assert decision is not None
    news: list[Event] | UnsetType = UNSET if wants == "state" else news_at(film, frame)
    return decide_message(frame.game, decision, frame.number, bank_at(film, frame), wants, news)


def messages_of(film: Film, frames: Iterable[Frame], wants: Wants) -> list[Hello | NewGame | Decide]:
    """Everything that a bot receives up to these decisions of one seat, if it is asked nothing else."""
    asked = list(frames)
    opening: list[Hello | NewGame | Decide] = [Hello(PROTOCOL, software()), newgame_of(film, asked[0].line.seat)]
    return opening + [decide_of(film, frame, wants) for frame in asked]


async def ask_again(
    film: Film, frames: Iterable[Frame], bot: Bot, isolation: Isolation, tell: Callable[[AskedAgain], None]
) -> None:
    """Asks the bot these decisions of one seat, in one process; starts a new one after each failure."""
    waiting = list(frames)
    while waiting:
        async with started(bot, isolation) as process:
            player = LinkPlayer(process.transport, process)
            try:
                await player.greet(film.header.clock.startup)
                await player.sit_down(newgame_of(film, waiting[0].line.seat), film.header.clock)
            except Failure as failure:
                tell(failed(waiting[0], failure))
                return
            while waiting:
                answered = await ask_one(player, film, waiting.pop(0))
                tell(answered)
                if answered.move is None:
                    break


async def ask_one(player: LinkPlayer, film: Film, frame: Frame) -> AskedAgain:
    player.clock.bank = bank_at(film, frame)
    try:
        thought = await player.decide(decide_of(film, frame, player.hello.wants), partial(move_meant, frame.game))
    except Failure as failure:
        return failed(frame, failure)
    return AskedAgain(frame, thought.move, thought.note, thought.stderr, thought.spent)


def failed(frame: Frame, failure: Failure) -> AskedAgain:
    evidence = failure.evidence
    return AskedAgain(frame, None, "", evidence.stderr, failure.spent, failure.fault, failure.reason, evidence)
