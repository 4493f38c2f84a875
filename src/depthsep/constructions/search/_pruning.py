"""Units that are missed least."""

import numpy as np

from depthsep.constructions.search._fit import fitted
from depthsep.constructions.search._heats import size
from depthsep.constructions.search._samples import Samples
from depthsep.constructions.search._weights import Weights

TRIED = 3  # units that are left out in turn and the rest fitted
LEFT_OUT = 2  # points of the grid, for each one kept
DAMPING = 1e-6


def narrowed(sampled: Samples, wider: Weights, width: int) -> Weights:
    """A wider network with the units pruned that are missed least, not yet fitted."""
    few = sampled.thinned(LEFT_OUT)
    for layer in range(len(wider.widths)):
        while wider.widths[layer] > width:
            wider = _without_each(few, wider.balanced(few.grid), layer)[0]
    return wider


def pruned(sampled: Samples, weights: Weights, layer: int) -> Weights:
    """One unit of the layer less: the one without which a short fit is best."""
    few = sampled.thinned(LEFT_OUT)
    candidates = [
        fitted(few, without, 2.0, 8)
        for without in _without_each(few, weights.balanced(few.grid), layer)
    ]
    return min(candidates, key=lambda w: size(sampled, w))


def _without_each(sampled: Samples, weights: Weights, layer: int) -> list[Weights]:
    """Some units left out, and all other weights moved to where that costs least.

    To second order: with H the Gauss-Newton matrix and w_q the weights with which a
    unit is read, the squared error grows by w_q (H^-1_qq)^-1 w_q when they become 0
    (Hassibi and Stork, Optimal Brain Surgeon, 1993).
    """
    jacobian = weights.jacobian(sampled.grid)
    normal = jacobian.T @ (jacobian * sampled.shares[:, None])
    size = np.diag(normal) + 1e-12 * np.trace(normal) / len(normal)
    inverse = np.linalg.inv(normal + DAMPING * np.diag(size))
    vector, found = weights.vector, []
    for unit in range(weights.widths[layer]):
        read = weights.places_reading(layer, unit)
        pull = np.linalg.solve(inverse[np.ix_(read, read)], vector[read])
        cost = float(vector[read] @ pull)
        found.append((cost, unit, -inverse[:, read] @ pull))
    found.sort(key=lambda entry: entry[0])
    trials: list[Weights] = []
    for _, unit, step in found[:TRIED]:
        trials += [weights.moved(step).without(layer, unit)]
        trials += [weights.without(layer, unit)]
    return trials
