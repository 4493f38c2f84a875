r"""Sup of |network - f| over the activation regions of a small network, in balls.

On a simplex with vertices v_i, network - f is within

    n / (4 (n + 1)) max_ij sum_k R_k (v_i - v_j)_k^2,    R_k = sum_l sup |d_k d_l f|,

of the affine function with its values at the v_i, and near a quadratic between its
Bernstein coefficients, see `_simplices`. The worst simplex is halved across its longest
edge.
"""

import heapq
from collections.abc import Sequence

from flint import arb, ctx, fmpq

from depthsep._deadline import end_after, is_over
from depthsep._progress import tell
from depthsep.analysis.box.by_region._simplices import (
    PRECISION,
    Cutter,
    Simplex,
    largest,
)
from depthsep.evidence import Enclosure, Rigour
from depthsep.exact import ball_upper, nearest_float
from depthsep.laws import Box
from depthsep.networks import Network
from depthsep.targets import Formula

MOST_SIMPLICES = 200_000


def region_error(
    network: Network,
    target: Formula,
    box: Box,
    *,
    enough: fmpq | None = None,
    relative: float = 1e-6,
    seconds: float,
) -> Enclosure | None:
    """The sup over the box, enclosed.

    None where there are too many regions or inputs, or units without regions.

    Args:
        enough: stop as soon as the sup is known to be at most this, or above it.
        relative: or once the bar is no wider than this share of it.
        seconds: or after so long: the bar is then wider, and still a proof.
    """
    stop_at = end_after(seconds)
    with ctx.workprec(PRECISION):
        cutter = Cutter(target)
        simplices = cutter.whole(network, box, stop_at, seconds / 4)
        if simplices is None:
            return None
        search = _Search(cutter)
        for simplex in simplices:
            if is_over(stop_at):
                return None
            search.add(simplex)
        return search.refined(enough, relative, stop_at)


def simplex_errors(
    target: Formula,
    places: Sequence[Sequence[fmpq]],
    values: Sequence[fmpq],
    simplices: Sequence[Sequence[int]],
    *,
    enough: fmpq,
    relative: float = 1e-3,
    seconds: float,
) -> list[Enclosure] | None:
    """Sup of |g - f| on simplices on each of which g is affine, each enclosed.

    None where it is late, or where there is no bound.

    Args:
        places: (n, d) corners.
        values: (n,) of g there.
        simplices: (m, d + 1) which corners each one has.
        enough, relative: of each as for `region_error`.
        seconds: for all of them.
    """
    stop_at, found = end_after(seconds), list[Enclosure]()
    with ctx.workprec(PRECISION):
        cutter = Cutter(target)
        corners = [
            cutter.corner(tuple(map(arb, place)), arb(value))
            for place, value in zip(places, values, strict=True)
        ]
        for number, chosen in enumerate(simplices):
            tell(number / len(simplices), "triangles examined")
            search = _Search(cutter)
            search.add(cutter.simplex(tuple(corners[k] for k in chosen), arb(1)))
            off = search.refined(enough, relative, stop_at)
            if off is None or is_over(stop_at):
                return None
            found.append(off)
    return found


class _Search:
    """Simplices in a heap, the worst first."""

    def __init__(self, cutter: Cutter) -> None:
        self.cutter, self.low = cutter, fmpq(0)
        self.heap: list[tuple[float, int, fmpq | None, Simplex]] = []
        self.count = 0

    def add(self, simplex: Simplex) -> None:
        """Bound the error on a simplex and count it in; corners bound it from below."""
        for corner in simplex.corners:
            if corner.off.is_finite():
                self.low = max(self.low, -ball_upper(-abs(corner.off)))
        high = self.bounded(simplex)
        key = float("-inf") if high is None else -nearest_float(high)
        heapq.heappush(self.heap, (key, self.count, high, simplex))
        self.count += 1

    def refined(
        self, enough: fmpq | None, relative: float, stop_at: float
    ) -> Enclosure | None:
        """Halve the worst simplex until the bar is narrow, decided, or it is late."""
        small = fmpq(*relative.as_integer_ratio())
        while True:
            _, _, high, simplex = self.heap[0]
            if high is not None:
                decided = enough is not None and (high <= enough or self.low > enough)
                if decided or high - self.low <= small * self.low:
                    break
            if self.count > MOST_SIMPLICES or is_over(stop_at):
                break
            heapq.heappop(self.heap)
            for half in self.cutter.halves(simplex):
                self.add(half)
        known = [high for _, _, high, _ in self.heap]
        finite = [b for b in known if b is not None]
        if len(finite) < len(known):
            return None
        upper = max(finite)
        return Enclosure(min(self.low, upper), upper, Rigour.ENCLOSED)

    def bounded(self, simplex: Simplex) -> fmpq | None:
        """A bound of the error there; None if there is none."""
        n = len(simplex.corners) - 1
        if simplex.is_smooth:
            off = largest([abs(corner.off) for corner in simplex.corners])
            plain = off + largest([*simplex.stretches.values()]) * n / (4 * (n + 1))
            quadratic = largest([abs(x) for x in simplex.bernstein().values()])
            bound = plain.min(quadratic + simplex.rest())
        else:  # as of sqrt at 0, where there are no slopes
            bound = abs(simplex.values - self.cutter.value(simplex.hull))
        return ball_upper(bound) if bound.is_finite() else None
