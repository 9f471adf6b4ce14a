"""A game job: all that is needed to play one game anywhere, and what comes back. Plain data, JSON both ways."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ..game import RULES, GameOptions
from .clock import TimeControl
from .sandbox.isolation import Policy
from .verdict import Evidence, Outcome, Verdict

Restart = Literal["never", "deal", "game"]
"""Which games a process of a bot may play: all; those of deals that it has not seen; one."""


StderrPlace = Literal["apart", "record"]
"""Where what bots write to stderr goes, decision by decision: into the report alone, or into the record, which whoever
gets the record can read."""


class SeatJob(Struct, frozen=True, omit_defaults=True):
    """A bot in a seat: where it lies, what the host calls it."""

    path: str
    name: str
    forfeit: str = ""
    """Why it is not started (benched, withdrawn); the seat is out from the beginning."""
    entry: int | None = None
    edition: int = 0
    """Both for the record: the number of its entry in a night, and which of its versions this is."""
    env: dict[str, str] = {}
    """Settings for this game, beside those of its bot.toml; they stand in the record."""


class Start(Struct, frozen=True):
    """A position of another record, from which the game goes on."""

    digest: str
    """Of that record's game."""
    indexes: tuple[int, ...]
    """The decisions up to there: which of the legal moves was chosen."""
    rules: int = RULES
    """The version of the rules that it was played by, and is played on by."""


class GameJob(Struct, frozen=True, omit_defaults=True):
    game: str
    options: GameOptions
    seed: str
    seats: tuple[SeatJob, ...]
    clock: TimeControl = TimeControl()
    faults: int = 0
    restart: Restart = "never"
    sandbox: Policy = "auto"
    pondering: bool = False
    seating: int = 0
    """Which seating of its deal, counted from 0."""
    stderr: StderrPlace = "apart"
    anonymous: bool = False
    """Bots are told no names: `seat 0`, `seat 1` ..."""
    start: Start | None = None
    """None: from the beginning."""


class SeatStats(Struct, frozen=True, gc=False):
    """What a seat used in a game."""

    decisions: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    cpu: float = 0.0
    startup: float = 0.0
    """Seconds until `ready`; with those until `hello`, if a process was started for this game."""


class GameReport(Struct, frozen=True):
    """A finished game: its outcome, its verdicts with evidence, and its whole record."""

    game: str
    seed: str
    seats: tuple[str, ...]
    outcome: Outcome
    verdicts: tuple[Verdict, ...]
    evidence: tuple[Evidence, ...]
    """One for each verdict."""
    stats: tuple[SeatStats, ...]
    stderr: tuple[str, ...]
    """The end of what each seat wrote there."""
    record: bytes
    said: tuple[dict[int, str], ...] = ()
    """For each seat, what it wrote to stderr by decision; empty when the record has it."""
    civilizations: tuple[str, ...] = ()
    """Of the seats."""
