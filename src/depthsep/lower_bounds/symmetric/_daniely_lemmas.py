r"""Lemmas on the way to Daniely's theorem: polynomials and the norm of one unit.

The first: for whole m and every polynomial p of degree k, int (s - p)^2 dmu_d is at
least (m - k) / (4 e pi m), s(x) = sin(pi sqrt(d) m x): of m pairs of half periods at
least m - k see no change of sign of p, each costs 1 / (2 m), and the density is at
least sqrt(d) / (2 e pi) on |x| <= d^(-1/2); at least e^(-1/2) sqrt(d / (2 pi)) for
d >= 3, hence the sharper constant. The exact value is the mass of higher degrees.
"""

from dataclasses import dataclass

from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep.evidence import (
    Enclosure,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    proved,
)
from depthsep.exact import ball_upper
from depthsep.lower_bounds.symmetric.zonal._zonal import PRECISION, ZonalWave


@dataclass(frozen=True)
class PolynomialLemma:
    """Squared L2 distances of sin(pi sqrt(d) m x) from polynomials of degree k.

    Attributes:
        printed: (m - k) / (4 e pi m), or 0.
        sharper: (m - k) / (2 m) times e^(-1/2) (2 pi)^(-1/2), for d >= 3.
        exact: sum_{i > k} alpha_i^2, enclosed.
    """

    printed: arb
    sharper: arb
    exact: arb


def polynomial_lemma(dim: int, waves: int, degree: int) -> PolynomialLemma:
    """The lemma beside the exact value.

    Raises:
        HypothesisError: a degree beyond those whose masses are summed.
    """
    wave = ZonalWave(dim, "sin", lambda: arb.pi() * arb(dim).sqrt() * waves)
    first = degree + 1 if degree % 2 == 0 else degree + 2
    if first > wave.last:
        raise HypothesisError(f"the degree is {degree}; give one below {wave.last}")
    exact = wave.tail(first).mass
    with ctx.workprec(PRECISION):
        share = arb(max(waves - degree, 0)) / waves
        printed = share / (4 * arb(1).exp() * arb.pi())
        sharper = share / 2 / (2 * arb.pi() * arb(1).exp()).sqrt()
        return PolynomialLemma(printed, sharper if dim >= 3 else printed, exact)


def _evaluate_distance(dim: int, waves: int, degree: int) -> Value:
    exact = polynomial_lemma(dim, waves, degree).exact
    bounds = -ball_upper(-exact), ball_upper(exact)
    return Value(Enclosure(*bounds, Rigour.ENCLOSED), Rigour.ENCLOSED)


def unit_norms(dim: int, weight: fmpq) -> tuple[arb, arb]:
    """Bounds of the L2 norm of one unit: B^2 (1 + 2 sqrt d) as printed, sqrt(3) B^2."""
    with ctx.workprec(PRECISION):
        square = arb(weight) ** 2
        return square * (1 + 2 * arb(dim).sqrt()), arb(3).sqrt() * square


def _evaluate_unit(dim: int, weight: fmpq) -> Value:
    sharp = unit_norms(dim, weight)[1]
    bounds = -ball_upper(-sharp), ball_upper(sharp)
    return Value(Enclosure(*bounds, Rigour.ENCLOSED), Rigour.ENCLOSED)


LEMMAS = (
    Statement(
        "daniely-polynomial",
        "Squared L2 distance of sin(pi sqrt(d) m x) from polynomials of degree k",
        (
            (
                "x is the first coordinate of a uniform point of the sphere S^(d-1) "
                "(law mu_d); for alpha_i see the statement zonal-coefficient"
            ),
            "m is an integer",
        ),
        Source("daniely2017", "the polynomial lemma"),
        (
            Parameter("dim", "integer", "d, the dimension", "5", most=1000),
            Parameter("waves", "integer", "m, an integer", "13", most=10_000),
            Parameter("degree", "integer", "k, the degree", "2", most=100_000),
        ),
        _evaluate_distance,
        errata=(
            (
                "m must be an integer: for m = 1/20, k = 0 and d = 3 the "
                "statement of the source fails"
            ),
            (
                "the threshold d >= d_0 of the source is not needed: both "
                "parts of its proof hold for every d >= 2"
            ),
            (
                "for d >= 3 the bound can be improved to (m - k) / (2 "
                "sqrt(2 e pi) m), which is about 0.1210 (m - k) / m"
            ),
        ),
        sample="dim=6 waves=36 degree=20",
        tex=r"\sum_{i > k} \alpha_i^2 \ge \frac{m - k}{4 e \pi m}",
        proof=proved("printed-bounds"),
    ),
    Statement(
        "daniely-unit",
        "Upper bound on the L2 norm of one unit with weights at most B "
        "whose inputs are two independent uniform points of a sphere",
        (
            "the activation satisfies |sigma(t)| <= |t|",
            "all weights and biases are at most B in absolute value",
        ),
        Source("daniely2017", "the norm of a neuron"),
        (
            Parameter("dim", "integer", "d, the dimension", "5", most=1000),
            Parameter("weight", "rational", "B, the bound on the weights", "1"),
        ),
        _evaluate_unit,
        errata=(
            (
                "the bound B^2 (1 + 2 sqrt(d)) of the source is a bound on the "
                "sup norm; on the L2 norm it is not sharp"
            ),
        ),
        tex=r"\sqrt{3} \, B^2 \text{ for every } d",
        proof=proved("printed-bounds"),
    ),
)
