"""Search for a network of a given width whose sampled error is small enough."""

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

import numpy as np

from depthsep.constructions.line.search._fit import fitted
from depthsep.constructions.line.search._minimax import minimax
from depthsep.constructions.line.search._samples import Sampled
from depthsep.constructions.line.search._weights import Weights

RANKED, POLISHED = 12, 3  # starts that are fitted, and those that go on
RANK_POWER = 6.0
SPLITS = (0.01, 0.15)  # how far apart a unit is split, in a ratio
NOISE = (-2.5, -1.0)  # powers of ten
EXCHANGES = 0.6  # share of escapes that split and prune a unit
ANYWHERE = 0.3  # share of splits that may be of any unit
NEAREST = 6  # units to choose from, near the largest error
PROMISING = 1.3  # the ranking size, of what is wanted, from which to polish


@dataclass
class Budget:
    """How much a search may do: seconds, or rounds that no clock changes.

    Attributes:
        rounds: escapes at one width; None for as many as time allows.
    """

    seconds: float
    rounds: int | None = None
    started: float = field(default_factory=time.monotonic)

    @property
    def is_spent(self) -> bool:
        """Whether the time is up; never where rounds are counted instead."""
        return self.rounds is None and time.monotonic() - self.started >= self.seconds


def size(sampled: Sampled, weights: Weights) -> float:
    """The mean of |r|^6, to the power 1/6, or the norm's own mean: what ranks."""
    power = {"l1": 1.0, "l2": 2.0}.get(sampled.norm, RANK_POWER)
    r = np.abs(weights(sampled.grid) - sampled.values)
    found = float((sampled.shares @ r**power) ** (1 / power))
    return found if np.isfinite(found) else float("inf")


def polished(
    sampled: Sampled, weights: Weights, enough: float, budget: Budget, steps: int = 60
) -> tuple[Weights, float]:
    """Fitted in rising powers, then in the norm itself."""
    if sampled.norm != "linf":
        power = 2.0 if sampled.norm == "l2" else 1.0
        weights = fitted(sampled, weights, power, 2 * steps)
        return weights, sampled.error(weights)
    for power in (2.0, 4.0, 8.0):
        weights = fitted(sampled, weights, power, 25)
    return minimax(
        sampled, weights, steps, enough=enough, goes_on=lambda *_: not budget.is_spent
    )


def searched(
    sampled: Sampled,
    width: int,
    starts: Iterator[Weights],
    budget: Budget,
    rng: np.random.Generator,
    *,
    enough: float,
    shown: Callable[[float], None] = lambda error: None,
) -> Weights | None:
    """Weights of this width with a sampled error below `enough`, or None.

    The starts are ranked after a few steps, the best polished; then the best of all is
    left by splitting a unit and pruning another, or by noise, again and again.
    """
    fits = [fitted(sampled, w.widened(width), 2.0, 15) for w in starts]
    fits.sort(key=lambda w: size(sampled, w))
    best: tuple[Weights, float] | None = None
    for weights in fits[:POLISHED]:
        found = polished(sampled, weights, enough, budget)
        if best is None or found[1] < best[1]:
            best = found
            shown(best[1])
        if best[1] <= enough or budget.is_spent:
            break
    if best is None:
        return None
    return _escaped(sampled, best, budget, rng, enough, shown)


def _escaped(
    sampled: Sampled,
    best: tuple[Weights, float],
    budget: Budget,
    rng: np.random.Generator,
    enough: float,
    shown: Callable[[float], None],
) -> Weights | None:
    """Leave what is best, fit in short, and polish only what ranks higher than it."""
    here = fitted(sampled, best[0], 8.0, 25)
    least, tried = size(sampled, here), 0
    while best[1] > enough:
        if budget.is_spent or (budget.rounds is not None and tried >= budget.rounds):
            return None
        tried += 1
        moved = _exchanged if rng.random() < EXCHANGES else _shaken
        trial = fitted(sampled, moved(sampled, here, rng), 4.0, 12)
        trial = fitted(sampled, trial, 8.0, 12)
        reached = size(sampled, trial)
        if reached >= least:
            continue
        here, least = trial, reached
        if reached < PROMISING * enough:
            found = minimax(
                sampled, fitted(sampled, trial, 8.0, 20), 40, enough=enough,
                goes_on=lambda *_: not budget.is_spent,
            )  # fmt: skip
            if found[1] < best[1]:
                best = found
                shown(best[1])
    return best[0]


def _exchanged(sampled: Sampled, weights: Weights, rng: np.random.Generator) -> Weights:
    """Split a unit near the largest error, fit, and prune what is missed least."""
    layer, unit = _near_worst(sampled, weights, rng)
    apart = float(rng.uniform(*SPLITS))
    wider = fitted(sampled, weights.split(layer, unit, apart), 4.0, 10)
    return pruned(sampled, wider, layer)


def _near_worst(
    sampled: Sampled, weights: Weights, rng: np.random.Generator
) -> tuple[int, int]:
    """The layer and number of a unit with a zero near the largest error, or of any."""
    layers = len(weights.widths)
    if rng.random() < ANYWHERE:
        layer = int(rng.integers(layers))
        return layer, int(rng.integers(weights.widths[layer]))
    grid = sampled.grid
    worst = int(np.argmax(np.abs(weights(grid) - sampled.values)))
    near: list[tuple[int, int, int]] = []
    for layer, read in enumerate(weights.hidden(grid)):
        place, unit = np.nonzero(read[:-1] * read[1:] < 0)
        near += [
            (abs(int(i) - worst), layer, int(u))
            for i, u in zip(place, unit, strict=True)
        ]
    nearest = sorted(near)[:NEAREST] or [(0, 0, 0)]
    _, layer, unit = nearest[int(rng.integers(len(nearest)))]
    return layer, unit


def _shaken(sampled: Sampled, weights: Weights, rng: np.random.Generator) -> Weights:
    size = 10 ** rng.uniform(*NOISE)
    vector = weights.balanced(sampled.grid).vector
    return weights.balanced(sampled.grid).moved(
        vector * size * rng.standard_normal(vector.size)
    )


def pruned(sampled: Sampled, weights: Weights, layer: int) -> Weights:
    """One unit of the layer less: the one without which a short fit is best."""
    candidates = [
        fitted(sampled, weights.without(layer, unit), 2.0, 6)
        for unit in range(weights.widths[layer])
    ]
    return min(candidates, key=lambda w: size(sampled, w))
