"""A player as the table knows it, and the one way in which a player can fail.

A bot behind its link (link_player.py), a function in this process, or an empty seat (both inprocess.py).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from msgspec import Struct

from ..game.kinds import Move
from ..protocol import Fault
from ..protocol.messages import Answer, BotHello, Decide, GameOver, NewGame
from .time_control import TimeControl
from .verdict import Evidence

ResolveMove = Callable[[Answer], Move]
"""The legal move that an answer means; BotError when it means none. Only the table, which has the game, can decide
that."""


class TimeSpent(Struct, frozen=True, gc=False):
    """The time of an answer, in seconds."""

    seconds: float
    cpu: float | None = None
    """CPU time of its processes; None where it is unknown."""
    lag: float = 0.0
    """Seconds in which the referee stood still; not counted in `seconds`."""


class PlayerAnswer(Struct, frozen=True, gc=False):
    """An answer: a legal move and the time it took."""

    move: Move
    spent: TimeSpent
    note: str = ""
    dropped: int = 0
    """Late answers to forgiven questions that came before it."""
    stderr: str = ""
    """Its stderr since its last answer."""


class PlayerFailure(Exception):
    """A player failed: its fault, a sentence, and what its author needs to fix it."""

    def __init__(self, fault: Fault, reason: str, evidence: Evidence, spent: TimeSpent | None = None) -> None:
        super().__init__(reason)
        self.fault: Fault = fault
        self.reason = reason
        self.evidence = evidence
        self.spent = spent
        """The time to count for the seat: of an answer that came, or of a wait that ended; else None."""

    @property
    def exited_silently(self) -> bool:
        """It ended without output."""
        return self.evidence.exit_status is not None and not self.evidence.answer


class Player(Protocol):
    @property
    def hello(self) -> BotHello: ...

    @property
    def bank(self) -> float:
        """Seconds left on its clock."""
        ...

    @property
    def startup_seconds(self) -> float:
        """Seconds that it took to get ready for this game, its start included if there was one."""
        ...

    @property
    def is_out(self) -> bool:
        """It failed; it is not asked any more."""
        ...

    @property
    def starts_quickly(self) -> bool:
        """It was ready within a few milliseconds the last time, and is running."""
        ...

    async def start_game(self, message: NewGame, control: TimeControl) -> None:
        """Raises PlayerFailure when it is not ready in time."""

    async def decide(self, message: Decide, resolve_move: ResolveMove) -> PlayerAnswer:
        """One question, one answer, under its clock. Raises PlayerFailure for anything but a legal move in time."""
        ...

    async def send_game_over(self, message: GameOver) -> None: ...

    def overrule_answer(self) -> None:
        """The caretaker answers the open question; it plays on."""

    def drop_out(self) -> None:
        """It is out: gets no more messages, and its processes are killed."""

    def pause_if_idle(self, now: float, after: float, pondering: bool) -> None:
        """Freezes it, or gives it the least CPU share, if no answer was awaited from it for `after` seconds."""

    def stderr_tail(self) -> str:
        """The end of its stderr in this game."""
        ...

    def take_stderr(self) -> str:
        """Its stderr since its last answer; long text is cut in the middle."""
        ...
