r"""Any function of an inner product on spheres, expanded in zonal harmonics.

F = f(<x, x'>) = sum_n alpha_n h_n, h_n = sqrt(N) P_n(<x, x'>); what r units of one
hidden layer leave of it at least, and what units of bounded norms leave.
"""

from dataclasses import dataclass

from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep._inputs import whole
from depthsep.approximation import chebyshev_form
from depthsep.exact import ball_upper, rational
from depthsep.laws import Segment
from depthsep.lower_bounds.symmetric.zonal._inner_rank import wave_or_kink
from depthsep.lower_bounds.symmetric.zonal._zonal import FEW, ZonalWave
from depthsep.lower_bounds.symmetric.zonal._zonal_kinks import ZonalKink
from depthsep.lower_bounds.symmetric.zonal._zonal_polynomial import (
    legendre_coefficients,
)
from depthsep.special import harmonic_dimension
from depthsep.targets import InnerProduct

PRECISION = 256
ERRORS = tuple(fmpq(1, 10**k) for k in (12, 9, 6, 3))
KINK_DEGREES = 400


@dataclass(frozen=True)
class ZonalExpansion:
    """alpha_0, alpha_1, ..., enclosed, of a function p with |f - p| <= error.

    Degrees beyond the last are left out: what is proved from below needs none of them.

    Attributes:
        coefficients: of p itself.
        error: of p in the sup norm; 0 for waves and kinks, which are expanded exactly.
    """

    dim: int
    coefficients: tuple[arb, ...]
    error: fmpq

    def coefficient(self, degree: int) -> arb:
        """alpha_n of f: |<f - p, h_n>| <= error.

        Raises:
            HypothesisError: a degree that was not expanded.
        """
        if not 0 <= degree < len(self.coefficients):
            raise HypothesisError(
                f"the degree is {degree}; coefficients are known only "
                f"up to degree {len(self.coefficients) - 1}"
            )
        with ctx.workprec(PRECISION):
            return self.coefficients[degree] + arb(0, self.error)

    def residual(self, units: int) -> arb:
        """A bound from below of ||F - g||, g any network of so many units at depth 2.

        The root of sum_{n >= 1} alpha_n^2 (1 - r / N_n)_+, less the error. For r below
        N_n it is attained where the directions allow it; not always.
        """
        r = whole(units, "units")
        with ctx.workprec(PRECISION):
            mass = arb(0)
            for n, alpha in enumerate(self.coefficients[1:], start=1):
                size = harmonic_dimension(self.dim, n)
                if r < size:
                    mass += alpha**2 * (1 - arb(r) / size)
            return _positive(mass.sqrt() - arb(self.error))

    def residual_for_norms(self, norms: object) -> arb:
        """A bound from below of ||F - sum_j g_j||, the g_j of norms that add up to S.

        max_n A_n - S / sqrt(N_n), A_n^2 the mass in degrees from n >= 1 on.

        Source:
            Daniely (2017), the main theorem, paired with P_n F / A_n.
        """
        total = rational(norms, name="the norms")
        if total < 0:
            raise HypothesisError(
                f"the sum of the norms is {total}; give a number that is 0 or more"
            )
        best, mass = arb(0), arb(0)
        with ctx.workprec(PRECISION):
            for n in range(len(self.coefficients) - 1, 0, -1):
                mass += self.coefficients[n] ** 2
                root = arb(harmonic_dimension(self.dim, n)).sqrt()
                here = _positive(mass.sqrt() - arb(total) / root - arb(self.error))
                best = best.max(here)
        return best


def zonal_expansion(target: InnerProduct) -> ZonalExpansion:
    """alpha_n of a sine or cosine, |t| or sign(t) in closed form, else of a polynomial.

    Raises:
        HypothesisError: a frequency above 1,000, or no polynomial of degree 128 within
            1/1000 of the formula.
    """
    shape, amplitude = wave_or_kink(target)
    if target.wave is not None:
        return _of_wave(target)
    if amplitude:
        kink = ZonalKink(target.dim, shape)
        return _closed(target, kink, min(kink.last, KINK_DEGREES))
    for error in ERRORS:
        form = chebyshev_form(target.profile, Segment(-1, 1), error)
        if form is not None:
            series = legendre_coefficients(target.dim, form.coefficients)
            return ZonalExpansion(target.dim, _normed(target.dim, series), form.error)
    raise HypothesisError(
        f"no polynomial of degree 128 was found close to {target}; without such a "
        "polynomial only sines, cosines, abs and sign can be expanded"
    )


def _of_wave(target: InnerProduct) -> ZonalExpansion:
    wave = target.wave
    assert wave is not None
    zonal = ZonalWave(target.dim, wave.shape, lambda: wave.argument(ctx.prec + 64))
    if not zonal.argument <= FEW:
        raise HypothesisError(
            f"{target} has a frequency above {FEW}; use the bound "
            "sphere-rank or daniely-weights instead"
        )
    return _closed(target, zonal, zonal.last)


def _closed(
    target: InnerProduct, zonal: ZonalWave | ZonalKink, last: int
) -> ZonalExpansion:
    """Scaled and signed, with the constant in degree 0."""
    with ctx.workprec(PRECISION):
        scale, offset = _scale_and_offset(target, zonal.shape)
        found = [scale * zonal.coefficient(n) for n in range(last + 1)]
        found[0] += offset
        if zonal.shape == "Abs":  # E |u|, which the kink leaves out
            mean_square = arb(1) / zonal.dim - zonal.norm_squared
            found[0] += scale * mean_square.sqrt()
    return ZonalExpansion(target.dim, tuple(found), fmpq(0))


def _scale_and_offset(target: InnerProduct, shape: str) -> tuple[arb, arb]:
    """f = offset + scale * shape; the sign of the scale from values of f."""
    ends = (fmpq(-1, 2), fmpq(0), fmpq(1, 2))
    left, zero, right = (target.profile.jet(arb(x)) for x in ends)
    size = arb(wave_or_kink(target)[1])
    if target.wave is not None:
        offset = arb(target.wave.offset)
        rising = zero.first > 0 if shape == "sin" else zero.value > offset
    elif shape == "sign":
        offset, rising = (left.value + right.value) / 2, right.value > left.value
    else:
        offset, rising = zero.value, right.value > zero.value
    return (size if rising else -size), offset


def _normed(dim: int, series: list[fmpq]) -> tuple[arb, ...]:
    """From multiples of P_n to multiples of h_n = sqrt(N) P_n."""
    with ctx.workprec(PRECISION):
        return tuple(
            arb(c) / arb(harmonic_dimension(dim, n)).sqrt()
            for n, c in enumerate(series)
        )


def _positive(ball: arb) -> arb:
    """Its lower end, or 0: a bound from below."""
    low = -ball_upper(-ball)
    return arb(max(low, fmpq(0)))
