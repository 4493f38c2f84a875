"""Levenberg-Marquardt on a power norm of the residual."""

import numpy as np

from depthsep.constructions.search._budget import Budget
from depthsep.constructions.search._samples import Samples
from depthsep.constructions.search._weights import Weights

SMALLEST_DAMPING, LARGEST_DAMPING = 1e-9, 1e3
SMALLEST = 1e-11  # of the mean, so that rounding leaves the matrix definite
GAIN, PATIENCE = 1e-4, 3  # so many steps in a row that gain less are enough


def fitted(
    sampled: Samples,
    weights: Weights,
    power: float,
    rounds: int,
    budget: Budget | None = None,
) -> Weights:
    """The weights after some damped Gauss-Newton steps on the mean of |r|^power.

    The residuals are weighted by |r|^(power - 2) in every step.
    """
    from scipy.linalg import cho_factor, cho_solve

    weights = weights.balanced(sampled.grid)
    shares, damping, slow = sampled.shares, 1e-3, 0
    r = weights(sampled.grid) - sampled.values
    size = _size(r, shares, power)
    for _ in range(rounds if size > 0 else 0):
        if budget is not None and budget.is_spent:
            break
        normal, slope = _model(sampled, weights, r / size, power)
        # equal weights: every unknown is measured by what it changes
        scale = np.sqrt(np.diag(normal) + SMALLEST * np.trace(normal) / len(normal))
        normal = normal / scale[:, None] / scale
        retried = False
        while damping < LARGEST_DAMPING:
            damped = normal.copy()
            damped[np.diag_indices_from(damped)] += damping + SMALLEST
            try:
                factor = cho_factor(damped, overwrite_a=True, check_finite=False)
            except np.linalg.LinAlgError:  # by rounding, or not finite
                damping, retried = damping * 4, True
                continue
            step = cho_solve(factor, slope / scale, check_finite=False) / scale
            trial = weights.moved(-size * step)
            after = trial(sampled.grid) - sampled.values
            reached = _size(after, shares, power)
            if reached < size:
                if not retried:
                    damping = max(damping / 6, SMALLEST_DAMPING)
                break
            damping, retried = damping * 4, True
        else:
            return weights
        slow = slow + 1 if reached > (1 - GAIN) * size else 0
        weights, r, size = trial, after, reached
        if slow == PATIENCE:
            break
    return weights


def _model(
    sampled: Samples, weights: Weights, r: np.ndarray, power: float
) -> tuple[np.ndarray, np.ndarray]:
    """The Gauss-Newton matrix and the slope of the mean of |r|^power / power."""
    size = np.abs(r)
    pulls = sampled.shares * np.ones_like(size)
    if power > 2:
        pulls = pulls * size ** (power - 2)
    elif power < 2:
        pulls = pulls / np.maximum(size, 1e-3)
    root = np.sqrt(pulls)
    jacobian = weights.jacobian(sampled.grid) * root[:, None]
    # the second derivative of |r|^p is p (p - 1) |r|^(p - 2)
    return max(1.0, power - 1) * (jacobian.T @ jacobian), jacobian.T @ (root * r)


def _size(r: np.ndarray, shares: np.ndarray, power: float) -> float:
    """The mean of |r|^power, to the power 1 / power."""
    largest = float(np.abs(r).max())
    if not np.isfinite(largest) or largest == 0:
        return largest if largest == 0 else float("inf")
    return largest * float(shares @ np.abs(r / largest) ** power) ** (1 / power)
