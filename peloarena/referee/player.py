"""A player: what the table knows of whoever sits there, and the one way in which a player can fail.

A bot behind its link (link_player.py), a function in this process, or an empty seat (both inprocess.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from ..game.kinds import Move
from ..protocol import Fault
from ..protocol.messages import Answer, BotHello, Decide, GameOver, NewGame
from .clock import TimeControl
from .verdict import Evidence

Meaning = Callable[[Answer], Move]
"""The legal move that an answer means; BotError when it means none. Only the table, which has the game, can tell."""


class Spent(Struct, frozen=True, gc=False):
    """What an answer took, in seconds."""

    seconds: float
    cpu: float | None = None
    """CPU time of the bot's processes; None where nobody can tell."""
    lag: float = 0.0
    """Seconds in which the referee stood still; not counted in `seconds`."""


class Thought(Struct, frozen=True, gc=False):
    """An answer: a legal move and what it took."""

    move: Move
    spent: Spent
    note: str = ""
    dropped: int = 0
    """Late answers to forgiven questions that came before it."""
    stderr: str = ""
    """What it wrote there since its last answer."""


class Failure(Exception):
    """A player failed: its fault, a sentence, and what its author needs to mend it."""

    def __init__(self, fault: Fault, reason: str, evidence: Evidence, spent: Spent | None = None) -> None:
        super().__init__(reason)
        self.fault: Fault = fault
        self.reason = reason
        self.evidence = evidence
        self.spent = spent
        """Counted among the times of the seat: of an answer that came, or of a wait that ended; else None."""

    @property
    def left(self) -> bool:
        """It ended without a word."""
        return self.evidence.exit_status is not None and not self.evidence.answer


class Player(Protocol):
    @property
    def hello(self) -> BotHello: ...

    @property
    def bank(self) -> float:
        """Seconds left on its clock."""
        ...

    @property
    def startup(self) -> float:
        """Seconds that it took to sit down to this game, its start included if there was one."""
        ...

    @property
    def gone(self) -> bool:
        """It failed; nothing is asked of it any more."""
        ...

    @property
    def sits_down_quickly(self) -> bool:
        """It did so the last time, within a few milliseconds, and is there."""
        ...

    async def sit_down(self, message: NewGame, control: TimeControl) -> None:
        """Failure when it is not ready in time."""

    async def decide(self, message: Decide, meaning: Meaning) -> Thought:
        """One question, one answer, under its clock. Failure for anything but a legal move in time."""
        ...

    async def game_over(self, message: GameOver) -> None: ...

    def overrule(self) -> None:
        """The open question is answered for it; it plays on."""

    def leave(self) -> None:
        """It is out: nothing more is said to it, and what it runs is ended."""

    def rest_if_idle(self, now: float, after: float, pondering: bool) -> None:
        """When nothing was awaited of it for `after` seconds, what it runs is held, or has the least of the CPU."""

    def stderr(self) -> str:
        """The end of what it wrote there during this game."""
        ...

    def last_stderr(self) -> str:
        """What it wrote there since its last answer, where the middle of much is cut."""
        ...
