r"""A sum of tangent kernels near a continuous function on a circle, with its sup error.

On |x| = 1, x_3 = 1/sqrt(2), with t the angle of (x_1, x_2), the kernel of two points is
kappa(t - t'), kappa(t) = c^2 (pi - phi) / (2 pi), c = cos(t/2), cos phi = c^2. It has a
kink at t = 0 only; elsewhere |kappa'| <= 0.41 and |kappa''| <= 0.41.
"""

from dataclasses import dataclass

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError, TooLargeError
from depthsep._progress import followed
from depthsep.evidence import Enclosure, Rigour
from depthsep.exact import ball_upper, nearest_float, rational
from depthsep.targets import Expression

PRECISION = 96
MOST_KERNELS = 512
FINEST = 6  # halvings of the gaps between centres
BEND = SLOPE = fmpq(41, 100)


@dataclass(frozen=True, eq=False)
class KernelSum:
    """h(t) = sum_i weight_i kappa(t - 2 pi i / N).

    Attributes:
        weights: (N,), float64 at face value.
        error: the sup over the circle of |g - h|, enclosed.
    """

    weights: np.ndarray
    error: Enclosure

    @property
    def centres(self) -> np.ndarray:
        """The angles of the centres, (N,)."""
        return np.arange(len(self.weights)) * (2 * np.pi / len(self.weights))

    def floats(self, angles: object) -> np.ndarray:
        """Values at angles, float64, of their shape."""
        t = np.asarray(angles, dtype=np.float64)
        return _kappa(t[..., None] - self.centres) @ self.weights


def kernel_sum(formula: str, accuracy: object) -> KernelSum:
    """A sum of 4, 8, 16, ... or 512 kernels that is proved to be near g on the circle.

    It interpolates g at the centres, by a Fourier transform.

    Args:
        formula: g, in the angle x from 0 to 2 pi.
        accuracy: of the sup over the circle, above 0.

    Raises:
        HypothesisError: a formula that differs at 0 and 2 pi, or is not finite.
        TooLargeError: the accuracy is not proved for any of these numbers.

    Source:
        Telgarsky (2023), Proposition 3.25, for d = 3; see `universality`.
    """
    target, most = Expression(formula), rational(accuracy, name="accuracy")
    if most <= 0:
        raise HypothesisError(f"the accuracy is {most}; it must be positive")
    with ctx.workprec(PRECISION):
        ends = [target.jet(t).value for t in (arb(0), 2 * arb.pi())]
        if not (ends[0] - ends[1]).contains(0):
            raise HypothesisError(
                f"{formula} is {float(ends[0]):.6g} at 0 and "
                f"{float(ends[1]):.6g} at 2 pi; these must agree, as "
                "the formula describes a function on the circle"
            )
    counts, least = [1 << k for k in range(2, 10)], np.inf
    for count in followed(counts, len(counts), lambda n: f"{n} kernels"):
        weights = _interpolating(target, count)
        error = _refined(target, weights, most)
        if error is None:
            continue
        if error.upper <= most:
            return KernelSum(weights, error)
        least = min(least, nearest_float(error.upper))
    if least == np.inf:
        raise HypothesisError(
            f"on a part of the circle, the derivative of {formula} "
            "could not be proved to be bounded"
        )
    raise TooLargeError(
        f"with up to {MOST_KERNELS} kernels the least error proved is "
        f"{least:.3g}; allow a larger error"
    )


def _interpolating(target: Expression, count: int) -> np.ndarray:
    t = np.arange(count) * (2 * np.pi / count)
    values = target.floats(t)
    if not np.isfinite(values).all():
        raise HypothesisError(
            f"{target.formula} is not finite at every point of the circle"
        )
    return np.fft.ifft(np.fft.fft(values) / np.fft.fft(_kappa(t))).real


def _refined(target: Expression, weights: np.ndarray, most: fmpq) -> Enclosure | None:
    """The error on ever finer grids, until it is above or below the accuracy.

    None where g has no bounded derivative on a cell of the finest, as far as is proved.
    """
    error = None
    for halvings in range(FINEST + 1):
        error = _error(target, weights, len(weights) << halvings)
        if error is not None and (error.lower > most or error.upper <= most):
            break
    return error


def _kappa(t: np.ndarray) -> np.ndarray:
    c, s = np.cos(t / 2), np.abs(np.sin(t / 2))
    return c**2 * (np.pi - np.arctan2(s * np.sqrt(1 + c**2), c**2)) / (2 * np.pi)


def _kappa_ball(t: arb) -> arb:
    c, s = (t / 2).cos(), abs((t / 2).sin())
    angle = arb.atan2(s * (1 + c**2).sqrt(), c**2)
    return c**2 * (arb.pi() - angle) / (2 * arb.pi())


def _error(target: Expression, weights: np.ndarray, points: int) -> Enclosure | None:
    """The sup of |g - h|: at a grid that holds the centres, and between its points."""
    with ctx.workprec(PRECISION):
        step = 2 * arb.pi() / points
        kernel = [_kappa_ball(step * m) for m in range(points)]
        stride, exact = points // len(weights), [arb(w) for w in weights.tolist()]
        total = sum((abs(w) for w in exact), arb(0))
        low, high, before = fmpq(0), fmpq(0), None
        for m in range(points + 1):
            near = (kernel[(m - i * stride) % points] for i in range(len(exact)))
            here = sum((w * k for w, k in zip(exact, near, strict=True)), arb(0))
            off = abs(target.jet(step * m).value - here)
            if not off.is_finite():
                return None
            low = max(low, -ball_upper(-off))
            if before is not None:
                ends, cell = before.max(off), (step * (m - 1)).union(step * m)
                here_at_most = _between(target, ends, cell, step, total)
                if here_at_most is None:
                    return None
                high = max(high, here_at_most)
            before = off
    return Enclosure(low, high, Rigour.ENCLOSED)


def _between(
    target: Expression, ends: arb, cell: arb, step: arb, total: arb
) -> fmpq | None:
    """The largest |g - h| in a cell: by second derivatives, or by first ones."""
    jet = target.jet(cell)
    bend = step**2 / 8 * (BEND * total + abs(jet.second))
    slope = step / 2 * (SLOPE * total + abs(jet.first))
    found = [ball_upper(ends + more) for more in (bend, slope) if more.is_finite()]
    return min(found) if found else None
