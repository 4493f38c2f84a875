r"""Alternating shells under phi^2, for every d: Eldan and Shamir's lemma on shells.

Depth 2: one integration by parts along |x|, as the integral of signs that alternate
fast is small. Depth 3: squares, then a ramp at every edge.
"""

from flint import arb, fmpq

from depthsep.every_dimension._for_all import (
    GROWING_SUM,
    D,
    Obligation,
    at_least,
    at_most,
)
from depthsep.evidence import Source

FIRST = 10
MASS = fmpq(6, 25)  # of the shells
BEYOND = MASS * 3 / 4  # of what lies outside 2 R
TARGET = "radial:shells:50"
PAGE = "shells"
LAW = (
    "x has density phi^2 on R^d, d >= 10, where phi is the Fourier transform of the "
    "indicator of the ball of volume 1 and radius R; with t = 2 pi R |x|, the target "
    "is 1 and -1 in turn on shells of width pi/50 in t, between t = (9/20) d and t = "
    "2 d, and it is 0 outside these shells"
)
HALF = fmpq(1, 2)
PI_LOW, PI_HIGH = fmpq(333, 106), fmpq(355, 113)


def _least(dim: int, accuracy: fmpq) -> arb:
    inside = arb.pi() * arb(fmpq(3 * (dim - 1), 2))
    return arb(1 - accuracy**2 / BEYOND) * arb(2) ** (dim - 2) * inside.sqrt()


def _most(dim: int, accuracy: fmpq) -> arb:
    return arb(60 / accuracy) * arb(dim) ** arb(fmpq(13, 6))


def shells_mass(mass: fmpq, dim: int = FIRST) -> Obligation:
    """At this d; it grows with d."""
    start = fmpq(9, 20) * dim + PI_HIGH / 100
    y = fmpq(dim, 2) / (2 * dim - PI_HIGH / 50)
    angle = y + y**3 / 6 + 3 * y**5 / (40 * (1 - y**2))
    kept = 1 - 2 * start**2 / (dim**2 - 4) - 4 / PI_LOW * angle
    says = f"at d = {dim} the mass p of the shells is at least {mass}"
    return Obligation.at_start(says, kept - mass, FIRST)


def inside_share(mass: fmpq, part: fmpq = HALF) -> tuple[Obligation, ...]:
    """The norm inside 2 R is at most that part of the whole."""
    root, left = fmpq(49, 24), fmpq(7, 100)
    last = fmpq(2, 50) * fmpq(10, 19) / (FIRST * fmpq(1833, 1000))
    bound = PI_HIGH / 50 * (2 + fmpq(20, 9) + root) + left
    found = {
        "p^(-1/2) is at most 49/24 at d = 10, where p is the mass of the shells": root
        ** 2
        - 1 / mass,
        (
            "if the number of shells is odd, the last one has mass at most "
            "(7/100)^2 p at d = 10, where p is the mass of all shells"
        ): left**2 * mass - last,
        (
            "for the Fourier transform of target times phi, the norm within the ball "
            f"of radius 2 R is at most {part} of the whole norm, for every d >= 10"
        ): part - bound,
    }
    return tuple(Obligation.at_start(*each, FIRST) for each in found.items())


SHELLS_LOWER = at_least(
    id="shells-every-d",
    title="Width needed at depth 2 for alternating shells under phi^2, for "
    "every d from 10 on",
    hypotheses=(
        LAW,
        f"{GROWING_SUM}; its L2 error is at most E <= 2/5",
    ),
    source=Source("eldan2016", "the lemma on shells and its corollary, for every d"),
    errata=(
        (
            "the paper takes random signs; here the signs alternate. Let delta be the "
            "share of the squared norm of the Fourier transform of target times phi "
            "that lies outside the ball of radius 2 R: the paper does not compute it; "
            "here it is at least 3/4"
        ),
    ),
    tex=r"(1 - \frac{50}{9} E^2) \cdot 2^{d - 2} \sqrt{\frac{3}{2} \pi (d - 1)}",
    target=TARGET,
    law="phi2",
    start=FIRST,
    best=fmpq(2, 5),
    value=_least,
    growth="the bound grows exponentially with d, like 2^d",
    page=PAGE,
    constants=(("mass", MASS),),
    obligations=(shells_mass(MASS), *inside_share(MASS)),
)
SHELLS_UPPER = at_most(
    id="shells-ramps-every-d",
    title="Width that is enough at depth 3 for alternating shells under "
    "phi^2, for every d from 10 on",
    hypotheses=(
        LAW,
        "the network is a ReLU network; its error is at most E <= 1 in L2",
    ),
    source=Source("eldan2016", "the network of depth 3, for every d"),
    tex=r"\frac{60 d^{13/6}}{E}",
    target=TARGET,
    law="phi2",
    norm="L2",
    start=FIRST,
    best=fmpq(1),
    value=_most,
    growth="the bound grows like d^(13/6) / E",
    page=PAGE,
    obligations=(
        Obligation.of(
            "1.55 * (50/pi) d + 1 <= 25 d",
            FIRST,
            (25 - fmpq(155, 100) * 50 / PI_LOW) * D - 1,
        ),
        Obligation.of(
            "57.6 d^(13/6) + 2 d <= 60 d^(13/6), since d^(7/6) >= d",
            FIRST,
            fmpq(24, 10) * D - 2,
        ),
    ),
)
