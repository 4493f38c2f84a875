r"""The law phi^2: the squared Fourier transform of the ball of volume 1.

t = 2 pi R |x| has the density (d / t) J_nu(t)^2, nu = d/2. Its tail is about
d / (pi t): |x| has no mean, so means of functions that grow must not be estimated by
sampling.
"""

from dataclasses import dataclass

import numpy as np
from flint import ctx

from depthsep._errors import HypothesisError
from depthsep.exact import unit_ball_radius
from depthsep.laws._base import AbstractLaw

MAX_DIM = 1000


@dataclass(frozen=True)
class SquaredTransform(AbstractLaw):
    """phi^2 in R^d, the law of Eldan and Shamir. |x|^s has a mean for s < 1 only."""

    dim: int

    def __post_init__(self) -> None:
        if not 1 <= self.dim <= MAX_DIM:
            raise HypothesisError(
                f"phi^2 in {self.dim} dimensions; give 1 to {MAX_DIM}"
            )

    @property
    def text(self) -> str:
        return f"phi2:{self.dim}"

    @property
    def in_dim(self) -> int:
        return self.dim

    @property
    def radius(self) -> float:
        """R_d, rounded."""
        with ctx.workprec(64):
            return float(unit_ball_radius(self.dim).mid())

    def sample(self, count: int, seed: int) -> np.ndarray:
        rng = np.random.default_rng(seed)
        z = rng.standard_normal((count, self.dim))
        unit = z / np.linalg.norm(z, axis=1, keepdims=True)
        length = self.sample_radii(count, rng) / (2 * np.pi * self.radius)
        return length[:, None] * unit

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
            kept = rng.random(tries) < self._accepted(t, angle, low)
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
        self, t: np.ndarray, angle: np.ndarray, low: np.ndarray
    ) -> np.ndarray:
        """Chances of acceptance."""
        from scipy.special import jv

        nu = self.dim / 2
        j = jv(nu, t)
        x = np.where(low, t / nu, 1.0)
        with np.errstate(divide="ignore", over="ignore", invalid="ignore"):
            envelope = jv(nu, nu) * np.exp(nu * (np.log(x) + 1 - x))
            under = np.where(envelope > 0, (j / envelope) ** 2, 0.0)
            over = j * j * (np.pi / 2) * nu * np.tan(angle)
        return np.where(low, under, over)
