"""Taking tiles (R4) and their one-time income (R5). Knows costs, marks and the neighbour rule."""

from __future__ import annotations

from .errors import RulesError
from .events import Lost, Placed
from .flow import Flow
from .goods import Goods
from .holdings import add_tile_to_sums, remove_tile_from_sums
from .kinds import Move
from .moves import Mark, Pay
from .pieces import Tile
from .shapes import Price
from .state import Marker, Seat
from .steps import AskBuild, GiveOnces, TakeTile, TakeTiles
from .stock import can_afford, can_afford_coins, gain, gain_coins, pay, pay_coins

MARK_COINS = 1
"""R4a."""


GIVE_ONCES = GiveOnces()


def take_tiles(flow: Flow, _: TakeTiles) -> None:
    """R4, R5: in new turn order; the coins of the bids go to the bank."""
    state = flow.state
    won = {}
    for offer in state.offers:
        won[offer.seat] = offer.tile
    for modifier in flow.rules.hooks.tiles_won:
        won = modifier(flow, won)
    if not won:
        return
    state.offers = ()
    takes = [TakeTile(seat, won[seat]) for seat in state.order if seat in won]
    state.agenda.append(GIVE_ONCES)  # below all that taking puts on the agenda: R5 begins when every tile is placed
    flow.in_turn(takes, take_tile)


def take_tile(flow: Flow, step: TakeTile) -> None:
    state = flow.state
    if step.tile in state.open:
        state.open = without_tile(state.open, step.tile)
    else:
        state.conquest = without_tile(state.conquest, step.tile)
    tile = flow.rules.tiles[step.tile]
    if tile.kind == "building":
        take_building(flow, AskBuild(step.seat, step.tile))
    elif can_place_land(flow, step.seat, tile):
        state.seats[step.seat].lands += (step.tile,)
        record_placed_tile(flow, step.seat, step.tile, marked=0)
    else:
        lose_untaken_tile(flow, step.seat, step.tile, "no neighbour")


def take_building(flow: Flow, ask: AskBuild) -> None:
    """R4a: the building is lost only when it can be neither paid nor marked."""
    if can_take_building(flow, ask):
        flow.then(ask)
    else:
        lose_untaken_tile(flow, ask.seat, ask.tile, "not payable")


def can_take_building(flow: Flow, ask: AskBuild) -> bool:
    """Whether there are `build_options`. Usually a coin to mark it with decides that, without listing them."""
    if flow.rules.hooks.build_options:
        return bool(build_options(flow, ask))
    return can_afford_coins(flow, ask.seat, mark_coins(flow, ask.seat)) or bool(
        affordable_prices(flow, ask.seat, ask.tile)
    )


def can_place_land(flow: Flow, number: int, land: Tile) -> bool:
    """R4b: the new land shares wood, stone or food with the last one."""
    lands = flow.state.seats[number].lands
    return (
        not lands
        or share_a_resource(flow.rules.tiles[lands[-1]].income, land.income)
        or has_free_placement(flow, number)
    )


def share_a_resource(one: Goods, other: Goods) -> bool:
    return bool(
        (one.wood > 0 and other.wood > 0) or (one.stone > 0 and other.stone > 0) or (one.food > 0 and other.food > 0)
    )


def has_free_placement(flow: Flow, number: int) -> bool:
    return "free_placement" in flow.seat(number).abilities


def prices(flow: Flow, number: int, tile: str) -> list[Price]:
    """The ways to pay for a building."""
    found = [Price("", flow.rules.tiles[tile].cost)]
    for modifier in flow.rules.hooks.prices:
        found = modifier(flow, number, tile, found)
    return found


def affordable_prices(flow: Flow, number: int, tile: str) -> list[Price]:
    return [price for price in prices(flow, number, tile) if can_afford(flow, number, price.goods)]


def mark_coins(flow: Flow, number: int) -> int:
    coins = MARK_COINS
    for modifier in flow.rules.hooks.mark_cost:
        coins = modifier(flow, number, coins)
    return coins


def build_options(flow: Flow, step: AskBuild) -> list[Move]:
    """R4a: pay now or mark."""
    moves: list[Move] = [Pay(step.tile, price.way) for price in affordable_prices(flow, step.seat, step.tile)]
    if can_afford_coins(flow, step.seat, mark_coins(flow, step.seat)):
        moves.append(Mark(step.tile))
    for modifier in flow.rules.hooks.build_options:
        moves = modifier(flow, step.seat, step.tile, moves)
    return moves


def pay_price(flow: Flow, number: int, tile: str, way: str, why: str) -> None:
    for price in prices(flow, number, tile):
        if price.way == way:
            pay(flow, number, price.goods, why)
            return
    raise RulesError(f"{tile}: no way {way!r} to pay")


def pay_now(flow: Flow, step: AskBuild, move: Pay) -> None:
    pay_price(flow, step.seat, step.tile, move.way, "build")
    flow.seat(step.seat).buildings += (step.tile,)
    record_placed_tile(flow, step.seat, step.tile, marked=0)


def mark_building(flow: Flow, step: AskBuild, move: Mark) -> None:
    coins = mark_coins(flow, step.seat)
    pay_coins(flow, step.seat, coins, "mark")
    seat = flow.state.seats[step.seat]
    seat.buildings += (step.tile,)
    seat.marks += (Marker(step.tile, coins),)
    record_placed_tile(flow, step.seat, step.tile, marked=coins)


def record_placed_tile(flow: Flow, number: int, tile: str, marked: int) -> None:
    flow.state.seats[number].taken = tile
    add_tile_to_sums(flow, number, tile)
    flow.events.append(Placed(number, tile, marked))
    if flow.rules.hooks.tile_taken:
        flow.then(*[step for hook in flow.rules.hooks.tile_taken for step in hook(flow, number, tile, marked > 0)])


def lose_untaken_tile(flow: Flow, number: int, tile: str, why: str) -> None:
    """R4: out of the game, nothing gained."""
    flow.state.box += (tile,)
    flow.emit(Lost(number, tile, why))


def lose_tile(flow: Flow, number: int, tile: str, why: str) -> None:
    """A seat's tile leaves the game; coins that marked it return (D6)."""
    seat = flow.state.seats[number]
    if tile in seat.lands:
        seat.lands = without_tile(seat.lands, tile)
    else:
        seat.buildings = without_tile(seat.buildings, tile)
    remove_tile_from_sums(flow, number, tile)
    flow.state.box += (tile,)
    flow.events.append(Lost(number, tile, why))
    if seat.marks:
        unmark(flow, number, tile)


def unmark(flow: Flow, number: int, tile: str) -> None:
    """The marking coins, if any, go back to the player."""
    seat: Seat = flow.seat(number)
    coins = seat.marked(tile)
    if coins:
        seat.marks = tuple([mark for mark in seat.marks if mark.tile != tile])
        gain_coins(flow, number, coins, "mark returned")


def without_tile(tiles: tuple[str, ...], tile: str) -> tuple[str, ...]:
    if tile not in tiles:
        return tiles
    place = tiles.index(tile)
    return tiles[:place] + tiles[place + 1 :]


def give_onces(flow: Flow, _: GiveOnces) -> None:
    """R5: in turn order; including marked buildings."""
    for number in flow.state.order:
        tile = flow.state.seats[number].taken
        if tile:
            gain(flow, number, once_goods(flow, number, tile), "once")


def once_goods(flow: Flow, number: int, tile: str) -> Goods:
    goods = flow.rules.tiles[tile].once
    for modifier in flow.rules.hooks.once_goods:
        goods = modifier(flow, number, tile, goods)
    return goods
