"""News of a running tournament for its caller, piece by piece. Knows neither who plays it nor who shows it."""

from __future__ import annotations

from msgspec import Struct

from ..referee.job import GameReport
from .deals import Stage
from .entries import Version
from .fixtures import Fixture


class GameFinished(Struct, frozen=True):
    """A game is over and stored."""

    fixture: Fixture
    report: GameReport


class GameVoided(Struct, frozen=True):
    """The machine spoiled a game; it is played again unless `given_up`."""

    fixture: Fixture
    reason: str
    given_up: bool


class RoundAnnounced(Struct, frozen=True):
    """A round of `games` games, of which `missing` remain: fewer if the tournament is resumed."""

    number: int
    games: int
    due_count: int
    stage: Stage = "main"
    done: int = 0
    """Finished games of the whole tournament ..."""
    total: int = 0
    """... and all games, as far as can be forecast."""
    is_resumed: bool = False
    """It had already begun: some of its matches are undecided."""


class DealChosen(Struct, frozen=True):
    """On a ladder: who plays next, and why."""

    number: int
    """How many deals were chosen so far."""
    seats: tuple[str, ...]
    reason: str


class PauseChanged(Struct, frozen=True):
    """The host paused the tournament or, if `on` is False, resumed it."""

    on: bool
    reason: str


class TrialFinished(Struct, frozen=True):
    """A submitted version is ready, or was rejected."""

    name: str
    version: Version
    plays_at_once: bool = False
    """On a ladder; otherwise from the next round on."""


class ClusterNotice(Struct, frozen=True):
    """About the machines that play: one joined, or one gets no game and why."""

    text: str


class DiskStateChanged(Struct, frozen=True):
    """The disk is full, so nothing begins and finished games wait to be stored; without a problem, play continues."""

    problem: str


News = (
    GameFinished
    | GameVoided
    | RoundAnnounced
    | DealChosen
    | PauseChanged
    | TrialFinished
    | ClusterNotice
    | DiskStateChanged
)
