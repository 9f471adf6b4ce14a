"""The supply round (V): feeding, then completing marked buildings, seat by seat."""

from __future__ import annotations

from .building import affordable_prices, pay_price, unmark
from .events import Completed, Stock, SupplyStarted
from .flow import Flow
from .goods import Goods
from .kinds import Move
from .moves import Complete, Feed, Lose
from .steps import AskComplete, AskFeed, EndSupply, SupplyRound, SupplySeat
from .stock import gain, luxury_rate

FEED_NONE = Feed(0)


def supply_round(flow: Flow, step: SupplyRound) -> None:
    """V3: a seat feeds and completes before the next acts."""
    flow.emit(SupplyStarted(step.final))
    flow.then(EndSupply(step.final))
    flow.in_turn([SupplySeat(number, step.final) for number in flow.state.order], supply_seat)


def supply_seat(flow: Flow, step: SupplySeat) -> None:
    """V1, then V2."""
    marks = flow.state.seats[step.seat].marks
    if marks:  # put on the agenda before the feeding, because the last item added runs first
        flow.then(*[AskComplete(step.seat, mark.tile) for mark in marks])
    hungry = feed_with_food(flow, step.seat, step.final)
    if hungry:
        flow.then(AskFeed(step.seat, hungry))


def count_fed_for_free(flow: Flow, number: int, final: bool) -> int:
    free = 0
    for modifier in flow.rules.hooks.fed_for_free:
        free = modifier(flow, number, free, final)
    return free


def fed_per_food(flow: Flow, number: int) -> int:
    """V1: how many inhabitants one food feeds."""
    per = 1
    for modifier in flow.rules.hooks.fed_per_food:
        per = modifier(flow, number, per)
    return per


def feed_with_food(flow: Flow, number: int, final: bool) -> int:
    """V1: first those who need nothing, then as many as the food feeds; returns how many are left hungry."""
    seat = flow.state.seats[number]
    hungry = seat.pop - count_fed_for_free(flow, number, final)
    if hungry <= 0:
        return 0
    per = fed_per_food(flow, number)
    food = min(seat.food, food_portions(hungry, per))
    if food:
        seat.food -= food
        flow.events.append(Stock(number, "feed", Goods(0, 0, -food)))
    return max(0, hungry - food * per)


def food_portions(inhabitants: int, per: int) -> int:
    return -(-inhabitants // per)


def feed_options(flow: Flow, step: AskFeed) -> list[Move]:
    """V1: from none to as many as luxury can feed."""
    most = flow.seat(step.seat).lux // luxury_rate(flow, step.seat) * fed_per_food(flow, step.seat)
    return [Feed(n) for n in range(min(step.hungry, most) + 1)] if most else [FEED_NONE]


def feed(flow: Flow, step: AskFeed, move: Feed) -> None:
    luxury = food_portions(move.inhabitants, fed_per_food(flow, step.seat)) * luxury_rate(flow, step.seat)
    gain(flow, step.seat, Goods(pop=move.inhabitants - step.hungry, lux=-luxury), "feed")


def complete_options(flow: Flow, step: AskComplete) -> list[Move]:
    """V2: building by building, oldest first."""
    moves: list[Move] = [Complete(step.tile, price.way) for price in affordable_prices(flow, step.seat, step.tile)]
    moves.append(Lose(step.tile))
    return moves


def complete_building(flow: Flow, step: AskComplete, move: Complete) -> None:
    """V2: the coin returns after payment."""
    pay_price(flow, step.seat, step.tile, move.way, "complete")
    flow.emit(Completed(step.seat, step.tile))
    unmark(flow, step.seat, step.tile)


def end_supply(flow: Flow, step: EndSupply) -> None:
    if flow.rules.hooks.supply_end:
        flow.then(*[after for hook in flow.rules.hooks.supply_end for after in hook(flow, step.final)])
