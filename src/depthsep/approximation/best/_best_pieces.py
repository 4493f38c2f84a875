"""Best approximation by N affine pieces in the sup norm, continuous or not."""

from dataclasses import dataclass

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.approximation.best._fewest_links import tunnel_links
from depthsep.approximation.best._linearise import linearise
from depthsep.evidence import Enclosure, Rigour
from depthsep.exact import PiecewiseAffine, halved, rational
from depthsep.laws import Segment
from depthsep.targets import AbstractLineTarget


@dataclass(frozen=True)
class PieceCount:
    """lower <= fewest pieces <= upper."""

    lower: int
    upper: int
    rigour: Rigour


def fewest_pieces(
    f: PiecewiseAffine,
    error: object,
    *,
    continuous: bool,
    limit: int | None = None,
    rounding: int = 0,
) -> int:
    """The fewest affine pieces with sup error at most `error` on f's domain: exact.

    Args:
        f: continuous, on a bounded interval; made exact if it is not.
        continuous: whether the approximant has to be continuous.
        limit: return any number above it as soon as more are known to be needed.
        rounding: 1 for a quick lower bound, -1 for an upper bound (see `tunnel_links`).
    """
    e = rational(error, name="the error")
    if e < 0:
        raise HypothesisError(f"the error is {e}; it cannot be negative")
    x, low, high = _tube(f, e)
    links = tunnel_links(
        x, low, high, continuous=continuous, limit=limit, rounding=rounding
    )
    return len(links)


def _tube(f: PiecewiseAffine, error: fmpq) -> tuple[list[fmpq], list[fmpq], list[fmpq]]:
    if f.left_slope is not None or f.right_slope is not None or f.jumps.any():
        raise HypothesisError("f must be continuous, on a bounded interval")
    f = f.to_exact()
    values = f.values.tolist()
    return f.knots.tolist(), [v - error for v in values], [v + error for v in values]


def best_interpolant(
    f: PiecewiseAffine, error: object, *, continuous: bool = True
) -> PiecewiseAffine:
    """A function with the fewest pieces within `error` of f (continuous)."""
    x, low, high = _tube(f, rational(error, name="the error"))
    links = tunnel_links(x, low, high, continuous=continuous)
    knots: list[object] = [x[0]]
    values: list[object] = [links[0].line.at(x[0])]
    for k, link in enumerate(links):
        knots.append(link.stop)
        values.append(link.line.at(link.stop))
        if not continuous and k + 1 < len(links):
            # a jump: the point itself belongs to the piece on the left
            after = links[k + 1].line.at(link.stop)
            knots += [link.stop, link.stop]
            values += [values[-1], after]
    return PiecewiseAffine.through(knots, values)


def best_error(
    f: PiecewiseAffine, pieces: int, *, continuous: bool, bits: int = 40
) -> Enclosure:
    """The least sup error with at most `pieces` affine pieces, by exact decisions.

    The optimum can be irrational; the enclosure is 2**-bits of the oscillation wide.
    """
    if pieces < 1:
        raise HypothesisError(f"{pieces} pieces were asked for; give 1 or more")
    if fewest_pieces(f, 0, continuous=continuous, limit=pieces) <= pieces:
        return Enclosure(fmpq(0), fmpq(0), Rigour.EXACT)
    exact = f.to_exact().values.tolist()

    def is_too_small(error: fmpq) -> bool:
        return fewest_pieces(f, error, continuous=continuous, limit=pieces) > pieces

    most = (max(exact) - min(exact)) / 2
    return Enclosure(*halved(is_too_small, fmpq(0), most, bits), Rigour.ENCLOSED)


def pieces_needed(
    target: AbstractLineTarget,
    on: Segment,
    error: fmpq,
    *,
    continuous: bool = True,
    fineness: int = 256,
) -> PieceCount:
    """Bounds on the fewest pieces with sup error at most `error` for any target.

    The target is replaced by an interpolant with a proved error d = error/fineness;
    pieces within `error` of the target are within error + d of the interpolant, and
    pieces within error - d of the interpolant are within `error` of the target.
    """
    line = linearise(target, on, error / fineness)
    lower = fewest_pieces(
        line.function, error + line.error, continuous=continuous, rounding=1
    )
    upper = fewest_pieces(
        line.function, error - line.error, continuous=continuous, rounding=-1
    )
    return PieceCount(lower, upper, Rigour.ENCLOSED)
