"""Trade (T): turning a tile up each round, and what the last in turn order may trade."""

from __future__ import annotations

from ...chance import shuffled
from ...flow import Flow
from ...goods import Goods
from ...kinds import Move, Step
from ...moves import Skip
from ...parts import part, put_part
from ...state import Seat
from ...stock import gain
from ...view import Draw, random_order
from .shapes import AskTrade, Trade, TradeTable, TradeTile, TradeTurnedUp

DECK = "trade"


def setup(flow: Flow) -> list[Step]:
    put_part(flow.state, TradeTable())
    return []


def turn_up_trade_tile(flow: Flow) -> list[Step]:
    """T1: one before each round; when none is left, all are shuffled again."""
    table = part(flow.state, TradeTable)
    shuffles, deck = table.shuffles, table.deck
    if not deck:
        shuffles += 1
        deck = shuffled(flow.state.seed, DECK, flow.rules.catalogue.deck(DECK, TradeTile), shuffles)
    put_part(flow.state, TradeTable(deck[0], deck[1:], shuffles))
    flow.emit(TradeTurnedUp(deck[0], shuffles > table.shuffles))
    return []


def ask_last_seat(flow: Flow) -> list[Step]:
    """T2: to the seat last in turn order; in solo that is the only one."""
    return [AskTrade(flow.state.order[-1])]


def trade_options(flow: Flow, step: AskTrade) -> list[Move]:
    """T2: each pair once a round, every amount that the seat's own goods allow."""
    tile = flow.rules.catalogue.card(DECK, part(flow.state, TradeTable).tile, TradeTile)
    seat = flow.seat(step.seat)
    pairs = [(give, get) for give in tile.give for get in tile.get if (give, get) not in step.done]
    moves: list[Move] = [
        Trade(give, got * tile.rate, get, got) for give, get in pairs for got in tradable_amounts(seat, give, tile.rate)
    ]
    return [*moves, Skip()]


def tradable_amounts(seat: Seat, give: str, rate: int) -> range:
    return range(1, owned_amount(seat, give) // rate + 1)


def owned_amount(seat: Seat, resource: str) -> int:
    amount = getattr(seat, resource)
    assert isinstance(amount, int)
    return amount


def trade(flow: Flow, step: AskTrade, move: Trade) -> None:
    """T2: what the storehouse cannot hold becomes luxury (P6); then the other pairs."""
    gain(flow, step.seat, Goods.single(move.get, move.got) - Goods.single(move.give, move.given), "trade")
    flow.then(AskTrade(step.seat, (*step.done, (move.give, move.get))))


def visible_table(table: TradeTable) -> TradeTable:
    """P1: which tiles are face down is public, their order is not."""
    return TradeTable(table.tile, tuple(sorted(table.deck)), table.shuffles)


def guess_table(table: TradeTable, draw: Draw) -> TradeTable:
    return TradeTable(table.tile, random_order(table.deck, draw), table.shuffles)
