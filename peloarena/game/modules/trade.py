"""Trade (T): a tile turned up each round says what the seat last in turn order may trade after income."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from ..chance import shuffled
from ..flow import Flow
from ..goods import Goods
from ..hooks import Hooks
from ..kinds import Ask, Component, Event, Move, Part, Step
from ..module import Module, asks, hides, plays, says
from ..moves import Skip
from ..parts import part, put_part
from ..pieces import Source
from ..state import Seat
from ..stock import gain
from ..texts import Names
from ..view import Draw, mixed

DECK = "trade"
Resource = Literal["wood", "stone", "food", "coin", "pop", "lux"]
Pair = tuple[str, str]
"""What is given, what is got."""


class TradeTile(Component, Struct, frozen=True, kw_only=True, omit_defaults=True, forbid_unknown_fields=True):
    """T2: any of `give` for any of `get`."""

    id: str
    give: tuple[Resource, ...]
    get: tuple[Resource, ...]
    rate: Annotated[int, Meta(ge=1, le=99)] = 1
    """So many are given for each one got."""
    source: Source = "printed"
    set: str = ""


class TradeTable(Part, Struct, frozen=True, tag="trade_table", gc=False):
    """T1: the tile of this round; the face-down ones in drawing order, sorted in a view."""

    tile: str = ""
    deck: tuple[str, ...] = ()
    shuffles: int = 0


class AskTrade(Ask, Struct, frozen=True, tag=True, gc=False):
    """T2; `done` are the pairs traded this round."""

    seat: int
    done: tuple[Pair, ...] = ()


class Trade(Move, Struct, frozen=True, tag="trade", gc=False):
    """T2: give so many of one, get so many of the other."""

    give: str
    given: int
    get: str
    got: int


class TradeTurnedUp(Event, Struct, frozen=True, tag="trade_tile", gc=False):
    """T1: the tile of the round; `shuffled` when all were shuffled before it."""

    tile: str
    shuffled: bool


def setup(flow: Flow) -> list[Step]:
    put_part(flow.state, TradeTable())
    return []


def turn_up(flow: Flow) -> list[Step]:
    """T1: one before each round; when none is left, all are shuffled again."""
    table = part(flow.state, TradeTable)
    shuffles, deck = table.shuffles, table.deck
    if not deck:
        shuffles += 1
        deck = shuffled(flow.state.seed, DECK, trade_tiles(flow), shuffles)
    put_part(flow.state, TradeTable(deck[0], deck[1:], shuffles))
    flow.emit(TradeTurnedUp(deck[0], shuffles > table.shuffles))
    return []


def trade_tiles(flow: Flow) -> dict[str, TradeTile]:
    return flow.rules.catalogue.deck(DECK, TradeTile)


def offer_last(flow: Flow) -> list[Step]:
    """T2: to the seat last in turn order; alone, one is last."""
    return [AskTrade(flow.state.order[-1])]


def options(flow: Flow, step: AskTrade) -> list[Move]:
    """T2: each pair once a round, every amount the seat has goods of its own for."""
    tile = trade_tiles(flow)[part(flow.state, TradeTable).tile]
    seat = flow.seat(step.seat)
    pairs = [(give, get) for give in tile.give for get in tile.get if (give, get) not in step.done]
    moves: list[Move] = [
        Trade(give, got * tile.rate, get, got) for give, get in pairs for got in amounts(seat, give, tile.rate)
    ]
    return [*moves, Skip()]


def amounts(seat: Seat, give: str, rate: int) -> range:
    return range(1, own(seat, give) // rate + 1)


def own(seat: Seat, resource: str) -> int:
    amount = getattr(seat, resource)
    assert isinstance(amount, int)
    return amount


def trade(flow: Flow, step: AskTrade, move: Trade) -> None:
    """T2: what the storehouse cannot hold becomes luxury (P6); then the other pairs."""
    gain(flow, step.seat, Goods.one(move.get, move.got) - Goods.one(move.give, move.given), "trade")
    flow.then(AskTrade(step.seat, (*step.done, (move.give, move.get))))


def terms(tile: TradeTile) -> str:
    """`wood or stone for food`, `2 coin for 1 pop`."""
    give, get = " or ".join(tile.give), " or ".join(tile.get)
    return f"{give} for {get}" if tile.rate == 1 else f"{tile.rate} {give} for 1 {get}"


def turned_up_text(event: TradeTurnedUp, names: Names) -> str:
    tile = names.catalogue.deck(DECK, TradeTile)[event.tile]
    return f"trade tile {event.tile}: {terms(tile)}{' (all were shuffled)' if event.shuffled else ''}"


def shown(table: TradeTable) -> TradeTable:
    """P1: which tiles are face down is public, their order is not."""
    return TradeTable(table.tile, tuple(sorted(table.deck)), table.shuffles)


def guessed(table: TradeTable, draw: Draw) -> TradeTable:
    return TradeTable(table.tile, mixed(table.deck, draw), table.shuffles)


TRADE = Module(
    name="trade",
    summary="the last in turn order may trade after income",
    sets=("trade",),
    cards={DECK: TradeTile},
    questions=asks(AskTrade, "trade", options),
    moves=plays(Trade, trade),
    events=(TradeTurnedUp,),
    parts=(TradeTable,),
    hidden=hides(TradeTable, shown, guessed),
    texts={
        **says(Trade, lambda m, n: f"trade {m.given} {m.give} for {m.got} {m.get}"),
        **says(TradeTurnedUp, turned_up_text),
    },
    kinds={"trade": "Trade goods of your own as the trade tile says, or not"},
    hooks=Hooks(setup=(setup,), round_start=(turn_up,), after_income=(offer_last,)),
)
