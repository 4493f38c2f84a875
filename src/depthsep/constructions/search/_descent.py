"""From a network that is known to narrower ones."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from math import ceil, isqrt

import numpy as np
from threadpoolctl import threadpool_limits

from depthsep.constructions.search._budget import Budget
from depthsep.constructions.search._escapes import escaped
from depthsep.constructions.search._heats import (
    Found,
    best_of,
    heats,
    size,
)
from depthsep.constructions.search._pruning import narrowed
from depthsep.constructions.search._samples import Samples
from depthsep.constructions.search._weights import Weights

FAR_APART = 3  # ratio of widths from which their geometric mean is tried
PRUNED = 3  # units by which the best network is narrowed, as a start
# the size up to which starts are polished; in l1 and l2 it is the error itself
PLAUSIBLE = {"linf": 0.8, "l1": 1.3, "l2": 1.3}
POLISHED = 3  # of the starts of a width
PART = 0.4  # of the time left, for one width


@dataclass(eq=False)
class Descent:
    """Widths between one that is proved to be needed and one that is known.

    What is tried first is two thirds of the way up, since a width that is too small
    takes the longest; the geometric mean if they are far apart, as narrow networks are
    searched fast.

    Attributes:
        narrowest, widest: nothing below and nothing above is tried.
        enough: the sampled error to reach.
        starts: networks of at most a width to begin with.
    """

    sampled: Samples
    narrowest: int
    widest: int
    enough: float
    budget: Budget
    rng: np.random.Generator
    starts: Callable[[int], Iterator[Weights]]
    missed: dict[int, Found] = field(default_factory=dict[int, Found])

    def narrower_than(self, known: Weights | None) -> Weights | None:
        """The narrowest network found; None if nothing is narrower.

        On one thread: more of them slow such small matrices down several times.

        Args:
            known: a good network; None to try wider ones until one is good.
        """
        with threadpool_limits(1, user_api="blas"):
            best = self._between(known)
            if best is not None and max(best.widths) <= self.widest:
                best = self._escaped(best)
        return None if best is known else best

    def _between(self, best: Weights | None) -> Weights | None:
        low = self.narrowest
        while not self.budget.is_spent:
            width = min(self._next_width(low, best), self.widest)
            if width < low or (best is not None and width >= max(best.widths)):
                break
            found = self._at(width, best, self.budget.part(PART))
            if found is not None and found[1] <= self.enough:
                best = found[0]
            else:
                low = width + 1
        return best

    def _next_width(self, low: int, best: Weights | None) -> int:
        if best is None:
            return max(low, min(self._foreseen(low), 2 * low))
        high = max(best.widths)
        middle = isqrt(low * high) if high > FAR_APART * low else (low + 2 * high) // 3
        return max(low, min(self._foreseen(middle), middle))

    def _foreseen(self, otherwise: int) -> int:
        """The width at which the size, as that of a narrower network, is plausible.

        Errors fall as the number of cells to the power -2 / d, and so as the width to
        the power -2 L.
        """
        if not self.missed:
            return otherwise
        width = max(self.missed)
        weights = self.missed[width][0]
        excess = size(self.sampled, weights) / PLAUSIBLE[self.sampled.norm]
        if not 1 < excess < float("inf"):
            return width + 1
        return ceil(width * excess ** (1 / (2 * len(weights.widths))))

    def _at(self, width: int, best: Weights | None, budget: Budget) -> Found | None:
        """The best network of a width after polishing what looks good enough."""
        ranked = heats(self.sampled, width, self._starts(width, best), budget)
        if not ranked:
            return None
        found = ranked[0], float("inf")
        if size(self.sampled, ranked[0]) <= PLAUSIBLE[self.sampled.norm]:
            found = best_of(self.sampled, ranked[:POLISHED], budget, self.enough)
            self.budget.tell(width, found[1])
        if width not in self.missed or found[1] < self.missed[width][1]:
            self.missed[width] = found
        return found

    def _starts(self, width: int, best: Weights | None) -> Iterator[Weights]:
        yield from self.starts(width)
        narrower = [found for w, (found, _) in self.missed.items() if w < width]
        if narrower:
            yield max(narrower, key=lambda found: max(found.widths))
        if best and 0 < max(best.widths) - width <= PRUNED:
            yield narrowed(self.sampled, best, width)

    def _escaped(self, best: Weights) -> Weights:
        """One unit less, again and again, while time is left."""
        while max(best.widths) > self.narrowest and not self.budget.is_spent:
            width = max(best.widths) - 1
            found = self._one_less(width, best)
            while found[1] > self.enough:
                part = self.budget.part(PART)
                found = escaped(self.sampled, found, part, self.rng, self.enough)
                if self.budget.rounds is not None or self.budget.is_spent:
                    break
                if found[1] > self.enough:  # from new random networks
                    other = self._at(width, best, self.budget.part(PART)) or found
                    found = self._better(found, other)
            if found[1] > self.enough:
                break
            best = found[0]
        return best

    def _one_less(self, width: int, best: Weights) -> Found:
        pruned = [narrowed(self.sampled, best, width)]
        found = best_of(self.sampled, pruned, self.budget, self.enough)
        if found[1] <= self.enough:
            return found
        return self._better(found, self.missed.get(width, found))

    def _better(self, first: Found, second: Found) -> Found:
        """The one that is good enough, or that ranks higher."""
        least = min(first, second, key=lambda f: f[1])
        if least[1] <= self.enough:
            return least
        return min(first, second, key=lambda f: size(self.sampled, f[0]))
