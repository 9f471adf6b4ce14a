"""The clock of one bot in one game, in whole microseconds. Knows no streams and no wall clock."""

from __future__ import annotations

from .time_control import TimeControl


class Clock:
    """One bot's bank in one game."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.bank = control.bank

    def allowance(self) -> float:
        """How long the next answer may take, without the grace."""
        return self.bank if self.control.move is None else min(self.bank, self.control.move)

    def charge(self, used: float) -> None:
        """Charges to the microsecond, as recorded: then the milliseconds sent to a bot also follow from the record."""
        self.bank = to_the_microsecond(max(0.0, self.bank - used) + self.control.increment)


def to_the_microsecond(seconds: float) -> float:
    """Rounds as records do, whose times are never negative. `round` takes four times as long, three times a
    decision."""
    return int(seconds * 1e6 + 0.5) / 1e6
