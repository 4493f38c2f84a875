r"""Pieces of a radial profile along a line through 0, where the law has a density.

On a line with p pieces one half has (p + 1) / 2 at most, and at most twice the mean
error. Between two radii, where |x| has a density of c or more, the profile within that
error is a problem on an interval.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError
from depthsep.approximation import fewest_pieces
from depthsep.claims import AbstractLowerBound, Lower
from depthsep.exact import (
    ball_upper,
    dyadic_near,
    midpoint,
    nearest_float,
    sqrt_upper,
    text,
)
from depthsep.laws import AbstractRadialLaw, Segment
from depthsep.lower_bounds.line._best_pieces import BestPieces
from depthsep.lower_bounds.line._curvature import Curvature
from depthsep.lower_bounds.line._mean_pieces import MeanPieces
from depthsep.lower_bounds.line._quadratic import QuadraticOptimum
from depthsep.lower_bounds.symmetric.radial._whole_line import whole_line
from depthsep.problems import Problem
from depthsep.targets import (
    Expression,
    FormulaPiece,
    ProfilePiece,
    Radial,
    polynomial_expression,
)

PRECISION = 96
BITS = 20
ROOM = fmpq(4, 1 << BITS)
MOST_PIECES = 64
QUANTILES = (fmpq(1, 50), fmpq(1, 5), fmpq(1, 2), fmpq(4, 5), fmpq(49, 50))
POINTS = 257
MOST_SHARE = 10**9  # of the error allowed: what lies where there is hardly any mass
ON_LINE: tuple[AbstractLowerBound, ...] = (
    QuadraticOptimum(),
    BestPieces(),
    MeanPieces(),
    Curvature(),
)
POWERS = {"l1": 3, "l2": 5, "linf": 2}
"""1 / the power of |f''| whose integral says how many pieces f takes."""


@dataclass(frozen=True)
class Stretch:
    """The profile between two ends in p, and the accuracy that is left for it."""

    profile: Expression
    on: Segment
    accuracy: fmpq

    def pieces(self, norm: str) -> int:
        """That any approximant needs on it."""
        try:
            problem = Problem(self.profile, self.on, norm, self.accuracy)
        except HypothesisError:
            return 1
        answers = [bound.prove(problem, 2) for bound in ON_LINE]
        return max((a.pieces or 1 for a in answers if isinstance(a, Lower)), default=1)

    def promise(self, norm: str) -> float:
        """About how many pieces, from second differences."""
        ends = [nearest_float(e) for e in (self.on.start, self.on.stop)]
        x = np.linspace(ends[0], ends[1], POINTS)
        power, step = POWERS[norm], x[1] - x[0]
        with np.errstate(all="ignore"):
            bend = np.abs(np.diff(self.profile.floats(x), 2)) / step**2
        if not np.isfinite(bend).all():
            return 0.0
        length, error = x[-1] - x[0], nearest_float(self.accuracy)
        size = (np.mean(bend ** (1 / power)) ** power) * length**2
        return float((size / max(error, 1e-300)) ** 0.5)


def pieces_on_lines(
    target: Radial, law: AbstractRadialLaw, norm: str, accuracy: fmpq
) -> tuple[int, str]:
    """Pieces on a line through 0, and where on it they were counted."""
    with ctx.workprec(PRECISION):
        if norm == "linf" and (line := whole_line(target, law)) is not None:
            return fewest_pieces(line, accuracy, continuous=True), "lines through 0"
        if len(target.profile.pieces) > MOST_PIECES:
            return 1, ""
        stretches = list(_stretches(target, law, norm, accuracy))
    if not stretches:
        return 1, ""
    best = max(stretches, key=lambda s: s.promise(norm))
    ends = f"{text(best.on.start)} and {text(best.on.stop)}"
    return 2 * best.pieces(norm) - 1, f"lines through 0, with |x| between {ends}"


def _stretches(
    target: Radial, law: AbstractRadialLaw, norm: str, accuracy: fmpq
) -> Iterator[Stretch]:
    for piece in target.profile.pieces:
        profile = _expression(piece)
        if profile is None:
            continue
        for start, stop in _intervals(target, law, norm, piece.start, piece.stop):
            left = _left(target, law, norm, (start, stop), accuracy)
            if left is not None:
                yield Stretch(profile, Segment(start, stop), left)


def _expression(piece: ProfilePiece) -> Expression | None:
    """The piece as a formula; None where it is affine."""
    if isinstance(piece, FormulaPiece):
        return piece.formula
    if piece.line() is not None:
        return None
    polynomial = polynomial_expression(piece.coefficients)
    if piece.frequency == 0:
        return polynomial
    return Expression(f"({polynomial.formula})*cos(({text(piece.frequency)})*x)")


def _intervals(
    target: Radial, law: AbstractRadialLaw, norm: str, start: fmpq, stop: fmpq
) -> Iterator[tuple[fmpq, fmpq]]:
    """Where the piece meets the support; in means, between quantiles as well."""
    support, unit = law.support, target.unit()
    if support is None:
        return
    low, high = start, stop
    exact = unit == 1  # else ends are rounded, and kept inside
    if support[0] > 0:
        low = max(low, support[0] if exact else _short(support[0] * unit) + ROOM)
    if support[1] is not None:
        high = min(high, support[1] if exact else _short(support[1] * unit) - ROOM)
    if low >= high:
        return
    if norm == "linf":
        yield low, high
        return
    inner = {_short(law.quantile(q) * unit) for q in QUANTILES}
    ends = sorted({low, high, *(e for e in inner if low < e < high)})
    yield from combinations(ends, 2)


def _short(place: arb) -> fmpq:
    return dyadic_near(midpoint(place), BITS)


def _left(
    target: Radial,
    law: AbstractRadialLaw,
    norm: str,
    ends: tuple[fmpq, fmpq],
    accuracy: fmpq,
) -> fmpq | None:
    """The error left on one half of the line: its mean over the stretch in p."""
    if norm == "linf":
        return accuracy
    unit = target.unit()
    start, stop = ends
    if unit != 1:  # a little more than the stretch
        middle = [midpoint(arb(e) / unit) for e in ends]
        start, stop = middle[0] - ROOM / 2**20, middle[1] + ROOM / 2**20
    density = law.least_density(max(start, fmpq(0)), stop) / unit
    if not density > 0:
        return None
    share = 2 / (density * (ends[1] - ends[0]))
    if not share < MOST_SHARE:
        return None
    share = ball_upper(share)
    return accuracy * (share if norm == "l1" else sqrt_upper(share))
