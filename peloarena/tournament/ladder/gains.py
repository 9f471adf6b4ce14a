"""How much a deal between two bots would tell about the order of the ladder. Pure numbers.

The ladder is after the order, so what counts is the difference of each bot to the next below. If two neighbours are d
apart, known with standard deviation s, putting them in the wrong order has the expected cost s·ψ(d/s), which shrinks
with s. The gain of a deal is how much it lowers the sum of these costs over all neighbours. A game carries information
p(1-p): next to none if the winner is known, and some about bots that are not at the table.
"""

from __future__ import annotations

import math
from functools import lru_cache

import numpy as np
from msgspec import Struct

from ..ratings.pairs import Floats, Ints
from .strengths import chances

MAX_PLAYERS_FOR_ALL_PAIRS = 64
"""Up to this many players every pair is considered; beyond, only pairs near each other on the ladder ..."""
MAX_RANKS_APART = 20
"""... at most this many ranks apart: others tell little."""


class Gains(Struct, frozen=True):
    """For players in the order of the ladder, the strongest first."""

    order: Ints
    """Their indices."""
    first: Ints
    second: Ints
    """The pairs considered, as ranks on the ladder."""
    gain: Floats
    """For each pair."""
    shares: Floats
    """For each difference to the next below (row), how much each pair (column) tells about it."""
    apart: Floats
    """The differences ..."""
    deviation: Floats
    """... and their standard deviations."""


def gains(theta: Floats, covariance: Floats, games: float) -> Gains:
    """`games`: how many a pair plays in one deal; at larger tables weighted by 1/(seats-1)."""
    order = np.lexsort((np.arange(len(theta)), -theta.round(9)))
    theta, covariance = theta[order], covariance[np.ix_(order, order)]
    apart = theta[:-1] - theta[1:]
    rows = covariance[:-1] - covariance[1:]  # covariance of each difference with every player
    variance = np.diagonal(rows)[: len(apart)] - np.diagonal(rows, 1)
    deviation = np.sqrt(np.maximum(variance, 1e-12))
    # How fast the expected cost of a wrong order falls with the variance: the derivative of s·ψ(d/s) by s².
    cost = np.exp(-((apart / deviation) ** 2) / 2) / (2 * math.sqrt(2 * math.pi) * deviation)
    first, second = _pairs(len(theta))
    p = chances(theta)[first, second]
    information = games * p * (1 - p)
    spread = covariance[first, first] + covariance[second, second] - 2 * covariance[first, second]
    shares = cost[:, np.newaxis] * (rows[:, first] - rows[:, second]) ** 2 * (information / (1 + information * spread))
    return Gains(order, first, second, shares.sum(axis=0), shares, apart, deviation)


@lru_cache(maxsize=16)
def _pairs(players: int) -> tuple[Ints, Ints]:
    first, second = np.triu_indices(players, 1)
    near = (second - first <= MAX_RANKS_APART) | (players <= MAX_PLAYERS_FOR_ALL_PAIRS)
    return first[near].astype(np.int64), second[near].astype(np.int64)
