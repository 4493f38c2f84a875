r"""Sup of |network - f| over the activation regions of a small network, in balls.

Every region is cut into simplices. On one with vertices v_i the network is affine, and
r = network - f is within

    n / (4 (n + 1)) max_ij sum_k R_k (v_i - v_j)_k^2,    R_k = sum_l sup |d_k d_l f|,

of the affine function with its values at the v_i: by Taylor's formula from x to each
v_i with weights lambda_i, |d_k d_l f a b| <= |d_k d_l f| (a^2 + b^2) / 2, and
sum_i lambda_i |v_i - x|_R^2 = sum_(i<j) lambda_i lambda_j |v_i - v_j|_R^2. The worst
simplex is halved across its longest edge.
"""

import heapq
from collections.abc import Sequence
from dataclasses import dataclass
from functools import reduce
from itertools import combinations

from flint import arb, ctx, fmpq

from depthsep._deadline import end_after, is_over
from depthsep._errors import TooLargeError
from depthsep.analysis.regions import subdivide
from depthsep.analysis.regions.cells._domains import MOST_DIMS
from depthsep.evidence import Enclosure, Rigour
from depthsep.exact import ball_upper, nearest_float
from depthsep.laws import Box
from depthsep.networks import RELU, Network, as_relu
from depthsep.targets import Formula

PRECISION = 96
MOST_REGIONS = 20_000
MOST_SIMPLICES = 200_000
Place = tuple[arb, ...]
Bound = tuple[fmpq | None, tuple[int, int]]


@dataclass(frozen=True)
class _Corner:
    """Where a corner is, the network's value and the error there, as balls."""

    place: Place
    value: arb
    off: arb


Simplex = tuple[_Corner, ...]


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
    network = as_relu(network)
    if network.in_dim > MOST_DIMS or any(a is not RELU for a in network.activations):
        return None
    stop_at = end_after(seconds)
    try:
        regions = subdivide(network, box, most=MOST_REGIONS, seconds=seconds / 4)
    except TooLargeError:
        return None
    with ctx.workprec(PRECISION):
        search, corners = _Search(target), {}
        for row in regions.simplices.tolist():
            for vertex in set(row) - set(corners):
                x = regions.point(vertex)
                corners[vertex] = search.corner(tuple(map(arb, x)), network(x)[0])
            if is_over(stop_at):
                return None
            search.add(tuple(corners[vertex] for vertex in row))
        return search.refined(enough, relative, stop_at)


class _Search:
    """Simplices in a heap, the worst first."""

    def __init__(self, target: Formula) -> None:
        self.target, dim = target, target.dim
        self.axes = [tuple(int(i == k) for i in range(dim)) for k in range(dim)]
        self.low = fmpq(0)
        self.heap: list[tuple[float, int, Bound, Simplex]] = []
        self.count = 0

    def corner(self, place: Place, value: object) -> _Corner:
        """A corner with the error there, which bounds the sup from below."""
        known = arb(value)  # type: ignore[arg-type]
        off = abs(known - self.target.along(self.axes[0], place).value)
        if off.is_finite():
            self.low = max(self.low, -ball_upper(-off))
        return _Corner(place, known, off)

    def add(self, simplex: Simplex) -> None:
        """Bound the error on a simplex and count it in."""
        bound = self.bound(simplex)
        key = float("-inf") if bound[0] is None else -nearest_float(bound[0])
        heapq.heappush(self.heap, (key, self.count, bound, simplex))
        self.count += 1

    def refined(
        self, enough: fmpq | None, relative: float, stop_at: float
    ) -> Enclosure | None:
        """Halve the worst simplex until the bar is narrow, decided, or it is late."""
        small = fmpq(*relative.as_integer_ratio())
        while True:
            _, _, (high, edge), simplex = self.heap[0]
            if high is not None:
                decided = enough is not None and (high <= enough or self.low > enough)
                if decided or high - self.low <= small * self.low:
                    break
            if self.count > MOST_SIMPLICES or is_over(stop_at):
                break
            heapq.heappop(self.heap)
            for half in self.halves(simplex, edge):
                self.add(half)
        known = [bound[0] for _, _, bound, _ in self.heap]
        finite = [b for b in known if b is not None]
        if len(finite) < len(known):
            return None
        upper = max(finite)
        return Enclosure(min(self.low, upper), upper, Rigour.ENCLOSED)

    def halves(self, simplex: Simplex, edge: tuple[int, int]) -> list[Simplex]:
        """Cut across an edge."""
        i, j = edge
        a, b = simplex[i], simplex[j]
        middle = tuple((x + y) / 2 for x, y in zip(a.place, b.place, strict=True))
        corner = self.corner(middle, (a.value + b.value) / 2)
        return [(*simplex[:k], corner, *simplex[k + 1 :]) for k in edge]

    def bound(self, simplex: Simplex) -> Bound:
        """A bound of the error there, None if there is none, and the longest edge."""
        box = [_hull([c.place[k] for c in simplex]) for k in range(len(self.axes))]
        bends = self.bends(box)
        pairs = list(combinations(range(len(simplex)), 2))
        sizes = [_length(simplex[i], simplex[j], bends) for i, j in pairs]
        if all(s.is_finite() for s in sizes):
            longest = reduce(lambda a, b: a.max(b), sizes)
            n = len(simplex) - 1
            off = reduce(lambda a, b: a.max(b), [c.off for c in simplex])
            bounds = [off + longest * n / (4 * (n + 1))]
        else:  # as of sqrt at 0, where there are no slopes
            flat = [arb(1)] * len(self.axes)
            sizes = [_length(simplex[i], simplex[j], flat) for i, j in pairs]
            bounds = []
        edge = max(zip(sizes, pairs, strict=True), key=lambda s: float(s[0].mid()))[1]
        values = _hull([c.value for c in simplex])
        bounds.append(abs(values - self.target.along(self.axes[0], box).value))
        known = [ball_upper(b) for b in bounds if b.is_finite()]
        return min(known, default=None), edge

    def bends(self, box: Sequence[arb]) -> list[arb]:
        """R_k: row sums of the sizes of second derivatives over a box."""
        straight = [self.target.along(axis, box).second for axis in self.axes]
        rows = [abs(second).upper() for second in straight]
        for i, k in combinations(range(len(box)), 2):
            plus, minus = list(self.axes[i]), list(self.axes[i])
            plus[k], minus[k] = 1, -1
            pair = [self.target.along(d, box).second for d in (plus, minus)]
            mixed = abs((pair[0] - pair[1]) / 4).upper()
            rows[i], rows[k] = rows[i] + mixed, rows[k] + mixed
        return rows


def _hull(balls: Sequence[arb]) -> arb:
    return reduce(lambda a, b: a.union(b), balls)


def _length(a: _Corner, b: _Corner, weights: Sequence[arb]) -> arb:
    """The square of the distance, coordinates weighted."""
    steps = [x - y for x, y in zip(a.place, b.place, strict=True)]
    parts = ((w * d * d).upper() for d, w in zip(steps, weights, strict=True))
    return sum(parts, arb(0))
