"""A network on a box, and the two ways to know something of it: regions, or bounds."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from time import monotonic

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._deadline import deadline, seconds_left
from depthsep._errors import HypothesisError, OutOfTimeError, TooLargeError
from depthsep.analysis.bounds._climb import climbed
from depthsep.analysis.bounds._followed import Followed, followed
from depthsep.analysis.bounds._search import AbstractBounded, Largest, largest
from depthsep.analysis.regions import Subdivision, subdivide
from depthsep.analysis.regions.cells._domains import MOST_DIMS, Point
from depthsep.evidence import Enclosure, Rigour, enclosure
from depthsep.exact import float_above, rational, readable
from depthsep.laws import Box, Segment
from depthsep.networks import Network, single_output

MOST_REGIONS = 20_000
FOR_REGIONS = 0.25  # of the time
PRECISION = 192


@dataclass(frozen=True, eq=False)
class Subject:
    """What is asked about.

    Attributes:
        on: the interval of one input, or the box.
        outputs: numbers of the outputs that are looked at.
        seed: of points that are drawn.
    """

    network: Network
    on: Segment | Box
    outputs: tuple[int, ...]
    seed: int = 0
    refused: list[str] = field(default_factory=list)

    @property
    def sides(self) -> tuple[Segment, ...]:
        """One for each input."""
        return self.on.sides if isinstance(self.on, Box) else (self.on,)

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
        if not pieces or self.network.in_dim > MOST_DIMS:
            return None
        try:
            with deadline(seconds_left() * FOR_REGIONS):
                return subdivide(
                    self.network, self.on, engine="rational", most=MOST_REGIONS
                )
        except (OutOfTimeError, TooLargeError, HypothesisError) as refusal:
            self.refused.append(str(refusal))
            return None

    @property
    def is_smooth(self) -> bool:
        """Whether some units have no affine pieces."""
        return not all(a.pieces for a in self.network.activations)

    def largest(self, function: AbstractBounded, share: float, close: float) -> Largest:
        """The largest value on the box, to a share of it, in a share of the time."""
        low, high = self.ends
        start, _ = climbed(function, *self.inner, seed=self.seed)
        return largest(
            *(function, low[None], high[None]),
            stop_at=stop_after(share),
            share=close,
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

    def one(self, output: int) -> Network:
        """A single output."""
        return single_output(self.network, output)

    def row(self, output: int) -> np.ndarray:
        """The combination of outputs that is that output."""
        return np.eye(self.network.out_dim)[output]


def stop_after(share: float) -> float:
    """A time on the clock: so much of what is left, at most."""
    return monotonic() + share * seconds_left()


@contextmanager
def at_most(share: float) -> Iterator[None]:
    """A part of the time that is left."""
    with deadline(seconds_left() * share):
        yield


def exact_floats(floats: np.ndarray) -> Point:
    """A float point, exactly."""
    return tuple(rational(v) for v in floats.tolist())


def point_words(point: Sequence[fmpq]) -> str:
    """A point as people write it."""
    words = ", ".join(readable(x).removeprefix("about ") for x in point[:6])
    more = ", ..." if len(point) > 6 else ""
    return f"({words}{more})" if len(point) > 1 else words
