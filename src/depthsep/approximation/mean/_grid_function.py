"""A target on a grid: an interpolant in integers, and how far it is from the target."""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep.approximation.best._linearise import cell_error
from depthsep.approximation.mean._grading import GRID_BITS, Grading
from depthsep.exact import ball_upper
from depthsep.laws import AbstractDensityLaw, Segment
from depthsep.targets import AbstractLineTarget, interval_ball

STRETCH = 10080  # so that the places where signs change are integers
VALUE_BITS = 30  # of the accuracy
WEIGHT_BITS = 224  # of the largest weight
PRECISION, PRECISIONS = 96, (96, 384, 1536)  # of enclosures, and of values
DISTANCE = fmpq(1, 400)  # of the accuracy: what is wanted of it
FAR = 8  # times a cell's part of that, or the median: it is halved
ROUNDS, MOST_TIMES = 24, 4


@dataclass(frozen=True, eq=False)
class GridFunction:
    """The interpolant h of a target: affine on each cell of a grid.

    Attributes:
        knots: from 0 to `unit`, multiples of STRETCH, as Python integers.
        values: of h at the knots, in units of `height`.
        unit: the length of the interval in units of the knots.
        height: a rational.
        distance: |f - h| is at most this, in the mean or in the mean square.
        weights: of the cells, in units of `weight_unit`: whole numbers, nowhere above
            the density. None for the uniform law.
    """

    knots: np.ndarray
    values: np.ndarray
    unit: int
    height: fmpq
    distance: fmpq
    weights: np.ndarray | None = None
    weight_unit: fmpq = fmpq(1)  # noqa: RUF009 (fmpq is immutable)

    @cached_property
    def gaps(self) -> np.ndarray:
        """The lengths of the cells."""
        return np.diff(self.knots)

    @cached_property
    def rises(self) -> np.ndarray:
        """What h rises by on each cell."""
        return np.diff(self.values)

    @cached_property
    def places(self) -> np.ndarray:
        """The knots in floats, from 0 to 1: exact."""
        return (self.knots / self.unit).astype(float)

    @cached_property
    def slopes(self) -> np.ndarray:
        """In floats, per length of the interval: correctly rounded."""
        return (self.rises * self.unit / self.gaps).astype(float)

    @cached_property
    def doubled_integrals(self) -> np.ndarray:
        """Twice the integral of h from 0 to each knot."""
        return _sums((self.values[:-1] + self.values[1:]) * self.gaps)

    @cached_property
    def monotone_until(self) -> tuple[np.ndarray, np.ndarray]:
        """For each cell the last one up to which slopes never fall, or never rise."""
        turns = np.sign(
            self.rises[1:] * self.gaps[:-1] - self.rises[:-1] * self.gaps[1:]
        ).astype(int)
        return _unbroken(turns >= 0), _unbroken(turns <= 0)


def _sums(parts: np.ndarray) -> np.ndarray:
    return np.concatenate([np.zeros(1, dtype=object), np.cumsum(parts)])


def _unbroken(good: np.ndarray) -> np.ndarray:
    last = len(good)
    until = np.empty(last + 1, dtype=int)
    until[last] = last
    for k in range(last - 1, -1, -1):
        until[k] = until[k + 1] if good[k] else k
    return until


def grid_function(
    target: AbstractLineTarget,
    on: Segment,
    accuracy: fmpq,
    norm: str,
    grading: Grading,
    cells: int,
    weight: AbstractDensityLaw | None = None,
) -> GridFunction:
    """Interpolate at about so many knots, graded as the best pieces of the norm are.

    Args:
        weight: the law that the norm is taken under, if it is not the uniform one.

    Raises:
        HypothesisError: f is not finite at a knot.
    """
    with ctx.workprec(PRECISION):
        rough = grading.ticks(cells)
        ticks, off = _refined(target, on, accuracy, norm, rough, weight)
        height = accuracy / (1 << VALUE_BITS)
        values = [_near(target, _place(on, t), height) for t in ticks]
    knots = np.array([int(t) * STRETCH for t in ticks], dtype=object)
    return GridFunction(
        knots,
        np.array(values, dtype=object),
        STRETCH << GRID_BITS,
        height,
        off + height,
        *_weights(on, ticks, weight),
    )


def _weights(
    on: Segment, ticks: list[int], weight: AbstractDensityLaw | None
) -> tuple[np.ndarray | None, fmpq]:
    """The least density on each cell, in whole units, and the unit."""
    if weight is None:
        return None, fmpq(1)
    with ctx.workprec(PRECISION):
        least = [weight.least_density(*_ends(on, a, b)) for a, b in pairwise(ticks)]
    unit = max(max(least) / (1 << WEIGHT_BITS), fmpq(1, 1 << 1000))
    whole = [int((w / unit).floor()) for w in least]
    return np.array(whole, dtype=object), unit


def _place(on: Segment, tick: int) -> fmpq:
    return on.start + on.length * fmpq(int(tick), 1 << GRID_BITS)


def _ends(on: Segment, start: int, stop: int) -> tuple[fmpq, fmpq]:
    return _place(on, start), _place(on, stop)


def _near(target: AbstractLineTarget, x: fmpq, height: fmpq) -> int:
    """f(x) in units of `height`, off by one at most."""
    for precision in PRECISIONS:
        with ctx.workprec(precision):
            ball = target.jet(arb(x)).value
            if ball.is_finite() and ball.rad() * 4 <= height:
                return int((ball_upper(arb(ball.mid())) / height + fmpq(1, 2)).floor())
    raise HypothesisError(
        f"{target} cannot be evaluated to the required accuracy near x "
        f"= {float(arb(x)):.6g}",
        parameter="law",
    )


def _refined(
    target: AbstractLineTarget,
    on: Segment,
    accuracy: fmpq,
    norm: str,
    ticks: np.ndarray,
    weight: AbstractDensityLaw | None,
) -> tuple[list[int], fmpq]:
    """Cells halved where f is far from its chord; and a bound on the distance."""
    power = 1 if norm == "l1" else 2

    def part(a: int, b: int) -> arb:
        return _part(target, on, a, b, power, weight)

    errors = {(int(a), int(b)): part(int(a), int(b)) for a, b in pairwise(ticks)}
    allowed = _tolerable(list(errors.values()), arb((accuracy * DISTANCE) ** power))
    for _ in range(ROUNDS):
        bad = [c for c, e in errors.items() if not e < allowed and c[1] - c[0] > 1]
        if not bad or len(errors) > MOST_TIMES * len(ticks):
            break
        for a, b in bad:
            del errors[a, b]
            for cell in ((a, (a + b) // 2), ((a + b) // 2, b)):
                errors[cell] = part(*cell)
    total = sum(errors.values(), arb(0))
    if not total.is_finite():
        raise HypothesisError(
            f"{target} is not finite somewhere on the interval, or could "
            "not be proved to be finite there"
        )
    root = total if power == 1 else total.sqrt()
    return sorted({t for cell in errors for t in cell}), ball_upper(root)


def _tolerable(errors: list[arb], wanted: arb) -> arb:
    """What a cell may add: some times its part of what is wanted, or the median."""
    uppers = sorted(e.upper() for e in errors)
    middle = uppers[len(uppers) // 2]
    part = wanted / len(errors)
    return FAR * (middle if middle.is_finite() and middle > part else part)


def _part(
    target: AbstractLineTarget,
    on: Segment,
    start: int,
    stop: int,
    power: int,
    weight: AbstractDensityLaw | None,
) -> arb:
    """What a cell adds to the mean of |f - chord|, or of its square."""
    ends = _ends(on, start, stop)
    sup, share = cell_error(target, *ends, power)
    mass = arb(fmpq(stop - start, 1 << GRID_BITS))
    if weight is not None:
        most = weight.density(interval_ball(*ends)).value
        if not most.is_finite():
            return sup**power * weight.mass(*ends).upper()
        mass *= most.upper()
    return sup**power * share * mass
