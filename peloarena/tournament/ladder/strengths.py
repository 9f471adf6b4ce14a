"""How strong everybody on a ladder is, how sure that is, and what a game between two of them would tell. Pure.

Bradley–Terry with a normal prior, so that nobody is infinitely strong after two games. Only for choosing tables: the
table that people see is rated by `ratings`.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import chain

import numpy as np
from msgspec import Struct

from ..entries import BotVersion
from ..ratings.pairs import Floats
from .tallies import Tallies, VersionPair

ELO = 400.0 / math.log(10.0)
"""For one unit of log odds, in which everything here is measured."""
PRIOR_ELO = 200.0
"""How widely bots differ before anything is known."""
PRIOR = (ELO / PRIOR_ELO) ** 2
MOST_APART = 500.0
"""Beyond it the exponential overflows."""
LONGEST_STEP = 1.0
"""Newton overshoots where results are one-sided."""
MOST_STEPS = 60
CLOSE_ENOUGH = 1e-6
"""A step this small is the last: Newton squares what is left."""


class Strengths(Struct, frozen=True):
    """In the order of the players that were asked for, then older versions and whoever else was met."""

    theta: Floats
    covariance: Floats
    """With games that are chosen and not played yet as if they were: they will tell what they tell."""


def strengths(players: Sequence[BotVersion], tallies: Tallies, start: Floats | None = None) -> Strengths:
    """`start`: a guess near the end makes it quicker, and changes nothing else."""
    pairs = [*tallies.played, *tallies.planned]
    place = {version: number for number, version in enumerate(dict.fromkeys([*players, *chain.from_iterable(pairs)]))}
    games, halves, planned = (_square(counts, place) for counts in (tallies.played, tallies.halves, tallies.planned))
    won = halves / 2 + (games - halves / 2).T  # the lower one's, and what it left to the other
    theta = _fitted(games + games.T, won, start)
    both = games + planned
    covariance = np.linalg.inv(_curvature(both + both.T, chances(theta)))
    return Strengths(theta, covariance.astype(np.float64))


def _square(counts: Mapping[VersionPair, int], place: Mapping[BotVersion, int]) -> Floats:
    """One row and column for each version; the lower one's row."""
    found = np.zeros((len(place), len(place)))
    if counts:
        rows, columns = ([place[pair[side]] for pair in counts] for side in (0, 1))
        found[rows, columns] = list(counts.values())
    return found


def chances(theta: Floats) -> Floats:
    """Of each (row) against each (column)."""
    gap = theta[:, np.newaxis] - theta
    return 1.0 / (1.0 + np.exp(-np.minimum(np.maximum(gap, -MOST_APART), MOST_APART)))


def _fitted(games: Floats, won: Floats, start: Floats | None) -> Floats:
    theta = np.zeros(len(games)) if start is None or len(start) != len(games) else start
    for _ in range(MOST_STEPS):
        chance = chances(theta)
        slope = (won - games * chance).sum(axis=1) - theta * PRIOR
        step = np.linalg.solve(_curvature(games, chance), slope)
        step = np.minimum(np.maximum(step, -LONGEST_STEP), LONGEST_STEP)
        theta = theta + step
        if float(np.abs(step).max()) < CLOSE_ENOUGH:
            break
    return theta


def _curvature(games: Floats, chance: Floats) -> Floats:
    """What so many games tell: p(1-p) each, nothing where the winner is known beforehand."""
    told = games * chance * (1.0 - chance)
    bend = -told
    bend.flat[:: len(bend) + 1] += told.sum(axis=1) + PRIOR
    return bend
