r"""The ball of volume 1 in R^d, its Fourier transform phi, and the law phi^2.

phi(x) = 0F1(; d/2 + 1; -(pi R |x|)^2), phi(0) = 1, and phi^2 is a density. Under it
t = 2 pi R |x| has the density (d / t) J_nu(t)^2, nu = d/2, whatever R is.
"""

from flint import acb, arb, ctx, fmpq

from depthsep._errors import HypothesisError, UndecidedError
from depthsep.exact import bracket
from depthsep.special._bessel import BITS_A_STEP, bessel_orders

MAX_RADIUS = 5_000
MAX_PRECISION = 1 << 16


def unit_ball_radius(dim: int) -> arb:
    """R_d = Gamma(d/2 + 1)^(1/d) / sqrt(pi)."""
    _check(dim)
    return ((arb(dim) / 2 + 1).lgamma() / dim).exp() / arb.pi().sqrt()


def unit_ball_transform(dim: int, radius: fmpq, bits: int = 100) -> arb:
    """phi at |x| = radius, with about `bits` correct bits.

    Raises:
        UndecidedError: not at 65,536 bits either.
    """
    _check(dim)
    precision = bits + 64
    while precision <= MAX_PRECISION:
        with ctx.workprec(precision):
            z = -((arb.pi() * unit_ball_radius(dim) * arb(radius)) ** 2)
            value = acb(z).hypgeom_0f1(acb(arb(dim) / 2 + 1)).real
            if value.rel_accuracy_bits() >= bits:
                return value
        precision *= 2
    raise UndecidedError(
        "the Fourier transform phi of the ball of volume 1 could not "
        f"be computed at the radius {radius} in dimension {dim}"
    )


def squared_transform_cdf(dim: int, t: fmpq, bits: int = 100) -> arb:
    r"""P(2 pi R |x| <= t) under phi^2: J_nu(t)^2 + 2 sum_{k >= 1} J_{nu+k}(t)^2.

    All terms are positive. Beyond mu = 7/5 t, |J_mu(t)| <= (t/2)^mu / Gamma(mu + 1)
    falls by more than half from order to order.
    """
    _check(dim)
    if t == 0:
        return arb(0)
    if not 0 < t <= MAX_RADIUS:
        raise HypothesisError(
            f"the phase t = {float(arb(t)):.6g} (t is proportional to |x|) must be "
            f"above 0 and at most {MAX_RADIUS}, as probabilities under the law phi^2 "
            "are computed only there; choose a larger scale of the law"
        )
    nu, terms = fmpq(dim, 2), int((t * fmpq(7, 5)).ceil()) + 40 + bits
    with ctx.workprec(bits + 64 + int(BITS_A_STEP * terms)):
        values = bessel_orders(arb(t), nu, terms)
    with ctx.workprec(bits + 64):
        x, first = arb(t), values[0]
        whole = 2 * sum((j * j for j in values), arb(0)) - first * first
        mu = arb(nu + terms)
        bound = ((x / 2).log() * mu - (mu + 1).lgamma()).exp()
        return whole + arb(0).union(4 * bound * bound)


def squared_transform_quantile(dim: int, level: fmpq, bits: int = 24) -> arb:
    """The t with P(2 pi R |x| <= t) = level, enclosed to about `bits` bits.

    Raises:
        HypothesisError: a level that is not between 0 and 1, or whose t is beyond
            5,000 (the tail falls like d / (pi t) only).
    """
    if not 0 < level < 1:
        raise HypothesisError(f"the level is {level}; give one above 0 and below 1")

    def is_before(t: fmpq) -> bool | None:
        below = squared_transform_cdf(dim, t, 2 * bits + 20)
        return True if below < level else False if below > level else None

    name, farthest = f"the quantile at level {level}", fmpq(MAX_RADIUS)
    ends = bracket(is_before, fmpq(dim), bits=bits, farthest=farthest, name=name)
    return arb(ends[0]).union(arb(ends[1]))


def tube_fraction(dim: int, ratio: fmpq) -> arb:
    """The share of a sphere of radius ratio R that a tube of radius R covers.

    1 up to ratio 1, then the regularised incomplete beta function
    I_{1 / ratio^2}((d - 1)/2, 1/2).
    """
    if dim < 2:
        raise HypothesisError(
            f"tubes in dimension {dim} are not supported; give a dimension of 2 or more"
        )
    if ratio <= 1:
        return arb(1)
    x = acb(1 / ratio**2)
    half = acb(fmpq(1, 2))
    return x.beta_lower(acb(fmpq(dim - 1, 2)), half, 1).real


def _check(dim: int) -> None:
    if dim < 1:
        raise HypothesisError(f"{dim} dimensions were asked for; give 1 or more")
