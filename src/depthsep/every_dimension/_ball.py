r"""sin(4 pi d^2 |x|^2) on the unit ball, for every d: depth 2 against depth 3.

Depth 2: a polynomial of low degree in |x|^2 cannot follow the sign changes near the
sphere, where most of the ball is. Depth 3: squares, then a broken line for the sine.
"""

from math import comb

from flint import arb, fmpq

from depthsep.every_dimension._for_all import (
    RIDGE_SUM,
    D,
    Obligation,
    at_least,
    at_most,
)
from depthsep.evidence import Source

MASS = fmpq(379, 10_000)
"""At most exp(-1/2) / 16: the squared distance from polynomials of degree 2 d."""

TARGET = "radial:sin(4*pi*d**2*r**2)"


def _least(dim: int, accuracy: fmpq) -> arb:
    return arb(1 - accuracy**2 / MASS) * comb(2 * dim, dim - 1)


def _most(dim: int, accuracy: fmpq) -> arb:
    return 5 * dim**2 * arb(dim).sqrt() / arb(accuracy).sqrt()


BALL_LOWER = at_least(
    id="ball-every-d",
    title="Width needed at depth 2 for sin(4 pi d^2 |x|^2) on the ball, for "
    "every d from 2 on",
    hypotheses=(
        "x is uniform in the unit ball of R^d, d >= 2",
        f"{RIDGE_SUM}; its L2 error is at most E <= 19/100",
    ),
    source=Source("depthsep", "directions of ridge functions, for every d"),
    tex=r"(1 - \frac{10000}{379} E^2) \binom{2 d}{d - 1}",
    target=TARGET,
    law="ball",
    start=2,
    best=fmpq(19, 100),
    value=_least,
    growth="the bound grows exponentially with d, like 4^d / sqrt(d)",
    constants=(("mass", MASS),),
    obligations=(),
)
BALL_UPPER = at_most(
    id="ball-squares-every-d",
    title="Width that is enough at depth 3 for sin(4 pi d^2 |x|^2) on the "
    "ball, for every d from 2 on",
    hypotheses=(
        "|x| <= 1, d >= 2",
        "the network is a ReLU network; its error is at most E <= 1 in the sup norm",
    ),
    source=Source("daniely2017", "function of a sum of squares, for every d"),
    tex=r"\frac{5 d^{5/2}}{\sqrt{E}}",
    target=TARGET,
    law="ball",
    start=2,
    best=fmpq(1),
    value=_most,
    growth="the bound grows like d^(5/2)",
    obligations=(
        Obligation.of(
            "d ceil(2 d^(3/2) sqrt(pi / E)) <= 5 d^(5/2) / sqrt(E), since "
            "sqrt(pi) <= 1773/1000",
            2,
            fmpq(1454, 1000) * D - 1,
        ),
        Obligation.of(
            "ceil((4 pi d^2 + E) / (2 sqrt(E))) <= 5 d^(5/2) / "
            "sqrt(E), since pi <= 22/7 and sqrt(d) >= 7/5",
            2,
            (7 - fmpq(44, 7)) * D**2 - fmpq(3, 2),
        ),
    ),
)
