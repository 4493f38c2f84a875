r"""Changes of sign of a radial profile along a line through 0.

On the line a function with N changes of sign has them on two half-lines, on each of
which the profile alternates n times: so N >= 2 (n - 1) in the sup norm, and
N >= n - 1 - E^2 / w in L2 where each interval weighs w or more on a half-line.
"""

from functools import lru_cache

import numpy as np
from flint import arb, ctx, fmpq

from depthsep.exact import dyadic_near, midpoint, nearest_float
from depthsep.laws import AbstractRadialLaw
from depthsep.lower_bounds.symmetric._alternation import (
    Alternation,
    alternating_points,
)
from depthsep.targets import (
    FormulaPiece,
    ProfilePiece,
    Radial,
    interval_ball,
    profile_floats,
)

PRECISION = 128
BITS = 60
CELLS = 1024
FEWEST = 8  # cells of a piece
MOST_PIECES = 512
LEVELS = 17
LARGEST = 1e100  # level
INSIDE = 2.0**-20  # of a piece: how near its ends points are taken


def changes_on_lines(
    target: Radial, law: AbstractRadialLaw, norm: str, accuracy: fmpq
) -> int:
    """Changes of sign, about the best level, of any function within the accuracy."""
    if len(target.profile.pieces) > MOST_PIECES:
        return 0
    with ctx.workprec(PRECISION):
        if norm == "linf":
            return _in_linf(target, law, accuracy)
        if not _is_large(target, law, nearest_float(accuracy)):
            return 0
        cells = _cells(target, law)
        allowed = arb(accuracy) ** 2
        return max(
            (
                Alternation.on_cells((v - c, m) for v, m in cells).changes(allowed)
                for c in _levels(cells)
            ),
            default=0,
        )


def _is_large(target: Radial, law: AbstractRadialLaw, accuracy: float) -> bool:
    """Whether 0 seems to be too far away: masses of pieces cost little, those of cells
    do not."""
    unit, whole = target.unit(), 0.0
    for piece in target.profile.pieces:
        ends = (midpoint(arb(e) / unit) for e in (piece.start, piece.stop))
        below, after = (float(law.cdf(dyadic_near(e, BITS)).mid()) for e in ends)
        values = profile_floats((piece,), _places(piece, 8))
        whole += float(np.max(np.abs(values))) ** 2 * max(after - below, 0.0)
    return not whole < accuracy**2


def _in_linf(target: Radial, law: AbstractRadialLaw, accuracy: fmpq) -> int:
    pieces, support = target.profile.pieces, law.support
    if support is None:
        return 0
    p = np.concatenate([_places(piece, len(pieces)) for piece in pieces])
    unit = float(target.unit().mid())
    low, high = (np.inf if e is None else nearest_float(e) * unit for e in support)
    p = p[(p > low * (1 + INSIDE)) & (p < high * (1 - INSIDE))]
    values = profile_floats(pieces, p)
    if not len(p) or not np.isfinite(values).all():
        return 0

    def enclosed(place: float) -> arb:
        at = fmpq(*place.as_integer_ratio())
        piece = next((q for q in pieces if q.start < at < q.stop), None)
        return arb("nan") if piece is None else _value(piece, arb(place))

    values = np.clip(values, -LARGEST, LARGEST)
    levels = np.quantile(values, np.linspace(0.1, 0.9, LEVELS))
    counts = [
        alternating_points(p, values, enclosed, float(c), accuracy) for c in levels
    ]
    return max(0, 2 * (max(counts) - 1))


def _places(piece: ProfilePiece, count: int) -> np.ndarray:
    """Points inside a piece, near its ends as well."""
    start, stop = nearest_float(piece.start), nearest_float(piece.stop)
    inner = np.linspace(0, 1, max(FEWEST, CELLS // count) + 1)
    inner[0], inner[-1] = INSIDE, 1 - INSIDE
    return start + (stop - start) * inner


def _value(piece: ProfilePiece, p: arb) -> arb:
    if isinstance(piece, FormulaPiece):
        return piece.formula.jet(p).value
    return piece.value(p)


@lru_cache(maxsize=16)
def _cells(target: Radial, law: AbstractRadialLaw) -> list[tuple[arb, arb]]:
    """G on cells of |x|, with half of the mass of each: a line has two halves."""
    pieces, unit, found = target.profile.pieces, target.unit(), []
    near = fmpq(4, 1 << BITS)
    for piece in pieces:
        count = max(FEWEST, CELLS // len(pieces))
        start, stop = (
            dyadic_near(midpoint(arb(e) / unit), BITS)
            for e in (piece.start, piece.stop)
        )
        start, stop = start + near, stop - near  # so that cells lie within the piece
        step = (stop - start) / count
        ends = [start + k * step for k in range(count + 1)]
        below = [law.cdf(e) for e in ends]
        for k in range(count):
            value = _value(piece, unit * interval_ball(ends[k], ends[k + 1]))
            mass = (below[k + 1] - below[k]).lower().max(arb(0))
            found.append((value, mass / 2))
    return found


def _levels(cells: list[tuple[arb, arb]]) -> list[fmpq]:
    """0, the median, and the middle of the range."""
    values = np.array([float(v.mid()) for v, _ in cells])
    known = np.isfinite(values) & (np.abs(values) < LARGEST)
    values = values[known]
    masses = np.array([float(m.mid()) for _, m in cells])[known]
    if not len(values):
        return []
    order = np.argsort(values)
    sums = np.cumsum(masses[order])
    median = values[order][min(np.searchsorted(sums, sums[-1] / 2), len(values) - 1)]
    middle = (values.max() + values.min()) / 2
    return [fmpq(round(float(c) * 2**20), 2**20) for c in {0.0, median, middle}]
