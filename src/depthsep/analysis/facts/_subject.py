"""A network on a box, and the two ways to know something of it: regions, or bounds."""

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass
from functools import cached_property
from time import monotonic
from typing import NamedTuple

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._deadline import deadline, seconds_left
from depthsep._errors import HypothesisError, OutOfTimeError, TooLargeError
from depthsep.analysis.bounds._climb import climbed
from depthsep.analysis.bounds._followed import Followed, followed
from depthsep.analysis.bounds._search import AbstractBounded, Largest, largest
from depthsep.analysis.regions import Subdivision, subdivide
from depthsep.analysis.regions.cells._domains import MOST_DIMS, Point
from depthsep.analysis.regions.cells._rational import RationalVertices
from depthsep.evidence import Enclosure, Rigour, enclosure
from depthsep.exact import float_above, rational, readable
from depthsep.laws import Box, Segment
from depthsep.networks import Network

MOST_REGIONS = 20_000
FOR_REGIONS = 0.25  # of the time
PRECISION = 192
TINY = 1e-280  # float64 bounds are not closer than that


class Side(NamedTuple):
    """Where one input lives; it may be a single number."""

    start: fmpq
    stop: fmpq

    @property
    def length(self) -> fmpq:
        """stop - start."""
        return self.stop - self.start


@dataclass(frozen=True, eq=False)
class Subject:
    """What is asked about.

    Attributes:
        sides: of the box, one for each input.
        outputs: numbers of the outputs that are looked at.
        seed: of points that are drawn.
    """

    network: Network
    sides: tuple[Side, ...]
    outputs: tuple[int, ...]
    seed: int = 0

    @staticmethod
    def on(
        domain: Segment | Box, network: Network, outputs: tuple[int, ...], seed: int = 0
    ) -> "Subject":
        """On the interval of one input, or a box."""
        given = domain.sides if isinstance(domain, Box) else (domain,)
        sides = tuple(Side(side.start, side.stop) for side in given)
        return Subject(network, sides, outputs, seed)

    @property
    def domain(self) -> Segment | Box | None:
        """The interval or the box; None where a side is a single number."""
        if any(side.length == 0 for side in self.sides):
            return None
        segments = [Segment(*side) for side in self.sides]
        return Box(segments) if len(segments) > 1 else segments[0]

    @cached_property
    def ends(self) -> tuple[np.ndarray, np.ndarray]:
        """Float corners of a box around the box, (n,) each."""
        low = [-float_above(-s.start) for s in self.sides]
        return np.array(low), np.array([float_above(s.stop) for s in self.sides])

    @cached_property
    def inner(self) -> tuple[np.ndarray, np.ndarray]:
        """Float corners of a box inside it, or a float beside a side that has none."""
        low = [float_above(s.start) for s in self.sides]
        high = [-float_above(-s.stop) for s in self.sides]
        return np.array(low), np.maximum(np.array(low), np.array(high))

    @cached_property
    def net(self) -> Followed:
        """For bounds."""
        return followed(self.network)

    @cached_property
    def regions(self) -> Subdivision | None:
        """All activation regions, in rationals; None where they are too many."""
        pieces = all(a.relus for a in self.network.activations)
        domain = self.domain
        if not pieces or self.network.in_dim > MOST_DIMS or domain is None:
            return None
        try:
            with deadline(seconds_left() * FOR_REGIONS):
                return subdivide(
                    self.network, domain, engine="rational", most=MOST_REGIONS
                )
        except (OutOfTimeError, TooLargeError, HypothesisError):
            return None

    @cached_property
    def corners(self) -> RationalVertices:
        """The corners of all regions, with the network's values there."""
        assert self.regions is not None
        vertices = copy(self.regions.complex.vertices)
        assert isinstance(vertices, RationalVertices)
        if self.regions.network.depth > 1:
            vertices.next_level()
        return vertices

    @property
    def is_smooth(self) -> bool:
        """Whether some units have no affine pieces."""
        return not all(a.pieces for a in self.network.activations)

    def largest(
        self,
        function: AbstractBounded,
        share: float,
        close: float,
        threshold: float | None = None,
    ) -> Largest:
        """The largest value on the box, to a share of it, in a share of the time."""
        low, high = self.ends
        stop_at, climb_until = stop_after(share), stop_after(share / 2)
        start, _ = climbed(function, *self.inner, seed=self.seed, stop_at=climb_until)
        return largest(
            *(function, low[None], high[None]),
            stop_at=stop_at,
            share=close,
            least=TINY,
            threshold=threshold,
            start=start,
        )

    def floats(self, points: np.ndarray) -> np.ndarray:
        """Values near those at (m, n) points, moved into the box."""
        with np.errstate(all="ignore"):
            return self.network.floats(self.inside(points))

    def point(self, floats: np.ndarray) -> Point:
        """A point of the box: the floats, or ends of sides that they are beyond."""
        pairs = zip(exact_floats(floats), self.sides, strict=True)
        return tuple(min(max(x, side.start), side.stop) for x, side in pairs)

    def inside(self, points: np.ndarray) -> np.ndarray:
        """Float points moved into the box."""
        return np.clip(points, *self.inner)

    def drawn(self, count: int) -> np.ndarray:
        """Random points of the box, (count, n)."""
        low, high = self.inner
        rng = np.random.default_rng(self.seed)
        return self.inside(low + (high - low) * rng.random((count, len(low))))

    def value(self, point: Sequence[fmpq], output: int) -> Enclosure:
        """At a point: exact, or a narrow ball."""
        if not self.is_smooth:
            value = self.network(point)[output]
            return Enclosure(value, value, Rigour.EXACT)
        with ctx.workprec(PRECISION):
            balls = self.network.balls([arb(x) for x in point])
        return enclosure(balls[output])

    def row(self, output: int) -> np.ndarray:
        """The combination of outputs that is that output."""
        return np.eye(self.network.out_dim)[output]


def stop_after(share: float) -> float:
    """A time on the clock: so much of what is left, at most."""
    return monotonic() + share * seconds_left()


def exact_floats(floats: np.ndarray) -> Point:
    """A float point, exactly."""
    return tuple(rational(v) for v in floats.tolist())


def point_words(point: Sequence[fmpq]) -> str:
    """A point as people write it."""
    words = ", ".join(readable(x).removeprefix("about ") for x in point[:6])
    more = ", ..." if len(point) > 6 else ""
    return f"({words}{more})" if len(point) > 1 else words
