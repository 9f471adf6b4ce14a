"""The state of a game: one mutable State and its Seats, all their values immutable, so a clone is a few copies.

Rule: nothing reachable from a State is changed in place but the State and Seat fields themselves, the list
of seats and the agenda. Tuples and dicts are replaced, so clones share them.
"""

from __future__ import annotations

from msgspec import Struct
from msgspec.structs import replace

from .goods import NOTHING, Goods
from .kinds import Part, Step

Parts = dict[str, Part]


class Offer(Struct, frozen=True, gc=False):
    """R2: a bid lying on a tile."""

    tile: str
    seat: int
    coins: int


class Marker(Struct, frozen=True, gc=False):
    """R4a: a building marked with coins."""

    tile: str
    coins: int


class Seat(Struct):
    """What lies before one player."""

    civilization: str = ""
    mat: str = ""
    wood: int = 0
    stone: int = 0
    food: int = 0
    coin: int = 0
    pop: int = 0
    lux: int = 0
    lands: tuple[str, ...] = ()
    buildings: tuple[str, ...] = ()
    marks: tuple[Marker, ...] = ()
    bidding: str = ""
    """This round: "" (yet to act), "bid", "passed", "withdrew", or a module's word for another way to act."""
    taken: str = ""
    """The tile taken and kept this round (R4)."""
    chosen: tuple[str, ...] = ()
    """The choices for "any" icons this round so far (R6)."""
    extra_income: tuple[str, ...] = ()
    """Solo (Z2)."""
    income: Goods = NOTHING
    """The income printed on its civilization and tiles, and the extra income: kept by `holdings.refresh_sums`."""
    any: int = 0
    """How many "any" icons are in it."""
    abilities: tuple[str, ...] = ()
    """Abilities of its buildings, civilization and mat; one entry for each that gives it."""
    protects: tuple[str, ...] = ()
    """Disasters that do not affect it."""
    parts: Parts = {}

    def marked(self, tile: str) -> int:
        """The coins on this building; 0 when it is complete."""
        for mark in self.marks:
            if mark.tile == tile:
                return mark.coins
        return 0


class State(Struct):
    """The whole state. Only `seed`, `deck` and `pile` hold secrets (P1), and what a module's part hides."""

    seed: str
    seats: list[Seat]
    agenda: list[Step]
    """The pending steps, the next one last."""
    round: int = 0
    order: tuple[int, ...] = ()
    deck: tuple[str, ...] = ()
    """The face-down tiles in drawing order, all stacks one after the other."""
    open: tuple[str, ...] = ()
    conquest: tuple[str, ...] = ()
    offers: tuple[Offer, ...] = ()
    box: tuple[str, ...] = ()
    """Tiles that left the game."""
    pile: tuple[str, ...] = ()
    """The face-down chits in drawing order."""
    pile_known: int = 0
    """How many chits at the bottom of the pile everybody has seen (P1)."""
    chit: str = ""
    """The chit turned up and not yet accepted."""
    chits: dict[str, int] = {}
    """Chits accepted so far, by kind."""
    parts: Parts = {}

    def clone(self) -> State:
        twin = replace(self)  # replaces nothing: a copy in half the time of copy.copy
        twin.seats = [replace(seat) for seat in self.seats]
        twin.agenda = self.agenda[:]
        return twin
