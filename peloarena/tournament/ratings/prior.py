"""The prior bounds strengths where results do not. Every player drew some games against the mean of those it met.

With two draws, strengths have a logistic distribution before the first game, with a standard deviation of 315 Elo.
Works on natural strengths (log odds). Knows groups and draws; does not know results, Elo or deals.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .pairs import Floats

RIDGE = 1e-5
"""An additional Gaussian prior, for fits without draws and for turn positions: weak enough that ratings from 600
results move by less than 0.05 Elo, strong enough to keep an unbeaten bot finite."""


@dataclass(frozen=True)
class Prior:
    """`groups` has a row per group of parameters whose strengths sum to 0: players that met, and turn positions."""

    groups: Floats
    players: int
    """They come first among the parameters, and only they draw."""
    draws: float

    def log_density(self, theta: Floats) -> float:
        """The logarithm of the prior, up to a constant."""
        away = self._from_mean @ theta
        drawn = (np.logaddexp(0.0, away) + np.logaddexp(0.0, -away)).sum()
        return float(-self.draws * drawn - RIDGE * (theta @ theta)) / 2.0

    def slope(self, theta: Floats) -> Floats:
        """Its derivative. Tying each group's sum to 0 does not move the maximum: a shift changes no probability."""
        drawn = self.draws * (0.5 - self._chance(theta))
        return self._from_mean.T @ drawn - RIDGE * theta - self.groups.T @ (self.groups @ theta)

    def curvature(self, theta: Floats) -> Floats:
        """Minus its second derivative, including the ties, which keep the matrix well-conditioned."""
        return self.information(theta) + RIDGE * np.eye(len(theta)) + self.groups.T @ self.groups

    def information(self, theta: Floats) -> Floats:
        """The information of the draws about the strengths, as if they were games."""
        chance = self._chance(theta)
        weighted = self._from_mean * (self.draws * chance * (1.0 - chance))[:, np.newaxis]
        information: Floats = self._from_mean.T @ weighted
        return information

    def _chance(self, theta: Floats) -> Floats:
        chance: Floats = 1.0 / (1.0 + np.exp(-np.clip(self._from_mean @ theta, -500.0, 500.0)))
        return chance

    @cached_property
    def _from_mean(self) -> Floats:
        """For each player the distance from the mean of its group."""
        shares = self.groups / self.groups.sum(axis=1, keepdims=True)
        centred: Floats = np.eye(self.groups.shape[1]) - self.groups.T @ shares
        return centred[: self.players]
