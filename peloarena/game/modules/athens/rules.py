"""The Aid of Athens (H): who may take a tile with it, what it brings, how it comes back."""

from __future__ import annotations

from ...auction import offer_on
from ...building import affordable_prices, can_place_land, without_tile
from ...flow import Flow
from ...kinds import Move, Step
from ...moves import Mark, Pass
from ...parts import part, put_part
from ...steps import AskBid
from .shapes import Aid, AidReturned, AidTaken, TakeAid

ACTED_WITH_AID = "aid"
"""How the seat acted in this round's bidding."""


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
    return (
        bool(affordable_prices(flow, number, tile)) if facts.kind == "building" else can_place_land(flow, number, facts)
    )


def take_aid(flow: Flow, step: AskBid, move: TakeAid) -> None:
    state = flow.state
    state.open = without_tile(state.open, move.tile)
    state.conquest = without_tile(state.conquest, move.tile)
    flow.seat(step.seat).bidding = ACTED_WITH_AID
    put_part(state, Aid(step.seat, move.tile))
    flow.emit(AidTaken(step.seat, move.tile))


def final_turn_order(flow: Flow, order: tuple[int, ...]) -> tuple[int, ...]:
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
    """Its owner has the tile now; the chit stays."""
    if tile == part(flow.state, Aid).tile:
        put_part(flow.state, Aid(number))
    return []


def after_pass(flow: Flow, number: int) -> list[Step]:
    """H2: the holder has passed and returns the chit."""
    if part(flow.state, Aid).holder == number:
        put_part(flow.state, Aid())
        flow.emit(AidReturned(number))
    return []
