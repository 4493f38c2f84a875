r"""A jump and a kink at |x| = 1 - 1/(2 d) in the ball, for every d.

Depth 2: Legendre coefficients of a jump and a kink fall slowly, so that polynomials of
degree 2 d in |x| leave much. Depth 3: squares, then a ramp or a broken line.
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

LAW = "x is uniform in the unit ball of R^d, d >= 2"
PAGE = "ball-kinks"
JUMP = "radial:1 on 0,1-1/(2*d)"
KINK = "radial:max(1-1/(2*d)-r,0)"
JUMP_SHARE, KINK_SHARE = fmpq(171, 5), fmpq(1640)  # of 4 pi e, of 192 pi e, at most


def _jump(dim: int, accuracy: fmpq) -> arb:
    share = 1 - JUMP_SHARE * (dim + fmpq(3, 4)) * accuracy**2
    return arb(share) * comb(2 * dim, dim - 1)


def _kink(dim: int, accuracy: fmpq) -> arb:
    share = 1 - KINK_SHARE * dim**2 * (dim + fmpq(3, 2)) ** 3 * accuracy**2
    return arb(share) * comb(2 * dim, dim - 1)


JUMP_LOWER = at_least(
    id="ball-indicator-every-d",
    title="Width needed at depth 2 for the indicator of |x| <= 1 - 1/(2 d), "
    "for every d",
    hypotheses=(LAW, f"{RIDGE_SUM}; its L2 error is at most E <= 1/(7 sqrt(d))"),
    source=Source("safran2017", "ball indicators, for every d"),
    tex=r"(1 - \frac{171}{5} (d + \frac{3}{4}) E^2) \binom{2 d}{d - 1}",
    target=JUMP,
    law="ball",
    start=2,
    best=fmpq(1, 7),
    falls=1,
    value=_jump,
    growth="the bound grows exponentially with d, like 4^d / sqrt(d)",
    page=PAGE,
    constants=(("share", JUMP_SHARE),),
    obligations=(
        Obligation.of(
            "171/5 (d + 3/4) E^2 <= 1 for E <= 1/(7 sqrt(d))",
            2,
            49 * D - JUMP_SHARE * (D + fmpq(3, 4)),
        ),
    ),
)
JUMP_UPPER = at_most(
    id="ball-ramps-every-d",
    title="Width that is enough at depth 3 for the indicator of |x| <= 1 - "
    "1/(2 d), for every d",
    hypotheses=(
        LAW,
        "the network is a ReLU network; its error is at most E <= 1 in L2",
    ),
    source=Source("safran2017", "ball indicators at depth 3, for every d"),
    tex=r"\frac{2 d^2}{E}",
    target=JUMP,
    law="ball",
    norm="L2",
    start=2,
    best=fmpq(1),
    value=lambda dim, accuracy: arb(2 * dim**2 / accuracy),
    growth="the bound grows like d^2 / E",
    page=PAGE,
    obligations=(Obligation.of("d ceil(d / E) <= 2 d^2 / E", 2, D**2 - D),),
)
KINK_LOWER = at_least(
    id="relu-every-d",
    title="Width needed at depth 2 for max(1 - 1/(2 d) - |x|, 0) on the "
    "ball, for every d",
    hypotheses=(LAW, f"{RIDGE_SUM}; its L2 error is at most E <= 1/(94 d^(5/2))"),
    source=Source("safran2019", "a radial function of Lipschitz constant 1"),
    tex=r"(1 - 1640 d^2 (d + \frac{3}{2})^3 E^2) \binom{2 d}{d - 1}",
    target=KINK,
    law="ball",
    start=2,
    best=fmpq(1, 94),
    falls=5,
    value=_kink,
    growth="the bound grows exponentially with d, like 4^d / sqrt(d)",
    page=PAGE,
    constants=(("share", KINK_SHARE),),
    obligations=(
        Obligation.of(
            "1640 d^2 (d + 3/2)^3 E^2 <= 1 for E <= 1/(94 d^(5/2))",
            2,
            8836 * D**3 - KINK_SHARE * (D + fmpq(3, 2)) ** 3,
        ),
    ),
)
KINK_UPPER = at_most(
    id="relu-squares-every-d",
    title="Width that is enough at depth 3 for max(1 - 1/(2 d) - |x|, 0) on "
    "the ball, for every d",
    hypotheses=(
        "|x| <= 1, d >= 2",
        "the network is a ReLU network; its error is at most E <= 1 in the sup norm",
    ),
    source=Source("safran2019", "a radial function of Lipschitz constant 1, depth 3"),
    tex=r"\frac{3 d^{3/2}}{E}",
    target=KINK,
    law="ball",
    start=2,
    best=fmpq(1),
    value=lambda dim, accuracy: arb(dim) ** arb(1.5) * arb(3 / accuracy),
    growth="the bound grows like d^(3/2) / E",
    page=PAGE,
    obligations=(
        Obligation.of(
            "d ceil(sqrt(2 d) / E) <= 3 d^(3/2) / E, since sqrt(2) <= "
            "142/100 and sqrt(d) >= 7/5",
            2,
            (3 - fmpq(142, 100)) * fmpq(7, 5) * D - D,
        ),
        Obligation.of(
            "ceil(1/(2 E)) + 1 <= 3 d^(3/2) / E", 2, fmpq(21, 5) * D - fmpq(5, 2)
        ),
    ),
)
