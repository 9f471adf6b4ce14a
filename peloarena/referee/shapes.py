"""What passes from link to player to table with each question. Structs only: the code that makes them may be
compiled."""

from __future__ import annotations

from msgspec import Struct

from ..game.kinds import Move
from ..protocol.messages import FromBot
from .record import Timing


class BotReply(Struct, frozen=True, gc=False):
    message: FromBot
    seconds: float
    at: float
    """When it arrived, by Trio's clock."""
    lag: float = 0.0
    """Seconds in which we stood still; they are not in `seconds`."""


class SeatAnswer(Struct, frozen=True, gc=False):
    """A seat's own answer: legal, in time."""

    move: Move
    timing: Timing
    note: str = ""
