"""Colonies (C6): dealing and exchanging the boards, and what each ability of a board changes."""

from __future__ import annotations

from ...flow import Flow
from ...goods import Goods
from ...holdings import refresh_sums
from ...kinds import Step
from ...pieces import Catalogue
from ...rounds import deal_order
from .shapes import ColonyDealt

SET = "colonies"
DECK = "colonies"
MARK_COINS = 3
FED_BY_ONE_FOOD = 2
HARSH_COST = {
    "earthquake": ("harsh_earthquake", Goods(wood=2, stone=2)),
    "tempest": ("harsh_tempest", Goods(food=2, coin=2)),
}
"""By disaster: the ability, and what it makes each tile kept cost."""


def colony_boards(catalogue: Catalogue) -> list[str]:
    """The colonies: mats of this set."""
    return [mat.id for mat in catalogue.mats.values() if mat.set == SET]


def setup(flow: Flow) -> list[Step]:
    """C1: one for each seat."""
    dealt_boards = deal_order(flow, DECK)
    for number in range(flow.rules.players):
        give_colony(flow, number, dealt_boards[number])
    return []


def give_colony(flow: Flow, number: int, colony: str) -> None:
    flow.seat(number).mat = colony
    refresh_sums(flow, number)
    flow.emit(ColonyDealt(number, colony))


def swap_colonies(flow: Flow, one: int, other: int) -> None:
    """C7."""
    first, second = flow.seat(one).mat, flow.seat(other).mat
    give_colony(flow, one, second)
    give_colony(flow, other, first)


def has_ability(flow: Flow, number: int, ability: str) -> bool:
    return ability in flow.rules.mats[flow.seat(number).mat].abilities


def order_by_ability(flow: Flow, order: tuple[int, ...]) -> tuple[int, ...]:
    """Miletus first, Apollonia last."""
    return tuple(
        sorted(
            order,
            key=lambda number: has_ability(flow, number, "always_last") - has_ability(flow, number, "always_first"),
        )
    )


def mark_cost(flow: Flow, number: int, coins: int) -> int:
    """Leptis Magna."""
    return MARK_COINS if has_ability(flow, number, "marks_with_three") else coins


def luxury_rate(flow: Flow, number: int, rate: int) -> int:
    """Naukratis."""
    return 1 if has_ability(flow, number, "luxury_for_one") else rate


def fed_per_food(flow: Flow, number: int, inhabitants: int) -> int:
    """Salamis."""
    return FED_BY_ONE_FOOD if has_ability(flow, number, "one_food_feeds_two") else inhabitants


def disaster_cost(flow: Flow, number: int, kind: str, cost: Goods) -> Goods:
    """Apollonia's earthquake, the tempest of Taras."""
    ability, harsh = HARSH_COST[kind]
    return harsh if has_ability(flow, number, ability) else cost


def disaster_loss(flow: Flow, number: int, kind: str, amount: int) -> int:
    """Apollonia's drought leaves half, rounded down; the decline of Taras takes all."""
    seat = flow.seat(number)
    if kind == "drought" and has_ability(flow, number, "harsh_drought"):
        return seat.food - seat.food // 2
    if kind == "decline" and has_ability(flow, number, "harsh_decline"):
        return seat.lux
    return amount
