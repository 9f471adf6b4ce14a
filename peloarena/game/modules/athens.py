"""Aid of Athens (H): once a round a seat may take a tile in place of a bid; then it is last, and must pass next round.

A tile taken with the Aid leaves the display at once, so nobody can bid on it or move to it.
"""

from __future__ import annotations

from msgspec import Struct

from ..auction import offer_on
from ..building import payable, placeable, without
from ..flow import Flow
from ..hooks import Hooks
from ..kinds import Event, Move, Part, Step
from ..module import Module, plays, says
from ..moves import Mark, Pass
from ..parts import part, put_part
from ..steps import AskBid

AIDED = "aid"
"""How the seat acted in this round's bidding."""


class Aid(Part, Struct, frozen=True, tag="aid", omit_defaults=True, gc=False):
    """H2: who holds the chit, and the tile it brought until it is placed."""

    holder: int | None = None
    tile: str = ""


class TakeAid(Move, Struct, frozen=True, tag="take_aid", gc=False):
    """H1: this tile, without a bid; a building is paid in full."""

    tile: str


class AidTaken(Event, Struct, frozen=True, tag="aid_taken", gc=False):
    """H1: the tile left the display for this seat."""

    seat: int
    tile: str


class AidReturned(Event, Struct, frozen=True, tag="aid_returned", gc=False):
    """H2."""

    seat: int


def setup(flow: Flow) -> list[Step]:
    put_part(flow.state, Aid())
    return []


def bid_options(flow: Flow, number: int, moves: list[Move]) -> list[Move]:
    """H1: next to a fresh bid, which alone lists Pass, always last. H2: the holder must pass."""
    if not isinstance(moves[-1], Pass):
        return moves
    aid = part(flow.state, Aid)
    if aid.holder == number:
        return [moves[-1]]
    if aid.holder is not None or flow.state.round == flow.rules.rounds:
        return moves
    tiles = [tile for tile in flow.state.open + flow.state.conquest if can_take(flow, number, tile)]
    return [*moves[:-1], *(TakeAid(tile) for tile in tiles), moves[-1]]


def can_take(flow: Flow, number: int, tile: str) -> bool:
    """H1: no bid on it, inhabitants enough (R2e), a building payable now in any way, a land placeable."""
    facts = flow.rules.tiles[tile]
    if offer_on(flow, tile) is not None or flow.seat(number).pop + facts.once.pop < 0:
        return False
    return bool(payable(flow, number, tile)) if facts.kind == "building" else placeable(flow, number, facts)


def take_aid(flow: Flow, step: AskBid, move: TakeAid) -> None:
    state = flow.state
    state.open = without(state.open, move.tile)
    state.conquest = without(state.conquest, move.tile)
    flow.seat(step.seat).bidding = AIDED
    put_part(state, Aid(step.seat, move.tile))
    flow.emit(AidTaken(step.seat, move.tile))


def order_final(flow: Flow, order: tuple[int, ...]) -> tuple[int, ...]:
    """H2: the holder is last."""
    holder = part(flow.state, Aid).holder
    if holder is None:
        return order
    return (*(number for number in order if number != holder), holder)


def tiles_won(flow: Flow, won: dict[int, str]) -> dict[int, str]:
    aid = part(flow.state, Aid)
    return {**won, aid.holder: aid.tile} if aid.holder is not None and aid.tile else won


def build_options(flow: Flow, number: int, tile: str, moves: list[Move]) -> list[Move]:
    """H1: no marking."""
    return moves if tile != part(flow.state, Aid).tile else [move for move in moves if not isinstance(move, Mark)]


def tile_taken(flow: Flow, number: int, tile: str, marked: bool) -> list[Step]:
    """The tile lies with its owner now; the chit stays."""
    if tile == part(flow.state, Aid).tile:
        put_part(flow.state, Aid(number))
    return []


def passed(flow: Flow, number: int) -> list[Step]:
    """H2: the holder has passed and returns the chit."""
    if part(flow.state, Aid).holder == number:
        put_part(flow.state, Aid())
        flow.emit(AidReturned(number))
    return []


ATHENS = Module(
    name="athens",
    summary="once a round a tile without a bid, and a pass in the next",
    players=range(2, 9),
    moves=plays(TakeAid, take_aid),
    events=(AidTaken, AidReturned),
    parts=(Aid,),
    texts={
        **says(TakeAid, lambda m, n: f"take {n.tile(m.tile)} with the Aid of Athens"),
        **says(AidTaken, lambda e, n: f"{n.seat(e.seat)} has the Aid of Athens for {n.tile(e.tile)}"),
        **says(AidReturned, lambda e, n: f"{n.seat(e.seat)} returns the Aid of Athens"),
    },
    hooks=Hooks(
        setup=(setup,),
        bid_options=(bid_options,),
        passed=(passed,),
        order_final=(order_final,),
        tiles_won=(tiles_won,),
        build_options=(build_options,),
        tile_taken=(tile_taken,),
    ),
)
