r"""Gauss-Legendre quadrature of analytic functions with a proved remainder.

Let f be analytic within the ellipse with foci a and b and semi-axes summing to rho h,
h = (b - a) / 2, and |f| <= M there. Its Chebyshev series cut at degree 2 n - 1 leaves
at most 2 M rho^(1 - 2 n) / (rho - 1); the n-point rule is exact for what is kept, and
both the integral and the rule, whose weights are positive, weigh the rest by b - a. So
the rule errs by at most 8 h M rho^(1 - 2 n) / (rho - 1).
"""

from dataclasses import dataclass
from functools import lru_cache
from math import ceil, log

from flint import arb, ctx

RATIOS = (1.5, 2.0, 3.0, 4.0, 6.0, 8.0, 12.0)
MAX_NODES = 400


@dataclass(frozen=True)
class GaussRule:
    """A number of nodes, and a bound of the remainder for M = 1 at rest.

    Attributes:
        count: n.
        ratio: rho.
    """

    count: int
    ratio: float

    def remainder(self, half: arb, most: arb) -> arb:
        """8 h M rho^(1 - 2 n) / (rho - 1)."""
        rho = arb(self.ratio)
        return 8 * half * most * rho ** (1 - 2 * self.count) / (rho - 1)


def choose_rule(rate: float, room: float, bits: int) -> GaussRule:
    r"""The shortest rule for a function of |f| <= exp(rate |Im z|), h = 1.

    Args:
        rate: times h, as a rough number.
        room: distance of the centre from a singularity, over h; > 1.
        bits: of the remainder, relative to 1.
    """
    best = GaussRule(MAX_NODES, RATIOS[0])
    for ratio in RATIOS:
        if (ratio + 1 / ratio) / 2 >= room:
            break
        most = rate * (ratio - 1 / ratio) / 2 + bits * log(2) + log(8 / (ratio - 1))
        count = ceil((most / log(ratio) + 1) / 2) + 1
        if count < best.count:
            best = GaussRule(count, ratio)
    return best


@lru_cache(maxsize=256)
def gauss_nodes(count: int, precision: int) -> tuple[tuple[arb, arb], ...]:
    """Nodes on [-1, 1] and weights, enclosed at a precision."""
    with ctx.workprec(precision):
        return tuple(arb.legendre_p_root(count, k, weight=True) for k in range(count))
