"""The moves of the base game: what a seat can answer.

A move names only what the seat chooses, not what the decision already determines: a MoveBid has no coins, because they
are on the table, and neither has a module's Accept the terms of the offer.
"""

from msgspec import Struct

from .kinds import Move


class Bid(Move, Struct, frozen=True, tag="bid", gc=False):
    """R2a, R2b; in solo (Z1) a purchase at its price."""

    tile: str
    coins: int


class Pass(Move, Struct, frozen=True, tag="pass", gc=False):
    """R2: no bid this round, 3 coins."""


class MoveBid(Move, Struct, frozen=True, tag="move_bid", gc=False):
    """R2d: the displaced bid goes to this tile."""

    tile: str


class Withdraw(Move, Struct, frozen=True, tag="withdraw", gc=False):
    """R2d: take the coins back, and one more; no tile this round."""


class Pay(Move, Struct, frozen=True, tag="pay", omit_defaults=True, gc=False):
    """R4a: pay the building's cost now. `way` names one of several prices, where a module offers them."""

    tile: str
    way: str = ""


class Mark(Move, Struct, frozen=True, tag="mark", gc=False):
    """R4a: mark the building, to be completed in the next supply round."""

    tile: str


class TakeAny(Move, Struct, frozen=True, tag="take_any", gc=False):
    """R6: what an "any" icon gives this round."""

    resource: str


class Keep(Move, Struct, frozen=True, tag="keep", gc=False):
    """D1, D2: pay for the tile."""

    tile: str


class Lose(Move, Struct, frozen=True, tag="lose", gc=False):
    """D1, D2, V2: let the tile go."""

    tile: str


class Feed(Move, Struct, frozen=True, tag="feed", gc=False):
    """V1: how many of the hungry are fed with luxury; the others are lost."""

    inhabitants: int


class Complete(Move, Struct, frozen=True, tag="complete", omit_defaults=True, gc=False):
    """V2: pay the marked building's cost. `way` as in `Pay`."""

    tile: str
    way: str = ""


class ExtraIncome(Move, Struct, frozen=True, tag="extra_income", gc=False):
    """Z2: one more of this resource each round."""

    resource: str


class Skip(Move, Struct, frozen=True, tag="skip", gc=False):
    """Not to use an offer. The base game never offers it; modules share it."""
