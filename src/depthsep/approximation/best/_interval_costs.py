r"""What one affine piece costs on many intervals at once: proved lower bounds.

Everything lives on the unit square: x from 0 to 1, values from -1/2 to 1/2. Costs are
the integrals $\min_p \int_I |f-p|$ or $\min_p \int_I (f-p)^2$ over affine p, rounded
down to multiples of $2^{-56}$. Floats propose, integers decide.

*l2.* With the exact moments $M_k = \int_I t^k f$ and $c = M_1 - mM_0$ about the middle
m of I, of length l, the cost is $\int_I f^2 - M_0^2/l - 12c^2/l^3$.

*l1.* Weak duality: let $|\sigma| \le 1$ on I, q its projection on affine functions and
$Q \ge \max_I |q|$. Then $(\sigma - q)/(1 + Q)$ is orthogonal to every affine p and at
most 1, so the cost is at least
$$\frac1{1+Q} \int_I f(\sigma - q) \ge \frac{\int_I f\sigma - Ql/2}{1+Q},
  \qquad \text{as } |f| \le 1/2.$$
The sign $\sigma$ is the residual f - p, divided by a small width and clipped to
$[-1, 1]$, at the p that minimises the error smoothed accordingly (by Newton's method);
there q would vanish in exact arithmetic.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from flint import fmpq

from depthsep.approximation.distance._distance import Cell
from depthsep.exact import scaled_integers

BITS = 56
_SIGN_BITS = 40
_WIDTH = 2.0**-32
# nodes are rounded: just inside the strip the sign is to reach +-1 all the same
_WITHIN = 1 - 2.0**-16
_EFFORTS = (1, 4, 16)
_LOOSE = 2.0**-28


def objects(items: list) -> np.ndarray:
    """An object array, never a nested one."""
    out = np.empty(len(items), dtype=object)
    out[:] = items
    return out


@dataclass(frozen=True)
class UnitTarget:
    """f on the unit square: affine on each gap between `knots`, where it may jump.

    Attributes:
        knots: integers from 0 to `unit`: the abscissae in units of 1/`unit`.
        left: the limits at the left ends of the gaps, in units of 1/`height`.
        right: the limits at the right ends of the gaps.
        unit: at least 2**60, so that an integer is near every abscissa.
        height: a common denominator of the values.
    """

    knots: np.ndarray
    left: np.ndarray
    right: np.ndarray
    unit: int
    height: int

    @staticmethod
    def of(cells: list[Cell], middle: fmpq, scale: fmpq) -> "UnitTarget":
        """The cells of f, with `middle` moved to 0 and divided by `scale`."""
        start, length = cells[0].start, cells[-1].stop - cells[0].start
        ends = [c.start for c in cells] + [cells[-1].stop]
        values = [c.slope * c.start + c.level - middle for c in cells]
        values += [c.slope * c.stop + c.level - middle for c in cells]
        knots, unit = scaled_integers(objects([(x - start) / length for x in ends]))
        both, height = scaled_integers(objects([v / scale for v in values]))
        left, right = both.astype(object).reshape(2, -1)
        finer = 1 << max(0, 61 - unit.bit_length())
        return UnitTarget(
            knots.astype(object) * finer, left, right, unit * finer, height
        )

    @cached_property
    def slopes(self) -> np.ndarray:
        """The slope of every gap, on the unit square: `fmpq`."""
        rises, runs = self.right - self.left, np.diff(self.knots)
        steepness = fmpq(self.unit, self.height)
        pairs = zip(rises, runs, strict=True)
        return objects([steepness * fmpq(a, b) for a, b in pairs])

    @cached_property
    def steepness(self) -> tuple[np.ndarray, int]:
        """The slopes as integers over one denominator, which stands beside them."""
        integers, over = scaled_integers(self.slopes)
        return integers.astype(object), over

    @cached_property
    def spreads(self) -> np.ndarray:
        """The oscillation of these integers from any gap to any later one."""
        slopes, _ = self.steepness
        found = np.zeros((len(slopes),) * 2, dtype=object)
        for k in range(len(slopes)):
            rest = slopes[k:]
            found[k, k:] = np.maximum.accumulate(rest) - np.minimum.accumulate(rest)
        return found

    @cached_property
    def leaps(self) -> np.ndarray:
        """How many jumps f has before each gap."""
        jumps = self.right[:-1] != self.left[1:]
        return np.concatenate([[0], np.cumsum(jumps)])

    def gap(self, points: np.ndarray) -> np.ndarray:
        """Which gap contains each point, or begins there; the last one for the end."""
        found = np.searchsorted(self.knots, points, "right") - 1
        return np.minimum(found, len(self.left) - 1)

    def moments(self, points: np.ndarray) -> tuple[np.ndarray, int]:
        """Integrals of f, t f and f^2 from 0 to each point: shape (3, points).

        Integers over one denominator, which stands beside them.
        """
        marks = np.unique(np.concatenate([points, self.knots]))
        sums, rows = [fmpq(0)] * 3, [[fmpq(0)] * 3]
        for a, b, k in zip(marks, marks[1:], self.gap(marks[:-1]), strict=False):
            sums = [s + t for s, t in zip(sums, self._integrals(a, b, k), strict=True)]
            rows.append(sums)
        wanted = np.searchsorted(marks, points)
        flat = objects([rows[i][m] for m in range(3) for i in wanted])
        integers, denominator = scaled_integers(flat)
        return integers.astype(object).reshape(3, -1), denominator

    def _integrals(self, a: int, b: int, gap: int) -> list[fmpq]:
        s, t, start = (fmpq(x, self.unit) for x in (a, b, self.knots[gap]))
        level = fmpq(self.left[gap], self.height)
        v, w = (level + self.slopes[gap] * (x - start) for x in (s, t))
        first = v * (2 * s + t) + w * (s + 2 * t)
        return [
            (t - s) * integral
            for integral in ((v + w) / 2, first / 6, (v * v + v * w + w * w) / 3)
        ]


def square_costs(target: UnitTarget, start: np.ndarray, stop: np.ndarray) -> np.ndarray:
    """The l2 costs of the intervals from `start` to `stop`, in units of 2**-BITS.

    Args:
        start: integers in units of the target, as an object array.
        stop: the same; start < stop.
    """
    points = np.unique(np.concatenate([start, stop]))
    m, d = target.moments(points)
    i, j = np.searchsorted(points, start), np.searchsorted(points, stop)
    m0, m1, m2 = m[:, j] - m[:, i]
    length, unit = stop - start, target.unit
    c = 2 * unit * m1 - (start + stop) * m0
    cube = d * length**3
    costs = m2 * cube - unit * (m0 * length) ** 2 - 3 * unit * c * c
    return ((costs << BITS) // (d * cube)).astype(np.int64)


class Intervals:
    """Intervals from `start` to `stop`, each cut into parts at the knots of f.

    `row` is the interval of each part, `first` the first part of each interval; parts
    run from `begin` to `end` inside the gap `gap`. In floats, u goes from -1 to 1
    across an interval; a part begins at `u` with the value `f` and is `d` wide, over
    which f rises by `rise`.
    """

    def __init__(self, target: UnitTarget, start: np.ndarray, stop: np.ndarray) -> None:
        self.target, self.start, self.stop = target, start, stop
        low = target.gap(start)
        count = np.searchsorted(target.knots, stop, "left") - low
        self.first = np.cumsum(count) - count
        self.row = np.repeat(np.arange(len(start)), count)
        self.gap = np.arange(len(self.row)) - (self.first - low)[self.row]
        self.begin = np.maximum(target.knots[self.gap], start[self.row])
        self.end = np.minimum(target.knots[self.gap + 1], stop[self.row])
        length = stop - start
        self.half = _ratio(length, 2 * target.unit)
        self.u = 2 * _ratio(self.begin - start[self.row], length[self.row]) - 1
        self.d = 2 * _ratio(self.end - self.begin, length[self.row])
        gap = np.diff(target.knots)[self.gap]
        left = _ratio(target.left, target.height)[self.gap]
        rise = _ratio(target.right - target.left, target.height)[self.gap]
        self.f = left + rise * _ratio(self.begin - target.knots[self.gap], gap)
        self.rise = rise * _ratio(self.end - self.begin, gap)

    def take(self, rows: np.ndarray) -> "Intervals":
        """Some of the intervals."""
        return Intervals(self.target, self.start[rows], self.stop[rows])

    def sum(self, parts: np.ndarray) -> np.ndarray:
        """Over the parts of each interval, along the last axis."""
        return np.add.reduceat(parts, self.first, axis=-1)

    def nodes(self, w: np.ndarray) -> np.ndarray:
        """Integer abscissae near the fractions w, 0 to 1, of the parts."""
        steps = np.rint(np.ldexp(w, 52)).astype(np.int64).astype(object)
        return self.begin + (((self.end - self.begin) * steps) >> 52)


def _ratio(integers: np.ndarray, unit: object) -> np.ndarray:
    return (integers / unit).astype(float)


@dataclass(frozen=True)
class Fit:
    """One line p = line[0] + line[1] u per interval, and the residuals f - p.

    A residual is `r` where its part begins and rises by `rise`.
    """

    on: Intervals
    line: np.ndarray
    r: np.ndarray
    rise: np.ndarray

    def moved(self, step: np.ndarray) -> "Fit":
        """With `step`, shape (2, intervals), added to the lines.

        Residuals are carried along, so that their signs stay fine where they vanish.
        """
        a, b = step[:, self.on.row]
        r = self.r - (a + b * self.on.u)
        return Fit(self.on, self.line + step, r, self.rise - b * self.on.d)

    def sign(self, width: float) -> tuple[np.ndarray, np.ndarray]:
        """Nodes w and values of the clipped residual: each of shape (4, parts)."""
        reach = np.where(self.rise < 0, -width, width)
        run = np.where(abs(self.rise) < 1e-200, np.copysign(1e-200, reach), self.rise)
        ends = np.zeros_like(run), np.ones_like(run)
        w = np.stack(
            [ends[0], (-reach - self.r) / run, (reach - self.r) / run, ends[1]]
        )
        w = np.clip(w, 0, 1)
        return w, np.clip((self.r + w * self.rise) / (width * _WITHIN), -1, 1)

    def pull(self, width: float) -> np.ndarray:
        """Downhill for the error smoothed by `width`: (4, intervals).

        Minus the gradient in `line`, and Newton's step.
        """
        w, s = self.sign(width)
        run, u = np.diff(w, axis=0) * self.on.d, self.on.u + w * self.on.d
        mass = run * (s[:-1] + s[1:]) / 2
        moment = mass * u[:-1] + run * run * (s[:-1] + 2 * s[1:]) / 6
        m, p, q = run[1], u[1], u[2]
        bend = m, m * (p + q) / 2, m * (p * p + p * q + q * q) / 3
        g0, g1, *h = self.on.sum(np.stack([mass.sum(0), moment.sum(0), *bend]))
        h0, h1, h2 = (x / width for x in h)
        # at first all residuals are inside the strip, where no damping is needed
        damping = 1e-14 * (h0 + h2) + 1e-12 if width < 2 else 0.0
        h0, h2 = h0 + damping, h2 + damping
        det = h0 * h2 - h1 * h1
        return np.stack([g0, g1, (g0 * h2 - g1 * h1) / det, (g1 * h0 - g0 * h1) / det])

    def descended(self, width: float, steps: int) -> "Fit":
        """After some steps of Newton's method, each shortened where it overshoots."""
        fit, pull, t = self, self.pull(width), 1.0
        for _ in range(steps):
            step = t * pull[2:] / np.maximum(1, np.abs(pull[2:]).max(axis=0))
            trial = fit.moved(step)
            after = trial.pull(width)
            down, left = ((x[:2] * step).sum(axis=0) for x in (pull, after))
            good = left >= -down / 2
            fit = fit.moved(np.where(good, step, 0.0))
            pull = np.where(good, after, pull)
            secant = down / np.where(good | (down <= left), 1.0, down - left)
            t = np.where(good, 1.0, t * np.clip(secant, 0.05, 0.7))
        return fit

    def errors(self, norm: str) -> np.ndarray:
        """The integrals of |f - p| or its square, in floats."""
        p, q = self.r, self.r + self.rise
        if norm == "l2":
            mean = (p * p + p * q + q * q) / 3
        else:
            both = np.maximum(np.abs(p) + np.abs(q), 1e-200)
            mean = np.where(p * q < 0, (p * p + q * q) / both, both) / 2
        return self.on.sum(mean * self.on.d) * self.on.half


def fitted(on: Intervals, norm: str, effort: int) -> Fit:
    """Nearly best lines. For l1 the smoothing is halved again and again.

    The minimiser moves in proportion to the smoothing where p comes to lie on a part
    of f, so that each move predicts the next one. `effort` counts steps per halving.
    """
    fit = Fit(on, np.zeros((2, len(on.start))), on.f, on.rise).descended(4.0, 3)
    width, move = 4.0, np.zeros_like(fit.line)
    while norm == "l1" and width > _WIDTH:
        width, before = width / 2, fit.line
        fit = fit.moved(move / 2).descended(width, effort)
        move = fit.line - before
    return fit.descended(width, 8) if norm == "l1" else fit


def absolute_costs(on: Intervals, efforts: tuple[int, ...] = _EFFORTS) -> np.ndarray:
    """The l1 costs, in units of 2**-BITS; more effort where duality leaves a gap."""
    fit = fitted(on, "l1", efforts[0])
    costs = dual_costs(fit)
    gap = fit.errors("l1") - np.ldexp(costs.astype(float), -BITS)
    loose = np.flatnonzero(gap > _LOOSE)
    if len(loose) and efforts[1:]:
        again = absolute_costs(on.take(loose), efforts[1:])
        costs[loose] = np.maximum(costs[loose], again)
    return costs


def dual_costs(fit: Fit) -> np.ndarray:
    """The bounds by weak duality of the module's docstring, in units of 2**-BITS.

    In integers. `mass`, `pull` and `value` are the integrals of s, of s times the
    distance from a knot, and of f s, all times 6 * 2**_SIGN_BITS.
    """
    on, target = fit.on, fit.on.target
    w, signs = fit.sign(_WIDTH)
    s = np.rint(np.ldexp(signs, _SIGN_BITS)).astype(np.int64).astype(object)
    x, knot = on.nodes(w), target.knots[on.gap]
    run = np.diff(x, axis=0)
    mass = 3 * run * (s[:-1] + s[1:])
    pull = ((x[:-1] - knot) * mass + run * run * (s[:-1] + 2 * s[1:])).sum(axis=0)
    mass = mass.sum(axis=0)
    rise, gap = target.right - target.left, np.diff(target.knots)
    value = on.sum(target.left[on.gap] * mass + rise[on.gap] * pull // gap[on.gap])
    pull = on.sum(pull + (knot - on.start[on.row]) * mass)
    mass, length = on.sum(mass), on.stop - on.start
    # |q| <= |A|/l + 6|B|/l^2, with the integrals A of s and B of s times (t - middle)
    slack = abs(mass) * length + 3 * abs(2 * pull - length * mass)
    top = length * (2 * value * length - slack * target.height)
    bottom = 2 * target.height * target.unit
    bottom *= 6 * length**2 * (1 << _SIGN_BITS) + slack
    return np.maximum(top * (1 << BITS) // bottom, 0).astype(np.int64)
