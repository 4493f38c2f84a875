"""Piecewise affine radial profiles along a whole line through 0."""

from flint import arb, fmpq

from depthsep.exact import PiecewiseAffine, dyadic_near, midpoint
from depthsep.laws import AbstractRadialLaw
from depthsep.targets import FormulaPiece, ProfilePiece, Radial

BITS = 20
MOST_PIECES = 4096


def whole_line(target: Radial, law: AbstractRadialLaw) -> PiecewiseAffine | None:
    """The profile along the whole line, in p, where it is continuous and affine."""
    support = law.support
    lines = [line for p in target.profile.pieces if (line := _line_of(p)) is not None]
    affine = len(lines) == len(target.profile.pieces) <= MOST_PIECES
    if support is None or support[0] != 0 or target.jumps or not affine:
        return None
    pieces = target.profile.pieces
    high = pieces[-1].stop + 1
    if support[1] is not None:
        exact = target.unit() == 1
        high = support[1] if exact else _inside(support[1] * target.unit())
    if high <= 0:
        return None
    values = {fmpq(0): fmpq(0), max(high, pieces[-1].stop + 1): fmpq(0)}
    for piece, (level, slope) in zip(pieces, lines, strict=True):
        values |= {p: level + slope * p for p in (piece.start, piece.stop)}
    line = PiecewiseAffine.through(sorted(values), [values[p] for p in sorted(values)])
    values = {p: v for p, v in values.items() if p < high} | {high: line(high)}
    knots = sorted(values)
    heights = [values[p] for p in knots]
    mirrored = [-p for p in knots[:0:-1]]
    return PiecewiseAffine.through(mirrored + knots, heights[:0:-1] + heights)


def _line_of(piece: ProfilePiece) -> tuple[fmpq, fmpq] | None:
    return None if isinstance(piece, FormulaPiece) else piece.line()


def _inside(end: arb) -> fmpq:
    """A short number just below."""
    return dyadic_near(midpoint(end), BITS) - fmpq(4, 1 << BITS)
