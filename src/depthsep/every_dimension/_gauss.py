r"""cos(8 sqrt(d) |x|), x Gaussian, for every d: depth 2 against depth 3.

Depth 2: one integration by parts along |x| leaves little on chaos of low degree, and
units have rank one in a flattened chaos, whose singular values are spread out. Depth 3:
squares, then a broken line for the cosine.
"""

from flint import arb, fmpq

from depthsep.every_dimension._for_all import (
    RIDGE_SUM,
    D,
    Obligation,
    at_least,
    at_most,
)
from depthsep.evidence import Source
from depthsep.special import harmonic_dimension

MASS = fmpq(3, 8)
LAW = "x is Gaussian, with the law N(0, I_d), d >= 3"
TARGET = "radial:cos(8*sqrt(d)*r) on 0,inf"
PAGE = "gauss-waves"


def _least(dim: int, accuracy: fmpq) -> arb:
    degree = dim // 4 + 1
    share = 1 - accuracy**2 / MASS
    whole = harmonic_dimension(dim, degree)
    return arb(share * whole / 9 ** ((degree + 1) // 2))


def _most(dim: int, accuracy: fmpq) -> arb:
    far = 2 * dim + 3 * (arb(16 / (3 * accuracy**2))).log()
    return 9 * dim**2 * (far / arb(accuracy)).sqrt()


def mass_left(mass: fmpq, start: int = 3) -> Obligation:
    """13/32 - 1 / (32 d (d - 2)) >= mass, times 32 d (d - 2)."""
    scaled = 32 * (fmpq(13, 32) - mass) * D * (D - 2) - 1
    return Obligation.of(
        "the squared norm of the part of cos(8 sqrt(d) |x|) beyond "
        f"degree 2 d - 2 is at least {mass}",
        start,
        scaled,
    )


GAUSS_LOWER = at_least(
    id="gauss-every-d",
    title="Width needed at depth 2 for cos(8 sqrt(d) |x|), x Gaussian, for "
    "every d from 3 on",
    hypotheses=(
        LAW,
        f"{RIDGE_SUM}; its L2 error is at most E <= 3/5",
        (
            "N(d, k) is the dimension of the space of spherical harmonics of degree k "
            "in R^d, here of degree k = floor(d/4) + 1, for which floor((k + 1)/2) = "
            "floor(d/8) + 1"
        ),
    ),
    source=Source("depthsep", "directions of ridge functions, for every d"),
    tex=(
        r"(1 - \frac{8}{3} E^2) N(d, \lfloor d/4 \rfloor + 1) "
        r"9^{-\lfloor d/8 \rfloor - 1}"
    ),
    target=TARGET,
    law="gaussian",
    start=3,
    best=fmpq(3, 5),
    value=_least,
    growth="N(d, k) is the dimension of the spherical harmonics of degree k in R^d; "
    "the bound grows exponentially with d, like 1.42^d",
    page=PAGE,
    constants=(("mass", MASS),),
    obligations=(mass_left(MASS),),
)
GAUSS_UPPER = at_most(
    id="gauss-squares-every-d",
    title="Width that is enough at depth 3 for cos(8 sqrt(d) |x|), x "
    "Gaussian, for every d from 3 on",
    hypotheses=(
        LAW,
        "the network is a ReLU network; its error is at most E <= 1 in L2",
    ),
    source=Source("eldan2016", "the network of depth 3, for every d"),
    tex=r"9 d^2 \sqrt{(2 d + 3 \log(16/(3 E^2)))/E}",
    target=TARGET,
    law="gaussian",
    norm="L2",
    start=3,
    best=fmpq(1),
    value=_most,
    growth="the bound grows like d^(5/2)",
    page=PAGE,
    obligations=(
        Obligation.of(
            "d (ceil(8 d Q) + 1) <= 9 d^2 Q, where Q = sqrt((2 d + 3 "
            "log(16/(3 E^2)))/E) >= sqrt(6) >= 12/5",
            3,
            fmpq(12, 5) * D - 2,
        ),
        Obligation.of(
            "ceil(12 sqrt(d) Q) + 1 <= 9 d^2 Q, where Q = sqrt((2 d + "
            "3 log(16/(3 E^2)))/E)",
            3,
            fmpq(12, 5) * (9 * D**2 - 12 * D) - 2,
        ),
    ),
)
