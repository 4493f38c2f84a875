"""Bring networks of a given width below a sampled error."""

import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field

import numpy as np

from depthsep.constructions.line.search._fit import fitted
from depthsep.constructions.line.search._minimax import minimax
from depthsep.constructions.line.search._samples import Sampled
from depthsep.constructions.line.search._weights import Weights

HEATS = ((2.0, 5, 36), (2.0, 12, 12), (6.0, 16, 5))  # power, steps, starts kept
RANK_POWER = 6.0
SPLITS = (0.01, 0.15)  # how far apart a unit is split, in a ratio
NOISE = (-2.5, -1.0)  # powers of ten
EXCHANGES = 0.6  # share of escapes that split and prune a unit
ANYWHERE = 0.3  # share of splits that may be of any unit
NEAREST = 6  # units to choose from, near the largest error
PROMISING = 1.3  # the ranking size, of what is wanted, from which to polish


Found = tuple[Weights, float]  # with the sampled error


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
    sampled: Sampled, weights: Weights, enough: float, budget: Budget, steps: int = 40
) -> Found:
    """Fitted in rising powers, then in the norm itself."""
    if sampled.norm != "linf":
        power = 2.0 if sampled.norm == "l2" else 1.0
        weights = fitted(sampled, weights, power, 2 * steps)
        return weights, sampled.error(weights)
    weights = fitted(sampled, weights, 8.0, 25)
    return minimax(
        sampled, weights, steps, enough=enough, goes_on=lambda *_: not budget.is_spent
    )


def heats(
    sampled: Sampled, width: int, starts: Iterable[Weights], budget: Budget
) -> list[Weights]:
    """The best starts in order: all are fitted a little, the better ones more."""
    ranked = [w.widened(width) for w in starts]
    for power, steps, kept in HEATS:
        ranked.sort(key=lambda w: size(sampled, w))
        ranked = [
            w if budget.is_spent else fitted(sampled, w, power, steps)
            for w in ranked[:kept]
        ]
    return sorted(ranked, key=lambda w: size(sampled, w))


def best_of(
    sampled: Sampled, ranked: Sequence[Weights], budget: Budget, enough: float
) -> Found:
    """The best of some weights after polishing, with its sampled error."""
    best = polished(sampled, ranked[0], enough, budget)
    for weights in ranked[1:]:
        if best[1] <= enough or budget.is_spent:
            break
        best = min(best, polished(sampled, weights, enough, budget), key=lambda f: f[1])
    return best


def escaped(
    sampled: Sampled,
    best: Found,
    budget: Budget,
    rng: np.random.Generator,
    enough: float,
    shown: Callable[[float], None],
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
            found = minimax(
                sampled, fitted(sampled, trial, 8.0, 20), 40, enough=enough,
                goes_on=lambda *_: not budget.is_spent,
            )  # fmt: skip
            if found[1] < best[1]:
                best = found
                shown(best[1])
    return best


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
