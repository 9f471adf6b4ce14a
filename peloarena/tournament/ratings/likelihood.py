"""The Bradley–Terry likelihood, and the maximum of the posterior (likelihood times prior) by Newton's method.

Works on natural strengths (log odds). Knows neither Elo nor deals nor error bars.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np

from .pairs import Comparisons, Floats, Ints, sum_by_index
from .prior import Prior

_STEP_TOLERANCE = 1e-10
_NEWTON_STEPS = 200
_HALVINGS = 40


def maximise(rows: Comparisons, prior: Prior) -> Floats:
    """The strengths that maximise the posterior."""
    rows = _merge_deals(rows)
    theta = np.zeros(rows.parameters)
    for _ in range(_NEWTON_STEPS):
        step = _climb(rows, theta, _newton(rows, theta, prior), prior)
        theta = theta + step
        if np.max(np.abs(step)) < _STEP_TOLERANCE:
            break
    return theta


def curvature(rows: Comparisons, theta: Floats, prior: Prior) -> Floats:
    """Minus the second derivative of the log posterior."""
    return information(rows, score_variances(rows, theta)) + prior.curvature(theta)


def strength_differences(rows: Comparisons, theta: Floats) -> Floats:
    """How much stronger the upper side of each row is."""
    stronger: Floats = theta[rows.plus].sum(axis=1) - theta[rows.minus].sum(axis=1)
    return stronger


def residual(rows: Comparisons, theta: Floats) -> Floats:
    """Score above expectation, row by row."""
    return rows.score - rows.weight * _chance(rows, theta)


def score_variances(rows: Comparisons, theta: Floats) -> Floats:
    """The information of each row about its own difference."""
    chance = _chance(rows, theta)
    return rows.weight * chance * (1.0 - chance)


def information(rows: Comparisons, weights: Floats) -> Floats:
    """The weighted sum of outer products of the rows' +1/-1 vectors."""
    size = rows.parameters
    total = np.zeros(size * size)
    for (one, sign), (other, other_sign) in product(signed_columns(rows), repeat=2):
        total += sign * other_sign * sum_by_index(one * size + other, weights, size * size)
    return total.reshape(size, size)


def signed_columns(rows: Comparisons) -> list[tuple[Ints, float]]:
    """The parameters of each row, column by column, with their signs in the difference."""
    return [(column, 1.0) for column in rows.plus.T] + [(column, -1.0) for column in rows.minus.T]


def _merge_deals(rows: Comparisons) -> Comparisons:
    """The same meetings regardless of the deal: the maximum depends on nothing else, and there are far fewer rows."""
    columns = rows.plus.shape[1]
    shape = (rows.parameters,) * (2 * columns)
    flat = np.ravel_multi_index((*rows.plus.T, *rows.minus.T), shape)
    found, where = np.unique(flat, return_inverse=True)
    meetings = np.stack(np.unravel_index(found, shape), axis=1).astype(np.int64)
    return replace(
        rows,
        cluster=np.zeros(len(meetings), dtype=np.int64),
        plus=meetings[:, :columns],
        minus=meetings[:, columns:],
        weight=sum_by_index(where, rows.weight, len(meetings)),
        score=sum_by_index(where, rows.score, len(meetings)),
        unpaired=sum_by_index(where, rows.unpaired, len(meetings)),
    )


def _chance(rows: Comparisons, theta: Floats) -> Floats:
    return 1.0 / (1.0 + np.exp(-np.clip(strength_differences(rows, theta), -500.0, 500.0)))


def _newton(rows: Comparisons, theta: Floats, prior: Prior) -> Floats:
    return np.linalg.solve(curvature(rows, theta, prior), _slope(rows, theta, prior)).astype(np.float64)


def _slope(rows: Comparisons, theta: Floats, prior: Prior) -> Floats:
    above = residual(rows, theta)
    total = prior.slope(theta)
    for column, sign in signed_columns(rows):
        total += sign * sum_by_index(column, above, rows.parameters)
    return total


def _climb(rows: Comparisons, theta: Floats, step: Floats, prior: Prior) -> Floats:
    """Take the step, halved until it does not lead downhill (Newton overshoots on one-sided results)."""
    here = _log_posterior(rows, theta, prior)
    slack = 1e-12 * abs(here)
    for _ in range(_HALVINGS):
        if _log_posterior(rows, theta + step, prior) >= here - slack:
            return step
        step = step / 2.0
    return np.zeros_like(step)


def _log_posterior(rows: Comparisons, theta: Floats, prior: Prior) -> float:
    gap = strength_differences(rows, theta)
    won = rows.score * np.logaddexp(0.0, -gap)
    lost = (rows.weight - rows.score) * np.logaddexp(0.0, gap)
    return float(-(won + lost).sum()) + prior.log_density(theta)
