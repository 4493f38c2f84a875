r"""The infinite-width flow towards relu(1 - |x|), enclosed at every time.

With one second-layer unit (a, b), q = -a alpha and r uniform on [0, R], f = relu(b - q
r) follows q' = -P X, b' = Y: X = E[(f* - f) r 1], Y = E[(f* - f) 1] on f > 0, P =
alpha^2 + 4 c_d q^2 / alpha, where alpha is a function of q, since alpha / c_d - 2 a^2
is kept. An approximate path p has the defect |p' - F(p)|, bounded on every step; the
flow is within eps of it, where eps' <= mu eps + defect and mu bounds the logarithmic
norm of F' around the path (Dahlquist).
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass, field, replace

import numpy as np
from flint import arb, arb_poly, ctx, fmpq

from depthsep._deadline import check_time
from depthsep._errors import HypothesisError, UndecidedError
from depthsep.dynamics.radial._constants import check_dim, relu_mean
from depthsep.evidence import Enclosure, enclosure
from depthsep.exact import rational

BITS = 80
WIDEST = 0.05  # the radius of the tube, beyond which nothing useful is left
Pair = tuple[arb, arb]


@dataclass(frozen=True)
class EnclosedFlow:
    """What is proved of the flow at its steps.

    Attributes:
        times: of the steps, from 0.
        losses: E(f* - f)^2 / 2 at these times. It never grows.
        radius: of the tube around the path that was followed, at the end.
    """

    times: tuple[float, ...]
    losses: tuple[Enclosure, ...]
    radius: float

    def reached(self, accuracy: fmpq) -> float | None:
        """The first of the times from which on the root mean square error is at most
        an accuracy, or None.
        """
        goal = accuracy**2 / 2
        pairs = zip(self.times, self.losses, strict=True)
        return next((t for t, loss in pairs if loss.upper <= goal), None)


@dataclass(frozen=True)
class _Law:
    """F in balls; `kept` is alpha / c_d - 2 a^2."""

    length: arb
    mean: arb
    kept: arb
    weight: float = field(default=1.0)  # of q in the norm

    def alpha(self, q: arb) -> arb:
        """The positive root of alpha^3 / c_d - kept alpha^2 = 2 q^2; grows with q."""
        low, high = (self._root(x) for x in (q.lower(), q.upper()))
        return low.union(high)

    def _root(self, q: arb) -> arb:
        cubic = [1 / self.mean, -self.kept, arb(0), -2 * q.mid() ** 2]
        try:
            near = np.roots([float(x.mid()) for x in cubic])
            guess = max(x.real for x in near if abs(x.imag) < 1e-6)
        except (np.linalg.LinAlgError, OverflowError, ValueError) as error:
            raise UndecidedError(
                "alpha could not be enclosed along the flow"
            ) from error
        ends = arb(guess * (1 - 1e-12)), arb(guess * (1 + 1e-12))
        low, high = (x**3 / self.mean - self.kept * x**2 - 2 * q**2 for x in ends)
        if not (low < 0 and high > 0):
            raise UndecidedError("alpha could not be enclosed along the flow")
        return ends[0].union(ends[1])

    def parts(self, q: arb, b: arb) -> tuple[arb, arb, arb, arb]:
        """s, min(s, 1), X and Y."""
        s = b / q
        if not (s > 0 and s < self.length and q > 0):
            raise UndecidedError(
                "the kink of the network could not be proved to stay "
                "within the support of the law"
            )
        m = s.min(arb(1))
        x = m**2 / 2 - m**3 / 3 - b * s**2 / 2 + q * s**3 / 3
        y = m - m**2 / 2 - b * s + q * s**2 / 2
        return s, m, x / self.length, y / self.length

    def velocity(self, q: arb, b: arb) -> Pair:
        """(q', b')."""
        alpha = self.alpha(q)
        _, _, x, y = self.parts(q, b)
        return -(alpha**2 + 4 * self.mean * q**2 / alpha) * x, y

    def derivative(self, q: arb, b: arb) -> tuple[Pair, Pair]:
        """The rows of F'."""
        alpha = self.alpha(q)
        s, m, x, _ = self.parts(q, b)
        gap = (1 - m) / self.length  # what f* is at the kink, over the length
        x_q = s**3 / (3 * self.length) - gap * s**2 / q
        x_b = -(s**2) / (2 * self.length) + gap * s / q
        y_q = s**2 / (2 * self.length) - gap * s / q
        y_b = -s / self.length + gap / q
        slope = 4 * q / (3 * alpha**2 / self.mean - 2 * self.kept * alpha)
        p = alpha**2 + 4 * self.mean * q**2 / alpha
        p_q = 2 * alpha * slope + 4 * self.mean * (
            2 * q / alpha - q**2 * slope / alpha**2
        )
        return (-p_q * x - p * x_q, -p * x_b), (y_q, y_b)

    def loss(self, q: arb, b: arb) -> arb:
        """E(f* - f)^2 / 2."""
        s, m, _, _ = self.parts(q, b)
        cross = b * (m - m**2 / 2) - q * (m**2 / 2 - m**3 / 3)
        return (arb(1) / 3 - 2 * cross + b**2 * s / 3) / (2 * self.length)

    def growth(self, q: arb, b: arb) -> float:
        """At least the logarithmic norm of F' on a box, in the weighted norm."""
        (a, c), (d, e) = self.derivative(q, b)
        off = (c * self.weight + d / self.weight) / 2
        half = (a - e) / 2
        root = math.hypot(_upper(abs(half)), _upper(abs(off))) * (1 + 1e-12)
        return _upper((a + e) / 2 + arb(root))

    def size(self, q: arb, b: arb) -> float:
        """At least the weighted norm."""
        return math.hypot(_upper(abs(q * self.weight)), _upper(abs(b))) * (1 + 1e-12)


def enclosed_flow(
    dim: int,
    *,
    alpha: object = 1,
    slope: object = fmpq(-1, 2),
    offset: object = fmpq(1, 2),
    length: object = 2,
    time: float = 100.0,
    step: float = 0.05,
    until: object = None,
) -> EnclosedFlow:
    """The infinite-width flow of ``radial:relu`` under r uniform on [0, length].

    Args:
        alpha, slope, offset: where alpha, a < 0 and b > 0 start.
        time: how far; it is cut into equal steps of at most `step`.
        until: an accuracy at which it may end before.

    Raises:
        HypothesisError: a start out of range.
        UndecidedError: the tube around the path grows too wide; give a smaller step.
    """
    check_dim(dim)
    start = [rational(x, name="a start") for x in (alpha, slope, offset)]
    size = rational(length, name="the length")
    if size <= 1:
        raise HypothesisError("the length must be above 1")
    if not (start[0] > 0 and start[1] < 0 and start[2] > 0):
        raise HypothesisError(
            "the flow must start with alpha > 0, slope < 0 and offset > 0"
        )
    if not (time > 0 and 0 < step <= 1 and time / step <= 10**6):
        raise HypothesisError(
            "give a time above 0, a step above 0 and at most 1, and at "
            "most 1e6 steps in all"
        )
    with ctx.workprec(BITS):
        law, q, b = _law(dim, size, *start)
        count = math.ceil(time / step)
        goal = None if until is None else rational(until, name="an accuracy")
        return _followed(law, (q, b), count, time / count, goal)


def _law(
    dim: int, length: fmpq, alpha: fmpq, a: fmpq, b: fmpq
) -> tuple[_Law, fmpq, fmpq]:
    mean = relu_mean(dim)
    law = _Law(arb(length), mean, arb(alpha) / mean - 2 * arb(a) ** 2)
    q = -a * alpha
    typical = float((arb(alpha) ** 2 + 4 * mean * arb(q) ** 2 / arb(alpha)).mid())
    return _Law(law.length, mean, law.kept, typical**-0.5), q, b


def _followed(
    law: _Law, start: tuple[fmpq, fmpq], count: int, h: float, goal: fmpq | None
) -> EnclosedFlow:
    near = [float(arb(x)) for x in start]
    radius = law.size(*(arb(x) - arb(y) for x, y in zip(start, near, strict=True)))
    times, losses = [0.0], [_positive(law.loss(*map(arb, start)))]
    for k, (here, there) in enumerate(_path(law, near, count, h), start=1):
        check_time()
        radius = _step(law, here, there, h, radius)
        times.append(math.nextafter(k * h, math.inf))
        losses.append(_positive(law.loss(*_around(law, there, radius))))
        if goal is not None and losses[-1].upper <= goal**2 / 2:
            break
    return EnclosedFlow(tuple(times), tuple(losses), radius)


def _positive(loss: arb) -> Enclosure:
    found = enclosure(loss)
    return found if found.lower >= 0 else replace(found, lower=fmpq(0))


def _path(
    law: _Law, start: list[float], count: int, h: float
) -> Iterator[tuple[tuple[float, float], tuple[float, float]]]:
    """The ends of every step, by the classical rule of order 4, in floats."""

    def f(y: np.ndarray) -> np.ndarray:
        return np.array([float(x.mid()) for x in law.velocity(*map(arb, y.tolist()))])

    y = np.array(start)
    for _ in range(count):
        a = f(y)
        b = f(y + h / 2 * a)
        c = f(y + h / 2 * b)
        d = f(y + h * c)
        after = y + h / 6 * (a + 2 * b + 2 * c + d)
        yield (float(y[0]), float(y[1])), (float(after[0]), float(after[1]))
        y = after


def _around(law: _Law, point: tuple[float, float], radius: float) -> Pair:
    """A box around the tube at a point."""
    q, b = point
    return arb(q, radius / law.weight * (1 + 1e-12)), arb(b, radius)


def _step(
    law: _Law,
    here: tuple[float, float],
    there: tuple[float, float],
    h: float,
    radius: float,
) -> float:
    """The radius of the tube after a step along Hermite's cubic between two points."""
    cubics = _cubics(law, here, there, h)
    whole, middle = arb(0.5, 0.5), arb(0.5)
    path = [_value(c, whole) for c in cubics]
    speed = [_value(c.derivative(), whole) / h for c in cubics]
    bend = [_value(c.derivative().derivative(), whole) / h**2 for c in cubics]
    (a, c), (d, e) = law.derivative(*path)
    turn = law.size(
        bend[0] - a * speed[0] - c * speed[1], bend[1] - d * speed[0] - e * speed[1]
    )
    found = law.velocity(*(p(middle) for p in cubics))
    slopes = [p.derivative()(middle) / h for p in cubics]
    defect = law.size(*(p - v for p, v in zip(slopes, found, strict=True)))
    defect = (defect + h / 2 * turn) * (1 + 1e-12)
    room = 1.5 * radius + 4 * h * defect + 1e-15
    if not room <= WIDEST:  # NaN, too
        raise UndecidedError(
            "the bounds around the path are too wide; give a smaller step"
        )
    q = path[0] + arb(0, room / law.weight)
    mu = law.growth(q, path[1] + arb(0, room))
    if not mu * h <= 1:
        raise UndecidedError(
            "the bounds around the path grow too fast; give a smaller step"
        )
    factor = math.exp(mu * h) * (1 + 1e-12)
    after = radius * factor + defect * h * max(factor, 1.0)
    if not max(radius, after, radius + defect * h) * max(factor, 1.0) <= room:
        raise UndecidedError(
            "no bounds around the path could be proved; give a smaller step"
        )
    return after * (1 + 1e-12)


def _cubics(
    law: _Law, here: tuple[float, float], there: tuple[float, float], h: float
) -> list[arb_poly]:
    """Hermite's cubics in the share of the step, ends met with near slopes."""
    slopes = [
        [float(v.mid()) for v in law.velocity(*map(arb, p))] for p in (here, there)
    ]
    found = []
    for i in range(2):
        y, z, u, v = here[i], there[i], h * slopes[0][i], h * slopes[1][i]
        coefficients = [arb(y), arb(u)]
        rise = arb(z) - arb(y)
        coefficients += [3 * rise - 2 * arb(u) - arb(v), arb(u) + arb(v) - 2 * rise]
        found.append(arb_poly(coefficients))
    return found


def _value(polynomial: arb_poly, x: arb) -> arb:
    """On the whole step, by its middle and its slope: sharper than by Horner's rule."""
    return polynomial(x.mid()) + polynomial.derivative()(x) * (x - x.mid())


def _upper(ball: arb) -> float:
    """A float that is at least a ball."""
    return math.nextafter(float(ball.upper()), math.inf)
