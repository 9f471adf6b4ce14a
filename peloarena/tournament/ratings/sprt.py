"""Two bots, deal by deal: a sequential test that stops when it is decided, and an Elo difference.

Knows scores per deal (the share of the points of all its seatings, 0 to 1) and nothing else. The seatings of one deal
are one observation; over two seatings this is the pentanomial test.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import StrEnum

import msgspec

from .distributions import t_quantile
from .results import ResultsError

_SUPPORT = (0.0, 0.25, 0.5, 0.75, 1.0)
"""Every score over two seatings remains possible, even if it has not occurred yet."""
_UNSEEN_COUNT = 1e-3
"""The count of a score not seen yet; fishtest uses the same value for the same purpose."""
_BISECTIONS = 100
_MOST_ELO = 2000
_TAIL = 0.025
_HALF_LEAST_LOSS = 0.125
"""Half of the smallest possible loss over two seatings, in deals."""


class Conclusion(StrEnum):
    """What the test says so far."""

    CONTINUE = "continue"
    ACCEPT_H0 = "accept H0"
    ACCEPT_H1 = "accept H1"


class SprtState(msgspec.Struct, frozen=True):
    """The log-likelihood ratio of elo1 against elo0, its bounds, and the decision."""

    elo0: float
    elo1: float
    llr: float
    lower: float
    upper: float
    deals: int
    decision: Conclusion


class EloDifference(msgspec.Struct, frozen=True):
    """An Elo difference with its 95 % interval; the interval is None for a single deal."""

    elo: float
    low: float | None
    high: float | None
    score: float
    deals: int


def expected_score(elo: float) -> float:
    """The score that an Elo difference predicts."""
    return 1.0 / (1.0 + math.pow(10.0, -elo / 400.0))


def elo_of_score(score: float) -> float:
    """The Elo difference that predicts this score, which must lie strictly between 0 and 1."""
    return 400.0 * math.log10(score / (1.0 - score))


def sprt(scores: Sequence[float], elo0: float, elo1: float, alpha: float = 0.05, beta: float = 0.05) -> SprtState:
    """Test elo1 against elo0 on the scores of the first bot, deal by deal."""
    _check_scores(scores)
    return sprt_of_counts(Counter(scores), elo0, elo1, alpha, beta)


def sprt_of_counts(
    counts: Counter[float], elo0: float, elo1: float, alpha: float = 0.05, beta: float = 0.05
) -> SprtState:
    """The same for counted scores: after many deals it takes no longer than after the first."""
    if not -_MOST_ELO <= elo0 < elo1 <= _MOST_ELO:
        raise ResultsError(
            f"SPRT bounds {elo0:g},{elo1:g}: must be two numbers from -{_MOST_ELO} to {_MOST_ELO}, the smaller first"
        )
    lower, upper = math.log(beta / (1.0 - alpha)), math.log((1.0 - beta) / alpha)
    llr = _log_likelihood_ratio(counts, expected_score(elo0), expected_score(elo1))
    return SprtState(elo0, elo1, llr, lower, upper, counts.total(), _decide(llr, lower, upper))


def _decide(llr: float, lower: float, upper: float) -> Conclusion:
    if llr >= upper:
        return Conclusion.ACCEPT_H1
    return Conclusion.ACCEPT_H0 if llr <= lower else Conclusion.CONTINUE


def _log_likelihood_ratio(seen: Counter[float], score0: float, score1: float) -> float:
    """The ratio of the best distributions of scores with mean score1 and with mean score0.

    The shape of the distribution (draws, seat luck) is not assumed but fitted under either mean: the generalised SPRT
    with the exact multinomial likelihood.
    """
    if not seen:
        return 0.0
    counts = dict.fromkeys(_SUPPORT, _UNSEEN_COUNT) | dict(seen)
    tilt0, tilt1 = _tilt(counts, score0), _tilt(counts, score1)
    return sum(
        count * (math.log1p(tilt0 * (score - score0)) - math.log1p(tilt1 * (score - score1)))
        for score, count in counts.items()
    )


def _tilt(counts: dict[float, float], mean: float) -> float:
    """The x for which the chances count/(1 + x (score - mean)) have the given mean (Owen 1988)."""
    low, high = -1.0 / (max(counts) - mean), 1.0 / (mean - min(counts))
    for _ in range(_BISECTIONS):
        middle = 0.5 * (low + high)
        slope = sum(count * (score - mean) / (1.0 + middle * (score - mean)) for score, count in counts.items())
        low, high = (middle, high) if slope > 0.0 else (low, middle)
    return 0.5 * (low + high)


def elo_difference(scores: Sequence[float]) -> EloDifference:
    """The Elo difference of the mean score; 95 % interval by t over deals on the log-odds scale.

    It stays finite where the log odds do not:
    - Won throughout: the score counts as if half the least possible loss had happened (an eighth of a
      deal). The near end is exact, the lowest mean that wins every deal with chance 2.5 %. The far end
      is the mirror image: the results do not bound it, but a finite number can be printed.
    - All deals alike otherwise: the spread is that of one more deal which could have gone either way.
    """
    _check_scores(scores)
    if not scores:
        raise ResultsError("no deals: nothing to compare")
    mean = math.fsum(scores) / len(scores)
    if mean in (0.0, 1.0):
        return _one_sided(len(scores), mean)
    elo = elo_of_score(mean)
    if len(scores) == 1:
        return EloDifference(elo, None, None, mean, 1)
    half = _half_width(scores, mean)
    return EloDifference(elo, elo - half, elo + half, mean, len(scores))


def _half_width(scores: Sequence[float], mean: float) -> float:
    deals = len(scores)
    squares = math.fsum((score - mean) ** 2 for score in scores)
    deviation = math.sqrt(squares / (deals - 1) / deals) if squares > 1e-18 else 0.5 / (deals + 1)
    log_odds = deviation / (mean * (1.0 - mean))
    return t_quantile(1.0 - _TAIL, deals - 1) * log_odds * 400.0 / math.log(10.0)


def _one_sided(deals: int, mean: float) -> EloDifference:
    sign = 1.0 if mean == 1.0 else -1.0
    far = elo_of_score(1.0 - _HALF_LEAST_LOSS / deals)
    if deals == 1:
        return EloDifference(sign * far, None, None, mean, deals)
    near = elo_of_score(_TAIL ** (1.0 / deals))
    ends = sorted((sign * near, sign * (2.0 * far - near)))
    return EloDifference(sign * far, ends[0], ends[1], mean, deals)


def _check_scores(scores: Iterable[float]) -> None:
    for score in scores:
        if not 0.0 <= score <= 1.0:
            raise ResultsError(f"deal score {score}: must be between 0 and 1")
