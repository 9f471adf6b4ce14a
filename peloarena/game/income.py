"""Income (R6): "any" icons first, then inhabitants, then the net sum with coins and luxury by population."""

from __future__ import annotations

from .flow import Flow
from .goods import PAYABLE_RESOURCES, Goods
from .holdings import ONE_UNIT
from .kinds import Move
from .moves import TakeAny
from .steps import AskAny, GiveIncome, GiveIncomes
from .stock import gain

ANY_MOVES: list[Move] = [TakeAny(resource) for resource in PAYABLE_RESOURCES]


def give_incomes(flow: Flow, _: GiveIncomes) -> None:
    """P3: in turn order, a seat's choices before its income."""
    order, seats = flow.state.order, flow.state.seats
    for done, number in enumerate(order):
        if seats[number].any:  # this seat must be asked; those behind it wait on the agenda
            flow.in_turn([GiveIncome(number) for number in order[done:]], give_income)
            return
        gain(flow, number, net_income(flow, number), "income")


def give_income(flow: Flow, step: GiveIncome) -> None:
    """One choice for each "any" icon, then the income."""
    seat = flow.state.seats[step.seat]
    if len(seat.chosen) < seat.any:
        flow.then(AskAny(step.seat), step)
        return
    goods = net_income(flow, step.seat)
    if seat.chosen:
        seat.chosen = ()
    gain(flow, step.seat, goods, "income")


def any_options(flow: Flow, step: AskAny) -> list[Move]:
    return ANY_MOVES


def take_any(flow: Flow, step: AskAny, move: TakeAny) -> None:
    flow.seat(step.seat).chosen += (move.resource,)


def net_income(flow: Flow, number: int) -> Goods:
    """The net income of a seat as it is now; inhabitants count before coins do."""
    seat = flow.state.seats[number]
    goods, rules = seat.income, flow.rules
    for resource in seat.chosen:
        goods += ONE_UNIT[resource]
    for modifier in rules.hooks.income:
        goods = modifier(flow, number, goods)
    rows = rules.income_by_pop[seat.mat]
    pop = seat.pop + goods.pop
    coins, luxury = rows[pop] if 0 <= pop < len(rows) else rows[-1 if pop > 0 else 0]
    return Goods(goods.wood, goods.stone, goods.food, goods.coin + coins, goods.pop, goods.lux + luxury)
