r"""The law phi^2: the squared Fourier transform of the ball of volume 1.

t = 2 pi R |x| has the density (d / t) J_nu(t)^2, nu = d/2. The law may be scaled, to
that of scale * x, or so that |x| = 1 lies at a given t. Its tail is about
d / (pi t): |x| has no mean, so means of functions that grow must not be estimated by
sampling.
"""

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import dyadic_near, midpoint, text
from depthsep.laws._radial import AbstractRadialLaw, enclosing, no_moment, turned
from depthsep.laws._radius import RadiusDensity, Support
from depthsep.special import (
    bessel_j,
    squared_transform_cdf,
    squared_transform_quantile,
    unit_ball_radius,
)

MAX_DIM = 1000
SMALLEST = fmpq(1, 10**9)
PHASES = 2_000.0  # t up to which a table goes: the tail beyond is d / (pi t)
FINE = 64  # nodes for each unit of t, which is a third of a half period
STEP = 0.05  # cubic interpolation errs by STEP^4 / 384 = 2e-8
REACH = 40  # times nu: beyond, scipy's asymptotic series is fast itself
LEAST_ORDER = 4  # below, J is not smooth enough near 0
FEW = 4096  # values for which a table does not pay
EDGE_BITS = 20  # of t, so that the text of a law is short
ERROR = 2e-8  # STEP^4 / 384, and rounding


@dataclass(frozen=True)
class SquaredTransform(AbstractRadialLaw):
    """phi^2 in R^d, the law of Eldan and Shamir. |x|^s has a mean for s < 1 only.

    Args:
        dim: d.
        scale: the law of scale * x, x of law phi^2.
        edge: instead of a scale, the t at which |x| = 1.
    """

    has_mean: ClassVar[bool] = False

    dim: int  # pyrefly: ignore[bad-override] (frozen)
    scale: fmpq = fmpq(1)  # noqa: RUF009 (fmpq is immutable)
    edge: fmpq | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.dim <= MAX_DIM:
            raise HypothesisError(
                f"phi^2 in {self.dim} dimensions is not supported; give "
                f"1 to {MAX_DIM} dimensions"
            )
        sizes = (self.scale, fmpq(1) if self.edge is None else self.edge)
        if not all(SMALLEST <= s <= 1 / SMALLEST for s in sizes):
            given = f"a scale of {text(self.scale)}"
            if self.edge is not None:
                given = f"at |x| = 1, the phase t = {text(self.edge)}"
            raise HypothesisError(
                f"{given} is out of range; give a number from 1e-9 to 1e9"
            )

    @staticmethod
    def with_median(dim: int, radius: arb | None = None) -> "SquaredTransform":
        """Scaled so that half of the mass lies within a radius, 1 if it is not given.

        Up to 2^-20 of t, so that the law's text is short and exact.
        """
        with ctx.workprec(96):
            middle = squared_transform_quantile(dim, fmpq(1, 2))
            edge = midpoint(middle if radius is None else middle / radius)
        return SquaredTransform(dim, edge=dyadic_near(edge, EDGE_BITS))

    @property
    def text(self) -> str:
        if self.edge is not None:
            return f"phi2:{self.dim}:t={text(self.edge)}"
        return f"phi2:{self.dim}" + (f":{text(self.scale)}" if self.scale != 1 else "")

    def __str__(self) -> str:
        if self.edge is not None:
            t = float(self.edge.p) / float(self.edge.q)
            return (
                f"phi^2 in R^{self.dim}, scaled so that the phase t, the argument of "
                f"its Bessel function, is {t:.6g} at |x| = 1"
            )
        scaled = f", scaled by {text(self.scale)}" if self.scale != 1 else ""
        return f"phi^2 in R^{self.dim}{scaled}"

    def cdf(self, radius: fmpq) -> arb:
        if radius <= 0:
            return arb(0)
        with ctx.workprec(96):
            t = self.phase() * arb(radius)
            return enclosing(t, lambda e: squared_transform_cdf(self.dim, e, 60))

    def density(self, radius: fmpq) -> arb:
        """The density of |x|: phase * (d / t) J_nu(t)^2 at t = phase * radius."""
        with ctx.workprec(96):
            t = self.phase() * arb(radius)
            j = bessel_j(fmpq(self.dim, 2), t, 80)
            return self.phase() * self.dim / t * j * j

    @property
    def support(self) -> Support:
        """Everywhere: the zeros of J_nu are isolated."""
        return fmpq(0), None

    def quantile(self, level: fmpq) -> arb:
        with ctx.workprec(96):
            return squared_transform_quantile(self.dim, level) / self.phase()

    def moment(self, power: fmpq) -> arb:
        r"""E |x|^s, finite for -d < s < 1 (Weber and Schafheitlin, lam = 1 - s):

        E t^s = d Gamma(lam) Gamma(nu + s/2) / (2^lam Gamma(1 - s/2)^2 Gamma(nu + 1 -
        s/2)).
        """
        if not -self.dim < power < 1:
            return no_moment(power, self)
        with ctx.workprec(96):
            s, nu = arb(power), arb(self.dim) / 2
            logs = (1 - s).lgamma() + (nu + s / 2).lgamma()
            logs -= 2 * (1 - s / 2).lgamma() + (nu + 1 - s / 2).lgamma()
            return self.dim * (logs - (1 - s) * arb(2).log()).exp() / self.phase() ** s

    def phase(self) -> arb:
        """t / |x|, enclosed at flint's current precision."""
        if self.edge is not None:
            return arb(self.edge)
        return 2 * arb.pi() * unit_ball_radius(self.dim) / arb(self.scale)

    def sample(self, count: int, seed: int) -> np.ndarray:
        return turned(self, count, seed)

    def draw_radii(self, count: int, rng: np.random.Generator) -> np.ndarray:
        return self.sample_radii(count, rng) / self.float_phase()

    def radii(self) -> RadiusDensity:
        """t has the density (d / t) J^2; on average d / (pi t^2) far out."""
        nu, dim, phase = self.dim / 2, self.dim, self.float_phase()

        def density(r: np.ndarray) -> np.ndarray:
            from scipy.special import jv

            t = np.maximum(phase * r, 1e-300)
            return phase * dim / t * jv(nu, t) ** 2

        far = PHASES + 10 * nu
        tail = dim / (np.pi * phase)
        return RadiusDensity(density, 0.0, far / phase, tail, int(far) * FINE, 1.0)

    def float_phase(self) -> float:
        """t / |x| in float64."""
        with ctx.workprec(64):
            return float(self.phase().mid())

    def sample_radii(self, count: int, rng: np.random.Generator) -> np.ndarray:
        r"""Independent t = 2 pi R |x|, by exact rejection, shape (count,).

        From nu on: t = nu / cos U, U uniform, accepted with (pi / 2) J^2 nu tan U <= 1
        (J^2 + Y^2 <= 2 / (pi sqrt(t^2 - nu^2)), Watson 13.74). Below: t / nu is a gamma
        variable cut at 1, as J_nu(nu x) <= J_nu(nu) x^nu e^(nu (1 - x)) (Paris 1984).
        """
        below = self._mass_below()
        found, missing = [], count
        while missing > 0:
            tries = int(2.6 * missing) + 16
            low = rng.random(tries) * (2 + below) < below
            t = np.where(low, self._low(tries, rng), 0.0)
            angle = rng.random(tries) * np.pi / 2
            t = np.where(low, t, self.dim / 2 / np.cos(angle))
            kept = self._accepted(t, angle, low, rng.random(tries))
            found.append(t[kept][:missing])
            missing -= len(found[-1])
        return np.concatenate(found)

    def _mass_below(self) -> float:
        """Of the envelope below nu."""
        from scipy.special import gammainc, gammaln, jv

        nu = self.dim / 2
        log = 2 * nu + gammaln(2 * nu) - 2 * nu * np.log(2 * nu)
        mass = 2 * nu * jv(nu, nu) ** 2 * np.exp(log) * gammainc(2 * nu, 2 * nu)
        return float(mass)

    def _low(self, count: int, rng: np.random.Generator) -> np.ndarray:
        from scipy.special import gammainc, gammaincinv

        nu = self.dim / 2
        level = rng.random(count) * gammainc(2 * nu, 2 * nu)
        return gammaincinv(2 * nu, level) / 2

    def _accepted(
        self, t: np.ndarray, angle: np.ndarray, low: np.ndarray, level: np.ndarray
    ) -> np.ndarray:
        """Whether the level is below the chance of acceptance."""
        nu = self.dim / 2
        kept = np.zeros(len(t), dtype=bool)
        kept[low] = level[low] < self._chance_below(t[low] / nu)
        high = ~low
        most = (np.pi / 2) * nu * np.tan(angle[high])
        kept[high] = _is_below(nu, t[high], level[high] / most)
        return kept

    def _chance_below(self, x: np.ndarray) -> np.ndarray:
        from scipy.special import jv

        nu = self.dim / 2
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            envelope = jv(nu, nu) * np.exp(nu * (np.log(x) + 1 - x))
            return np.where(envelope > 0, (jv(nu, nu * x) / envelope) ** 2, 0.0)


def _is_below(nu: float, t: np.ndarray, square: np.ndarray) -> np.ndarray:
    """Whether square < J_nu(t)^2, t >= nu: by a table where that decides.

    The table interpolates J with error at most STEP^4 / 384, as all derivatives of J
    up to the fourth are at most 1 for nu >= 4.
    """
    from scipy.special import jv

    if nu < LEAST_ORDER or len(t) < FEW:
        return square < jv(nu, t) ** 2
    values, slopes = _table(nu)
    place = (t - nu) / STEP
    inside = place < len(values) - 1
    at = np.where(inside, place, 0.0).astype(np.int64)
    s = np.where(inside, place, 0.0) - at
    left, right = values[at], values[at + 1]
    bend = s * (1 - s) * STEP
    j = left + (right - left) * s * s * (3 - 2 * s)
    j += bend * ((1 - s) * slopes[at] - s * slopes[at + 1])
    size = np.abs(j)
    sure = inside & (np.abs(square - j * j) > ERROR * (2 * size + ERROR))
    below = square < j * j
    below[~sure] = square[~sure] < jv(nu, t[~sure]) ** 2
    return below


@lru_cache(maxsize=8)
def _table(nu: float) -> tuple[np.ndarray, np.ndarray]:
    """J_nu and its derivative at nu, nu + STEP, ..., up to REACH nu."""
    from scipy.special import jv

    grid = nu + STEP * np.arange(int(REACH * nu / STEP) + 2)
    return jv(nu, grid), (jv(nu - 1, grid) - jv(nu + 1, grid)) / 2
