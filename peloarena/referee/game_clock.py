"""The clock of one bot in one game, told in whole microseconds. Knows no streams and no wall clock."""

from __future__ import annotations

from .clock import TimeControl


class Clock:
    """One bot's bank in one game."""

    def __init__(self, control: TimeControl) -> None:
        self.control = control
        self.bank = control.bank

    def allowance(self) -> float:
        """How long the next answer may take, grace apart."""
        return self.bank if self.control.move is None else min(self.bank, self.control.move)

    def charge(self, used: float) -> None:
        """To the microsecond, as the record tells it: so the milliseconds told to a bot follow from the record, too."""
        self.bank = to_the_microsecond(max(0.0, self.bank - used) + self.control.increment)


def to_the_microsecond(seconds: float) -> float:
    """As a record tells times, which are never negative. `round` takes four times as long, three times a decision."""
    return int(seconds * 1e6 + 0.5) / 1e6
