"""Statements about sampled networks, for the catalogue."""

from flint import arb, ctx, fmpq, fmpz

from depthsep.evidence import (
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    enclosure,
    proved,
)
from depthsep.infinite_width._transforms import Gaussian
from depthsep.infinite_width.norms._gaussian_mass import threshold_mass
from depthsep.infinite_width.norms._norm_bounds import NormBounds, smoothness_constant

WIDTH = Parameter("width", "integer", "k, the number of units")


def uniform_sampling_error(mass: fmpq, dim: int, width: int) -> arb:
    """The statement `maurey-sup`: 2 mass sqrt(2 ln(2 sum_{i <= d} C(k, i)) / k)."""
    patterns, term = fmpz(0), fmpz(1)
    for i in range(min(dim, width) + 1):
        patterns += term
        term = term * (width - i) // (i + 1)
    with ctx.workprec(128):
        log = (2 * arb(patterns)).log()
        return 2 * arb(mass) * (2 * log / width).sqrt()


def _maurey(mass: fmpq, width: int) -> Value:
    return Value(mass * mass / width, Rigour.EXACT)


def _uniform(mass: fmpq, dim: int, width: int) -> Value:
    return Value(enclosure(uniform_sampling_error(mass, dim, width)), Rigour.ENCLOSED)


def _composition(function: str, total: fmpq, first: fmpq) -> Value:
    found = NormBounds(total, first).of_analytic(function)
    return Value(found.first, Rigour.ENCLOSED)


def _barron(dim: int, sigma: fmpq) -> Value:
    return Value(Gaussian(dim, sigma).moment(1), Rigour.ENCLOSED)


def _mass(dim: int, sigma: fmpq, radius: fmpq) -> Value:
    return Value(threshold_mass(Gaussian(dim, sigma), radius), Rigour.ENCLOSED)


DIM = Parameter("dim", "integer", "d, the number of inputs", "2", most=1000)
SIGMA = Parameter(
    "sigma", "rational", "sigma, the standard deviation of the Gaussian", "1"
)

STATEMENTS: tuple[Statement, ...] = (
    Statement(
        "telgarsky-2.16",
        "Mean squared error of k sampled features, upper bound",
        (
            (
                "f is the integral of features with |feature| <= 1 against a signed "
                "measure; k features are drawn independently, in proportion to the "
                "absolute value of the measure"
            ),
            "the bound holds in expectation; a greedy choice meets it for certain",
        ),
        Source("telgarsky2023", "Lemmas 2.16 and 2.17"),
        (Parameter("mass", "rational", "total variation of the measure"), WIDTH),
        _maurey,
        errata=(
            (
                "the source prints an inequality, but the mean squared error is equal "
                "to (E |V|^2 - |X|^2) / k, where V is a sampled feature times its "
                "sign and the mass, and X is the mean of V"
            ),
            "in the source 1/k is missing from the estimator",
            (
                "a single draw of k features need not satisfy the bound, "
                "which holds for the expectation"
            ),
        ),
        sample="mass=10 width=100",
        tex=r"\frac{\text{mass}^2}{k}",
        proof=proved("infinite-width"),
    ),
    Statement(
        "maurey-sup",
        "Supremum error of k sampled thresholds, upper bound",
        (
            (
                "f(x) = int 1[w . x >= b] dmu(w, b), and mass is the total "
                "variation of mu"
            ),
            (
                "the k thresholds are drawn independently from |mu| / "
                "mass; the formula bounds the expected supremum of the "
                "error over all x in R^d, hence the supremum for at "
                "least one draw; this holds for every measure mu"
            ),
        ),
        Source("depthsep", "co-VC dimension (after Gurvits and Koiran 1995)"),
        (
            Parameter("mass", "rational", "total variation of the measure"),
            DIM,
            Parameter("width", "integer", "k, the number of units", most=10**9),
        ),
        _uniform,
        sample="mass=10 width=1000",
        tex=(
            r"2 \, \text{mass} \, \sqrt{\frac{2}{k} \ln \left( 2 "
            r"\sum_{i=0}^{d} \binom{k}{i} \right)}"
        ),
        proof=proved("infinite-width"),
    ),
    Statement(
        "barron-constant",
        "Barron constant of a Gaussian",
        (
            (
                "g(x) = exp(-|x|^2 / (2 sigma^2)), and its Barron constant is int |w| "
                "|g~(w)| dw, where the Fourier transform g~ uses exp(-2 pi i w.x)"
            ),
        ),
        Source("telgarsky2023", "Section 2.3"),
        (DIM, SIGMA),
        _barron,
        errata=(
            (
                "the density of the Gaussian has the factor (2 pi "
                "sigma^2)^(-d/2); the source prints its inverse"
            ),
        ),
        sample="dim=10 sigma=1",
        tex=(
            r"\mathbb{E} \left\lvert w \right\rvert, \quad w "
            r"\text{ of law } \mathcal{N} \left( 0, \, (2 \pi \sigma)^{-2} I_d \right)"
        ),
        proof=proved("infinite-width"),
    ),
    Statement(
        "barron-smooth",
        "Barron constant divided by a Sobolev norm, upper bound",
        (
            "g is in H^s(R^d), and s > d/2 + 1",
            (
                "the Barron constant int |w| |g~(w)| dw of g is at most the formula "
                "times norm, where norm^2 = int (1 + |2 pi w|^2)^s |g~(w)|^2 dw and "
                "g~(w) = int exp(-2 pi i w.x) g(x) dx"
            ),
        ),
        Source("depthsep", "the Cauchy-Schwarz inequality (after Barron 1993, IX.15)"),
        (DIM, Parameter("order", "rational", "s, the order of smoothness")),
        lambda dim, order: Value(
            enclosure(smoothness_constant(dim, order)), Rigour.ENCLOSED
        ),
        sample="dim=3 order=4",
        tex=(
            r"\left( \int \lvert w \rvert^2 \left( 1 + \lvert 2 \pi w \rvert^2 "
            r"\right)^{-s} dw \right)^{1/2}"
        ),
        proof=proved("infinite-width"),
    ),
    Statement(
        "barron-composition",
        "Barron constant of a power series of g, upper bound",
        (
            (
                "F(z) = sum f_n z^n is exp(z), sin(z), cos(z), log(1+z) or 1/(1-z), "
                "and the bound is on the Barron constant of F(g)"
            ),
            (
                "V = int |g~(w)| dw is less than the radius of convergence of F, and "
                "C = int |w| |g~(w)| dw, where g~ is the Fourier transform of g"
            ),
        ),
        Source(
            "depthsep",
            "transforms of products are convolutions (after Barron 1993, IX.13)",
        ),
        (
            Parameter(
                "function", "name", "one of exp, sin, cos, log(1+g) and 1/(1-g)", "exp"
            ),
            Parameter("total", "rational", "V, the integral of |g~|", "1"),
            Parameter("first", "rational", "C, the Barron constant of g", "1"),
        ),
        _composition,
        sample="function=sin",
        tex=r"C \sum_{n \ge 1} n \, \lvert f_n \rvert \, V^{n-1}",
        proof=proved("infinite-width"),
    ),
    Statement(
        "telgarsky-2.12",
        "Total variation of the measure on thresholds that represents a Gaussian",
        (
            (
                "g(x) = exp(-|x|^2 / (2 sigma^2)); the theorem represents g(x) "
                "- g(0) for |x| <= R as an integral of thresholds 1[w . x >= b]"
            ),
        ),
        Source("telgarsky2023", "Theorem 2.12"),
        (DIM, SIGMA, Parameter("radius", "rational", "R, the radius", "1")),
        _mass,
        errata=(
            (
                "the source omits the condition |x| <= 1; for larger |x| the integral "
                "of thresholds need not be equal to g(x) - g(0)"
            ),
            (
                "the hypothesis g(0) = 0 of the source excludes the "
                "Gaussian; this statement is for g - g(0)"
            ),
        ),
        sample="dim=5 sigma=1/2 radius=1",
        tex=(
            r"4 \pi \, \mathbb{E} \int_0^{R \left\lvert w \right\rvert} "
            r"\left\lvert \sin \, 2 \pi b \right\rvert \, db, \quad w "
            r"\text{ of law } \mathcal{N} \left( 0, \, (2 \pi \sigma)^{-2} I_d \right)"
        ),
        proof=proved("infinite-width"),
    ),
)
