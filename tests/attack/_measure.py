"""The error of a network as the referee measures it: never more than it really is."""

import itertools
import random
from collections.abc import Mapping, Sequence
from fractions import Fraction

import numpy as np
from mpmath import mp, mpf

from ._functions import DIGITS, Doubtful, Undefined, real
from ._networks import Net
from ._targets import Truth, truth

POINTS, WORST = 240, 4
_MEANS = {"linf": 0.0, "l1": 0.98, "l2": 0.98}


def error_at_least(
    problem: Mapping[str, str], net: Net, rng: random.Random, finer: int = 1
) -> mpf | None:
    """A number that the error surely reaches; None if that cannot be measured.

    linf: at the worst of many points, exactly. l1 and l2: by the midpoint rule, less a
    margin for its own error; on an interval at `finer` times as many points.
    """
    law, norm = problem["law"], problem["norm"]
    function = truth(problem["target"], law)
    points = sample(law, net, norm, rng, finer)
    if function is None or points is None:
        return None
    gaps = np.abs(_truth_floats(function, points) - net.floats(_floats(points)))
    known = ~np.isnan(gaps)
    if not known.any():
        return None
    if norm == "linf":
        worst = [points[k] for k in np.argsort(np.where(known, -gaps, 0))[:WORST]]
        return _exactly(function, net, worst, exact="spheres" not in law)
    if not known.all():
        return None
    power = 1 if norm == "l1" else 2
    mean = float((gaps**power).mean()) ** (1 / power)
    return mpf(mean * _MEANS[norm] - 1e-9)


def sample(
    law: str, net: Net, norm: str, rng: random.Random, finer: int = 1
) -> list[list[Fraction]] | None:
    """Rational points of a law: for linf anywhere, for means equally weighted."""
    name, _, rest = law.partition(":")
    if name == "uniform":
        a, b = (Fraction(end) for end in rest.split(","))
        count = max(POINTS, 10 * sum(net.widths)) * finer
        if norm == "linf":
            ends = [[a], [b]]
            return ends + [[a + (b - a) * _share(rng)] for _ in range(count)]
        steps = [Fraction(2 * k + 1, 2 * count) for k in range(count)]
        return [[a + (b - a) * s] for s in steps]
    if name == "box":
        return _in_box(rest, norm, rng)
    if name == "signs" and int(rest) <= 8:
        return [
            list(map(Fraction, p)) for p in itertools.product((-1, 1), repeat=int(rest))
        ]
    if norm != "linf":
        return None
    if name == "spheres":
        return [_unit(int(rest), rng) + _unit(int(rest), rng) for _ in range(POINTS)]
    if name == "phi2":
        scale = Fraction(rng.randint(1, 20), 10)
        dim = int(rest.partition(":")[0])
        return [
            [scale * x * _share(rng) for x in _unit(dim, rng)] for _ in range(POINTS)
        ]
    return None


def _share(rng: random.Random) -> Fraction:
    return Fraction(rng.randint(0, 10**6), 10**6)


def _in_box(rest: str, norm: str, rng: random.Random) -> list[list[Fraction]] | None:
    sides = [[Fraction(x) for x in side.split(",")] for side in rest.split(";")]
    if norm == "linf":
        corners = [list(c) for c in itertools.product(*sides)] if len(sides) < 5 else []
        inside = [[a + (b - a) * _share(rng) for a, b in sides] for _ in range(POINTS)]
        return corners + inside
    if len(sides) > 2:
        return None
    steps = [Fraction(2 * k + 1, 80) for k in range(40)]
    rows = itertools.product(steps, repeat=len(sides))
    return [
        [a + (b - a) * s for (a, b), s in zip(sides, row, strict=True)] for row in rows
    ]


def _unit(dim: int, rng: random.Random) -> list[Fraction]:
    """A point of the unit sphere, up to 1e-15."""
    x = [rng.gauss(0, 1) for _ in range(dim)]
    size = sum(v * v for v in x) ** 0.5
    return [Fraction(v / size) for v in x]


def _truth_floats(function: Truth, points: Sequence[list[Fraction]]) -> np.ndarray:
    """NaN where the target has no value or none that is sure."""
    found = []
    with mp.workdps(DIGITS):
        for x in points:
            try:
                found.append(float(real(function(x))))
            except (Undefined, Doubtful, OverflowError):
                found.append(float("nan"))
    return np.array(found)


def _floats(points: Sequence[list[Fraction]]) -> np.ndarray:
    return np.array([[float(v) for v in x] for x in points])


def _exactly(
    function: Truth, net: Net, points: Sequence[list[Fraction]], *, exact: bool
) -> mpf | None:
    largest = None
    with mp.workdps(DIGITS):
        for x in points:
            try:
                gap = abs(real(function(x)) - real(net.exact(x)[0]))
            except (Undefined, Doubtful):
                continue
            gap -= mpf(10) ** (-25 if exact else -9)
            largest = gap if largest is None else max(largest, gap)
    return largest
