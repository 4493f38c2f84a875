"""Tables whose mean error, or root mean square, is least: found, and bounded below."""

from itertools import pairwise

from flint import fmpq

from depthsep._deadline import check_time
from depthsep._errors import HypothesisError
from depthsep.approximation import (
    best_approximant,
    best_error_bracket,
    distance,
    distance_to_target,
)
from depthsep.evidence import Enclosure
from depthsep.exact import PiecewiseAffine, least_above, rounded
from depthsep.laws import Segment
from depthsep.tables._room import Room
from depthsep.tables._table import PieceTable
from depthsep.tables.plans import Piece
from depthsep.targets import AbstractLineTarget

KIND = "continuous table"
MOST_PLACES = 18
NEAR = fmpq(1, 1000)  # of an error: by so much short numbers may raise it


def mean_table_within(
    target: AbstractLineTarget, on: Segment, norm: str, error: fmpq
) -> PieceTable:
    """The fewest pieces, continuous, with a mean error of at most so much.

    Args:
        norm: l1 (a mean) or l2 (a root mean square), uniform on the interval.
    """
    if error <= 0:
        raise HypothesisError(f"the accuracy is {error}; it must be positive")

    def is_found(count: int) -> bool:
        check_time()
        return best_approximant(target, count, norm, on).error.upper <= error

    count = least_above(is_found, 0)
    needed = _needed(target, on, norm, count, error)
    return _measured(target, on, norm, count, needed, error)


def _needed(
    target: AbstractLineTarget, on: Segment, norm: str, count: int, error: fmpq
) -> int:
    """The fewest pieces that may be enough, counted down from a number that is."""
    while count > 1:
        check_time()
        if best_error_bracket(target, count - 1, norm, on=on).lower > error:
            break
        count -= 1
    return count


def mean_table_of(
    target: AbstractLineTarget, on: Segment, norm: str, count: int
) -> PieceTable:
    """So many pieces with the least mean error."""
    found = best_approximant(target, count, norm, on).error.upper
    bracket = best_error_bracket(target, count, norm, on=on, continuous=True)
    allowed = found * (1 + NEAR)
    needed = _needed(target, on, norm, count, allowed)
    return _measured(target, on, norm, count, needed, allowed, (count, bracket.lower))


def _measured(
    target: AbstractLineTarget,
    on: Segment,
    norm: str,
    count: int,
    needed: int,
    error: fmpq,
    asked: tuple[int | None, fmpq | None] = (None, None),
) -> PieceTable:
    """With short numbers, as long as the error allows it."""
    found = best_approximant(target, count, norm, on)
    best, whole = found.function, found.error
    knots, values = best.knots.tolist(), best.values.tolist()
    for places in range(MOST_PLACES):
        x = [on.start, *(rounded(t, places) for t in knots[1:-1]), on.stop]
        if any(a >= b for a, b in pairwise(x)):
            continue
        short = PiecewiseAffine.through(x, [rounded(v, places + 1) for v in values])
        near = _error(short, target, norm, on)
        if near.upper <= error:
            best, whole = short, near
            break
    ends = list(zip(best.knots.tolist(), best.values.tolist(), strict=True))
    pieces = [Piece(a, b, v, w) for (a, v), (b, w) in pairwise(ends)]
    errors = tuple(_error(best, target, norm, Segment(p.start, p.stop)) for p in pieces)
    room = Room(target, on)
    return PieceTable(
        room, KIND, tuple(pieces), errors, needed, error, whole, *asked, norm
    )


def _error(
    f: PiecewiseAffine, target: AbstractLineTarget, norm: str, on: Segment
) -> Enclosure:
    exact = target.affine_pieces(on)
    if exact is not None:
        return distance(f, exact, norm, on)
    return distance_to_target(f, target, norm, on)
