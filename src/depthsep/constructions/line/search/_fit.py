"""Levenberg-Marquardt on a power norm of the residual."""

import numpy as np

from depthsep.constructions.line.search._samples import Sampled
from depthsep.constructions.line.search._weights import Weights

SMALLEST_DAMPING, LARGEST_DAMPING = 1e-9, 1e3


def fitted(sampled: Sampled, weights: Weights, power: float, rounds: int) -> Weights:
    """The weights after some damped Gauss-Newton steps on the mean of |r|^power.

    The residuals are weighted by |r|^(power - 2) in every step.
    """
    weights = weights.balanced(sampled.grid)
    shares, damping = sampled.shares, 1e-3
    r = weights(sampled.grid) - sampled.values
    size = _size(r, shares, power)
    for _ in range(rounds):
        pulls = shares * np.abs(r / size) ** (power - 2) if power != 2 else shares
        if power < 2:
            pulls = shares / np.maximum(np.abs(r / size), 1e-3)
        jacobian = weights.jacobian(sampled.grid)
        # the second derivative of |r|^p is p (p - 1) |r|^(p - 2)
        normal = max(1.0, power - 1) * jacobian.T @ (jacobian * pulls[:, None])
        slope = jacobian.T @ (pulls * r)
        diagonal = np.diag(normal) + 1e-12 * np.trace(normal) / len(normal)
        while damping < LARGEST_DAMPING:
            try:
                step = -np.linalg.solve(normal + damping * np.diag(diagonal), slope)
            except np.linalg.LinAlgError:
                damping *= 4
                continue
            trial = weights.moved(step)
            after = trial(sampled.grid) - sampled.values
            reached = _size(after, shares, power)
            if reached < size:
                damping = max(damping / 8, SMALLEST_DAMPING)
                break
            damping *= 4
        else:
            return weights
        gained = 1 - reached / size
        weights, r, size = trial, after, reached
        if gained < 1e-4:
            break
    return weights


def _size(r: np.ndarray, shares: np.ndarray, power: float) -> float:
    """The mean of |r|^power, to the power 1 / power."""
    largest = float(np.abs(r).max())
    if not np.isfinite(largest) or largest == 0:
        return largest if largest == 0 else float("inf")
    return largest * float(shares @ np.abs(r / largest) ** power) ** (1 / power)
