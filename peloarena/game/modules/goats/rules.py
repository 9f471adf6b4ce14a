"""Goats (G): growing the herd and exchanging it."""

from __future__ import annotations

from ...flow import Flow
from ...goods import PAYABLE_RESOURCES, Goods
from ...kinds import Move, Step
from ...parts import part, put_part
from ...state import Seat
from ...stock import gain
from .shapes import AskExchange, Exchange, Herd, HerdChanged

LARGEST_HERD = 13
"""G1."""
GOATS_PER_ROUND = 1
"""G1: each round, whatever the tiles say."""
GOAT_ICON = "goat"
"""The ability of a tile with the goat icon (G3), and the counter for its income of goats (G1)."""


def setup(flow: Flow) -> list[Step]:
    for seat in flow.state.seats:
        put_part(seat, Herd())
    return []


def grow_herds(flow: Flow) -> list[Step]:
    """G1 for all, then G2 in turn order (P3)."""
    for number in flow.state.order:
        grow_herd(flow, number)
    return [AskExchange(number, PAYABLE_RESOURCES[0]) for number in flow.state.order if must_exchange(flow, number)]


def grow_herd(flow: Flow, number: int) -> None:
    """G1: what exceeds the largest herd is lost."""
    seat = flow.seat(number)
    goats = min(part(seat, Herd).goats + GOATS_PER_ROUND + goat_income(flow, seat), LARGEST_HERD)
    if goats != part(seat, Herd).goats:
        set_herd(flow, number, goats)


def goat_income(flow: Flow, seat: Seat) -> int:
    return sum(flow.rules.tiles[tile].counters.get(GOAT_ICON, 0) for tile in seat.buildings + seat.lands)


def must_exchange(flow: Flow, number: int) -> bool:
    """G2: a tile that was lost was not taken."""
    taken = flow.seat(number).taken
    return bool(taken) and GOAT_ICON in flow.rules.tiles[taken].abilities


def set_herd(flow: Flow, number: int, goats: int) -> None:
    put_part(flow.seat(number), Herd(goats))
    flow.emit(HerdChanged(number, goats))


def exchange_options(flow: Flow, step: AskExchange) -> list[Move]:
    """G2: any number of each kind; all that is left for the last."""
    herd = part(flow.seat(step.seat), Herd).goats
    fewest = herd if step.resource == PAYABLE_RESOURCES[-1] else 0
    return [Exchange(step.resource, goats) for goats in range(fewest, herd + 1)]


def exchange(flow: Flow, step: AskExchange, move: Exchange) -> None:
    """G2: what the storehouse cannot hold becomes luxury (P6); the next kind while goats are left."""
    left = part(flow.seat(step.seat), Herd).goats - move.goats
    if move.goats:
        set_herd(flow, step.seat, left)
        gain(flow, step.seat, Goods.single(move.resource, move.goats), "goats")
    if left:
        flow.then(AskExchange(step.seat, PAYABLE_RESOURCES[PAYABLE_RESOURCES.index(move.resource) + 1]))


def fed_for_free(flow: Flow, number: int, free: int, final: bool) -> int:
    """V1, Store: no inhabitant needs food in the final supply round."""
    seat = flow.seat(number)
    return max(free, seat.pop) if final and "store" in seat.abilities else free
