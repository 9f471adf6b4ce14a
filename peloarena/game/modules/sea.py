"""Sea (O): sea tiles, bought before the bidding; each feeds an inhabitant in every supply round."""

from __future__ import annotations

from msgspec import Struct

from ..events import Placed
from ..flow import Flow
from ..hooks import Hooks
from ..kinds import Ask, Event, Move, Part, Step
from ..module import Module, asks, plays, says
from ..moves import Skip
from ..parts import part, put_part
from ..rounds import dealt
from ..stock import affordable, gain, pay


class SeaTable(Part, Struct, frozen=True, tag="sea_table", gc=False):
    """The sea tiles on offer."""

    tiles: tuple[str, ...]


class SeaSeat(Part, Struct, frozen=True, tag="sea_seat", gc=False):
    """The sea tiles of a seat."""

    tiles: tuple[str, ...] = ()


class AskSea(Ask, Struct, frozen=True, tag=True, gc=False):
    """O2."""

    seat: int


class BuySea(Move, Struct, frozen=True, tag="buy_sea", gc=False):
    """O2: buy this sea tile at its full cost."""

    tile: str


class SeaLaid(Event, Struct, frozen=True, tag="sea_laid", gc=False):
    """O1."""

    tiles: tuple[str, ...]


def setup(flow: Flow) -> list[Step]:
    """O1: as many as players, or all there are."""
    tiles = [tile.id for tile in flow.rules.tiles.values() if tile.kind == "sea"]
    laid = dealt(flow, "sea", tiles)[: flow.rules.players]
    put_part(flow.state, SeaTable(laid))
    for seat in flow.state.seats:
        put_part(seat, SeaSeat())
    flow.emit(SeaLaid(laid))
    return []


def offer_all(flow: Flow) -> list[Step]:
    """O2: in turn order, before anyone bids."""
    return [AskSea(seat) for seat in flow.state.order]


def options(flow: Flow, step: AskSea) -> list[Move]:
    tiles = part(flow.state, SeaTable).tiles
    moves: list[Move] = [BuySea(t) for t in tiles if affordable(flow, step.seat, flow.rules.tiles[t].cost)]
    return [*moves, Skip()]


def buy(flow: Flow, step: AskSea, move: BuySea) -> None:
    """O2, O3: paid in full, one-time income at once."""
    tile = flow.rules.tiles[move.tile]
    pay(flow, step.seat, tile.cost, "sea tile")
    table, own = part(flow.state, SeaTable), part(flow.seat(step.seat), SeaSeat)
    put_part(flow.state, SeaTable(tuple(t for t in table.tiles if t != tile.id)))
    put_part(flow.seat(step.seat), SeaSeat((*own.tiles, tile.id)))
    flow.emit(Placed(step.seat, tile.id))
    gain(flow, step.seat, tile.once, "once")


def fed_free(flow: Flow, number: int, free: int, final: bool) -> int:
    """O3."""
    return free + len(part(flow.seat(number), SeaSeat).tiles)


def power_points(flow: Flow, number: int, points: int) -> int:
    """O3."""
    return points + sum(flow.rules.tiles[tile].points for tile in part(flow.seat(number), SeaSeat).tiles)


SEA = Module(
    name="sea",
    summary="sea tiles, bought before the bidding",
    sets=("sea",),
    decks=("sea",),
    questions=asks(AskSea, "buy_sea", options),
    moves=plays(BuySea, buy),
    events=(SeaLaid,),
    parts=(SeaTable, SeaSeat),
    texts={
        **says(BuySea, lambda m, n: f"buy {n.tile(m.tile)}"),
        **says(SeaLaid, lambda e, n: "sea tiles on offer: " + ", ".join(n.tile(t) for t in e.tiles)),
    },
    kinds={"buy_sea": "Buy a sea tile before the bidding, or not"},
    hooks=Hooks(setup=(setup,), bidding_start=(offer_all,), fed_free=(fed_free,), power_points=(power_points,)),
)
