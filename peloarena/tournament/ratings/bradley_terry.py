"""Rate all bots from all games at once: Bradley–Terry with error bars clustered by deal.

Knows results and Elo; knows neither the source of the results nor how a table is shown.
"""

from __future__ import annotations

import math
from collections.abc import Container, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

import msgspec
import numpy as np

from .distributions import t_cdf
from .likelihood import information, maximise
from .pairs import Comparisons, Floats, compare
from .player_groups import PlayerGroup, group_warnings, groups_linked_both_ways, groups_that_met, unbeaten_and_winless
from .prior import Prior
from .results import GameResult
from .sandwich import Estimate, Sandwich, sandwich

ELO_PER_LOG_ODDS = 400.0 / math.log(10.0)
MEAN_RATING = 1500.0
FEW_CLUSTERS = 20

_SCORE_TOLERANCE = 1e-9
"""Strengths that differ by less are equal: the last bits depend on the machine."""

Neighbours = tuple[int, int]
"""A player and the next below."""


OpenEnd = Literal["", "above", "below"]


class PlayerRating(msgspec.Struct, frozen=True):
    """A bot's rating; `error` is half of its 95 % interval and `los` the likelihood that it is stronger than the next
    below. None if the deals cannot tell: shown as n/a."""

    player: str
    rating: float
    error: float | None
    los: float | None
    open_end: OpenEnd = ""
    """Where results do not bound it: above a bot that never lost a point, below one that never took one."""


class SeatAdvantage(msgspec.Struct, frozen=True):
    """What an initial turn position is worth in Elo, against the mean of all positions."""

    position: int
    elo: float
    error: float | None


class Ratings(msgspec.Struct, frozen=True):
    """The fit: players from the strongest down, seats if asked for, and warnings."""

    players: tuple[PlayerRating, ...]
    seats: tuple[SeatAdvantage, ...]
    clusters: int
    warnings: tuple[str, ...]
    groups: tuple[tuple[str, ...], ...]
    """Players linked by games, the largest group first: only these compare. Ordinarily there is one."""


def rate(results: Iterable[GameResult], *, seat_advantage: bool = False, prior: float = 0) -> Ratings:
    """Rate all players of these results at once; the order of the results does not matter.

    `prior`: the number of games that each counts as having drawn against the mean; 0 to use the results alone.
    """
    fit = _fit(compare(results, seat_advantage=seat_advantage), prior)
    warnings = tuple(_warnings(fit))
    return Ratings(_players(fit), _seats(fit), fit.rows.clusters, warnings, _comparable_groups(fit.rows))


@dataclass(frozen=True)
class _Fit:
    """Strengths and their errors. A missing key means that nothing links the two; None, that the deals cannot tell."""

    rows: Comparisons
    theta: Floats
    order: tuple[int, ...]
    """The players from the strongest down."""
    errors: dict[int, Estimate | None]
    """A player (or position) against the mean of its reference group."""
    gap_errors: dict[Neighbours, Estimate | None]
    """A player against the next below."""
    linked: dict[int, PlayerGroup]
    """By player: the players linked to it by points in both directions, including itself."""
    open_ends: dict[int, OpenEnd]

    def half_width(self, index: int) -> float | None:
        estimate = self.errors.get(index)
        return None if estimate is None else ELO_PER_LOG_ODDS * estimate.half_width


def _fit(rows: Comparisons, draws: float) -> _Fit:
    prior = Prior(_free_groups(rows), len(rows.players), draws)
    theta = maximise(rows, prior)
    order = tuple(sorted(range(len(rows.players)), key=lambda index: (-round(float(theta[index]), 9), index)))
    linked = groups_linked_both_ways(rows)
    groups = (
        groups_that_met(rows) if draws else linked
    )  # without a prior nothing holds groups of one-way results together
    open_ends = _open_ends(rows) if draws else {}
    errors = _errors(rows, order, groups, sandwich(rows, theta, prior), _references(rows, groups, open_ends))
    return _Fit(rows, theta, order, *errors, {index: group for group in linked for index in group}, open_ends)


def _errors(
    rows: Comparisons,
    order: Sequence[int],
    groups: Sequence[PlayerGroup],
    covariance: Sandwich,
    references: dict[int, PlayerGroup],
) -> tuple[dict[int, Estimate | None], dict[Neighbours, Estimate | None]]:
    """Errors of each against its mean, and against the next below. One joint estimate is faster."""
    group_of = {index: group for group in groups for index in group if index in references}
    neighbours = [pair for pair in pairwise(order) if pair[1] in group_of and pair[1] in group_of.get(pair[0], ())]
    if rows.clusters < 2 or not references:
        return dict.fromkeys(references), dict.fromkeys(neighbours)
    to_mean = [_indicator(rows, (one,)) - _indicator(rows, group) / len(group) for one, group in references.items()]
    to_next = [_indicator(rows, (upper,)) - _indicator(rows, (lower,)) for upper, lower in neighbours]
    estimates = covariance.estimates(np.array([*to_mean, *to_next]))
    errors = dict(zip(references, estimates[: len(references)], strict=True))
    return errors, dict(zip(neighbours, estimates[len(references) :], strict=True))


def _open_ends(rows: Comparisons) -> dict[int, OpenEnd]:
    unbeaten, winless = unbeaten_and_winless(rows)
    ends: dict[int, OpenEnd] = dict.fromkeys(unbeaten, "above")
    ends.update(dict.fromkeys(winless, "below"))
    return ends


def _free_groups(rows: Comparisons) -> Floats:
    """Groups of parameters of which only differences within the group matter: bots that met, and the positions."""
    groups = groups_that_met(rows)
    if rows.positions:
        groups.append(_position_parameters(rows))
    return np.array([_indicator(rows, group) for group in groups])


def _indicator(rows: Comparisons, group: Sequence[int]) -> Floats:
    vector = np.zeros(rows.parameters)
    vector[list(group)] = 1.0
    return vector


def _players(fit: _Fit) -> tuple[PlayerRating, ...]:
    below: list[int | None] = [*fit.order[1:], None]
    return tuple(_player(fit, index, lower) for index, lower in zip(fit.order, below, strict=True))


def _player(fit: _Fit, index: int, lower: int | None) -> PlayerRating:
    return PlayerRating(
        player=fit.rows.players[index],
        rating=MEAN_RATING + ELO_PER_LOG_ODDS * float(fit.theta[index]),
        error=fit.half_width(index),
        los=None if lower is None else _superiority(fit, index, lower),
        open_end=fit.open_ends.get(index, ""),
    )


def _references(rows: Comparisons, groups: Sequence[PlayerGroup], open_ends: Container[int]) -> dict[int, PlayerGroup]:
    """For each bot (and position) with a measurable error, the bots whose mean it is measured against.

    These are the bots of its group that played in at least two deals and that results bound on both sides; in an
    ordinary tournament, everybody. The strength of the others is unmeasured, and they would add that error to
    everybody's.
    """
    deals = _deals_seen(rows)
    references = dict.fromkeys(_position_parameters(rows), _position_parameters(rows))
    for group in groups:
        measured = tuple(index for index in group if deals[index] > 1)
        bounded = tuple(index for index in measured if index not in open_ends)
        mean_of = bounded if len(bounded) > 1 else group
        references.update({index: mean_of for index in measured if len(mean_of) > 1})
    return references


def _deals_seen(rows: Comparisons) -> list[int]:
    size = len(rows.players)
    both = np.concatenate([rows.upper, rows.lower])
    seen = np.unique(np.tile(rows.cluster, 2) * size + both) % size
    return [int(count) for count in np.bincount(seen, minlength=size)]


def _superiority(fit: _Fit, upper: int, lower: int) -> float | None:
    """The chance that `upper` is stronger, by the t distribution of their difference.

    If points went one way only, by the deals that they played against each other, if any.
    """
    estimate = fit.gap_errors.get((upper, lower))
    if estimate is None or lower not in fit.linked[upper]:
        direct = _superiority_of_sweep(fit.rows, upper, lower)
        if direct is not None or estimate is None:
            return direct
    gap = float(fit.theta[upper] - fit.theta[lower])
    return t_cdf(gap / estimate.deviation, estimate.freedom)


def _superiority_of_sweep(rows: Comparisons, upper: int, lower: int) -> float | None:
    """The same chance if `upper` won all k deals against `lower`: 1 - 2^-(k+1).

    This is the probability that a bot wins more than half of the deals after k wins in k, if every share was equally
    likely before (Laplace). None if they did not meet, met in one deal, or both took points.
    """
    sides = (rows.upper == min(upper, lower)) & (rows.lower == max(upper, lower))
    scored = rows.score[sides] if upper < lower else rows.weight[sides] - rows.score[sides]
    deals = len(np.unique(rows.cluster[sides]))
    if deals < 2 or np.any(scored < rows.weight[sides] - _SCORE_TOLERANCE):
        return None
    return float(1.0 - 2.0 ** -(deals + 1))


def _comparable_groups(rows: Comparisons) -> tuple[tuple[str, ...], ...]:
    groups = sorted(groups_that_met(rows), key=lambda group: (-len(group), group))
    return tuple(tuple(rows.players[index] for index in group) for group in groups)


def _seats(fit: _Fit) -> tuple[SeatAdvantage, ...]:
    size = len(fit.rows.players)
    return tuple(
        SeatAdvantage(index - size, ELO_PER_LOG_ODDS * float(fit.theta[index]), fit.half_width(index))
        for index in _position_parameters(fit.rows)
    )


def _position_parameters(rows: Comparisons) -> PlayerGroup:
    return tuple(range(len(rows.players), rows.parameters))


def _warnings(fit: _Fit) -> list[str]:
    warnings = [*group_warnings(fit.rows), *_deal_warnings(fit.rows.clusters)]
    if _seats_are_confounded(fit.rows):
        warnings.append("seat advantage and strength cannot be told apart: bots kept their turn positions")
    return warnings


def _deal_warnings(clusters: int) -> list[str]:
    if clusters == 1:
        return ["one deal only: no error bars, since results of one deal are not independent"]
    if clusters < FEW_CLUSTERS:
        return [f"few deals ({clusters}): error bars use Student's t and are wide"]
    return []


def _seats_are_confounded(rows: Comparisons) -> bool:
    """Whether the results determine less about bots and positions together than about each alone."""
    if not rows.positions:
        return False
    expected = rows.parameters - len(groups_that_met(rows)) - 1
    return int(np.linalg.matrix_rank(information(rows, rows.weight))) < expected
