"""The hooks of the base game: the places where a module adds to the flow or changes a value.

Two kinds. A *hook* is called at its place and returns steps to be done next. A *modifier* is folded over a
value or a list of options. Functions of several modules apply in the order of the registry. A rule of the
base game never asks which module is on; it calls its hook. Every hook here is called by the base game and by
nothing else: what a module calls for other modules to fill is in `meetings`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from .goods import Goods
from .kinds import Move, Step

if TYPE_CHECKING:
    from .flow import Flow
    from .shapes import Price, Tally

TableHook = Callable[["Flow"], Iterable[Step]]
SeatHook = Callable[["Flow", int], Iterable[Step]]
GoodsModifier = Callable[["Flow", int, Goods], Goods]
NumberModifier = Callable[["Flow", int, int], int]
"""(flow, seat, number) → number."""
TargetModifier = Callable[["Flow", int, int], int]
"""(flow, level, points) → points."""
OrderModifier = Callable[["Flow", tuple[int, ...]], tuple[int, ...]]
MovesModifier = Callable[["Flow", int, list[Move]], list[Move]]


@dataclass(frozen=True, slots=True)
class Hooks:
    """What a module contributes to the base game, hook by hook."""

    # the set-up
    setup: tuple[TableHook, ...] = ()
    """S1: the seats are dealt, the goods not yet given; its steps come before those."""
    start_goods: tuple[GoodsModifier, ...] = ()
    """S1: over the goods that a seat starts with."""
    goods_given: tuple[SeatHook, ...] = ()
    """A seat has its starting goods."""
    # a round
    round_start: tuple[TableHook, ...] = ()
    """Before the tiles of a round are revealed."""
    bidding_start: tuple[TableHook, ...] = ()
    """The tiles lie open, nobody has bid."""
    bid_options: tuple[MovesModifier, ...] = ()
    """Over the moves of a bid and of a displaced bid."""
    after_pass: tuple[SeatHook, ...] = ()
    """A seat has passed and got its coins."""
    bid_value: tuple[NumberModifier, ...] = ()
    """Over how much more the seat's bids count than their coins, in half coins."""
    order: tuple[OrderModifier, ...] = ()
    """S1, R3: over the turn order."""
    order_final: tuple[OrderModifier, ...] = ()
    """After all of `order`: places that no other claim to a place can take (H2)."""
    tiles_won: tuple[Callable[[Flow, dict[int, str]], dict[int, str]], ...] = ()
    """Over which seat takes which tile (seat: tile): the bids, and tiles won in another way."""
    build_options: tuple[Callable[[Flow, int, str, list[Move]], list[Move]], ...] = ()
    """Over the ways to take a building: pay or mark; with none left it is lost."""
    prices: tuple[Callable[[Flow, int, str, list[Price]], list[Price]], ...] = ()
    """Over the ways to pay for a building."""
    mark_cost: tuple[NumberModifier, ...] = ()
    """R4a: over the coins that mark a building."""
    tile_taken: tuple[Callable[[Flow, int, str, bool], Iterable[Step]], ...] = ()
    """After a tile is placed; the flag says that it was marked."""
    once_goods: tuple[Callable[[Flow, int, str, Goods], Goods], ...] = ()
    """R5: over the one-time income of the tile taken."""
    income: tuple[GoodsModifier, ...] = ()
    """R6: over a seat's income, before coins and luxury by population are added."""
    # three moments after the income of all seats, in this order whatever the order of the registry
    income_end: tuple[TableHook, ...] = ()
    """What else the income brings."""
    after_income: tuple[TableHook, ...] = ()
    """Offers made between income and chits."""
    before_chits: tuple[TableHook, ...] = ()
    """The chits come next."""
    # chits and disasters
    is_chit_refused: tuple[Callable[[Flow], bool], ...] = ()
    """The chit turned up (State.chit) may not stand: it is slid under the pile and another drawn."""
    chit_shown: tuple[TableHook, ...] = ()
    """A chit is turned up (State.chit); it may still be replaced."""
    chit_accepted: tuple[Callable[[Flow, str, int], Iterable[Step]], ...] = ()
    """A chit stands; the number says how many of its kind now."""
    disaster_for_seat: tuple[Callable[[Flow, str, int], Iterable[Step]], ...] = ()
    """Before an unprotected seat suffers; its steps may call the suffering off."""
    disaster_cost: tuple[Callable[[Flow, int, str, Goods], Goods], ...] = ()
    """D1, D2: over what each tile kept costs."""
    disaster_loss: tuple[Callable[[Flow, int, str, int], int], ...] = ()
    """D3-D5: over how much is lost."""
    # supply and payment
    luxury_rate: tuple[NumberModifier, ...] = ()
    """P5: over how much luxury stands for one of anything else."""
    fed_for_free: tuple[Callable[[Flow, int, int, bool], int], ...] = ()
    """How many inhabitants need nothing; the flag says that it is the final supply round."""
    fed_per_food: tuple[NumberModifier, ...] = ()
    """V1: over how many inhabitants one food feeds."""
    supply_end: tuple[Callable[[Flow, bool], Iterable[Step]], ...] = ()
    """V: every seat has fed and completed; the flag says that it was the final supply round."""
    # the end
    power_points: tuple[NumberModifier, ...] = ()
    """Over the points of a seat's possessions: at the end, and whenever a rule counts them."""
    tally: tuple[Callable[[Flow, int, Tally], None], ...] = ()
    """E2: adds to the parts of a seat's score."""
    solo_target: tuple[TargetModifier, ...] = ()
    """Over the points that a level asks for."""
