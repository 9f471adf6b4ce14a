"""The messages: frozen Structs with a `type` tag, one JSON object a line. Two unions, one for each direction."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from ..game import View
from ..game.kinds import Event, Move
from ..game.pieces import Catalogue, Tile
from ..game.shapes import Result
from .about import About

PROTOCOL_VERSION = 1
"""Raised when a bot that follows the page would no longer play."""
LONGEST_NOTE = 500
LONGEST_NAME = 80

Wants = Literal["state", "events", "both"]
BotLabel = Annotated[str, Meta(max_length=LONGEST_NAME)]
Milliseconds = int


# ---- from the referee


class Hello(Struct, frozen=True, tag="hello"):
    """The first line. The bot answers with its own `hello`."""

    protocol: int
    referee: str


class TimeLimits(Struct, frozen=True):
    """The game clock: a bank, what is added after each answer, and the limit of a single answer, if any."""

    bank_ms: Milliseconds
    increment_ms: Milliseconds
    move_ms: Milliseconds | None = None


class TableOptions(Struct, frozen=True):
    """What is played; the seed stays secret."""

    players: int
    modules: tuple[str, ...]
    level: int
    """Solo: 1 to 5; otherwise 0."""
    rounds: int
    tiles_per_round: int
    components: str | UnsetType = UNSET
    """The host's corrections of what is printed on the pieces, as TOML text; left out when there are none."""


class NewGame(Struct, frozen=True, tag="newgame"):
    """A game begins. The bot answers `ready`."""

    game: str
    seat: int
    seats: tuple[str, ...]
    """The names at the table, by seat."""
    options: TableOptions
    clock: TimeLimits
    random: int
    """This bot's own number for this game, so that a bot that plays at random can repeat it."""
    catalogue: Catalogue
    """All pieces in play."""


class Decide(Struct, frozen=True, tag="decide"):
    """A decision: the bot answers with an index into `legal`, or the move itself."""

    id: int
    kind: str
    legal: list[Move]
    bank_ms: Milliseconds
    """The time left on the clock."""
    about: About | UnsetType = UNSET
    """The subject of the question, by kind of decision; left out where there is none."""
    state: View | UnsetType = UNSET
    tiles: tuple[Tile, ...] | UnsetType = UNSET
    """With `state`: the tiles on display, in full."""
    events: list[Event] | UnsetType = UNSET
    """What happened since the last message of this game."""


class GameOver(Struct, frozen=True, tag="gameover", omit_defaults=True):
    """The game ended; nothing is answered. A bot that is out is not told."""

    ranks: tuple[int, ...]
    result: Result | None
    """None when the game was not played to its end."""
    events: list[Event] | UnsetType = UNSET


class Quit(Struct, frozen=True, tag="quit"):
    """No more games: leave at once; after half a second the process is ended."""


ToBot = Hello | NewGame | Decide | GameOver | Quit


# ---- from the bot


class BotHello(Struct, frozen=True, tag="hello", forbid_unknown_fields=True):
    """Who is there, and what it wants with every decision."""

    name: BotLabel
    version: BotLabel = ""
    wants: Wants = "state"


class Ready(Struct, frozen=True, tag="ready", forbid_unknown_fields=True):
    pass


class Answer(Struct, frozen=True, tag="answer", forbid_unknown_fields=True):
    """Either `index` or `move`."""

    id: int
    index: int | UnsetType = UNSET
    move: dict[str, str | int | float | bool | None] | UnsetType = UNSET
    note: Annotated[str, Meta(max_length=LONGEST_NOTE)] = ""
    """Kept in the record."""


FromBot = BotHello | Ready | Answer
