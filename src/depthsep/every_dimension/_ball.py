r"""sin(4 pi d^2 |x|^2) on the unit ball, for every d: depth 2 against depth 3.

Depth 2: a polynomial of low degree in |x|^2 cannot follow the sign changes near the
sphere, where most of the ball is. Depth 3: squares, then a broken line for the sine.
"""

from math import comb

from flint import arb, fmpq, fmpq_poly

from depthsep.every_dimension._for_all import ForAll, Obligation
from depthsep.evidence import Parameter, Source, Statement, Value, proved

MASS = fmpq(379, 10_000)
"""At most exp(-1/2) / 16: the squared distance from polynomials of degree 2 d."""

TARGET = "radial:sin(4*pi*d**2*r**2)"
PARAMETERS = (
    Parameter("dim", "integer", "d", "10", most=1000),
    Parameter("accuracy", "rational", "E", "1/8"),
)


def _least(dim: int, accuracy: fmpq) -> arb:
    return arb(1 - accuracy**2 / MASS) * comb(2 * dim, dim - 1)


def _most(dim: int, accuracy: fmpq) -> arb:
    return 5 * dim**2 * arb(dim).sqrt() / arb(accuracy).sqrt()


def _at_least(dim: int, accuracy: fmpq) -> Value:
    return BALL_LOWER.at(dim, accuracy)


def _at_most(dim: int, accuracy: fmpq) -> Value:
    return BALL_UPPER.at(dim, accuracy)


def _obligation(says: str, *coefficients: fmpq | int) -> Obligation:
    p = fmpq_poly(list(coefficients))
    return Obligation(says, 2, tuple(fmpq(c) for c in p.coeffs()))


BALL_LOWER = ForAll(
    Statement(
        "ball-every-d",
        "Width at depth 2 for sin(4 pi d^2 |x|^2) on the ball, for every d from 2 on",
        (
            "x uniform in the unit ball of R^d, d >= 2",
            "any functions of one linear form each and a linear part, error at most "
            "E <= 19/100 in L2",
        ),
        Source("depthsep", "directions of ridge functions, for every d"),
        PARAMETERS,
        _at_least,
        sample="dim=5 accuracy=1/8",
        tex=r"(1 - \frac{10000}{379} E^2) \binom{2 d}{d - 1}",
        proof=proved("every-dimension"),
    ),
    target=TARGET,
    depth=2,
    side="at least",
    start=2,
    best=fmpq(19, 100),
    value=_least,
    growth="this grows exponentially with d, like 4^d / sqrt(d)",
    obligations=(_obligation("(d - 2) / (2 (d - 1)) <= 1/2", 1, 0),),
)
BALL_UPPER = ForAll(
    Statement(
        "ball-squares-every-d",
        "Width at depth 3 for sin(4 pi d^2 |x|^2) on the ball, for every d from 2 on",
        ("|x| <= 1, d >= 2", "ReLU, error at most E <= 1 in the sup norm"),
        Source("daniely2017", "squares, then a function of their sum, for every d"),
        PARAMETERS,
        _at_most,
        sample="dim=5 accuracy=1/8",
        tex=r"\frac{5 d^{5/2}}{\sqrt{E}}",
        proof=proved("every-dimension"),
    ),
    target=TARGET,
    depth=3,
    side="at most",
    start=2,
    best=fmpq(1),
    value=_most,
    growth="this grows like d^(5/2)",
    obligations=(
        _obligation(
            "d ceil(2 d^(3/2) sqrt(pi / E)) <= 5 d^(5/2) / sqrt(E): sqrt(pi) <= "
            "1773/1000",
            -1,
            fmpq(1454, 1000),
        ),
        _obligation(
            "ceil((4 pi d^2 + E) / (2 sqrt(E))) <= 5 d^(5/2) / sqrt(E): pi <= 22/7, "
            "sqrt(d) >= 7/5",
            fmpq(-3, 2),
            0,
            fmpq(5, 7),
        ),
    ),
)
