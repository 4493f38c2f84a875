r"""sin(pi d^3 <x, x'>) on two spheres, for every d: depth 2 against depth 3.

Depth 2: sin(a t) has little mass on polynomials of low degree, by one integration by
parts, and units have rank one on harmonics of each degree. Depth 3: sums of squares
approximate t, and a broken line the sine.
"""

from flint import arb, fmpq

from depthsep.every_dimension._for_all import D, Obligation, at_least, at_most
from depthsep.evidence import Source

FIRST = 6
TARGET = "inner:sin(pi*d**3*t)"
MASS = fmpq(23, 50)
"""A lower bound of the squared norm of what lies beyond degree d^3 / 2."""


def mass_left(mass: fmpq, start: int = FIRST) -> Obligation:
    r"""1/2 - |E cos(2 a t)| / 2 - B^2 >= mass, for all d >= start.

    s^2 = (d-2)(d-3)/(d-5) is the mean of (w'/w)^2. |E cos(2 a t)| <= s / (2 a) <=
    (1 + s^2) / (12 d^3), as a > 3 d^3; B^2 <= (41/40 X^2 + 41 s^2) / (49/5 d^6), as a^2
    > 49/5 d^6, where X^2 = n (n+d-2) (d-2)/(d-3) with n <= d^3/2. Here multiplied by
    d^6 (d-3) (d-5).
    """
    third, fifth = D - 3, D - 5
    score = (D - 2) * third  # s^2 (d - 5)
    waves = D**3 * third * (fifth + score) / 24
    low = D**3 * (D**3 + 2 * D - 4) * (D - 2) / 4  # X^2 (d - 3)
    lost = fmpq(5, 49) * (fmpq(41, 40) * low * fifth + 41 * score * third)
    left = D**6 * third * fifth * (fmpq(1, 2) - mass)
    return Obligation.of(
        "the squared norm of the part of sin(pi d^3 t) beyond degree "
        f"d^3/2 is at least {mass}",
        start,
        left - waves - lost,
    )


def _least(dim: int, accuracy: fmpq) -> arb:
    k = dim - 2
    base = arb(1).exp() * dim**3 / (2 * k)
    share = 1 - accuracy**2 / MASS
    return arb(share) * 2 * base**k / (arb(1).exp() * arb(k).sqrt())


def _most(dim: int, accuracy: fmpq) -> arb:
    return 4 * dim**3 / arb(accuracy).sqrt()


INNER_LOWER = at_least(
    id="daniely-every-d",
    title="Width needed at depth 2 for sin(pi d^3 <x, x'>), for every d from 6 on",
    hypotheses=(
        "x and x' are independent and uniform on S^(d-1), d >= 6",
        (
            "an approximant of width m is a sum of m functions in L2, each of which "
            "depends only on one linear form of x and one linear form of x'; its L2 "
            "error is at most E <= 2/3"
        ),
    ),
    source=Source("daniely2017", "the main theorem, for every d"),
    errata=(
        (
            "the printed bound holds for errors below about 1 / (50 "
            "e^2 pi^2) and bounded weights; the present bound holds "
            "for any weights and errors up to 2/3"
        ),
    ),
    tex=(
        r"(1 - \frac{50}{23} E^2) \frac{2}{e \sqrt{d - 2}} "
        r"(\frac{e}{2} \cdot \frac{d^3}{d - 2})^{d - 2}"
    ),
    target=TARGET,
    law="spheres",
    start=FIRST,
    best=fmpq(2, 3),
    value=_least,
    growth="the bound grows faster than exponentially with d, like (1.3 d^2)^(d-2)",
    constants=(("mass", MASS),),
    obligations=(mass_left(MASS),),
)
INNER_UPPER = at_most(
    id="inner-squares-every-d",
    title="Width that is enough at depth 3 for sin(pi d^3 <x, x'>), for "
    "every d from 2 on",
    hypotheses=(
        "x and x' are points of S^(d-1), d >= 2",
        "the network is a ReLU network; its error is at most E <= 1 in the sup norm",
    ),
    source=Source("daniely2017", "the network of depth 3, for every d"),
    errata=(
        "the paper prints the width 16 d^2 L / E with L = pi d^3, which is larger",
    ),
    tex=r"\frac{4 d^3}{\sqrt{E}}",
    target=TARGET,
    law="spheres",
    start=2,
    best=fmpq(1),
    value=_most,
    growth="the bound grows like the cube of d",
    obligations=(
        Obligation.of(
            "d ceil(d^2 sqrt(2 pi / E)) <= 4 d^3 / sqrt(E), since "
            "sqrt(2 pi) <= 251/100",
            2,
            fmpq(149, 100) * D**3 - D,
        ),
        Obligation.of(
            "ceil((pi d^3 + E/2) / sqrt(E)) <= 4 d^3 / sqrt(E), since pi <= 22/7",
            2,
            (4 - fmpq(22, 7)) * D**3 - fmpq(3, 2),
        ),
    ),
)
