"""Requests and answers of the line service: frozen Structs with a `type` tag, one JSON object a line."""

from __future__ import annotations

from typing import Annotated

from msgspec import UNSET, Meta, Struct, UnsetType

from ..game import GameOptions, Result, View
from ..game.kinds import Event, Move
from ..game.pieces import Tile
from ..protocol.about import About
from ..protocol.reconstruction import DecideFields, NewGameFields

SERVICE_VERSION = 1
"""Raised when a client that follows the page would no longer be served."""
MAX_REQUEST_BYTES = 64 * 1024
MAX_OPEN_GAMES = 1000
MAX_PLAYOUTS = 10_000

RandomSeed = Annotated[int, Meta(ge=0, le=2**53 - 1)]
"""Seeds a generator: the same number gives the same answer."""


class EngineRequest(Struct, frozen=True, forbid_unknown_fields=True):
    id: int | None = None
    """The client's own number; the answer repeats it."""


class HelloRequest(EngineRequest, frozen=True, tag="hello", forbid_unknown_fields=True):
    pass


class NewRequest(EngineRequest, frozen=True, tag="new", forbid_unknown_fields=True, kw_only=True):
    options: GameOptions
    seed: str


class FromDecideRequest(EngineRequest, frozen=True, tag="from_decide", forbid_unknown_fields=True, kw_only=True):
    newgame: NewGameFields
    decide: DecideFields
    random: RandomSeed


class LegalRequest(EngineRequest, frozen=True, tag="legal", forbid_unknown_fields=True, kw_only=True):
    game: int


class ChooseRequest(EngineRequest, frozen=True, tag="choose", forbid_unknown_fields=True, kw_only=True):
    game: int
    index: int | UnsetType = UNSET
    move: dict[str, str | int | float | bool | None] | UnsetType = UNSET
    events: bool = False


class CloneRequest(EngineRequest, frozen=True, tag="clone", forbid_unknown_fields=True, kw_only=True):
    game: int


class DropRequest(EngineRequest, frozen=True, tag="drop", forbid_unknown_fields=True, kw_only=True):
    game: int


class ViewRequest(EngineRequest, frozen=True, tag="view", forbid_unknown_fields=True, kw_only=True):
    game: int
    seat: int


class DeterminizeRequest(EngineRequest, frozen=True, tag="determinize", forbid_unknown_fields=True, kw_only=True):
    game: int
    seat: int
    random: RandomSeed


class PlayoutRequest(EngineRequest, frozen=True, tag="playout", forbid_unknown_fields=True, kw_only=True):
    game: int
    random: RandomSeed
    playouts: Annotated[int, Meta(ge=1, le=MAX_PLAYOUTS)] = 1
    policy: str = "random"
    index: int | None = None
    """The first move; chosen by the policy if left out."""
    seat: int | None = None
    """For each playout, draws again what this seat does not see."""


AnyRequest = (
    HelloRequest
    | NewRequest
    | FromDecideRequest
    | LegalRequest
    | ChooseRequest
    | CloneRequest
    | DropRequest
    | ViewRequest
    | DeterminizeRequest
    | PlayoutRequest
)


class EngineReply(Struct, frozen=True, omit_defaults=True):
    id: int | None = None


class HelloReply(EngineReply, frozen=True, tag="hello", kw_only=True):
    engine: str
    service: int
    rules: int
    policies: tuple[str, ...]


class GameReply(EngineReply, frozen=True, tag="game", kw_only=True):
    """The state of a game: who is asked, or how it ended."""

    game: int
    seat: int | UnsetType = UNSET
    kind: str | UnsetType = UNSET
    moves: int | UnsetType = UNSET
    """How many moves are legal."""
    result: Result | UnsetType = UNSET
    events: list[Event] | UnsetType = UNSET


class LegalReply(EngineReply, frozen=True, tag="legal", kw_only=True):
    game: int
    seat: int
    kind: str
    legal: list[Move]
    about: About | UnsetType = UNSET


class DroppedReply(EngineReply, frozen=True, tag="dropped", kw_only=True):
    game: int


class ViewReply(EngineReply, frozen=True, tag="view", kw_only=True):
    game: int
    state: View
    tiles: tuple[Tile, ...]


class PlayoutReply(EngineReply, frozen=True, tag="playout", kw_only=True):
    """Sums over all playouts, by seat."""

    game: int
    playouts: int
    scores: tuple[int, ...]
    ahead: tuple[int, ...]
    """The distance to the best other seat's score; negative for a seat that is behind."""
    firsts: tuple[int, ...]
    """Playouts won, shared first ranks included; in solo: the level passed."""


class ErrorReply(EngineReply, frozen=True, tag="error", kw_only=True):
    error: str


AnyReply = HelloReply | GameReply | LegalReply | DroppedReply | ViewReply | PlayoutReply | ErrorReply
