"""When a run of a night ends although there is more to play: at an hour, or after so many games. Pure.

What has begun is played to its end: a round, or on a ladder the deals that are on. So the table is fair whenever a run
ends.
"""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from msgspec import Struct

from ..game import ConfigError

HOUR = re.compile(r"([01]?[0-9]|2[0-3]):([0-5][0-9])", re.ASCII)


class Ending(Struct, frozen=True):
    until: float | None = None
    """Seconds since 1970: afterwards nothing begins."""
    games: int | None = None
    """Of a ladder: no deal is chosen once the night has so many."""

    def is_reached(self, now: float, games: int) -> bool:
        return (self.until is not None and now >= self.until) or (self.games is not None and games >= self.games)


def next_time(hour: str, now: float) -> float:
    """When the clock on the wall shows it next: today, or past midnight."""
    found = HOUR.fullmatch(hour.strip())
    if found is None:
        raise ConfigError(f"--until {hour!r}: a time of day, for example 23:00")
    begin = datetime.fromtimestamp(now)
    then = begin.replace(hour=int(found[1]), minute=int(found[2]), second=0, microsecond=0)
    if then.timestamp() <= now:
        then = (begin + timedelta(days=1)).replace(hour=then.hour, minute=then.minute, second=0, microsecond=0)
    return then.timestamp()


def time_text(until: float, now: float) -> str:
    """`23:00`, or `01:00 tomorrow`."""
    then = datetime.fromtimestamp(until)
    tomorrow = " tomorrow" if then.date() > datetime.fromtimestamp(now).date() else ""
    return f"{then:%H:%M}{tomorrow}"
