r"""Exact masses of the threshold representation of a Gaussian centred at 0.

With |w| = s t, t = chi_d and s = 1/(2 pi sigma) under the law |g~| / int |g~|, the mass
is peak * E I(R s t), I(z) = int_0^z 4 pi |sin 2 pi b| db = 4 n + 2 (1 - cos 2 pi u) for
z = n / 2 + u, 0 <= u < 1/2. It is integrated half period by half period in balls.
"""

from collections.abc import Callable, Iterator

from flint import acb, arb, ctx

from depthsep._errors import HypothesisError
from depthsep.evidence import Enclosure, enclosure
from depthsep.exact import rational, readable
from depthsep.infinite_width._balls import PRECISION, integral
from depthsep.infinite_width._transforms import Gaussian

MAX_PERIODS = 20_000
FAR = 14  # chi_d beyond sqrt(d) + 14 has probability below 2^-140


def threshold_mass(gaussian: Gaussian, radius: object = 1) -> Enclosure:
    """The mass of the signed measure over thresholds on |x| <= radius.

    Raises:
        HypothesisError: radius / sigma so large that the integral has more than
            20,000 half periods.
    """
    with ctx.workprec(PRECISION):
        law = _Radial(gaussian, radius)

        def weighted(n: int) -> Callable[[acb], acb]:
            # cos of 2 pi (z - n/2) is (-1)^n cos 2 pi z
            sign = -1 if n % 2 else 1
            return lambda t: law.density(t) * (4 * n + 2 * (1 - sign * law.cosine(t)))

        return enclosure(gaussian.peak() * law.expectation(weighted))


def mean_total(gaussian: Gaussian, radius: object = 1) -> Enclosure:
    """E[weight]: the integral of the signed density, -2 peak E (1 - cos 2 pi R |w|)."""
    with ctx.workprec(PRECISION):
        law = _Radial(gaussian, radius)

        def signed(n: int) -> Callable[[acb], acb]:
            return lambda t: law.density(t) * 2 * (1 - law.cosine(t))

        sign = -1 if gaussian.amplitude > 0 else 1
        return enclosure(sign * gaussian.peak() * law.expectation(signed))


class _Radial:
    """The law of t = chi_d, with z = R s t in half periods."""

    def __init__(self, gaussian: Gaussian, radius: object) -> None:
        given = rational(radius, name="the radius")
        if given <= 0:
            raise HypothesisError(f"the radius is {given}; it must be positive")
        reach = arb(given)
        self.dim = gaussian.dim
        self.rate = reach / (2 * arb.pi() * arb(gaussian.sigma))
        half = arb(self.dim) / 2
        self.front = 2 / (half * arb(2).log() + half.lgamma()).exp()
        far = 2 * self.rate * (arb(self.dim).sqrt() + FAR)
        if not far < MAX_PERIODS:
            raise HypothesisError(
                f"sigma = {readable(rational(gaussian.sigma))} is too small for "
                f"radius {radius}: the integrand would have more than {MAX_PERIODS} "
                "half periods; use a larger sigma or a smaller radius"
            )
        self.periods = int(float(far.upper())) + 1

    def density(self, t: acb) -> acb:
        return self.front * t ** (self.dim - 1) * (-t * t / 2).exp()

    def cosine(self, t: acb) -> acb:
        """cos(2 pi R |w|)."""
        return (2 * self.rate * t).cos_pi()

    def expectation(self, integrand: Callable[[int], Callable[[acb], acb]]) -> arb:
        """Over all half periods, and a ball for what lies beyond them."""
        parts = (integral(integrand(n), a, b) for n, a, b in self._half_periods())
        return sum(parts, arb(0)) + arb(0).union(self._beyond())

    def _half_periods(self) -> Iterator[tuple[int, arb, arb]]:
        for n in range(self.periods):
            yield n, n / (2 * self.rate), (n + 1) / (2 * self.rate)

    def _beyond(self) -> arb:
        """A bound of E 4 pi z, hence of both integrands, beyond the last half period.

        E[t; t > T] = sqrt(2) Gamma((d + 1)/2, T^2/2) / Gamma(d/2) for t = chi_d.
        """
        d, end = arb(self.dim), self.periods / (2 * self.rate)
        log_gamma = (d / 2).lgamma()
        above = (end * end / 2).gamma_upper((d + 1) / 2) * (-log_gamma).exp()
        return 4 * arb.pi() * self.rate * arb(2).sqrt() * above
