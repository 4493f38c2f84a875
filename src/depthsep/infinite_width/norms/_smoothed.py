r"""A function on an interval convolved with a Gaussian: its Barron norms converge.

(g * N(0, sigma^2))~(w) = g~(w) e^{-2 pi^2 sigma^2 w^2}, so every moment is finite, even
of a g with kinks or jumps at the ends.
"""

from dataclasses import dataclass
from functools import cached_property, lru_cache

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep.evidence import Enclosure, enclosure
from depthsep.exact import nearest_float, rational
from depthsep.infinite_width._line_transform import LineTransform

Frequencies = tuple[np.ndarray, np.ndarray]
PRECISION = 64
CELLS = 8192
FAR = 40  # frequencies reach until the Gaussian is e^-40


@dataclass(frozen=True)
class Smoothed:
    """g * N(0, sigma^2), in one dimension, for `barron_thresholds` and `barron_relus`.

    Attributes:
        transform: of g, which is 0 outside its interval.
        sigma: above 0; a wide Gaussian gives small norms and a blurred function.

    Raises:
        HypothesisError: sigma <= 0, or g that is not piecewise affine exactly.
    """

    transform: LineTransform
    sigma: fmpq

    def __init__(self, transform: LineTransform, sigma: object) -> None:
        width = rational(sigma, name="sigma")
        if width <= 0:
            raise HypothesisError(f"sigma is {width}; it must be positive")
        if transform.missing != 0:
            raise HypothesisError(
                "the transform must be exact (missing = 0); give that "
                "of a piecewise affine function f, LineTransform(f, 0)"
            )
        object.__setattr__(self, "transform", transform)
        object.__setattr__(self, "sigma", width)

    @property
    def dim(self) -> int:
        """One input."""
        return 1

    def moment(self, power: int) -> Enclosure:
        r"""C_p = int |w|^p |g~(w)| e^{-a w^2} dw, a = 2 pi^2 sigma^2, enclosed.

        Around the middle m of a cell |g~| moves by h L / 2, L = pi (b - a) int |g|;
        beyond the last cell |g~| <= int |g|.
        """
        return _moment(self, power)

    def frequencies(
        self, count: int, rng: np.random.Generator, power: int
    ) -> Frequencies:
        """By rejection from cells on which the density is bounded."""
        ends = np.linspace(0, self._reach, CELLS + 1)
        h, middles = ends[1], (ends[1:] + ends[:-1]) / 2
        tops = np.abs(self.transform.floats(middles)) + h / 2 * self._steepness
        if not tops.any():
            raise HypothesisError("the function is 0, so there is nothing to sample")
        tops *= ends[1:] ** power * np.exp(-self._rate * ends[:-1] ** 2)
        found = np.empty(0)
        while len(found) < count:
            cell = rng.choice(CELLS, 2 * count, p=tops / tops.sum())
            w = ends[cell] + h * rng.random(2 * count)
            size = w**power * np.exp(-self._rate * w**2)
            size *= np.abs(self.transform.floats(w))
            kept = rng.random(2 * count) * tops[cell] < size
            found = np.concatenate([found, w[kept]])
        w = found[:count] * (2.0 * rng.integers(0, 2, count) - 1.0)
        return w[:, None], np.angle(self.transform.floats(w)) / (2 * np.pi)

    def floats(self, x: np.ndarray) -> np.ndarray:
        """Values, shape (n, 1) to (n,): each affine piece against the Gaussian."""
        return self._against(x[:, 0], 0)

    def gradient_at_zero(self) -> np.ndarray:
        """The slope at 0, shape (1,)."""
        return self._against(np.zeros(1), 1)

    def _against(self, x: np.ndarray, order: int) -> np.ndarray:
        from scipy.special import ndtr

        s, f = nearest_float(self.sigma), self.transform.function
        knots, values = f.knots.astype(float), f.values.astype(float)
        slopes = np.diff(values) / np.diff(knots)
        z = (knots - x[:, None]) / s
        bell = np.exp(-(z**2) / 2) / np.sqrt(2 * np.pi)
        inside = np.diff(ndtr(z), axis=1)
        if order:
            ends = (values[0] * bell[:, 0] - values[-1] * bell[:, -1]) / s
            return (slopes * inside).sum(1) + ends
        level = values[:-1] + slopes * (x[:, None] - knots[:-1])
        return (level * inside - s * slopes * np.diff(bell, axis=1)).sum(1)

    @cached_property
    def _size(self) -> fmpq:
        """A bound of int |g|: trapezoids of |values|."""
        f = self.transform.function
        x, y = f.knots.tolist(), [abs(v) for v in f.values.tolist()]
        steps = zip(x, x[1:], y, y[1:], strict=False)
        return sum(((q - p) * (u + v) / 2 for p, q, u, v in steps), fmpq(0))

    @property
    def _steepness(self) -> float:
        f = self.transform.function
        return np.pi * nearest_float((f.knots[-1] - f.knots[0]) * self._size) * 1.001

    @property
    def _rate(self) -> float:
        return 2 * np.pi**2 * nearest_float(self.sigma) ** 2

    @property
    def _reach(self) -> float:
        return float(np.sqrt(FAR / self._rate))


@lru_cache(maxsize=64)
def _moment(g: Smoothed, power: int) -> Enclosure:
    f = g.transform.function
    last = rational(g._reach)
    h = last / CELLS
    with ctx.workprec(PRECISION):
        a = 2 * arb.pi() ** 2 * arb(g.sigma) ** 2
        half = arb(fmpq(power + 1, 2))
        scale = 1 / (2 * a**half)
        # int_w^oo v^p e^{-a v^2} dv at the ends of all cells
        ends = [arb(h * k) for k in range(CELLS + 1)]
        beyond = [scale * (a * end**2).gamma_upper(half) for end in ends]
        steep = arb.pi() * arb((f.knots[-1] - f.knots[0]) * g._size) * arb(h) / 2
        blur = arb(0, steep.upper())
        whole = arb(0).union(beyond[-1] * arb(g._size))
        for k in range(CELLS):
            size = abs(g.transform(h * (2 * k + 1) / 2)) + blur
            whole += (beyond[k] - beyond[k + 1]) * size.max(arb(0))
        found = enclosure(2 * whole)
    return Enclosure(max(found.lower, fmpq(0)), found.upper, found.rigour)
