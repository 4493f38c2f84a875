r"""A formula on a small box: its Taylor polynomial of degree 2, and a remainder."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError, UndecidedError
from depthsep.analysis.box.followed._affine_forms import UNIT, Forms
from depthsep.exact import ball_upper, nearest_float, rational
from depthsep.targets import (
    Formula,
    derivative_bound,
    exponents_of_degree,
    factorials,
    is_smooth_on,
    partial,
)

PRECISION = 64
INFINITE = float("inf")


@dataclass(frozen=True)
class LocalModel:
    """|f(m + y) - (value + gradient . y + y' hessian y / 2)| <= rest on the box.

    Attributes:
        middle: (d,) the centre m.
        reach: (d,) half-widths of the box.
    """

    middle: np.ndarray
    reach: np.ndarray
    value: float
    gradient: np.ndarray
    hessian: np.ndarray
    rest: float

    def differences(
        self, low: np.ndarray, high: np.ndarray, net: Forms
    ) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """network - f = c + sum_k s_k t_k +- e on boxes inside, t in [-1, 1]^d.

        c and e have shape (B,), s has (B, d).
        """
        half = (high - low) / 2
        y = (low + high) / 2 - self.middle
        bend = y @ self.hessian
        value = self.value + y @ self.gradient + (bend * y).sum(1) / 2
        slopes = net.slopes[:, :, 0].T - (self.gradient + bend) * half
        curved = np.einsum("bi,ij,bj->b", half, np.abs(self.hessian), half) / 2
        slack = 64 * (len(self.middle) + 2) * UNIT * (self._size + net.size[:, 0])
        error = net.error[:, 0] + curved + self.rest + slack
        return net.centre[:, 0] - value, slopes, error * (1 + 8 * UNIT)

    def distances(self, low: np.ndarray, high: np.ndarray, net: Forms) -> np.ndarray:
        """(B, d + 1): bounds of |network - f| on boxes inside, part by part.

        First what is left at the centre and by errors, then what each axis adds.
        """
        centre, slopes, error = self.differences(low, high, net)
        parts = np.column_stack([np.abs(centre) + error, np.abs(slopes)])
        return parts * (1 + 8 * UNIT)

    @property
    def _size(self) -> float:
        """A bound of all terms on the box, coordinates themselves included."""
        far = self.reach + np.abs(self.middle)
        steep = np.abs(self.gradient) @ far
        return float(abs(self.value) + steep + far @ np.abs(self.hessian) @ far)


def local_model(target: Formula, low: np.ndarray, high: np.ndarray) -> LocalModel:
    """The model on a box with float64 corners, the rest infinite where f is not finite.

    Without third derivatives: the linear part, with bounds of second ones. Where f has
    a kink: a constant, with the range of f around it.
    """
    sides = [
        (rational(float(a)), rational(float(b))) for a, b in zip(low, high, strict=True)
    ]
    with ctx.workprec(PRECISION):
        try:
            found = _quadratic(target, sides)
        except HypothesisError:
            found = None
        return found or _linear(target, sides) or _constant(target, sides)


Sides = Sequence[tuple[fmpq, fmpq]]


def _quadratic(target: Formula, sides: Sides) -> LocalModel | None:
    middle, reach, over = _geometry(sides)
    if not is_smooth_on(target, over):
        return None
    d, rest = target.dim, arb(0)
    for alpha in exponents_of_degree(d, 3):
        most = derivative_bound(target, alpha, sides)
        power = arb(1)
        for h, e in zip(reach, alpha, strict=True):
            power *= arb(h) ** e
        rest += most * power / factorials(alpha)
    if not rest.is_finite():
        return None
    point = [arb(m) for m in middle]
    value, off = _rounded(partial(target, (0,) * d, point))
    rest += off
    gradient, hessian = np.zeros(d), np.zeros((d, d))
    for i in range(d):
        gradient[i], off = _rounded(partial(target, _unit(d, i), point))
        rest += off * arb(reach[i])
        for j in range(i, d):
            alpha = tuple(a + b for a, b in zip(_unit(d, i), _unit(d, j), strict=True))
            hessian[i, j], off = _rounded(partial(target, alpha, point))
            hessian[j, i] = hessian[i, j]
            rest += off * arb(reach[i]) * arb(reach[j])
    return _model(middle, reach, value, gradient, hessian, rest)


def _linear(target: Formula, sides: Sides) -> LocalModel | None:
    middle, reach, over = _geometry(sides)
    if not is_smooth_on(target, over):
        return None
    d, rest, gradient = target.dim, arb(0), np.zeros(target.dim)
    centre = arb(0)
    point = [arb(m) for m in middle]
    for i in range(d):
        here = target.along(_unit(d, i), point)
        centre = here.value
        gradient[i], off = _rounded(here.first)
        bend = target.along(_unit(d, i), over).second
        rest += off * arb(reach[i]) + abs(bend).upper() * arb(reach[i]) ** 2 / 2
        for j in range(i):
            plus, minus = (
                target.along([int(k == i) + s * int(k == j) for k in range(d)], over)
                for s in (1, -1)
            )
            mixed = abs(plus.second - minus.second).upper() / 4
            rest += mixed * arb(reach[i]) * arb(reach[j])
    value, off = _rounded(centre)
    if not (rest + off).is_finite():
        return None
    return _model(middle, reach, value, gradient, np.zeros((d, d)), rest + off)


def _constant(target: Formula, sides: Sides) -> LocalModel:
    middle, reach, over = _geometry(sides)
    d, rest = target.dim, arb(0)
    value, off = _rounded(target.along(_unit(d, 0), [arb(m) for m in middle]).value)
    whole = target.along(_unit(d, 0), over).value
    for i in range(d):
        jet = target.along(_unit(d, i), over)
        rest += abs(jet.first).upper() * arb(reach[i])
    spread = abs(whole - arb(value)).upper()
    if not rest.is_finite() or spread < rest + off:
        return _model(middle, reach, value, np.zeros(d), np.zeros((d, d)), spread)
    return _model(middle, reach, value, np.zeros(d), np.zeros((d, d)), rest + off)


def _geometry(sides: Sides) -> tuple[list[fmpq], list[fmpq], list[arb]]:
    middle = [rational(nearest_float((a + b) / 2)) for a, b in sides]
    reach = [max(b - m, m - a) for m, (a, b) in zip(middle, sides, strict=True)]
    over = [arb(a).union(arb(b)) for a, b in sides]
    return middle, reach, over


def _unit(d: int, axis: int) -> tuple[int, ...]:
    return tuple(int(i == axis) for i in range(d))


def _rounded(ball: arb) -> tuple[float, arb]:
    """A float64 in or near a ball, and how far anything in the ball is from it."""
    if not ball.is_finite():
        return 0.0, arb("inf")
    near = float(ball.mid())
    return near, abs(ball - arb(near)).upper()


def _model(
    middle: list[fmpq],
    reach: list[fmpq],
    value: float,
    gradient: np.ndarray,
    hessian: np.ndarray,
    rest: arb,
) -> LocalModel:
    try:
        above = nearest_float(ball_upper(rest)) * (1 + 4 * UNIT)
    except (UndecidedError, HypothesisError):
        # not finite, or beyond all float64
        above = INFINITE
    return LocalModel(
        np.array([nearest_float(m) for m in middle]),
        np.array([nearest_float(h) for h in reach]) * (1 + 4 * UNIT),
        value,
        gradient,
        hessian,
        above,
    )
