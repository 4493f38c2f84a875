"""After Safran and Shamir (2017): natural radial functions, on balls and Gaussians.

They show the indicator of a ball, and functions of its kind, to be hard for one hidden
layer under some law; here the law is uniform in the unit ball or standard Gaussian, and
depth 2 is bounded by Theorem R, for any activation and any weights.
"""

from dataclasses import dataclass
from functools import cached_property
from math import isqrt

from flint import arb, ctx, fmpq

from depthsep.claims import Upper
from depthsep.constructions import RadialBySquares
from depthsep.evidence import log2
from depthsep.exact import dyadic_near, midpoint, text
from depthsep.laws import RadialLaw
from depthsep.lower_bounds import directions_needed, radial_expansion
from depthsep.papers._base import Columns, PaperRow
from depthsep.problems import Problem
from depthsep.separation import best_upper
from depthsep.targets import Radial

PRECISION = 128
BITS = 20
BEYOND = 8  # sqrt(d) + 8: where profiles under a Gaussian end


@dataclass(frozen=True)
class SafranShamirRow(PaperRow):
    """One target in one dimension under one law.

    Attributes:
        profile: as it was asked for.
        law: "ball" or "gaussian".
        variance: of f: the squared error of the best constant.
        directions: that one hidden layer needs.
    """

    profile: str
    law: str
    variance: arb
    directions: int

    @property
    def name(self) -> str:
        return f"{self.profile}, {self.law}"

    @cached_property
    def columns(self) -> Columns:
        return {
            "law": self.law,
            "variance": self.variance,
            "directions": self.directions,
            "depth 2, log2 width >=": self.lower,
            "depth 3, log2 width <=": self.upper,
        }


def safran_shamir_row(
    written: str, dim: int, accuracy: fmpq, law: str
) -> SafranShamirRow:
    """Both sides for one profile in L2, d >= 2.

    Args:
        written: "ball" for the indicator of the ball with half of the mass, or a
            profile in r; under the Gaussian it ends at sqrt(d) + 8 if no end is given.
        law: "ball" or "gaussian".
    """
    chosen = RadialLaw(law, dim)
    target = Radial(_profile(written, chosen), dim)
    found = radial_expansion(target, chosen, 1, accuracy)
    directions = directions_needed(target, chosen, accuracy)
    problem = Problem(target, chosen, "l2", accuracy)
    upper = best_upper(problem, 3, (RadialBySquares(),))
    with ctx.workprec(PRECISION):
        variance = found.norm_squared - found.masses[0]
    return SafranShamirRow(
        target.text,
        dim,
        accuracy,
        log2(directions),
        log2(upper.width) if isinstance(upper, Upper) else None,
        written,
        law,
        variance,
        directions,
    )


def _profile(written: str, law: RadialLaw) -> str:
    if written == "ball":
        half = dyadic_near(midpoint(law.quantile(fmpq(1, 2))), BITS)
        return f"1 on 0,{text(half)}"
    if law.kind == "ball" or " on " in written or written == "relu":
        return written
    return f"{written} on 0,{isqrt(law.dim) + 1 + BEYOND}"
