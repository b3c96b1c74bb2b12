"""Weights of `vision.judge`, `vision.company`, `vision.plain`: logistic regressions on finds whose truth is known."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Doubles = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class FitConfig:
    """The regression."""

    ridge: float = 1e-2
    """Holds the weights where classes are separable."""
    rounds: int = 60
    """Newton's method settles in a dozen."""


def regress(
    features: Doubles,
    is_so: NDArray[np.bool_],
    config: FitConfig,
    counts: Doubles | None = None,
) -> Doubles:
    """A logistic regression.

    Args:
        features: (N, K).
        is_so: (N,) bool.
        config: see `FitConfig`.
        counts: (N,) how often each counts; once each if it isn't said.

    Returns:
        (K + 1,) float64, the weights and the bias behind them.

    Raises:
        ValueError: if all are so, or none is.
    """
    wanted = np.asarray(is_so, np.float64)
    if wanted.all() or not wanted.any():
        raise ValueError("finds of both kinds are needed: of those that are so and of others")
    x = np.column_stack([features, np.ones(len(wanted))])
    often = np.ones(len(wanted)) if counts is None else counts
    weights = np.zeros(x.shape[1])
    for _ in range(config.rounds):
        p = 1 / (1 + np.exp(-x @ weights))
        slope = x.T @ (often * (p - wanted)) + config.ridge * weights
        curve = (x.T * (often * p * (1 - p))) @ x + config.ridge * np.eye(len(weights))
        weights = weights - np.linalg.solve(curve, slope)
    return weights
