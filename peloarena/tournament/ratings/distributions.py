"""The normal and Student's t distributions, as far as intervals need them. Knows nothing of ratings.

Implemented here because scipy is a large dependency for two functions.
"""

from __future__ import annotations

import math
from functools import lru_cache

_TINY = 1e-300
_FRACTION_TERMS = 500
_BISECTIONS = 200


def normal_cdf(x: float) -> float:
    """The chance that a standard normal value is at most x."""
    return 0.5 * math.erfc(-x / math.sqrt(2.0))


def t_cdf(x: float, df: float) -> float:
    """The chance that a t value with df degrees of freedom (any positive real, or inf) is at most x."""
    if math.isinf(df):
        return normal_cdf(x)
    if math.isinf(x):
        return 1.0 if x > 0 else 0.0
    tail = 0.5 * _incomplete_beta(df / 2.0, 0.5, df / (df + x * x))
    return 1.0 - tail if x > 0 else tail


@lru_cache(maxsize=4096)
def t_quantile(probability: float, df: float) -> float:
    """The value below which a t value with df degrees of freedom stays with this probability."""
    if not 0.0 < probability < 1.0:
        raise ValueError(f"probability {probability}: must be between 0 and 1")
    if probability < 0.5:
        return -t_quantile(1.0 - probability, df)
    return _bisect(probability, df)


def _bisect(probability: float, df: float) -> float:
    low, high = 0.0, 1.0
    while t_cdf(high, df) < probability:
        high *= 2.0
    for _ in range(_BISECTIONS):
        middle = 0.5 * (low + high)
        if middle in (low, high):
            break
        if t_cdf(middle, df) < probability:
            low = middle
        else:
            high = middle
    return 0.5 * (low + high)


def _incomplete_beta(a: float, b: float, x: float) -> float:
    """The regularised incomplete beta function; mirrored where its continued fraction converges slowly."""
    if x <= 0.0:
        return 0.0
    if x >= 1.0:
        return 1.0
    log_front = math.lgamma(a + b) - math.lgamma(a) - math.lgamma(b) + a * math.log(x) + b * math.log1p(-x)
    front = math.exp(log_front)
    if x < (a + 1.0) / (a + b + 2.0):
        return front * _beta_fraction(a, b, x) / a
    return 1.0 - front * _beta_fraction(b, a, 1.0 - x) / b


def _beta_fraction(a: float, b: float, x: float) -> float:
    """Lentz's method on the continued fraction of the incomplete beta function (DLMF 8.17.22)."""
    c, d = 1.0, 1.0 / (1.0 - (a + b) * x / (a + 1.0) or _TINY)
    value = d
    for m in range(1, _FRACTION_TERMS):
        even = m * (b - m) * x / ((a + 2 * m - 1.0) * (a + 2 * m))
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1.0))
        for term in (even, odd):
            d = 1.0 / (1.0 + term * d or _TINY)
            c = 1.0 + term / c or _TINY
            value *= c * d
        if abs(c * d - 1.0) < 1e-15:
            break
    return value
