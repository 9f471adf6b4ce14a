"""The prior: what holds strengths besides results. Every player drew some games against the mean of those it met.

With two draws, strengths are spread like the logistic distribution before the first game, 315 Elo around the mean.
Works on natural strengths (log odds). Knows groups and draws; does not know results, Elo or deals.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from .pairs import Floats

RIDGE = 1e-5
"""A Gaussian prior beside the draws, for fits without them and for turn positions: so weak that 600 results move by
less than 0.05 Elo, so strong that an unbeaten bot stays finite."""


@dataclass(frozen=True)
class Prior:
    """`groups` has a row per group of parameters whose strengths sum to 0: players that met, and turn positions."""

    groups: Floats
    players: int
    """They come first among the parameters, and they alone draw."""
    draws: float

    def value(self, theta: Floats) -> float:
        """The logarithm of the prior, but for a constant."""
        away = self._from_mean @ theta
        drawn = (np.logaddexp(0.0, away) + np.logaddexp(0.0, -away)).sum()
        return float(-self.draws * drawn - RIDGE * (theta @ theta)) / 2.0

    def slope(self, theta: Floats) -> Floats:
        """Its derivative. Tying each group's sum to 0 leaves the maximum where it is: a shift changes no chance."""
        drawn = self.draws * (0.5 - self._chance(theta))
        return self._from_mean.T @ drawn - RIDGE * theta - self.groups.T @ (self.groups @ theta)

    def curvature(self, theta: Floats) -> Floats:
        """Minus its second derivative, with the ties, which keep the matrix well-conditioned."""
        return self.information(theta) + RIDGE * np.eye(len(theta)) + self.groups.T @ self.groups

    def information(self, theta: Floats) -> Floats:
        """What the draws tell about the strengths, as games would."""
        chance = self._chance(theta)
        weighted = self._from_mean * (self.draws * chance * (1.0 - chance))[:, np.newaxis]
        told: Floats = self._from_mean.T @ weighted
        return told

    def _chance(self, theta: Floats) -> Floats:
        chance: Floats = 1.0 / (1.0 + np.exp(-np.clip(self._from_mean @ theta, -500.0, 500.0)))
        return chance

    @cached_property
    def _from_mean(self) -> Floats:
        """For each player the distance from the mean of its group."""
        shares = self.groups / self.groups.sum(axis=1, keepdims=True)
        centred: Floats = np.eye(self.groups.shape[1]) - self.groups.T @ shares
        return centred[: self.players]
