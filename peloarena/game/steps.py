"""The steps of the base game: what the agenda can hold. A step names public facts only (it is part of a view)."""

from msgspec import Struct

from .kinds import Ask, Step


class Begin(Step, Struct, frozen=True, tag=True, gc=False):
    """S: deal, starting goods, first turn order."""


class AskExtraIncome(Ask, Struct, frozen=True, tag=True, gc=False):
    """Z2: choose one extra income."""

    seat: int


class GiveGoods(Step, Struct, frozen=True, tag=True, gc=False):
    """S1: the starting goods."""

    seat: int


class SettleOrder(Step, Struct, frozen=True, tag=True, gc=False):
    """S1: the first turn order is final."""


class StartRound(Step, Struct, frozen=True, tag=True, gc=False):
    """R1."""


class Reveal(Step, Struct, frozen=True, tag=True, gc=False):
    """R1: draw until all tiles of the round lie open."""


class StartBidding(Step, Struct, frozen=True, tag=True, gc=False):
    """R2: every seat bids once, in turn order."""


class AskBid(Ask, Struct, frozen=True, tag=True, gc=False):
    """R2: bid or pass."""

    seat: int


class AskMoveBid(Ask, Struct, frozen=True, tag=True, gc=False):
    """R2d: the displaced seat moves its bid or withdraws."""

    seat: int
    coins: int


class EndBidding(Step, Struct, frozen=True, tag=True, gc=False):
    """R2, end, and R3: tiles without a bid leave the game, the new turn order."""


class TakeTiles(Step, Struct, frozen=True, tag=True, gc=False):
    """R4, in the new turn order."""


class TakeTile(Step, Struct, frozen=True, tag=True, gc=False):
    """R4: the tile a seat has won."""

    seat: int
    tile: str


class AskBuild(Ask, Struct, frozen=True, tag=True, gc=False):
    """R4a: pay now or mark."""

    seat: int
    tile: str


class GiveOnces(Step, Struct, frozen=True, tag=True, gc=False):
    """R5, for all."""


class GiveIncomes(Step, Struct, frozen=True, tag=True, gc=False):
    """R6, for all."""


class AskAny(Ask, Struct, frozen=True, tag=True, gc=False):
    """R6: what one "any" icon gives this round."""

    seat: int


class GiveIncome(Step, Struct, frozen=True, tag=True, gc=False):
    """R6, for one seat."""

    seat: int


class AfterIncome(Step, Struct, frozen=True, tag=True, gc=False):
    """Between income and chits: nothing in the base game."""


class DrawChits(Step, Struct, frozen=True, tag=True, gc=False):
    """R7."""


class DrawChit(Step, Struct, frozen=True, tag=True, gc=False):
    """R7: one of them."""


class AcceptChit(Step, Struct, frozen=True, tag=True, gc=False):
    """R7: the chit shown stands; the third of a kind strikes."""


class StrikeSeat(Step, Struct, frozen=True, tag=True, gc=False):
    """D: a disaster reaches a seat."""

    kind: str
    seat: int


class Suffer(Step, Struct, frozen=True, tag=True, gc=False):
    """D: an unprotected seat bears the disaster."""

    kind: str
    seat: int


class AskKeep(Ask, Struct, frozen=True, tag=True, gc=False):
    """D1, D2: pay for a tile or lose it."""

    seat: int
    kind: str
    tile: str


class SupplyRound(Step, Struct, frozen=True, tag=True, gc=False):
    """V."""

    final: bool


class SupplySeat(Step, Struct, frozen=True, tag=True, gc=False):
    """V1, V2 for one seat: food as far as it goes, then what must be asked."""

    seat: int
    final: bool


class AskFeed(Ask, Struct, frozen=True, tag=True, gc=False):
    """V1: how many of the hungry to feed with luxury."""

    seat: int
    hungry: int


class AskComplete(Ask, Struct, frozen=True, tag=True, gc=False):
    """V2: pay for a marked building or lose it."""

    seat: int
    tile: str


class EndSupply(Step, Struct, frozen=True, tag=True, gc=False):
    """V, after every seat has fed and completed."""

    final: bool


class EndRound(Step, Struct, frozen=True, tag=True, gc=False):
    """The next round, or the end (E1)."""


class Score(Step, Struct, frozen=True, tag=True, gc=False):
    """E2."""
