"""A game job: everything needed to play one game anywhere, and its report. Plain data, JSON both ways."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ..game import RULES, GameOptions
from .sandbox.isolation import SandboxPolicy
from .time_control import TimeControl
from .verdict import Evidence, Outcome, Verdict

Restart = Literal["never", "deal", "game"]
"""Which games one process of a bot may play: all; only deals that it has not seen; one."""


StderrDestination = Literal["apart", "record"]
"""Where bots' stderr goes, decision by decision: into the report alone, or into the record, where anyone who gets the
record can read it."""


class SeatJob(Struct, frozen=True, omit_defaults=True):
    """A bot in a seat: its path, and its name as the host gives it."""

    path: str
    name: str
    forfeit: str = ""
    """Why it is not started (benched, withdrawn); the seat is out from the beginning."""
    entry: int | None = None
    edition: int = 0
    """Both for the record: the number of its entry in a tournament, and which of its versions this is."""
    env: dict[str, str] = {}
    """Settings for this game, in addition to those of its bot.toml; they are in the record."""


class StartPosition(Struct, frozen=True):
    """A position of another record, from which the game continues."""

    digest: str
    """The digest of that record's game."""
    indexes: tuple[int, ...]
    """The decisions up to there: which of the legal moves was chosen."""
    rules: int = RULES
    """The version of the rules for both parts of the game."""


class GameJob(Struct, frozen=True, omit_defaults=True):
    game: str
    options: GameOptions
    seed: str
    seats: tuple[SeatJob, ...]
    clock: TimeControl = TimeControl()
    faults: int = 0
    restart: Restart = "never"
    sandbox: SandboxPolicy = "auto"
    pondering: bool = False
    seating: int = 0
    """Which seating of its deal, counted from 0."""
    stderr: StderrDestination = "apart"
    anonymous: bool = False
    """Bots see no names but `seat 0`, `seat 1` ..."""
    start: StartPosition | None = None
    """None: from the beginning."""
    token_key: str = ""
    """`game` and `random`, which bots receive, also follow from it (game_tokens.py); empty: from the seed alone."""


class SeatStats(Struct, frozen=True, gc=False):
    """What a seat used in a game."""

    decisions: int = 0
    seconds: float = 0.0
    slowest: float = 0.0
    cpu: float = 0.0
    startup: float = 0.0
    """Seconds until `ready`, including those until `hello` if a process was started for this game."""


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
    """The end of what each seat wrote to stderr."""
    record: bytes
    said: tuple[dict[int, str], ...] = ()
    """For each seat, its stderr by decision; empty when the record has it."""
    civilizations: tuple[str, ...] = ()
    """By seat."""
