"""Leave a local minimum: exchange units, or shake all weights."""

import numpy as np

from depthsep.constructions.search._budget import Budget
from depthsep.constructions.search._fit import fitted
from depthsep.constructions.search._heats import Found, polished, size
from depthsep.constructions.search._pruning import pruned
from depthsep.constructions.search._samples import Samples
from depthsep.constructions.search._weights import Weights

SPLITS = (0.01, 0.15)  # how far apart a unit is split, in a ratio
NOISE = (-2.5, -1.0)  # powers of ten
EXCHANGES = 0.6  # share of escapes that split and prune a unit
ANYWHERE = 0.3  # share of splits that may be of any unit
NEAREST = 6  # units to choose from, near the largest error
PROMISING = 1.3  # the ranking size, of what is wanted, from which to polish


def escaped(
    sampled: Samples,
    best: Found,
    budget: Budget,
    rng: np.random.Generator,
    enough: float,
) -> Found:
    """Leave what is best, by an exchange of units or by noise, again and again.

    What comes of it is fitted in short, and polished only if it ranks higher.
    """
    here = fitted(sampled, best[0], 8.0, 25)
    least, tried = size(sampled, here), 0
    while best[1] > enough:
        if budget.is_spent or (budget.rounds is not None and tried >= budget.rounds):
            break
        tried += 1
        moved = _exchanged if rng.random() < EXCHANGES else _shaken
        trial = fitted(sampled, moved(sampled, here, rng), 4.0, 12)
        trial = fitted(sampled, trial, 8.0, 12)
        reached = size(sampled, trial)
        if reached >= least:
            continue
        here, least = trial, reached
        if reached < PROMISING * enough:
            found = polished(sampled, trial, enough, budget)
            if found[1] < best[1]:
                best = found
                budget.tell(max(best[0].widths), best[1])
    return best


def _exchanged(sampled: Samples, weights: Weights, rng: np.random.Generator) -> Weights:
    """Split a unit near the largest error, fit, and prune what is missed least."""
    layer, unit = _near_worst(sampled, weights, rng)
    apart = float(rng.uniform(*SPLITS))
    wider = fitted(sampled, weights.split(layer, unit, apart), 4.0, 10)
    return pruned(sampled, wider, layer)


def _near_worst(
    sampled: Samples, weights: Weights, rng: np.random.Generator
) -> tuple[int, int]:
    """Layer and number of a unit almost 0 at the largest error, or of any unit."""
    layers = len(weights.widths)
    if rng.random() < ANYWHERE:
        layer = int(rng.integers(layers))
        return layer, int(rng.integers(weights.widths[layer]))
    grid = sampled.grid
    worst = int(np.argmax(np.abs(weights(grid) - sampled.values)))
    near: list[tuple[float, int, int]] = []
    for layer, read in enumerate(weights.hidden(grid)):
        size = np.sqrt(np.mean(read**2, axis=0)) + 1e-300
        away = np.abs(read[worst]) / size
        near += [(float(gap), layer, unit) for unit, gap in enumerate(away)]
    nearest = sorted(near)[:NEAREST]
    _, layer, unit = nearest[int(rng.integers(len(nearest)))]
    return layer, unit


def _shaken(sampled: Samples, weights: Weights, rng: np.random.Generator) -> Weights:
    size = 10 ** rng.uniform(*NOISE)
    vector = weights.balanced(sampled.grid).vector
    return weights.balanced(sampled.grid).moved(
        vector * size * rng.standard_normal(vector.size)
    )
