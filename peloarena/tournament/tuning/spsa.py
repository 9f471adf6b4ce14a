"""SPSA (Spall, 1992): two opponents that differ in all parameters at once, and a step towards the better one.

Pure numbers. Here a parameter is a position from 0 to 1 between its bounds, so that one step size suits all. An
iteration is a function of the seed and its number, so that an interrupted run continues as it would have.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from msgspec import Struct

STEP = 0.12
"""How far a parameter moves at first, in positions, if one side wins every game. It shrinks: see `step_size`."""
SPREAD = 0.2
"""Half the initial distance between the two sides, in positions."""
STEP_DECAY, SPREAD_DECAY = 0.602, 0.101
"""Spall's values: the smallest for which the theory holds, which suit noisy games best."""
STEADY_SHARE = 0.1
"""The share of the iterations in which steps hardly shrink."""
AVERAGED_SHARE = 0.5
"""The result is the mean over this last share of the path, because single positions keep jumping."""

Positions = tuple[float, ...]


class Parameter(Struct, frozen=True):
    """A setting of a bot, which reads it from its environment under this name."""

    name: str
    low: float
    high: float
    start: float
    whole: bool = False
    """Whole numbers only."""

    def position_of(self, value: float) -> float:
        return (value - self.low) / (self.high - self.low)

    def value(self, position: float) -> float:
        value = self.low + min(1.0, max(0.0, position)) * (self.high - self.low)
        return float(round(value)) if self.whole else value

    def text(self, position: float) -> str:
        """As the bot reads it, and as the record has it."""
        value = self.value(position)
        return str(int(value)) if self.whole else f"{value:.6g}"


class SpsaPair(Struct, frozen=True):
    """The two sides of an iteration."""

    plus: Positions
    minus: Positions


def start_positions(parameters: Sequence[Parameter]) -> Positions:
    return tuple(parameter.position_of(parameter.start) for parameter in parameters)


def parameter_environment(parameters: Sequence[Parameter], positions: Positions) -> dict[str, str]:
    """The environment of a bot that plays with these positions."""
    return {parameter.name: parameter.text(position) for parameter, position in zip(parameters, positions, strict=True)}


def spread_size(iteration: int) -> float:
    return float(SPREAD / (iteration + 1) ** SPREAD_DECAY)


def step_size(iteration: int, iterations: int) -> float:
    steady = STEADY_SHARE * iterations + 1
    return float(STEP * (steady / (iteration + steady)) ** STEP_DECAY)


def pair_at(positions: Positions, iteration: int, seed: str) -> SpsaPair:
    """Each parameter goes up on one side and down on the other, at random; none leaves its bounds."""
    chance, size = Random(f"{seed} iteration {iteration}"), spread_size(iteration)
    shifts = [size if chance.random() < 0.5 else -size for _ in positions]
    return SpsaPair(
        tuple(clamp(position + shift) for position, shift in zip(positions, shifts, strict=True)),
        tuple(clamp(position - shift) for position, shift in zip(positions, shifts, strict=True)),
    )


def move_towards_better(
    positions: Positions, pair: SpsaPair, lead: float, iteration: int, iterations: int
) -> Positions:
    """Move towards the better side. `lead`: its points minus the other's, per game: −1 to 1.

    The step depends on the lead alone: a slope, the lead divided by the distance, would be mostly noise as the distance
    shrinks.
    """
    step = step_size(iteration, iterations) * lead
    sides = zip(positions, pair.plus, pair.minus, strict=True)
    return tuple(clamp(position + step * ((plus > minus) - (plus < minus))) for position, plus, minus in sides)


def clamp(position: float) -> float:
    return min(1.0, max(0.0, position))


def average_last_part(path: Sequence[Positions]) -> Positions:
    """The mean of the last part of the path, which has at least one point."""
    last = path[-max(1, round(len(path) * AVERAGED_SHARE)) :]
    return tuple(sum(column) / len(last) for column in zip(*last, strict=True))
