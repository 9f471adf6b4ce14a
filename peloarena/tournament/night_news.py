"""What a running night tells whoever started it, piece by piece. Knows neither who plays it nor who shows it."""

from __future__ import annotations

from msgspec import Struct

from ..referee.job import GameReport
from .deals import Stage
from .entries import Version
from .rounds import Fixture


class Ended(Struct, frozen=True):
    """A game is over and in the store."""

    fixture: Fixture
    report: GameReport


class Voided(Struct, frozen=True):
    """The machine spoiled a game; it is tried again unless `given_up`."""

    fixture: Fixture
    reason: str
    given_up: bool


class RoundBegun(Struct, frozen=True):
    """A round of `games` games, of which `missing` are to be played: fewer where a night goes on."""

    number: int
    games: int
    missing: int
    stage: Stage = "main"
    done: int = 0
    """Finished games of the whole night ..."""
    total: int = 0
    """... and all of it, as far as can be told now."""
    goes_on: bool = False
    """It had begun already: matches of it are not decided yet."""


class DealChosen(Struct, frozen=True):
    """On a ladder: who plays next, and why."""

    number: int
    """How many were chosen so far."""
    seats: tuple[str, ...]
    reason: str


class Paused(Struct, frozen=True):
    """The host's order to pause, or with `on` False to go on."""

    on: bool
    reason: str


class Tried(Struct, frozen=True):
    """A version that was handed in is ready, or was refused."""

    name: str
    version: Version
    at_once: bool = False
    """On a ladder; else from the next round on."""


class Noticed(Struct, frozen=True):
    """Of the machines that play: one came, one gets no game and why."""

    text: str


News = Ended | Voided | RoundBegun | DealChosen | Paused | Tried | Noticed
