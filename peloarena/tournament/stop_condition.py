"""When a run ends with games left to play: at a given hour, or after a number of games. Pure.

Everything that has begun is finished: a round, or on a ladder the current deals. So the table is fair whenever a run
ends.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from msgspec import Struct

from ..game import ConfigError

TIME_OF_DAY = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])", re.ASCII)


class StopCondition(Struct, frozen=True):
    until: float | None = None
    """Seconds since 1970: nothing begins after this."""
    games: int | None = None
    """Ladder: no deal is chosen once the tournament has this many games."""

    def is_reached(self, now: float, games: int) -> bool:
        return (self.until is not None and now >= self.until) or (self.games is not None and games >= self.games)


def next_time_of_day(time_of_day: str, now: float) -> float:
    """When a clock next shows this hour: today, or after midnight."""
    match = TIME_OF_DAY.fullmatch(time_of_day.strip())
    if match is None:
        raise ConfigError(f"--until {time_of_day!r}: not a time of day; write it like 23:00")
    begin = datetime.fromtimestamp(now)
    then = begin.replace(hour=int(match[1]), minute=int(match[2]), second=0, microsecond=0)
    if then.timestamp() <= now:
        then = (begin + timedelta(days=1)).replace(hour=then.hour, minute=then.minute, second=0, microsecond=0)
    return then.timestamp()


def time_text(until: float, now: float) -> str:
    """`23:00`, or `01:00 tomorrow`."""
    then = datetime.fromtimestamp(until)
    tomorrow = " tomorrow" if then.date() > datetime.fromtimestamp(now).date() else ""
    return f"{then:%H:%M}{tomorrow}"
