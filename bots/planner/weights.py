"""The numbers that do not follow from the rules: guesses, some of them varied in matches (see bots/README.md).

Each can be set in the environment: PLANNER_RIVALRY=0.5. So `peloarena tune` can look for better ones.
"""

import os

PREFIX = "PLANNER_"


class Weights:
    """Points, unless said otherwise."""

    premium = 1.0
    """Coins that a future tile will cost above its minimum."""
    conquest_price = 2.5
    """And more, if all tiles lay in the conquest row."""
    pick = 0.45
    """The chance that a tile on display stays with me if I want it."""
    stretch = 2.0
    """A tile is out of reach when this number of goods is missing."""
    misfit = 0.3
    """The chance that a land which does not fit beside the last one will fit when its time comes."""
    inhabitant = 0.7
    """What a point of population is worth beside a point of prestige: some of it starves or falls ill."""
    coin, material, luxury = 0.35, 0.25, 0.15
    wood, stone, food = 0.25, 0.35, 0.35
    """For an income, for each round."""
    shield = 1.5
    """For a protection."""
    uncertainty = 0.6
    """For each round left: how far the two totals may still drift, which softens their minimum."""
    sure = 0.8
    """The same when no round is left: coins and feeding still round."""
    surplus = 0.03
    """For each point of the higher total."""
    leftover = 0.01
    """For each luxury at the end, which breaks ties."""
    rivalry = 0.8
    """How much a rival's gain counts against mine, all rivals together."""
    strength = 0.1
    """For each point of strength, while an attack may come."""
    conflict = 3.5
    """For a conflict won, or lost, in a supply round."""
    upside = 0.8
    """For each round left: population that the forecast does not see, because one looks for food when it is short."""
    goat = 0.2
    """For each goat in the herd, while rounds are left."""


def from_environment() -> Weights:
    """As printed above, but for those that are set."""
    weights = Weights()
    for name in [name for name, value in vars(Weights).items() if isinstance(value, float)]:
        if text := os.environ.get(f"{PREFIX}{name.upper()}"):
            setattr(weights, name, float(text))
    return weights


WEIGHTS = from_environment()
