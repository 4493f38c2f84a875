"""Statements about constructions that take more than a problem and a depth."""

from flint import fmpq

from depthsep.constructions.by_hand._cubes import cubes_per_side
from depthsep.constructions.by_hand._fejer_korovkin import fejer_korovkin_bound
from depthsep.constructions.by_hand._kuhn import kuhn_steps
from depthsep.constructions.by_hand._lipschitz import (
    inner_product_units,
    lipschitz_units,
)
from depthsep.constructions.by_hand._reciprocal import quotient_bound, reciprocal_bound
from depthsep.constructions.by_hand._steps import step_count
from depthsep.evidence import Parameter, Rigour, Source, Statement, Value, proved

LEVELS = Parameter("levels", "integer", "i", most=1000)
DIM = Parameter("dim", "integer", "d", "2", most=1000)
LIPSCHITZ = Parameter("lipschitz", "rational", "rho, to l2", "1")
ACCURACY = Parameter("accuracy", "rational", "E")


def _product(levels: int) -> Value:
    return Value(fmpq(1, 4 ** (levels + 2)), Rigour.EXACT)


def _skip_square(levels: int) -> Value:
    return Value(2 * levels, Rigour.EXACT)


def _products(factors: int, levels: int) -> Value:
    return Value(fmpq(factors - 1, 4 ** (levels + 2)), Rigour.EXACT)


def _steps(lipschitz: fmpq, accuracy: fmpq) -> Value:
    return Value(step_count(lipschitz, accuracy), Rigour.EXACT)


def _chords(radius: fmpq, lipschitz: fmpq, accuracy: fmpq) -> Value:
    return Value(lipschitz_units(radius, lipschitz, accuracy), Rigour.EXACT)


def _squares(dim: int, accuracy: fmpq) -> Value:
    return Value(inner_product_units(dim, accuracy), Rigour.EXACT)


def _cubes(dim: int, lipschitz: fmpq, accuracy: fmpq) -> Value:
    return Value(cubes_per_side(dim, lipschitz, accuracy), Rigour.EXACT)


def _simplices(dim: int, lipschitz: fmpq, accuracy: fmpq) -> Value:
    return Value(kuhn_steps(dim, lipschitz, accuracy), Rigour.EXACT)


def _mean(dim: int, degree: int, lipschitz: fmpq) -> Value:
    return Value(fejer_korovkin_bound(degree, dim, lipschitz), Rigour.ENCLOSED)


def _reciprocal(delta: fmpq, factors: int, squares: int, levels: int) -> Value:
    value = reciprocal_bound(delta, factors, squares, levels)
    return Value(value, Rigour.ENCLOSED)


def _quotient(
    delta: fmpq,
    top: fmpq,
    bottom: fmpq,
    lost_top: fmpq,
    lost_bottom: fmpq,
    levels: int,
    reciprocal: fmpq,
) -> Value:
    value = quotient_bound(
        delta, (top, bottom), (lost_top, lost_bottom), levels, reciprocal
    )
    return Value(value, Rigour.EXACT)


PRODUCT = Statement(
    "telgarsky-4.3",
    "Error of a product of two numbers by two interpolated squares of i levels",
    ("|x|, |y| <= 1", "i + 2 hidden layers, 8 + 5 i units"),
    Source("telgarsky2023", "Corollary 4.3"),
    (LEVELS,),
    _product,
    errata=(
        "the printed product is not 0 on the axes: g(0, 1/2) = 1/8 for i = 1",
        "the printed error 4^-i is not attained; its sup is 4^-i / 2",
    ),
    sample="levels=10",
    tex=r"4^{-i-2}",
    proof=proved("explicit-networks"),
)

PRODUCTS = Statement(
    "telgarsky-5.3",
    "Error of a product of l numbers by a balanced tree of products of i levels",
    ("|x_k| <= 1", "0 if a factor is 0"),
    Source("telgarsky2023", "Lemma 5.3"),
    (Parameter("factors", "integer", "l", "2", most=10**6), LEVELS),
    _products,
    errata=(
        "a chain carries the other factors along: O(i l^2) units, not O(i l + l^2)",
        "with the printed product a factor 0 does not give 0",
    ),
    sample="factors=3 levels=10",
    tex=r"(l - 1) \, 4^{-i-2}",
    proof=proved("explicit-networks"),
)

THRESHOLDS = Statement(
    "telgarsky-2.1",
    "Thresholds that suffice for a Lipschitz function on [0, 1] in the sup norm",
    ("|f(x) - f(y)| <= rho |x - y|",),
    Source("telgarsky2023", "Proposition 2.1"),
    (LIPSCHITZ, ACCURACY),
    _steps,
    errata=("for rho = 0 the printed width is 0, which computes no constant but 0",),
    sample="lipschitz=10 accuracy=1/100",
    tex=r"\max \left( 1, \left\lceil \frac{\rho}{E} \right\rceil \right)",
    proof=proved("explicit-networks"),
)

CHORDS = Statement(
    "lipschitz-chords",
    "Units of one hidden layer for a Lipschitz function on [-R, R], by chords",
    (
        "f is L-Lipschitz on [-R, R]",
        "|alpha| = 1, |beta| <= R, |gamma| <= 2 L, no steeper than L on all of R",
    ),
    Source("daniely2017", "one-dimensional approximation"),
    (
        Parameter("radius", "rational", "R", "1"),
        Parameter("lipschitz", "rational", "L", "1"),
        ACCURACY,
    ),
    _chords,
    errata=(
        "the printed step E / L gives 2 ceil(R L / E) units, which is more than "
        "2 R L / E in general; twice the step is enough",
    ),
    sample="radius=1 lipschitz=10 accuracy=1/100",
    tex=(
        r"2 \left\lceil \frac{R L}{2 E} \right\rceil "
        r"\le \frac{2 R L}{E} \text{ for } R L > E; \quad \text{none else}"
    ),
    proof=proved("explicit-networks"),
)

SQUARES = Statement(
    "inner-squares",
    "Units of one hidden layer for <x, x'> on two spheres, by squares",
    ("x, x' on the unit sphere of R^d",),
    Source("daniely2017", "the inner product"),
    (DIM, ACCURACY),
    _squares,
    errata=("printed 16 d^2 L / E units for the accuracy E / (2 L)",),
    tex=r"2 d K, \quad K = \left\lceil \sqrt{\frac{d}{4 E}} \right\rceil",
    proof=proved("explicit-networks"),
)

CUBES = Statement(
    "telgarsky-2.3",
    "Cubes in each direction for a Lipschitz function on [0, 1]^d, 2 E in L1",
    ("f is rho-Lipschitz with respect to l2",),
    Source("telgarsky2023", "Theorem 2.3"),
    (DIM, LIPSCHITZ, ACCURACY),
    _cubes,
    errata=("printed with sqrt(d) below the line, which fails for every d >= 2",),
    sample="dim=3 lipschitz=2 accuracy=1/100",
    tex=r"\max \left( 1, \left\lceil \frac{\rho \sqrt{d}}{E} \right\rceil \right)",
    proof=proved("explicit-networks"),
)

SIMPLICES = Statement(
    "kuhn-interpolant",
    "Cubes in each direction for interpolation on simplices, E in the sup norm",
    ("f is rho-Lipschitz with respect to l2",),
    Source("depthsep", "interpolation on Kuhn's triangulation"),
    (DIM, LIPSCHITZ, ACCURACY),
    _simplices,
    sample="dim=3 lipschitz=2 accuracy=1/100",
    tex=(r"\max \left( 1, \left\lceil \frac{\rho \sqrt{d}}{2 E} \right\rceil \right)"),
    proof=proved("explicit-networks"),
)

COSINES = Statement(
    "telgarsky-2.5",
    "Sup error of the Fejer-Korovkin mean of degree n, a sum of ridge cosines",
    ("f is rho-Lipschitz on [0, 1]^d with respect to l2",),
    Source("telgarsky2023", "Theorem 2.5"),
    (DIM, Parameter("degree", "integer", "n", most=10**9), LIPSCHITZ),
    _mean,
    errata=(
        "the printed proof leaves density in one dimension open; "
        "here the means and the cosines have explicit bounds",
    ),
    sample="dim=3 degree=8 lipschitz=1",
    tex=r"\rho \sqrt{d} \, \sin \left( \frac{\pi}{2 n + 4} \right)",
    proof=proved("explicit-networks"),
)

RECIPROCAL = Statement(
    "reciprocal",
    "Error of 1/x on [delta, 1]: J factors, squares of k and products of K levels",
    ("0 < delta < 1",),
    Source("depthsep", "1/x as a product"),
    (
        Parameter("delta", "rational", "delta"),
        Parameter("factors", "integer", "J", most=60),
        Parameter("squares", "integer", "k", "10", most=1000),
        Parameter("levels", "integer", "K", "10", most=1000),
    ),
    _reciprocal,
    sample="delta=1/4 factors=5 squares=20 levels=20",
    tex=(
        r"2^J \left( \frac{2^J - 1 - J}{2} \, 4^{-k-1} "
        r"+ (J - 1) \, 4^{-K-2} \right) + \frac{(1 - \delta)^{2^J}}{\delta}"
    ),
    proof=proved("explicit-networks"),
)

QUOTIENT = Statement(
    "quotient",
    "Error of p/q on [0, 1]^d by products of K levels and a reciprocal within r",
    (
        "delta <= q <= Q, |p| <= P; P and Q sums of absolute coefficients",
        "products lose e (|a| - 1) per monomial: together L_p e and L_q e",
        "r is the error of 1/x on [delta / Q, 1]",
    ),
    Source("depthsep", "p / q by products"),
    (
        Parameter("delta", "rational", "delta"),
        Parameter("top", "rational", "P", "1"),
        Parameter("bottom", "rational", "Q", "2"),
        Parameter("lost_top", "rational", "L_p", "0", least=0),
        Parameter("lost_bottom", "rational", "L_q", "0", least=0),
        Parameter("levels", "integer", "K", "10", most=1000),
        Parameter("reciprocal", "rational", "r"),
    ),
    _quotient,
    sample="delta=1/2 levels=10 reciprocal=1/1000",
    tex=(
        r"\frac{P}{\delta} \left( e + \frac{L_p e}{P} + \frac{L_q e}{\delta} "
        r"+ \frac{\delta r}{Q} \right), \quad e = 4^{-K-2}"
    ),
    proof=proved("explicit-networks"),
)

SKIP_SQUARE = Statement(
    "square-skips",
    "Units with skip connections that interpolate x^2 at the multiples of 2^-i",
    ("x in [0, 1]", "the read-out reads all layers; error 4^(-i-1) in linf"),
    Source("telgarsky2023", "Theorem 4.2, with skip connections"),
    (LEVELS,),
    _skip_square,
    sample="levels=10",
    tex=r"2 i",
    proof=proved("explicit-networks"),
)

LEAST_RISKS = Statement(
    "least-risks",
    "How far apart the least risks over two classes of functions are",
    (
        "R(f) = E loss(f(x), y), the loss L-Lipschitz in f(x)",
        "every g of G has an f of F with |f - g| <= E in L1 of the inputs (or in sup)",
    ),
    Source("telgarsky2023", "Chapter 2, display"),
    (
        Parameter("lipschitz", "rational", "L", "1"),
        Parameter("accuracy", "rational", "E"),
    ),
    lambda lipschitz, accuracy: Value(lipschitz * accuracy, Rigour.EXACT),
    sample="accuracy=1/10",
    tex=r"\inf_{f \in F} R(f) \le \inf_{g \in G} R(g) + L \, E",
    proof=proved("explicit-networks"),
)

MORE_STATEMENTS: tuple[Statement, ...] = (
    PRODUCT,
    PRODUCTS,
    THRESHOLDS,
    CHORDS,
    SQUARES,
    CUBES,
    SIMPLICES,
    COSINES,
    RECIPROCAL,
    QUOTIENT,
    SKIP_SQUARE,
    LEAST_RISKS,
)
