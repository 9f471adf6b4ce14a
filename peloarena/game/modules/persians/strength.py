"""Strength (C2): the track of each seat, and what a new tile adds to it. Knows neither attacks nor conflicts."""

from __future__ import annotations

from msgspec.structs import replace

from ...flow import Flow
from ...goods import Goods
from ...kinds import Move, Step
from ...moves import Skip
from ...parts import part, put_part
from ...stock import can_afford, pay
from .shapes import AskStrength, StrengthChanged, Strengthen, StrengthSeat

MAX_STRENGTH = 29
"""C2."""
EXTRA_COST = {"building": Goods(wood=1, stone=1), "land": Goods(food=2)}
"""C2: the additional cost of a kind of tile, for strength."""


def strength_seat(flow: Flow, number: int) -> StrengthSeat:
    return part(flow.seat(number), StrengthSeat)


def change_strength(flow: Flow, number: int, by: int, why: str) -> None:
    """C2: never above the end of the track nor below 0; reported if it changes."""
    own = strength_seat(flow, number)
    strength = min(MAX_STRENGTH, max(0, own.strength + by))
    if strength != own.strength:
        put_part(flow.seat(number), replace(own, strength=strength))
        flow.emit(StrengthChanged(number, why, strength))


def halve_strength(flow: Flow, number: int, why: str) -> None:
    """C3, C4: rounded down."""
    strength = strength_seat(flow, number).strength
    loss = strength - strength // 2
    for modifier in flow.rules.meetings.halving:
        loss = modifier(flow, number, loss)
    change_strength(flow, number, -loss, why)


def setup(flow: Flow) -> list[Step]:
    for seat in flow.state.seats:
        put_part(seat, StrengthSeat())
    return []


def goods_given(flow: Flow, number: int) -> list[Step]:
    strength = 0
    for modifier in flow.rules.meetings.start_strength:
        strength = modifier(flow, number, strength)
    change_strength(flow, number, strength, "start")
    return []


def tile_taken(flow: Flow, number: int, tile: str, marked: bool) -> list[Step]:
    """C2: asked only when it can be paid and raises the strength; not for a marked building."""
    raises = strength_seat(flow, number).strength < MAX_STRENGTH and tile_strength(flow, number, tile) > 0
    if marked or not raises or not can_afford(flow, number, EXTRA_COST[flow.rules.tiles[tile].kind]):
        return []
    return [AskStrength(number, tile)]


def tile_strength(flow: Flow, number: int, tile: str) -> int:
    strength = flow.rules.tiles[tile].points
    for modifier in flow.rules.meetings.strength_gain:
        strength = modifier(flow, number, strength)
    return strength


def strength_options(flow: Flow, step: AskStrength) -> list[Move]:
    return [Strengthen(step.tile), Skip()]


def strengthen(flow: Flow, step: AskStrength, move: Strengthen) -> None:
    pay(flow, step.seat, EXTRA_COST[flow.rules.tiles[move.tile].kind], "strength")
    change_strength(flow, step.seat, tile_strength(flow, step.seat, move.tile), "tile")
