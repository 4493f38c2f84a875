r"""Simplices of the activation regions of a network, with what is known on each.

On one with vertices v_i the network is affine. With w_ij = v_i - v_j, H the middle of
the enclosed second derivatives of f and D their radii, network - f is within

    n / (4 (n + 1)) max_(i<j) sum_k D_k (w_ij)_k^2,    D_k = sum_l D_kl,

of sum_i lambda_i r_i + sum_(i<j) lambda_i lambda_j w_ij' H w_ij / 2, r_i its values at
the v_i: by Taylor's formula from x to each v_i with weights lambda_i, as
sum_i lambda_i (v_i - x)' A (v_i - x) = sum_(i<j) lambda_i lambda_j w_ij' A w_ij.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, reduce
from itertools import combinations, combinations_with_replacement
from math import prod

import numpy as np
from flint import arb, arb_mat, fmpq, fmpq_mat

from depthsep._deadline import is_over
from depthsep._errors import TooLargeError
from depthsep.analysis.regions import subdivide
from depthsep.analysis.regions.cells._domains import MOST_DIMS
from depthsep.laws import Box
from depthsep.networks import RELU, Network, as_relu
from depthsep.targets import Formula

PRECISION = 96
MOST_REGIONS = 20_000
STEADY = 0.05  # relative width of second derivatives that halves keep
Place = tuple[arb, ...]
Pair = tuple[int, int]


@dataclass(frozen=True)
class Corner:
    """Where a corner is, the network's value and network - f there, as balls."""

    place: Place
    value: arb
    off: arb


@dataclass(frozen=True)
class Simplex:
    """A part of a region.

    Attributes:
        bends: second derivatives of the target by pairs of axes.
        share: of the volume of the box.
    """

    corners: tuple[Corner, ...]
    bends: dict[Pair, arb]
    share: arb

    @property
    def values(self) -> arb:
        """The network's, enclosed."""
        return hull([corner.value for corner in self.corners])

    @property
    def hull(self) -> list[arb]:
        """The smallest box around it."""
        return box_around(self.corners)

    @cached_property
    def _steps(self) -> arb_mat:
        """v_i - v_0 in rows, i > 0."""
        first, *others = (corner.place for corner in self.corners)
        n = len(first)
        return arb_mat(
            n, n, [x - y for p in others for x, y in zip(p, first, strict=True)]
        )

    def _along_edges(self, form: Sequence[arb]) -> dict[Pair, arb]:
        """w_ij' A w_ij for every edge, A symmetric and given entry by entry."""
        n, steps = len(self.corners) - 1, self._steps
        products = (steps * arb_mat(n, n, form) * steps.transpose()).entries()
        lengths = {(0, i + 1): products[i * n + i] for i in range(n)}
        for i, k in combinations(range(n), 2):
            sides = products[i * n + i] + products[k * n + k]
            lengths[i + 1, k + 1] = sides - 2 * products[i * n + k]
        return lengths

    @cached_property
    def curves(self) -> dict[Pair, arb]:
        """w_ij' H w_ij for the edges."""
        n = len(self.corners) - 1
        middles = {pair: x.mid() for pair, x in self.bends.items()}
        whole = [middles[min(i, k), max(i, k)] for i in range(n) for k in range(n)]
        return self._along_edges(whole)

    @cached_property
    def spreads(self) -> dict[Pair, arb]:
        """sum_k D_k (w_ij)_k^2 for the edges, from above."""
        radii = {pair: x.rad() for pair, x in self.bends.items()}
        return self.lengths(self._row_sums(radii))

    def bernstein(self) -> dict[Pair, arb]:
        """The Bernstein coefficients of the quadratic near network - f, for i <= k."""
        off = [corner.off for corner in self.corners]
        mixed = {
            (i, k): (off[i] + off[k]) / 2 + x / 4 for (i, k), x in self.curves.items()
        }
        return mixed | {(i, i): x for i, x in enumerate(off)}

    def rest(self) -> arb:
        """By how much network - f may be off that quadratic."""
        n = len(self.corners) - 1
        return largest([*self.spreads.values()]) * n / (4 * (n + 1))

    @cached_property
    def stretches(self) -> dict[Pair, arb]:
        """sum_kl sup |d_k d_l f| (w_ij)_k^2 for the edges, from above."""
        return self.lengths(self._row_sums(self.bends))

    @property
    def is_smooth(self) -> bool:
        """Whether second derivatives are bounded."""
        return all(stretch.is_finite() for stretch in self.stretches.values())

    @property
    def longest(self) -> Pair:
        """The edge along which the target can bend most, where that is known."""
        plain = [arb(1)] * (len(self.corners) - 1)
        lengths = self.stretches if self.is_smooth else self.lengths(plain)
        return max(lengths, key=lambda edge: float(lengths[edge]))

    def _row_sums(self, bends: dict[Pair, arb]) -> list[arb]:
        return [
            sum((abs(x).upper() for pair, x in bends.items() if k in pair), arb(0))
            for k in range(len(self.corners) - 1)
        ]

    def lengths(self, weights: Sequence[arb]) -> dict[Pair, arb]:
        """Squares of edges, with weighted coordinates, from above."""
        n = len(weights)
        form = [weights[i] if i == k else arb(0) for i in range(n) for k in range(n)]
        return {pair: x.upper() for pair, x in self._along_edges(form).items()}


class Cutter:
    """Makes simplices for one target, and halves them."""

    def __init__(self, target: Formula) -> None:
        self.target, dim = target, target.dim
        self.first = [int(axis == 0) for axis in range(dim)]
        self.pairs = list(combinations_with_replacement(range(dim), 2))

    def whole(
        self, network: Network, box: Box, stop_at: float, seconds: float
    ) -> list[Simplex] | None:
        """All simplices; None if they are too many, or not of such a network."""
        network = as_relu(network)
        relus = all(a is RELU for a in network.activations)
        if network.in_dim > MOST_DIMS or not relus:
            return None
        try:
            regions = subdivide(network, box, most=MOST_REGIONS, seconds=seconds)
        except TooLargeError:
            return None
        used, rows = np.unique(regions.simplices, return_inverse=True)
        places = [
            tuple(arb(x) for x in regions.point(vertex)) for vertex in used.tolist()
        ]
        values = values_at(network, places)
        corners = [self.corner(x, y) for x, y in zip(places, values, strict=True)]
        volume = arb(prod((side.length for side in box.sides), start=fmpq(1)))
        found: list[Simplex] = []
        for row in np.reshape(rows, regions.simplices.shape):
            if is_over(stop_at):
                return None
            chosen = tuple(corners[int(vertex)] for vertex in row)
            found.append(self.simplex(chosen, _volume(chosen) / volume))
        return found

    def corner(self, place: Place, value: arb) -> Corner:
        """A corner, with the target's value there."""
        return Corner(place, value, value - self.value([*place]))

    def value(self, box: Sequence[arb]) -> arb:
        """The target, enclosed over a box of balls."""
        return self.target.along(self.first, box).value

    def simplex(
        self,
        corners: tuple[Corner, ...],
        share: arb,
        bends: dict[Pair, arb] | None = None,
    ) -> Simplex:
        """A simplex; second derivatives may be known from one around it."""
        if bends is None:
            box = box_around(corners)
            bends = {pair: self._bend(pair, box) for pair in self.pairs}
        return Simplex(corners, bends, share)

    def _bend(self, pair: Pair, box: Sequence[arb]) -> arb:
        i, k = pair
        if i != k:
            return self.target.mixed_of(pair, box)
        step = [int(n == i) for n in range(self.target.dim)]
        return self.target.along(step, box).second

    def halves(self, simplex: Simplex) -> list[Simplex]:
        """Cut across the longest edge."""
        edge = simplex.longest
        a, b = (simplex.corners[k] for k in edge)
        middle = tuple((x + y) / 2 for x, y in zip(a.place, b.place, strict=True))
        corner = self.corner(middle, (a.value + b.value) / 2)
        size = largest([abs(x) for x in simplex.bends.values()])
        steady = all(x.rad() <= STEADY * size for x in simplex.bends.values())
        bends, share = simplex.bends if steady else None, simplex.share / 2
        cut = [(*simplex.corners[:k], corner, *simplex.corners[k + 1 :]) for k in edge]
        return [self.simplex(corners, share, bends) for corners in cut]


def values_at(network: Network, places: Sequence[Place]) -> list[arb]:
    """A ReLU network with one output at many points."""
    read = arb_mat([list(coordinates) for coordinates in zip(*places, strict=True)])
    for number, layer in enumerate(network.layers):
        weights, biases = zip(*layer.rational_rows(), strict=True)
        read = arb_mat(fmpq_mat(list(weights))) * read
        rows = [
            [x + b for x in row] for row, b in zip(read.tolist(), biases, strict=True)
        ]
        if number < len(network.layers) - 1:
            rows = [[x.max(arb(0)) for x in row] for row in rows]
        read = arb_mat(rows)
    return read.tolist()[0]


def box_around(corners: Sequence[Corner]) -> list[arb]:
    """The smallest box with all corners."""
    return [hull(parts) for parts in zip(*(c.place for c in corners), strict=True)]


def hull(balls: Sequence[arb]) -> arb:
    """The smallest ball around balls."""
    return reduce(lambda a, b: a.union(b), balls)


def largest(balls: Sequence[arb]) -> arb:
    """The maximum."""
    return reduce(lambda a, b: a.max(b), balls)


def _volume(corners: Sequence[Corner]) -> arb:
    first, *others = (corner.place for corner in corners)
    steps = [[x - y for x, y in zip(p, first, strict=True)] for p in others]
    size = abs(arb_mat(steps).det())
    for n in range(2, len(corners)):
        size /= n
    return size
