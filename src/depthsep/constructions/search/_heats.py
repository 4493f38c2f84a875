"""Bring networks of a given width below a sampled error."""

from collections.abc import Iterable, Sequence

import numpy as np

from depthsep.constructions.search._budget import Budget, Progress
from depthsep.constructions.search._fit import fitted
from depthsep.constructions.search._minimax import minimax
from depthsep.constructions.search._samples import Samples
from depthsep.constructions.search._weights import Weights

# power, steps, starts kept, points of the grid left out for each one kept
HEATS = ((2.0, 4, 30, 3), (4.0, 12, 10, 2), (8.0, 30, 4, 1))
MANY = 240  # weights
RANK_POWER = 6.0

Found = tuple[Weights, float]  # with the sampled error


def size(sampled: Samples, weights: Weights) -> float:
    """The mean of |r|^6, to the power 1/6, or the norm's own mean: what ranks."""
    power = {"l1": 1.0, "l2": 2.0}.get(sampled.norm, RANK_POWER)
    r = np.abs(weights(sampled.grid) - sampled.values)
    found = float((sampled.shares @ r**power) ** (1 / power))
    return found if np.isfinite(found) else float("inf")


def polished(
    sampled: Samples,
    weights: Weights,
    enough: float,
    budget: Budget,
    steps: int = 40,
) -> Found:
    """Fitted in rising powers, then in the norm itself."""
    if sampled.norm != "linf":
        power = 2.0 if sampled.norm == "l2" else 1.0
        weights = fitted(sampled, weights, power, 2 * steps, budget)
        return weights, sampled.error(weights)
    weights = fitted(sampled, weights, 8.0, 25, budget)
    progress = Progress(budget, enough)
    return minimax(sampled, weights, steps, enough=enough, goes_on=progress)


def heats(
    sampled: Samples, width: int, starts: Iterable[Weights], budget: Budget
) -> list[Weights]:
    """The best starts in order: all are fitted a little, the better ones more."""
    ranked: list[Weights] = []
    for weights in starts:
        ranked.append(weights.widened(width))
        if budget.is_spent:
            break
    for power, steps, kept, left_out in HEATS:
        ranked.sort(key=lambda w: size(sampled, w))
        few = sampled.thinned(left_out)
        ranked = [
            fitted(few, w, power, steps, budget) for w in ranked[: _fewer(kept, ranked)]
        ]
    return sorted(ranked, key=lambda w: size(sampled, w))


def _fewer(kept: int, ranked: Sequence[Weights]) -> int:
    """Of large networks, whose fits take long, not so many are kept."""
    if not ranked:
        return 0
    return max(2, min(kept, kept * MANY // ranked[0].vector.size))


def best_of(
    sampled: Samples, ranked: Sequence[Weights], budget: Budget, enough: float
) -> Found:
    """The best of some weights after polishing, with its sampled error."""
    best = polished(sampled, ranked[0], enough, budget)
    for weights in ranked[1:]:
        if best[1] <= enough or budget.is_spent:
            break
        best = min(best, polished(sampled, weights, enough, budget), key=lambda f: f[1])
    return best
