"""Statements about harmonics, expansions, the ball of volume 1 and tubes."""

from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep.evidence import (
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    enclosure,
    proved,
)
from depthsep.lower_bounds.symmetric.zonal._zonal_expansion import zonal_expansion
from depthsep.special import (
    coordinate_cdf,
    coordinate_density,
    harmonic_dimension,
    legendre,
    squared_transform_cdf,
    tube_fraction,
    unit_ball_radius,
)
from depthsep.targets import InnerProduct

PRECISION = 256
DIM = Parameter("dim", "integer", "d, the dimension", "3", most=1000)
DEGREE = Parameter("degree", "integer", "n, the degree", "5", most=1000, least=0)
FORMULA = Parameter(
    "formula",
    "name",
    "f, a formula in the inner product t = <x, x'> and the dimension d",
    "sin(3*t)",
)
COORDINATE = Parameter("x", "point", "x, a number from -1 to 1", "1/2")
KAPPA = Parameter("kappa", "rational", "kappa, the sphere's radius divided by R", "2")
KOCAK = Source("daniely2017", "expansions on spheres")
ELDAN = Source("eldan2016", "tubes")


def _enclosed(ball: arb) -> Value:
    return Value(enclosure(ball), Rigour.ENCLOSED)


def _dimension(dim: int, degree: int) -> Value:
    return Value(harmonic_dimension(dim, degree), Rigour.EXACT)


def _legendre(dim: int, degree: int, x: tuple[fmpq, ...]) -> Value:
    with ctx.workprec(PRECISION + 4 * degree):
        return _enclosed(legendre(dim, degree, arb(_one(x))))


def _coefficient(formula: str, dim: int, degree: int) -> Value:
    expansion = zonal_expansion(InnerProduct(formula, dim))
    return _enclosed(expansion.coefficient(degree))


def _rank(formula: str, dim: int, units: int) -> Value:
    return _enclosed(zonal_expansion(InnerProduct(formula, dim)).residual(units))


def _norms(formula: str, dim: int, norms: fmpq) -> Value:
    expansion = zonal_expansion(InnerProduct(formula, dim))
    return _enclosed(expansion.residual_for_norms(norms))


def _radius(dim: int) -> Value:
    with ctx.workprec(PRECISION):
        return _enclosed(unit_ball_radius(dim))


def _density(dim: int, x: tuple[fmpq, ...]) -> Value:
    with ctx.workprec(PRECISION):
        return _enclosed(coordinate_density(dim, arb(_one(x))))


def _share(dim: int, x: tuple[fmpq, ...]) -> Value:
    with ctx.workprec(PRECISION):
        return _enclosed(coordinate_cdf(dim, arb(_one(x))))


def _one(x: tuple[fmpq, ...]) -> fmpq:
    if len(x) != 1 or abs(x[0]) > 1:
        raise HypothesisError(
            f"x must be one number from -1 to 1, not {', '.join(map(str, x))}"
        )
    return x[0]


def _cdf(dim: int, phase: fmpq) -> Value:
    return _enclosed(squared_transform_cdf(dim, phase))


def _tube(dim: int, kappa: fmpq) -> Value:
    with ctx.workprec(PRECISION):
        return _enclosed(tube_fraction(dim, kappa))


def tube_inner_product(dim: int, directions: int, delta: fmpq) -> arb:
    """sqrt(1 - delta (1 - m h(2))_+): how near functions in tubes are to radial ones.

    A bound of <g, w> for |g| = |w| = 1 in L2, g supported in m tubes span(v) + R B, w
    radial with the share delta of its square outside 2 R B; h(2) the share of the
    sphere of radius 2 R that one tube covers. At most sqrt(1 - delta) + sqrt(m h(2)).

    Raises:
        HypothesisError: delta above 1, fewer than two dimensions, no direction.
    """
    if not 0 <= delta <= 1 or directions < 1:
        raise HypothesisError(
            f"delta = {delta}, m = {directions}: give delta from 0 to 1 and m >= 1"
        )
    with ctx.workprec(PRECISION):
        covered = (directions * tube_fraction(dim, fmpq(2))).min(arb(1))
        return (1 - arb(delta) * (1 - covered)).sqrt()


def _near(dim: int, directions: int, delta: fmpq) -> Value:
    return _enclosed(tube_inner_product(dim, directions, delta))


SPHERE_STATEMENTS = (
    Statement(
        "harmonic-dimension",
        "Dimension of the spherical harmonics of degree n in R^d",
        ("d >= 2",),
        KOCAK,
        (DIM, DEGREE),
        _dimension,
        errata=(
            (
                "the slides of the source write both N_{n,d} and N_{d,n} for "
                "the same number"
            ),
        ),
        sample="dim=6 degree=10",
        tex=r"N(d, n) = \binom{d + n - 1}{d - 1} - \binom{d + n - 3}{d - 1}",
        proof=proved("sphere-rank"),
    ),
    Statement(
        "legendre",
        "Value at x of the d-dimensional Legendre polynomial P_n, with P_n(1) = 1",
        ("d >= 2", "|x| <= 1"),
        KOCAK,
        (DIM, DEGREE, Parameter("x", "point", "x, a number from -1 to 1", "1/2")),
        _legendre,
        sample="dim=6 degree=5 x=-1/2",
        tex=(
            r"(n + d - 3) \, P_n(x) "
            r"= (2 n + d - 4) \, x \, P_{n-1}(x) - (n - 1) \, P_{n-2}(x)"
        ),
        proof=proved("sphere-rank"),
    ),
    Statement(
        "sphere-density",
        "Density of the first coordinate of a uniform point of the sphere S^(d-1)",
        ("d >= 2", "|x| < 1"),
        KOCAK,
        (DIM, COORDINATE),
        _density,
        sample="dim=10 x=1/4",
        tex=(
            r"\frac{\Gamma(d/2)}{\sqrt{\pi} \, \Gamma((d-1)/2)} "
            r"(1 - x^2)^{(d-3)/2} \ge \frac{\sqrt{d}}{2 e \pi} "
            r"\text{ for } \left\lvert x \right\rvert \le \frac{1}{\sqrt{d}}"
        ),
        proof=proved("printed-bounds"),
    ),
    Statement(
        "sphere-share",
        "Share of the sphere S^(d-1) whose first coordinate is at most x",
        ("d >= 2", "|x| <= 1"),
        KOCAK,
        (DIM, COORDINATE),
        _share,
        sample="dim=10 x=-1/4",
        tex=(
            r"I_{(1+x)/2} \left( \tfrac{d-1}{2}, \, \tfrac{d-1}{2} \right), "
            r"\quad I \text{ the regularised incomplete Beta function}"
        ),
        proof=proved("printed-bounds"),
    ),
    Statement(
        "half-periods",
        "Lower bound on the squared L2([-1, 1]) distance of sin(pi m "
        "x) from polynomials of degree k",
        ("m is an integer",),
        Source("daniely2017", "proof of the polynomial lemma"),
        (
            Parameter("waves", "integer", "m, an integer", "13"),
            Parameter("degree", "integer", "k, the degree", "2", least=0),
        ),
        lambda waves, degree: Value(
            fmpq(max(waves - degree, 0), 2 * waves), Rigour.EXACT
        ),
        sample="waves=10 degree=4",
        tex=r"\text{at least } \max \left( \frac{m - k}{2 m}, \, 0 \right)",
        proof=proved("printed-bounds"),
    ),
    Statement(
        "zonal-coefficient",
        "The coefficient alpha_n of sqrt(N(d, n)) P_n(<x, x'>) in the "
        "expansion of f(<x, x'>)",
        (
            (
                "x and x' are independent and uniform on S^(d-1), and "
                "mu_d is the law of <x, x'>; for N(d, n) and P_n see "
                "the statements harmonic-dimension and legendre"
            ),
            (
                "f is a sine, a cosine, |t|, sign(t), or within 1/1000 of "
                "a polynomial of degree at most 128 on [-1, 1]"
            ),
        ),
        KOCAK,
        (FORMULA, DIM, DEGREE),
        _coefficient,
        errata=(
            (
                "the set {h_n} of the functions h_n = sqrt(N(d, n)) "
                "P_n(<x, x'>) is an orthonormal basis only of a closed "
                "subspace, not of all of L2"
            ),
        ),
        sample="dim=6 degree=11",
        tex=r"\alpha_n = \sqrt{N(d, n)} \int f \, P_n \, d\mu_d",
        proof=proved("sphere-rank"),
    ),
    Statement(
        "rank-residual",
        "Lower bound on the L2 error of r units in one hidden layer for f(<x, x'>)",
        (
            (
                "x and x' are independent and uniform on S^(d-1); for alpha_n and "
                "N(d, n) see the statements zonal-coefficient and harmonic-dimension"
            ),
            "the activation and the weights are arbitrary",
        ),
        Source("depthsep", "rank of zonal parts (after Daniely 2017)"),
        (
            FORMULA,
            DIM,
            Parameter(
                "units",
                "integer",
                "r, the number of units",
                "4",
                least=0,
            ),
        ),
        _rank,
        sample="dim=5 units=20",
        tex=r"\sqrt{\sum_{n \ge 1} \alpha_n^2 \left( 1 - \frac{r}{N(d, n)} \right)_+}",
        proof=proved("sphere-rank"),
    ),
    Statement(
        "norms-residual",
        "Lower bound on the L2 error with which sums of separable "
        "functions with norms that add up to S approximate f(<x, x'>)",
        (
            (
                "x and x' are independent and uniform on S^(d-1); for alpha_n and "
                "N(d, n) see the statements zonal-coefficient and harmonic-dimension"
            ),
            (
                "the approximant is a sum of separable functions, "
                "which have the form psi_j(<v_j, x>, <v_j', x'>), and "
                "the L2 norms of these functions add up to S"
            ),
        ),
        Source("daniely2017", "the main theorem"),
        (
            FORMULA,
            DIM,
            Parameter("norms", "rational", "S, the sum of the norms", "1", least=0),
        ),
        _norms,
        errata=(
            (
                "the source says that the squared error is equal to A_n (A_n - 2 S / "
                "sqrt(N(d, n))), which is only a lower bound of it"
            ),
        ),
        sample="dim=5",
        tex=(
            r"\max_n \left( A_n - \frac{S}{\sqrt{N(d, n)}} \right), "
            r"\quad A_n^2 = \sum_{i \ge n} \alpha_i^2"
        ),
        proof=proved("printed-bounds"),
    ),
    Statement(
        "unit-ball-radius",
        "Radius of the ball of volume 1 in R^d",
        ("d >= 1",),
        ELDAN,
        (DIM,),
        _radius,
        errata=(
            (
                "the source takes the ball of radius 1, but the squared Fourier "
                "transform phi^2 of its indicator does not have the integral 1"
            ),
        ),
        sample="dim=10",
        tex=r"R = \frac{\Gamma(d/2 + 1)^{1/d}}{\sqrt{\pi}}",
        proof=proved("radial-tubes"),
    ),
    Statement(
        "phi2-mass",
        "Mass of phi^2 where 2 pi R |x| <= t",
        (
            "d >= 1",
            (
                "phi is the Fourier transform of the indicator of the ball "
                "of volume 1, whose radius is R"
            ),
        ),
        ELDAN,
        (DIM, Parameter("phase", "rational", "t, the upper limit of 2 pi R |x|", "2")),
        _cdf,
        sample="dim=10 phase=10",
        tex=r"J_\nu(t)^2 + 2 \sum_{k \ge 1} J_{\nu + k}(t)^2, \quad \nu = \frac{d}{2}",
        proof=proved("radial-tubes"),
    ),
    Statement(
        "tube-fraction",
        "Share of a sphere of radius kappa R that a tube of radius R covers",
        (
            "d >= 2",
            (
                "a tube is the set of points within R of a line through 0, "
                "which is the centre of the sphere"
            ),
        ),
        ELDAN,
        (DIM, KAPPA),
        _tube,
        errata=(
            (
                "h(2) <= e^(-c d), with a constant c, holds for one "
                "tube only; for m tubes, the bound in the lemma of the "
                "source contains the square root of m h(2)"
            ),
        ),
        sample="dim=6 kappa=2",
        tex=(
            r"h(\kappa) = I_{1/\kappa^2} \left( \frac{d - 1}{2}, "
            r"\frac{1}{2} \right), \quad h(\kappa) = 1 \text{ for } "
            r"\kappa \le 1, \quad I "
            r"\text{ the regularised incomplete Beta function}"
        ),
        proof=proved("radial-tubes"),
    ),
    Statement(
        "tube-lemma",
        "Upper bound on the inner product of two functions of norm 1, "
        "one radial and one supported in m tubes",
        (
            (
                "the tubes have radius R and axes through 0; a share delta of the "
                "radial function's squared norm lies outside 2 R B, where B is the "
                "unit ball; for h see the statement tube-fraction"
            ),
        ),
        ELDAN,
        (
            DIM,
            Parameter("directions", "integer", "m, the number of tubes", "1"),
            Parameter(
                "delta", "rational", "delta, the share outside 2 R B", "1/2", least=0
            ),
        ),
        _near,
        errata=(
            (
                "in the lemma of the source, delta is the share inside 2 R B, and the "
                "bound is 1 - delta/2 + m e^(-c d) with a constant c"
            ),
            (
                "in the proof of that lemma, the first factor should be the norm "
                "inside 2 R B, which is sqrt(1 - delta) if delta is the share outside"
            ),
        ),
        sample="dim=10 directions=100 delta=1/2",
        tex=(
            r"\sqrt{1 - \delta \, (1 - m \, h(2))_+} "
            r"\le \sqrt{1 - \delta} + \sqrt{m \, h(2)}"
        ),
        proof=proved("radial-tubes"),
    ),
)
