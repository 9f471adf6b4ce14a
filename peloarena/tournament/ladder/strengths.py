"""The strength of every bot on a ladder, its uncertainty, and the information in a game between two of them. Pure.

Bradley–Terry with a normal prior, so that nobody is infinitely strong after two games. Only used to choose tables:
`ratings` computes the table that people see.
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

ELO_PER_LOG_ODD = 400.0 / math.log(10.0)
"""Elo per unit of log odds, the unit of everything here."""
PRIOR_ELO = 200.0
"""How widely bots differ before anything is known."""
PRIOR_PRECISION = (ELO_PER_LOG_ODD / PRIOR_ELO) ** 2
MAX_LOG_ODDS = 500.0
"""Beyond this the exponential overflows."""
LONGEST_STEP = 1.0
"""Newton overshoots on one-sided results."""
MAX_STEPS = 60
CLOSE_ENOUGH = 1e-6
"""A step this small is the last: Newton squares the remaining error."""


class Strengths(Struct, frozen=True):
    """In the order of the given players, followed by older versions and other opponents."""

    theta: Floats
    covariance: Floats
    """Counts games that are chosen and unplayed as if they were played, because they will give their information
    anyway."""


def strengths(players: Sequence[BotVersion], tallies: Tallies, start: Floats | None = None) -> Strengths:
    """`start`: an initial guess, which only affects the speed."""
    pairs = [*tallies.played, *tallies.planned]
    index = {version: number for number, version in enumerate(dict.fromkeys([*players, *chain.from_iterable(pairs)]))}
    games, halves, planned = (
        _count_matrix(counts, index) for counts in (tallies.played, tallies.halves, tallies.planned)
    )
    won = halves / 2 + (games - halves / 2).T  # the lower one's points, and the remainder for the other
    theta = _fit_strengths(games + games.T, won, start)
    both = games + planned
    covariance = np.linalg.inv(_curvature(both + both.T, chances(theta)))
    return Strengths(theta, covariance.astype(np.float64))


def _count_matrix(counts: Mapping[VersionPair, int], index: Mapping[BotVersion, int]) -> Floats:
    """One row and column for each version; counts go into the lower one's row."""
    matrix = np.zeros((len(index), len(index)))
    if counts:
        rows, columns = ([index[pair[side]] for pair in counts] for side in (0, 1))
        matrix[rows, columns] = list(counts.values())
    return matrix


def chances(theta: Floats) -> Floats:
    """For each (row) against each (column)."""
    gap = theta[:, np.newaxis] - theta
    return 1.0 / (1.0 + np.exp(-np.minimum(np.maximum(gap, -MAX_LOG_ODDS), MAX_LOG_ODDS)))


def _fit_strengths(games: Floats, won: Floats, start: Floats | None) -> Floats:
    theta = np.zeros(len(games)) if start is None or len(start) != len(games) else start
    for _ in range(MAX_STEPS):
        chance = chances(theta)
        slope = (won - games * chance).sum(axis=1) - theta * PRIOR_PRECISION
        step = np.linalg.solve(_curvature(games, chance), slope)
        step = np.minimum(np.maximum(step, -LONGEST_STEP), LONGEST_STEP)
        theta = theta + step
        if float(np.abs(step).max()) < CLOSE_ENOUGH:
            break
    return theta


def _curvature(games: Floats, chance: Floats) -> Floats:
    """The information in this many games: p(1-p) each, none if the winner is known beforehand."""
    information = games * chance * (1.0 - chance)
    curvature = -information
    curvature.flat[:: len(curvature) + 1] += information.sum(axis=1) + PRIOR_PRECISION
    return curvature
