"""The sup norm: successive linear programmes in a box of trust."""

from collections.abc import Callable

import numpy as np

from depthsep.constructions.search._chebyshev_step import chebyshev_step
from depthsep.constructions.search._samples import Samples
from depthsep.constructions.search._weights import Weights

LEFT_OUT = 2  # points of the grid, for each one kept
LARGEST_TRUST, SMALLEST_TRUST = 3.0, 1e-6


def minimax(
    sampled: Samples,
    weights: Weights,
    rounds: int,
    *,
    enough: float = 1.0,
    goes_on: Callable[[float, int], bool] = lambda error, round: True,
) -> tuple[Weights, float]:
    """The weights after some steps that lower the largest error, and that error.

    Each step minimises the largest of the residuals at their local maxima, linearised,
    in a box that grows after good steps and shrinks after bad ones.

    Args:
        enough: stop below this error.
        goes_on: asked after each step with the error and the number of steps.
    """
    weights = weights.balanced(sampled.grid)
    error, trust = sampled.error(weights), 0.1
    stale = 0
    for number in range(rounds):
        if error <= enough or trust < SMALLEST_TRUST or stale > 12:
            break
        step, promised = _step(sampled, weights, trust)
        if step is None:
            trust /= 3
            continue
        trial = weights.moved(step)
        reached = sampled.error(trial)
        gain = error - reached
        if gain > 0.05 * (error - promised) > 0:
            stale = stale + 1 if gain < 2e-4 * error else 0
            trust = min(
                LARGEST_TRUST, trust * (3 if gain > 0.5 * (error - promised) else 1)
            )
            weights, error = trial, reached
            if number % 8 == 7:
                weights = weights.balanced(sampled.grid)
        else:
            trust /= 3
        if not goes_on(error, number):
            break
    return weights, error


def _step(
    sampled: Samples, weights: Weights, trust: float
) -> tuple[np.ndarray | None, float]:
    """The step of the linear programme, and the largest residual it promises."""
    x, r = sampled.peaks(weights)
    jacobian = weights.jacobian(x)
    # a weight is trusted by what it changes anywhere, not only at the peaks
    anywhere = weights.jacobian(sampled.thinned(LEFT_OUT).grid)
    size = np.sqrt(np.mean(anywhere**2, axis=0))
    size = np.maximum(size, 1e-3 * size.max())
    largest = float(np.abs(r).max())
    a = jacobian / size / largest
    found = chebyshev_step(a, r / largest, trust * largest)
    if found is None:
        return None, largest
    return found[0] / size, found[1] * largest
