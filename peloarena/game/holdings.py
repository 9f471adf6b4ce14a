"""A seat's possessions give it incomes, abilities and protection: added up once, whenever its tiles change.

The Seat holds the sums (`income`, `any`, `abilities`, `protects`), so that rules and bots need not add again.
"""

from __future__ import annotations

from .flow import Flow
from .goods import PAYABLE_RESOURCES, Goods

ONE_UNIT = {resource: Goods.single(resource) for resource in PAYABLE_RESOURCES}


def add_tile_to_sums(flow: Flow, number: int, tile: str) -> None:
    """After a tile was added: most change only the income, and handling those separately is five times as fast."""
    if tile in flow.rules.income_only_tiles:
        flow.state.seats[number].income += flow.rules.tiles[tile].income
    else:
        refresh_sums(flow, number)


def remove_tile_from_sums(flow: Flow, number: int, tile: str) -> None:
    """After a tile was removed."""
    if tile in flow.rules.income_only_tiles:
        flow.state.seats[number].income -= flow.rules.tiles[tile].income
    else:
        refresh_sums(flow, number)


def refresh_sums(flow: Flow, number: int) -> None:
    """After any change of a seat's civilization, mat, tiles or extra income."""
    seat, rules = flow.state.seats[number], flow.rules
    civilization = rules.civilizations[seat.civilization]
    wood, stone, food, coin, pop, lux = civilization.income.amounts()
    icons = civilization.any
    abilities = civilization.abilities + rules.mats[seat.mat].abilities
    protects = civilization.protects
    for tile_id in seat.buildings + seat.lands:
        tile = rules.tiles[tile_id]
        more = tile.income
        wood += more.wood
        stone += more.stone
        food += more.food
        coin += more.coin
        pop += more.pop
        lux += more.lux
        icons += tile.any
        abilities += tile.abilities
        protects += tile.protects
    seat.income = Goods(wood, stone, food, coin, pop, lux)
    for resource in seat.extra_income:
        seat.income += ONE_UNIT[resource]
    seat.any, seat.abilities, seat.protects = icons, abilities, protects
