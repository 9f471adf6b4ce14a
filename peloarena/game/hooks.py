"""The hooks of the base game: the places where a module adds to the flow or changes a value.

Two kinds. A *hook* is called at its place and returns steps to be done next. A *modifier* is folded over a
value or a list of options. Functions of several modules apply in the order of the registry. A rule of the
base game never asks which module is on; it calls its hook.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, fields
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
OrderModifier = Callable[["Flow", tuple[int, ...]], tuple[int, ...]]
MovesModifier = Callable[["Flow", int, list[Move]], list[Move]]


@dataclass(frozen=True, slots=True)
class Hooks:
    # the set-up
    setup: tuple[TableHook, ...] = ()
    start_goods: tuple[GoodsModifier, ...] = ()
    goods_given: tuple[SeatHook, ...] = ()
    """A seat has its starting goods."""
    swaps: tuple[tuple[str, Callable[[Flow, int, int], None]], ...] = ()
    """What two seats may exchange before the game: the deck it was dealt from, and how to exchange it."""
    # a round
    round_start: tuple[TableHook, ...] = ()
    bidding_start: tuple[TableHook, ...] = ()
    bid_options: tuple[MovesModifier, ...] = ()
    """Over the moves of a bid and of a displaced bid."""
    passed: tuple[SeatHook, ...] = ()
    """A seat has passed and got its coins."""
    bid_value: tuple[NumberModifier, ...] = ()
    """In half coins, over what the seat's bids count more."""
    order: tuple[OrderModifier, ...] = ()
    order_final: tuple[OrderModifier, ...] = ()
    """After all of `order`: places that no other claim to a place can take (H2)."""
    tiles_won: tuple[Callable[[Flow, dict[int, str]], dict[int, str]], ...] = ()
    """Over who takes which tile (seat: tile): the bids, and what was won in another way."""
    build_options: tuple[Callable[[Flow, int, str, list[Move]], list[Move]], ...] = ()
    """Over the ways to take a building: pay or mark; with none left it is lost."""
    prices: tuple[Callable[[Flow, int, str, list[Price]], list[Price]], ...] = ()
    """Over the ways to pay for a building."""
    mark_cost: tuple[NumberModifier, ...] = ()
    free_placement: tuple[Callable[[Flow, int, bool], bool], ...] = ()
    tile_taken: tuple[Callable[[Flow, int, str, bool], Iterable[Step]], ...] = ()
    """After a tile is placed; the flag says that it was marked."""
    once: tuple[Callable[[Flow, int, str, Goods], Goods], ...] = ()
    income: tuple[GoodsModifier, ...] = ()
    income_end: tuple[TableHook, ...] = ()
    """First after the income of all: what else it brings."""
    after_income: tuple[TableHook, ...] = ()
    """Then, whatever the order of the registry: offers made between income and chits."""
    before_chits: tuple[TableHook, ...] = ()
    """Last, with the chits next."""
    # chits and disasters
    chit_refused: tuple[Callable[[Flow], bool], ...] = ()
    """The chit turned up (State.chit) may not stand: it is slid under the pile and another drawn."""
    chit_shown: tuple[TableHook, ...] = ()
    """A chit is turned up (State.chit); it may still be replaced."""
    chit_accepted: tuple[Callable[[Flow, str, int], Iterable[Step]], ...] = ()
    """A chit stands; the number says how many of its kind now."""
    disaster_for_seat: tuple[Callable[[Flow, str, int], Iterable[Step]], ...] = ()
    """Before an unprotected seat suffers; its steps may call the suffering off."""
    disaster_cost: tuple[Callable[[Flow, int, str, Goods], Goods], ...] = ()
    disaster_loss: tuple[Callable[[Flow, int, str, int], int], ...] = ()
    # supply and payment
    luxury_rate: tuple[NumberModifier, ...] = ()
    fed_free: tuple[Callable[[Flow, int, int, bool], int], ...] = ()
    """How many inhabitants need nothing; the flag says that it is the final supply round."""
    fed_per_food: tuple[NumberModifier, ...] = ()
    supply_end: tuple[Callable[[Flow, bool], Iterable[Step]], ...] = ()
    # strength, where it is kept (C2-C4)
    start_strength: tuple[NumberModifier, ...] = ()
    strength_gain: tuple[NumberModifier, ...] = ()
    """Over what a new tile adds to the strength."""
    halving: tuple[NumberModifier, ...] = ()
    """Over what a seat loses when its strength is halved."""
    hires_in_supply: tuple[Callable[[Flow, int, bool], bool], ...] = ()
    """Whether a seat may hire mercenaries in every supply round."""
    attack_lost: tuple[SeatHook, ...] = ()
    """What it means to a seat that the first attack was lost."""
    # the end
    power_points: tuple[NumberModifier, ...] = ()
    """Over the points of what lies before a seat: at the end, and whenever a rule counts them."""
    tally: tuple[Callable[[Flow, int, Tally], None], ...] = ()
    solo_target: tuple[NumberModifier, ...] = ()
    """Over the points that a level asks for (the number before it is the level)."""

    def __add__(self, other: Hooks) -> Hooks:
        return Hooks(**{field.name: getattr(self, field.name) + getattr(other, field.name) for field in fields(self)})
