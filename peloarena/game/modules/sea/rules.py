"""Sea (O): laying the sea tiles out, buying them, what they give."""

from __future__ import annotations

from ...events import Placed
from ...flow import Flow
from ...kinds import Move, Step
from ...moves import Skip
from ...parts import part, put_part
from ...pieces import Catalogue
from ...rounds import deal_order
from ...stock import can_afford, gain, pay
from ...supply import fed_per_food
from .shapes import AskSea, BuySea, SeaLaid, SeaSeat, SeaTable

DECK = "sea"
SEA_TILE_AS_FOOD_SINCE = 2
"""O3: from this version of the rules on, a sea tile feeds as many as a food does."""


def sea_tiles(catalogue: Catalogue) -> list[str]:
    return [tile.id for tile in catalogue.tiles.values() if tile.kind == "sea"]


def setup(flow: Flow) -> list[Step]:
    """O1: as many as players, or all there are."""
    laid = deal_order(flow, DECK)[: flow.rules.players]
    put_part(flow.state, SeaTable(laid))
    for seat in flow.state.seats:
        put_part(seat, SeaSeat())
    flow.emit(SeaLaid(laid))
    return []


def ask_all_seats(flow: Flow) -> list[Step]:
    """O2: in turn order, before anyone bids."""
    return [AskSea(seat) for seat in flow.state.order]


def sea_options(flow: Flow, step: AskSea) -> list[Move]:
    tiles = part(flow.state, SeaTable).tiles
    moves: list[Move] = [BuySea(t) for t in tiles if can_afford(flow, step.seat, flow.rules.tiles[t].cost)]
    return [*moves, Skip()]


def buy_sea_tile(flow: Flow, step: AskSea, move: BuySea) -> None:
    """O2, O3: paid in full, one-time income at once."""
    tile = flow.rules.tiles[move.tile]
    pay(flow, step.seat, tile.cost, "sea tile")
    table, own = part(flow.state, SeaTable), part(flow.seat(step.seat), SeaSeat)
    put_part(flow.state, SeaTable(tuple(t for t in table.tiles if t != tile.id)))
    put_part(flow.seat(step.seat), SeaSeat((*own.tiles, tile.id)))
    flow.emit(Placed(step.seat, tile.id))
    gain(flow, step.seat, tile.once, "once")


def fed_for_free(flow: Flow, number: int, free: int, final: bool) -> int:
    """O3: a food each, eaten before one's own. In version 1 of the rules it fed one inhabitant, even in Salamis."""
    each = fed_per_food(flow, number) if flow.rules.version >= SEA_TILE_AS_FOOD_SINCE else 1
    return free + each * len(part(flow.seat(number), SeaSeat).tiles)


def power_points(flow: Flow, number: int, points: int) -> int:
    """O3."""
    return points + sum(flow.rules.tiles[tile].points for tile in part(flow.seat(number), SeaSeat).tiles)
