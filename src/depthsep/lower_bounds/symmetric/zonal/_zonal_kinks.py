r"""|u| and sign(u) of an inner product on spheres, expanded in zonal harmonics.

With p = n + (d - 3)/2 and R_n = Gamma((d - 1)/2) / (2^n Gamma(n + (d - 1)/2)),
Rodrigues' formula and integrations by parts give

    int |u| P_n dmu_d = 2 c_d R_n (-1)^((n - 2)/2) C(p, (n - 2)/2) (n - 2)!,
    int sign(u) P_n dmu_d = 2 c_d R_n (-1)^((n - 1)/2) C(p, (n - 1)/2) (n - 1)!,

the first for even n >= 2, the second for odd n.
"""

from functools import cached_property

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep.lower_bounds.symmetric.zonal._zonal import Tail
from depthsep.special import harmonic_dimension, sphere_density

PRECISION = 256
LAST = 1200
KINKS = ("Abs", "sign")


class ZonalKink:
    """f(u) = |u| or sign(u) on a product of two spheres S^{d-1}, like `ZonalWave`.

    Degree 0, a constant, is left out: biases give it.

    Raises:
        HypothesisError: d < 2, or another shape.
    """

    def __init__(self, dim: int, shape: str) -> None:
        if dim < 2 or shape not in KINKS:
            raise HypothesisError(
                f"d = {dim} and the shape {shape!r} were given; give d >= 2 "
                "and Abs or sign"
            )
        self.dim, self.shape = dim, shape
        self.first = 2 if shape == "Abs" else 1
        self.last = LAST + self.first

    @cached_property
    def norm_squared(self) -> arb:
        """Of f without its degree 0: 1/d - (E|u|)^2, or 1."""
        with ctx.workprec(PRECISION):
            if self.shape == "sign":
                return arb(1)
            half = arb(self.dim) / 2
            mean = (half.lgamma() - (half + arb(0.5)).lgamma()).exp() / arb.pi().sqrt()
            return 1 / arb(self.dim) - mean**2

    def coefficient(self, degree: int) -> arb:
        """alpha_n, 0 for the other parity and below the first degree."""
        if degree < self.first or (degree - self.first) % 2:
            return arb(0)
        with ctx.workprec(PRECISION):
            k, half = (degree - self.first) // 2, arb(self.dim - 1) / 2
            p = degree + arb(self.dim - 3) / 2
            log = half.lgamma() - (degree + half).lgamma() - degree * arb(2).log()
            log += (p + 1).lgamma() - arb(k + 1).lgamma() - (p - k + 1).lgamma()
            log += arb(degree - self.first + 1).lgamma()
            size = arb(harmonic_dimension(self.dim, degree)).sqrt()
            sign = -1 if k % 2 else 1
            return sign * 2 * sphere_density(self.dim) * size * log.exp()

    @cached_property
    def _rows(self) -> list[tuple[int, int, arb]]:
        """(n, N, alpha_n^2) up to the last degree looked at."""
        with ctx.workprec(PRECISION):
            return [
                (n, harmonic_dimension(self.dim, n), self.coefficient(n) ** 2)
                for n in range(self.first, self.last + 1, 2)
            ]

    def tail(self, degree: int) -> Tail:
        """What is left from a degree of the right parity on."""
        with ctx.workprec(PRECISION):
            head = sum((m for n, _, m in self._rows if n < degree), arb(0))
            rest = [(size, m) for n, size, m in self._rows if n >= degree]
            if not rest or (degree - self.first) % 2:
                raise HypothesisError(
                    f"no coefficient of degree {degree} was computed; give "
                    f"{self.first}, or a larger degree of the same parity up to "
                    f"{self.last}"
                )
            mass = self.norm_squared - head
            beyond = mass - sum((m for _, m in rest), arb(0))
            shared = sum((m / size for size, m in rest), beyond / rest[-1][0])
            return Tail(degree, rest[0][0], mass, shared.upper())

    def best_degree(self, accuracy: fmpq) -> int:
        """The n of the largest (A_n^2 - E^2) / sum_{i>=n} alpha_i^2 / N_i, about."""
        masses = np.array([float(m.mid()) for *_, m in self._rows])
        logs = np.array([float(arb(size).log().mid()) for _, size, _ in self._rows])
        whole = float(self.norm_squared.mid())
        tail = whole - np.concatenate([[0.0], np.cumsum(masses)[:-1]])
        with np.errstate(divide="ignore", invalid="ignore"):
            parts = np.log(masses) - logs
            last = np.log(max(whole - masses.sum(), 1e-300)) - logs[-1]
            shared = np.logaddexp.accumulate(np.append(parts, last)[::-1])[::-1][:-1]
            score = np.log(tail - float(accuracy) ** 2) - shared
        finite = np.where(np.isfinite(score), score, -np.inf)
        return self._rows[int(finite.argmax())][0]
