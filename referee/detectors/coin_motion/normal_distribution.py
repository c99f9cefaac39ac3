"""Computes shares and densities of a normal distribution."""

from __future__ import annotations

import math


def normal_share(sigmas: float) -> float:
    """Return the share of a normal distribution below `sigmas` standard deviations."""
    return 0.5 * math.erfc(-sigmas / math.sqrt(2.0))


def normal_density(sigmas: float) -> float:
    """Return the density of a normal distribution `sigmas` standard deviations from its mean."""
    return math.exp(-0.5 * sigmas**2) / math.sqrt(2.0 * math.pi)


def share_between(low: float, high: float, mean: float, sigma: float) -> float:
    """Return the share of a normal distribution with this mean and sigma (> 0) between `low` and
    `high`.
    """
    return max(0.0, normal_share((high - mean) / sigma) - normal_share((low - mean) / sigma))
