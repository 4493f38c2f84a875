"""A target on a grid: an interpolant in integers, and how far it is from the target."""

from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep.approximation.best._linearise import Linearisation, cell_error
from depthsep.exact import ball_upper
from depthsep.laws import Segment
from depthsep.targets import AbstractLineTarget

GRID_BITS = 40
STRETCH = 10080  # so that the places where signs change are integers
VALUE_BITS = 30  # of the accuracy
PRECISION, PRECISIONS = 96, (96, 384, 1536)  # of enclosures, and of values
EVEN = 0.1  # share of the cells that are spread evenly
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
    """

    knots: np.ndarray
    values: np.ndarray
    unit: int
    height: fmpq
    distance: fmpq

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
    rough: Linearisation,
    cells: int,
) -> GridFunction:
    """Interpolate at about so many knots, graded as the best pieces of the norm are.

    Args:
        rough: of the target; where its knots are close, so are those of the grid.

    Raises:
        HypothesisError: f is not finite at a knot.
    """
    ticks = _graded(rough, on, norm, cells)
    with ctx.workprec(PRECISION):
        ticks, off = _refined(target, on, accuracy, norm, ticks)
        height = accuracy / (1 << VALUE_BITS)
        values = [_near(target, _place(on, t), height) for t in ticks]
    knots = np.array([int(t) * STRETCH for t in ticks], dtype=object)
    return GridFunction(
        knots,
        np.array(values, dtype=object),
        STRETCH << GRID_BITS,
        height,
        off + height,
    )


def _graded(rough: Linearisation, on: Segment, norm: str, cells: int) -> np.ndarray:
    """Multiples of 2**-GRID_BITS of the interval, 0 and 1 among them.

    A cell of length l of `rough` has |f''| near l**-2, and l1 wants cells of equal
    mass of |f''|**(1/3), l2 of |f''|**(2/5).
    """
    x = np.array([float((arb(k) - arb(on.start)) / arb(on.length)) for k in
                  rough.function.knots])  # fmt: skip
    x[0], x[-1] = 0.0, 1.0
    length = np.maximum(np.diff(x), 2.0**-GRID_BITS)
    mass = length ** (1 / 3 if norm == "l1" else 1 / 5)
    share = (1 - EVEN) * mass / mass.sum() + EVEN * length / length.sum()
    wanted = np.linspace(0, 1, cells + 1)
    places = np.interp(wanted, np.concatenate([[0], np.cumsum(share)]), x)
    ticks = np.rint(places * 2.0**GRID_BITS).astype(np.int64)
    ticks[0], ticks[-1] = 0, 1 << GRID_BITS
    return np.unique(ticks)


def _place(on: Segment, tick: int) -> fmpq:
    return on.start + on.length * fmpq(int(tick), 1 << GRID_BITS)


def _near(target: AbstractLineTarget, x: fmpq, height: fmpq) -> int:
    """f(x) in units of `height`, off by one at most."""
    for precision in PRECISIONS:
        with ctx.workprec(precision):
            ball = target.jet(arb(x)).value
            if ball.is_finite() and ball.rad() * 4 <= height:
                return int((ball_upper(arb(ball.mid())) / height + fmpq(1, 2)).floor())
    raise HypothesisError(
        f"{target} cannot be evaluated to the accuracy near {float(arb(x)):.6g}",
        parameter="law",
    )


def _refined(
    target: AbstractLineTarget,
    on: Segment,
    accuracy: fmpq,
    norm: str,
    ticks: np.ndarray,
) -> tuple[list[int], fmpq]:
    """Cells halved where f is far from its chord; and a bound on the distance."""
    power = 1 if norm == "l1" else 2
    errors = {
        (int(a), int(b)): _part(target, on, int(a), int(b), power)
        for a, b in pairwise(ticks)
    }
    allowed = _tolerable(list(errors.values()), arb((accuracy * DISTANCE) ** power))
    for _ in range(ROUNDS):
        bad = [c for c, e in errors.items() if not e < allowed and c[1] - c[0] > 1]
        if not bad or len(errors) > MOST_TIMES * len(ticks):
            break
        for a, b in bad:
            del errors[a, b]
            for cell in ((a, (a + b) // 2), ((a + b) // 2, b)):
                errors[cell] = _part(target, on, *cell, power)
    total = sum(errors.values(), arb(0))
    if not total.is_finite():
        raise HypothesisError(f"{target} is not finite on the interval")
    root = total if power == 1 else total.sqrt()
    return sorted({t for cell in errors for t in cell}), ball_upper(root)


def _tolerable(errors: list[arb], wanted: arb) -> arb:
    """What a cell may add: some times its part of what is wanted, or the median."""
    uppers = sorted(e.upper() for e in errors)
    middle = uppers[len(uppers) // 2]
    part = wanted / len(errors)
    return FAR * (middle if middle.is_finite() and middle > part else part)


def _part(
    target: AbstractLineTarget, on: Segment, start: int, stop: int, power: int
) -> arb:
    """What a cell adds to the mean of |f - chord|, or of its square."""
    sup, share = cell_error(target, _place(on, start), _place(on, stop), power)
    return sup**power * share * arb(fmpq(stop - start, 1 << GRID_BITS))
