"""The end (E2, Z2): totals, scores and ranks."""

from __future__ import annotations

from dataclasses import dataclass

from msgspec import Struct

from .events import Finished
from .flow import Flow
from .solo import LEVELS
from .steps import Score


@dataclass(slots=True)
class Tally:
    """What a seat's score is made of; modules add to it."""

    points: int
    """Printed on what the seat holds."""
    coins: int
    coins_per_point: int
    inhabitants: int
    points_per_inhabitant: int
    power_extra: int = 0
    population_extra: int = 0
    flexible: tuple[int, ...] = ()
    """Points that count for either total, each as a whole."""
    higher_counts: bool = False

    def totals(self) -> tuple[int, int]:
        """(prestige, population), the flexible points where they serve the score best."""
        prestige = self.points + self.coins // self.coins_per_point + self.power_extra
        population = self.inhabitants * self.points_per_inhabitant + self.population_extra
        if not self.flexible:
            return prestige, population
        left = sum(self.flexible)
        splits = [(prestige + moved, population + left - moved) for moved in sums(self.flexible)]
        return max(splits, key=self.rank)

    def rank(self, totals: tuple[int, int]) -> tuple[int, int]:
        """E2: (score, other total)."""
        low, high = sorted(totals)
        return (high, low) if self.higher_counts else (low, high)


def sums(points: tuple[int, ...]) -> list[int]:
    """What the subsets of these points come to, the largest first (so that prestige wins a draw)."""
    found = {0}
    for more in points:
        found |= {total + more for total in found}
    return sorted(found, reverse=True)


class SeatResult(Struct, frozen=True):
    """E2: the score is one of the two totals, the other breaks ties, then luxury."""

    score: int
    prestige: int
    population: int
    luxury: int
    rank: int


class Result(Struct, frozen=True, omit_defaults=True):
    seats: tuple[SeatResult, ...]
    level: int = 0
    """Solo (Z2): the level, the points it asks for, and whether they were reached."""
    target: int = 0
    passed: bool = False

    @property
    def scores(self) -> tuple[int, ...]:
        return tuple([seat.score for seat in self.seats])

    @property
    def ranks(self) -> tuple[int, ...]:
        return tuple([seat.rank for seat in self.seats])


def score(flow: Flow, _: Score) -> None:
    result = result_of(flow)
    flow.emit(Finished(result.scores, result.ranks))


def result_of(flow: Flow) -> Result:
    """The result as the state stands (final once nothing is pending)."""
    keys = [seat_key(flow, number) for number in range(flow.rules.players)]
    seats = []
    for number, (key, totals) in enumerate(keys):
        rank = 1 + sum([other > key for other, _ in keys])
        seats.append(SeatResult(key[0], *totals, flow.seat(number).lux, rank))
    level = flow.rules.level
    if not level:
        return Result(tuple(seats))
    target = solo_target(flow)
    return Result(tuple(seats), level, target, seats[0].score >= target)


def seat_key(flow: Flow, number: int) -> tuple[tuple[int, int, int], tuple[int, int]]:
    """What ranks a seat: (score, other total, luxury); and its totals."""
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
    """The points printed on a seat's tiles, and on what else it holds."""
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
