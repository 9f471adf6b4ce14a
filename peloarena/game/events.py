"""The events of the base game: what happened, in order. The sum of all events is the whole public state."""

from msgspec import Struct

from .goods import Goods
from .kinds import Event, Move


class Dealt(Event, Struct, frozen=True, tag="dealt", gc=False):
    """S1: a seat's civilization."""

    seat: int
    civilization: str


class Ordered(Event, Struct, frozen=True, tag="ordered", gc=False):
    """S1, R3: the turn order."""

    order: tuple[int, ...]


class RoundStarted(Event, Struct, frozen=True, tag="round", gc=False):
    number: int


class Revealed(Event, Struct, frozen=True, tag="revealed", gc=False):
    """R1: tiles are laid into the two rows."""

    open: tuple[str, ...]
    conquest: tuple[str, ...]


class Chose(Event, Struct, frozen=True, tag="chose", omit_defaults=True, gc=False):
    """P4: a seat's move; `forced` when it was the only one."""

    seat: int
    kind: str
    move: Move
    forced: bool = False


class Stock(Event, Struct, frozen=True, tag="stock", gc=False):
    """How a seat's goods changed, overflow (P6) and luxury that stood in (P5) counted in."""

    seat: int
    why: str
    change: Goods


class Displaced(Event, Struct, frozen=True, tag="displaced", gc=False):
    """R2d."""

    seat: int
    tile: str
    by: int


class Discarded(Event, Struct, frozen=True, tag="discarded", gc=False):
    """R2, end: nobody bid; the tiles left the game."""

    tiles: tuple[str, ...]


class Placed(Event, Struct, frozen=True, tag="placed", omit_defaults=True, gc=False):
    """R4: the tile is the seat's; `marked` counts the coins on it, if it is marked."""

    seat: int
    tile: str
    marked: int = 0


class Lost(Event, Struct, frozen=True, tag="lost", gc=False):
    """A tile left the game from a seat, or before it was placed."""

    seat: int
    tile: str
    why: str


class Completed(Event, Struct, frozen=True, tag="completed", gc=False):
    """V2."""

    seat: int
    tile: str


class ChitDrawn(Event, Struct, frozen=True, tag="chit", gc=False):
    """R7: a chit is turned up."""

    kind: str


class ChitSlid(Event, Struct, frozen=True, tag="chit_slid", gc=False):
    """A chit turned up goes, seen by all, under the pile."""

    kind: str


class Struck(Event, Struct, frozen=True, tag="disaster", gc=False):
    """D: a disaster strikes."""

    kind: str


class Protected(Event, Struct, frozen=True, tag="protected", gc=False):
    """D: this seat is not affected."""

    seat: int
    kind: str


class SupplyStarted(Event, Struct, frozen=True, tag="supply", gc=False):
    final: bool


class Finished(Event, Struct, frozen=True, tag="finished", gc=False):
    """E2."""

    scores: tuple[int, ...]
    ranks: tuple[int, ...]
