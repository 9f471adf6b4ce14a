"""Time control: the time that a game grants a bot. game_clock.py keeps what is left of it."""

from __future__ import annotations

import re

from msgspec import Struct
from msgspec.structs import force_setattr

from ..game import ConfigError
from ..protocol.messages import TimeLimits

GRACE_SECONDS = 0.05
"""Late means later than this: time that the machine, not the bot, may have needed."""
SECONDS_PER_UNIT = {"ms": 0.001, "s": 1.0, "m": 60.0}
TIME_CONTROL_PATTERN = re.compile(
    r"(?P<bank>[\d.]+(?:ms|s|m))(?:\+(?P<increment>[\d.]+(?:ms|s|m)))?(?:/(?P<move>[\d.]+(?:ms|s|m)))?"
    r"(?:@(?P<startup>[\d.]+(?:ms|s|m)))?"
)
MAX_TIME_SECONDS = 24 * 3600.0
DEFAULT_STARTUP_SECONDS = 10.0
MAX_STARTUP_SECONDS = 600.0
"""All players wait for it."""


class TimeControl(Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """In seconds: a bank for the game, an increment after each answer, a limit for one answer."""

    bank: float = 30.0
    increment: float = 0.5
    move: float | None = None
    startup: float = DEFAULT_STARTUP_SECONDS
    """For `hello`, and again for each `ready`; not part of the bank."""
    grace: float = GRACE_SECONDS

    def __post_init__(self) -> None:
        """Accepts whole seconds as integers; a record always shows them as fractions."""
        for name in self.__struct_fields__:
            if type(getattr(self, name)) is int:
                force_setattr(self, name, float(getattr(self, name)))

    def limits(self) -> TimeLimits:
        return TimeLimits(
            round(self.bank * 1000),
            round(self.increment * 1000),
            None if self.move is None else round(self.move * 1000),
        )

    def text(self) -> str:
        """`30s+0.5s/5s`."""
        limit = "" if self.move is None else f"/{self.move:g}s"
        startup = "" if self.startup == DEFAULT_STARTUP_SECONDS else f"@{self.startup:g}s"
        return f"{self.bank:g}s+{self.increment:g}s{limit}{startup}"


def parse_time(text: str) -> TimeControl:
    """`30s+0.5s/5s@60s`: bank, increment, limit per move, startup time; all but the first are optional."""
    match = TIME_CONTROL_PATTERN.fullmatch(text.replace(" ", ""))
    if match is None:
        raise ConfigError(f"time {text!r}: write bank+increment/move@start, for example 30s+0.5s/5s, 2m or 30s@60s")
    parts = {name: None if part is None else parse_seconds(part, text) for name, part in match.groupdict().items()}
    bank, increment, move = parts["bank"] or 0.0, parts["increment"] or 0.0, parts["move"]
    if bank + increment <= 0 or (move is not None and move <= 0):
        raise ConfigError(f"time {text!r}: leaves no time to answer")
    startup = DEFAULT_STARTUP_SECONDS if parts["startup"] is None else parts["startup"]
    if not 0 < startup <= MAX_STARTUP_SECONDS:
        raise ConfigError(f"time {text!r}: the start time must be more than 0 and at most {MAX_STARTUP_SECONDS:g} s")
    return TimeControl(bank, increment, move, startup)


def parse_seconds(part: str, whole: str) -> float:
    unit = "ms" if part.endswith("ms") else part[-1]
    try:
        value = float(part.removesuffix(unit)) * SECONDS_PER_UNIT[unit]
    except ValueError:
        raise ConfigError(f"time {whole!r}: {part!r} is not a number with ms, s or m") from None
    if value > MAX_TIME_SECONDS:
        raise ConfigError(f"time {whole!r}: more than a day")
    return value
