"""Error bars that trust the deals and not the model: the sandwich covariance clustered by deal.

Knows strengths and deals; does not know Elo or names. Pairs of one table and seatings of one deal are correlated in
ways that no model here describes, so only whole deals count as independent.

Small samples: each deal's score is divided by the share of itself that the fit did not absorb, which is the jackknife
over deals in one Newton step (CR3; exactly the unbiased variance for balanced deals). The degrees of freedom are the
effective number of deals behind the difference in question, minus one (Carter, Schnepel and Steigerwald 2017): a bot
seen in three deals of a hundred gets the t of three.

If all deals have the same result there is no spread, but that is not certainty: no error is smaller than that of as
many independent games, which for two players is a binomial's. The draws of the prior add theirs, as games would.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import product

import numpy as np

from .distributions import t_quantile
from .likelihood import curvature, information, residual, score_variances, signed_columns
from .pairs import Comparisons, Floats, Ints, sum_by_index
from .prior import Prior

LEAST_EFFECTIVE_DEALS = 1.5
"""With fewer effective deals, the spread between deals is not a measurement."""

_UPPER_QUANTILE = 0.975
_CHUNK_CELLS = 2_000_000
_TINY = 1e-300
_RIDGE = 1e-12
"""Avoids an exact division by zero if a single deal carries a bot; such errors are not shown."""


@dataclass(frozen=True)
class Estimate:
    """The standard error of a difference in strength, and its degrees of freedom."""

    deviation: float
    freedom: float

    @property
    def half_width(self) -> float:
        """Half of the 95 % interval."""
        return self.deviation * t_quantile(_UPPER_QUANTILE, self.freedom)


@dataclass(frozen=True)
class Sandwich:
    """`bread` is the inverse curvature, `filling` the sum over deals of adjusted score products."""

    deals: _Deals
    bread: Floats
    filling: Floats
    unpaired: Floats
    """The filling if all games were independent."""
    drawn: Floats
    """The filling of the prior's draws."""

    def estimates(self, contrasts: Floats) -> list[Estimate | None]:
        """The errors of differences of strengths (one per row), None if the deals cannot tell."""
        pulls = contrasts @ self.bread
        measured = _variances(pulls, self.filling) * (1.0 - 1.0 / self.deals.rows.clusters)
        least = _variances(pulls, self.unpaired)
        variances = np.maximum(measured, least) + _variances(pulls, self.drawn)
        effective = self._effective_deals(pulls)
        return [_estimate(float(var), float(count)) for var, count in zip(variances, effective, strict=True)]

    def _effective_deals(self, projections: Floats) -> Floats:
        """For each difference, how many equally informative deals would give as much information as these."""
        total, squares = np.zeros(len(projections)), np.zeros(len(projections))
        for chosen, size in self.deals.chunks(width=len(projections)):
            shares = self.deals.shares(chosen, size, projections)
            total += shares.sum(axis=0)
            squares += (shares**2).sum(axis=0)
        return total**2 / np.maximum(squares, _TINY)


def _variances(projections: Floats, filling: Floats) -> Floats:
    found: Floats = ((projections @ filling) * projections).sum(axis=1)
    return found


def _estimate(variance: float, effective: float) -> Estimate | None:
    if effective < LEAST_EFFECTIVE_DEALS:
        return None
    return Estimate(math.sqrt(max(variance, _TINY)), max(1.0, effective - 1.0))


def sandwich(rows: Comparisons, theta: Floats, prior: Prior) -> Sandwich:
    """The clustered covariance at the maximum."""
    bread = np.linalg.inv(curvature(rows, theta, prior)).astype(np.float64)
    variances = score_variances(rows, theta)
    deals = _Deals.of(rows, residual(rows, theta), variances)
    filling = np.zeros_like(bread)
    for chosen, size in deals.chunks():
        _add_products(filling, deals.parameters_of(chosen, size), deals.adjusted_scores(chosen, size, bread))
    unpaired = information(rows, variances * rows.unpaired / rows.weight)
    return Sandwich(deals, bread, filling, unpaired, prior.information(theta))


def _add_products(total: Floats, where: Ints, scores: Floats) -> None:
    size = len(total)
    cells = where[:, :, np.newaxis] * size + where[:, np.newaxis, :]
    products = scores[:, :, np.newaxis] * scores[:, np.newaxis, :]
    total += sum_by_index(cells.ravel(), products.ravel(), size * size).reshape(size, size)


@dataclass(frozen=True)
class _Deals:
    """Each deal touches few parameters; its scores and information cover only those.

    `key` lists deal x parameter, sorted; `start` and `count` find a deal's part of it.
    """

    rows: Comparisons
    residual: Floats
    spread: Floats
    key: Ints
    start: Ints
    count: Ints

    @classmethod
    def of(cls, rows: Comparisons, above: Floats, spread: Floats) -> _Deals:
        base = rows.cluster * rows.parameters
        key = np.unique(np.concatenate([base + column for column, _ in signed_columns(rows)]))
        start = np.searchsorted(key, np.arange(rows.clusters + 1) * rows.parameters)
        return cls(rows, above, spread, key, start[:-1], np.diff(start))

    def chunks(self, width: int = 1) -> Iterator[tuple[Ints, int]]:
        """Deals that touch equally many parameters, in chunks that fit into memory."""
        for size in np.unique(self.count):
            deals = np.flatnonzero(self.count == size)
            at_once = max(1, _CHUNK_CELLS // (int(size) * max(int(size), width)))
            for first in range(0, len(deals), at_once):
                yield deals[first : first + at_once], int(size)

    def parameters_of(self, chosen: Ints, size: int) -> Ints:
        places = self.start[chosen][:, np.newaxis] + np.arange(size)
        where: Ints = self.key[places] % self.rows.parameters
        return where

    def shares(self, chosen: Ints, size: int, projections: Floats) -> Floats:
        """The information of each deal (rows) about each difference (columns)."""
        local_pulls = projections.T[self.parameters_of(chosen, size)]
        _, information = self._local(chosen, size)
        shares: Floats = ((information @ local_pulls) * local_pulls).sum(axis=1)
        return shares

    def adjusted_scores(self, chosen: Ints, size: int, bread: Floats) -> Floats:
        """Each deal's score divided by one minus its leverage."""
        where = self.parameters_of(chosen, size)
        scores, information = self._local(chosen, size)
        local_bread = bread[where[:, :, np.newaxis], where[:, np.newaxis, :]]
        left = (1.0 + _RIDGE) * np.eye(size) - information @ local_bread
        return np.linalg.solve(left, scores[:, :, np.newaxis])[:, :, 0].astype(np.float64)

    def _local(self, chosen: Ints, size: int) -> tuple[Floats, Floats]:
        """Scores [deal, slot] and information [deal, slot, slot] of chosen deals that touch `size` parameters each.

        A slot is the index of a parameter among those that its deal touches.
        """
        order = np.full(self.rows.clusters, -1, dtype=np.int64)
        order[chosen] = np.arange(len(chosen))
        picked = np.flatnonzero(order[self.rows.cluster] >= 0)
        deal = order[self.rows.cluster[picked]]
        slots = [(self._slots(column[picked], picked), sign) for column, sign in signed_columns(self.rows)]
        scores = np.zeros(len(chosen) * size)
        for slot, sign in slots:
            cell = deal * size + slot
            scores += sign * sum_by_index(cell, self.residual[picked], len(scores))
        information = np.zeros(len(chosen) * size * size)
        for (slot, sign), (other, other_sign) in product(slots, repeat=2):
            cell = (deal * size + slot) * size + other
            weights = sign * other_sign * self.spread[picked]
            information += sum_by_index(cell, weights, len(information))
        return scores.reshape(-1, size), information.reshape(-1, size, size)

    def _slots(self, column: Ints, picked: Ints) -> Ints:
        """For each picked row, the slot of its parameter in this column."""
        cluster = self.rows.cluster[picked]
        return np.searchsorted(self.key, cluster * self.rows.parameters + column) - self.start[cluster]
