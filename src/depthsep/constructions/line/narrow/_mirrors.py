"""Find where a function on an interval is its own mirror image, from its values.

What is found is a proposal: the network built on it is examined like every other.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import numpy as np

SAMPLES = 2049
MOST_EXTREMA = 1000
HYPOTHESES = 6
SHORTEST_IMAGE = 1 / 16  # of the interval, for a single mirror
AT_A_MIRROR = 1e-9  # of a period
NEGLIGIBLE = 1e-3  # of the accuracy: what mirror images may differ

Values = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True)
class Mirrors:
    """f(x) = f(fold(x)) on [start, stop]; mirrors at first + k period, k an integer.

    Attributes:
        first: a mirror such that [first, first + period] is the side that is kept, as
            much of it as lies in the interval.
        period: from one mirror to the next; longer than the interval if there is one.
    """

    start: float
    stop: float
    first: float
    period: float

    def folded(self, x: np.ndarray) -> np.ndarray:
        """The mirror image in [first, first + period]."""
        u = (x - self.first) / self.period
        return self.first + self.period * np.abs(u - 2 * np.round(u / 2))

    @property
    def steps(self) -> tuple[float, float]:
        """Both ends of the interval, counted in periods from `first`."""
        low, high = (
            (end - self.first) / self.period for end in (self.start, self.stop)
        )
        return _snapped(low), _snapped(high)

    @property
    def kept(self) -> tuple[float, float]:
        """The side of the first mirror whose images are all of the interval."""
        return self.first, min(self.first + self.period, self.stop)

    @property
    def images(self) -> int:
        """How many mirror images, whole or not, make up the interval."""
        low, high = self.steps
        return int(np.ceil(high)) - int(np.floor(low))


def _snapped(steps: float) -> float:
    """The integer where rounding may have missed it: an end on a mirror is no image."""
    whole = round(steps)
    return float(whole) if abs(steps - whole) < AT_A_MIRROR else steps


def mirrors(f: Values, start: float, stop: float, accuracy: float) -> Mirrors | None:
    """The mirrors with the shortest period, or one, or None."""
    x = np.linspace(start, stop, SAMPLES)
    with np.errstate(all="ignore"):
        v = f(x)
        if not np.isfinite(v).all() or np.ptp(v) <= accuracy:
            return None
        noise = 256 * np.finfo(float).eps * np.abs(v).max() * SAMPLES**0.5
        allowed = NEGLIGIBLE * accuracy + noise
        for found in _hypotheses(f, x, v, allowed):
            if found.images > 1 and np.all(np.abs(f(found.folded(x)) - v) <= allowed):
                return found
    return None


def _hypotheses(
    f: Values, x: np.ndarray, v: np.ndarray, allowed: float
) -> Iterator[Mirrors]:
    """Mirrors in the middle of the interval first, short periods before long ones."""
    start, stop = float(x[0]), float(x[-1])
    centres = _centres(f, x, v, allowed)
    for middle in centres[:2]:
        gaps = sorted({abs(c - middle) for c in centres if c != middle})
        for gap in gaps[:HYPOTHESES]:
            period = _sharpened(middle, gap, centres)
            yield _at(start, stop, middle, period)
    for middle in centres[:2]:
        shorter = min(middle - start, stop - middle)
        if shorter >= SHORTEST_IMAGE * (stop - start):
            yield _alone(start, stop, middle)


def _at(start: float, stop: float, middle: float, period: float) -> Mirrors:
    """Keep a side that lies in the interval with both of its ends, if there is one."""
    first = middle if middle + period <= stop else middle - period
    return Mirrors(start, stop, first if first >= start else middle, period)


def _alone(start: float, stop: float, middle: float) -> Mirrors:
    longer = max(middle - start, stop - middle)
    first = middle if stop - middle == longer else start
    return Mirrors(start, stop, first, longer)


def _sharpened(middle: float, gap: float, centres: list[float]) -> float:
    """The gap, from the mirror farthest away that it leads to."""
    best = gap
    for c in sorted(centres, key=lambda c: abs(c - middle)):
        count = round(abs(c - middle) / best)
        if count and abs(abs(c - middle) - count * best) <= 1e-6 * gap * count:
            best = abs(c - middle) / count
    return best


def _centres(f: Values, x: np.ndarray, v: np.ndarray, allowed: float) -> list[float]:
    """Extrema about which f looks even, those nearest to the middle first."""
    rise = np.sign(np.diff(v))
    turning = np.flatnonzero(rise[1:] != rise[:-1]) + 1
    half = len(x) // 2
    candidates = sorted({half, *turning[:MOST_EXTREMA].tolist()})
    found: list[float] = []
    for place in sorted(candidates, key=lambda i: abs(i - half)):
        centre = _even_about(f, x, v, place, allowed)
        if centre is not None:
            found.append(centre)
    return found


def _even_about(
    f: Values, x: np.ndarray, v: np.ndarray, place: int, allowed: float
) -> float | None:
    """The point near x[place] with f(c + t) = f(c - t), by the secant method."""
    reach = min(place, len(x) - 1 - place) - 1
    if reach < 2:
        return None
    # where the difference reacts most to a move of the centre
    t = np.arange(1, reach + 1)
    slopes = v[place + t] - v[place + t - 1] - v[place - t + 1] + v[place - t]
    away = float(x[place + int(t[np.argmax(np.abs(slopes))])] - x[place])
    step = float(x[1] - x[0])

    def off(c: float) -> float:
        left, right = f(np.array([c - away, c + away]))
        return float(right - left)

    a, b = float(x[place]) - step / 3, float(x[place]) + step / 3
    at_a, at_b = off(a), off(b)
    for _ in range(12):
        if at_a == at_b:
            break
        a, b = b, b - at_b * (b - a) / (at_b - at_a)
        at_a, at_b = at_b, off(b)
    if not abs(b - x[place]) <= 2 * step:
        return None
    t = step * np.linspace(0, max(reach - 1, 1), 65)
    even = np.abs(f(b + t) - f(b - t)) <= allowed
    return b if even.all() else None
