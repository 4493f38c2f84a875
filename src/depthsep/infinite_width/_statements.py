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

WIDTH = Parameter("width", "integer", "k")


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


DIM = Parameter("dim", "integer", "d", "2", most=1000)
SIGMA = Parameter("sigma", "rational", "sigma", "1")

STATEMENTS: tuple[Statement, ...] = (
    Statement(
        "telgarsky-2.16",
        "Mean squared error of k sampled features",
        (
            "|feature| <= 1",
            "the bound holds in expectation; a greedy choice meets it for certain",
        ),
        Source("telgarsky2023", "Lemmas 2.16 and 2.17"),
        (Parameter("mass", "rational", "total variation of the measure"), WIDTH),
        _maurey,
        errata=(
            "the source prints a bound, but (E |V|^2 - |X|^2) / k is an equality",
            "in the source 1/k is missing from the estimator",
            "a single sample need not satisfy the bound, which is for the mean",
        ),
        sample="mass=10 width=100",
        tex=r"\frac{\text{mass}^2}{k}",
        proof=proved("infinite-width"),
    ),
    Statement(
        "maurey-sup",
        "Sup error of k sampled thresholds",
        (
            "f(x) = int 1[w . x >= b] dmu(w, b), and mass is |mu|",
            (
                "the bound holds in expectation, so for some draw, for any "
                "measure and on all of R^d at once"
            ),
        ),
        Source("depthsep", "co-VC dimension (after Gurvits and Koiran 1995)"),
        (
            Parameter("mass", "rational", "total variation of the measure"),
            DIM,
            Parameter("width", "integer", "k", most=10**9),
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
        ("Fourier transforms use exp(-2 pi i w.x)",),
        Source("telgarsky2023", "Section 2.3"),
        (DIM, SIGMA),
        _barron,
        errata=(
            (
                "the factor of the density is (2 pi sigma^2)^(-d/2), not its "
                "inverse, which the source prints"
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
        "Barron constant from a Sobolev norm, upper bound",
        ("g is in H^s(R^d), and s > d/2 + 1", "norm^2 = int (1 + |2 pi w|^2)^s |g~|^2"),
        Source("depthsep", "the Cauchy-Schwarz inequality (after Barron 1993, IX.15)"),
        (DIM, Parameter("order", "rational", "s")),
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
        "Barron constant of a power series of g",
        (
            "F = sum f_n z^n is exp, sin, cos, log(1+g) or 1/(1-g)",
            (
                "V = int |g~| is within the radius of convergence, and C = "
                "int |w| |g~(w)|"
            ),
        ),
        Source(
            "depthsep",
            "transforms of products are convolutions (after Barron 1993, IX.13)",
        ),
        (
            Parameter("function", "name", "exp, sin, cos, log(1+g), 1/(1-g)", "exp"),
            Parameter("total", "rational", "V", "1"),
            Parameter("first", "rational", "C", "1"),
        ),
        _composition,
        sample="function=sin",
        tex=r"C \sum_{n \ge 1} n \, \lvert f_n \rvert \, V^{n-1}",
        proof=proved("infinite-width"),
    ),
    Statement(
        "telgarsky-2.12",
        "Mass of the thresholds for a Gaussian",
        ("g = exp(-|x|^2 / (2 sigma^2))",),
        Source("telgarsky2023", "Theorem 2.12"),
        (DIM, SIGMA, Parameter("radius", "rational", "R", "1")),
        _mass,
        errata=(
            (
                "the source omits the condition |x| <= 1; beyond it "
                "the right side is a clipped g"
            ),
            (
                "the hypothesis g(0) = 0 excludes the Gaussian; the "
                "statement is for g - g(0)"
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
