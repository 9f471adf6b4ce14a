"""The end (E2, Z2): totals, scores and ranks."""

from __future__ import annotations

from .events import Finished
from .flow import Flow
from .shapes import Result, SeatResult, Tally
from .solo import LEVELS
from .steps import Score


def score(flow: Flow, _: Score) -> None:
    result = result_of(flow)
    flow.emit(Finished(result.scores, result.ranks))


def result_of(flow: Flow) -> Result:
    """The result of the current state (final once nothing is pending)."""
    keys = [ranking_key(flow, number) for number in range(flow.rules.players)]
    seats = []
    for number, (key, totals) in enumerate(keys):
        rank = 1 + sum([other > key for other, _ in keys])
        seats.append(SeatResult(key[0], *totals, flow.seat(number).lux, rank))
    level = flow.rules.level
    if not level:
        return Result(tuple(seats))
    target = solo_target(flow)
    return Result(tuple(seats), level, target, seats[0].score >= target)


def ranking_key(flow: Flow, number: int) -> tuple[tuple[int, int, int], tuple[int, int]]:
    """The ranking key of a seat: (score, other total, luxury); and its totals."""
    tally = tally_of(flow, number)
    totals = tally.totals()
    return (*tally.rank(totals), flow.seat(number).lux), totals


def tally_of(flow: Flow, number: int) -> Tally:
    seat, rules = flow.seat(number), flow.rules
    mat = rules.mats[seat.mat]
    tally = Tally(power_points(flow, number), seat.coin, mat.coins_per_point, seat.pop, mat.points_per_inhabitant)
    for modifier in rules.hooks.tally:
        modifier(flow, number, tally)
    return tally


def power_points(flow: Flow, number: int) -> int:
    """The points printed on a seat's tiles, and on its other possessions."""
    seat, tiles = flow.seat(number), flow.rules.tiles
    points = sum([tiles[tile].points for tile in seat.lands + seat.buildings])
    for modifier in flow.rules.hooks.power_points:
        points = modifier(flow, number, points)
    return points


def solo_target(flow: Flow) -> int:
    target = LEVELS[flow.rules.level].target
    for modifier in flow.rules.hooks.solo_target:
        target = modifier(flow, flow.rules.level, target)
    return target
