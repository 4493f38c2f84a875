r"""Sines and cosines of high frequency: half-waves folded onto a few of them.

Extrema are mirrors: on an interval that n half-waves cover, f is f on q neighbouring
half-waves after ceil(n / q) folds. Networks are real ones, with folds at the extrema;
what follows them is proved on a slightly longer rational interval.
"""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from functools import cached_property

from flint import arb, ctx, fmpq

from depthsep.analysis import line_error
from depthsep.claims import AbstractConstruction, Upper
from depthsep.constructions.line._folds import balanced_bases
from depthsep.constructions.line._spread_interpolant import SpreadInterpolant
from depthsep.constructions.line.narrow._kinks_by_pairs import KinksByPairs
from depthsep.evidence import Enclosure
from depthsep.exact import ball_upper, dyadic_near, midpoint
from depthsep.laws import Segment
from depthsep.problems import Problem
from depthsep.targets import InnerProduct, Wave

PRECISION = 192
BITS = 80
PLAIN: tuple[AbstractConstruction, ...] = (
    SpreadInterpolant(flat=False),
    KinksByPairs(),
)
INSIDE: tuple[AbstractConstruction, ...] = (SpreadInterpolant(), KinksByPairs())
AROUND = (fmpq(3, 4), fmpq(7, 8), fmpq(1), fmpq(9, 8), fmpq(4, 3))
MOST_KEPT = 256


@dataclass(frozen=True)
class HalfWaves:
    """Folds, then a network for the half-waves that are kept.

    Attributes:
        problem: what the network inside solves.
    """

    folds: tuple[int, ...]
    inside: Upper
    problem: Problem

    @property
    def widths(self) -> tuple[int, ...]:
        """Of all hidden layers."""
        return (*self.folds, *self.inside.widths)

    @property
    def narrowed(self) -> "HalfWaves":
        """The same folds, with a flat piece inside if that saves a unit."""
        if len(self.inside.widths) > 1:
            return self
        inside = narrowest(INSIDE, self.problem, 2)
        return self if inside is None else replace(self, inside=inside)

    @cached_property
    def is_proved(self) -> bool:
        """Whether the network inside is within its accuracy, as examined."""
        error = line_error(self.inside.network, self.problem)
        return isinstance(error, Enclosure) and error.is_at_most(self.problem.accuracy)


def half_waves(
    target: InnerProduct, wave: Wave, reach: fmpq, accuracy: fmpq, layers: int
) -> HalfWaves | None:
    """The narrowest on [-reach, reach] whose inside is proved, if there is one."""
    found = list(_all(target, wave, reach, accuracy, layers))
    least = min((max(h.widths) for h in found), default=0)
    # a flat piece, which takes long to find, saves one unit: not where others lead
    found = [h.narrowed if max(h.widths) <= least + 1 else h for h in found]
    ordered = sorted(found, key=lambda h: (max(h.widths), sum(h.widths)))
    return next((h for h in ordered if h.is_proved), None)


def _all(
    target: InnerProduct, wave: Wave, reach: fmpq, accuracy: fmpq, layers: int
) -> Iterator[HalfWaves]:
    with ctx.workprec(PRECISION):
        length = arb.pi() / wave.argument(PRECISION)
        # mirrors inside, and one more
        count = int(ball_upper(2 * arb(reach) / length).ceil()) + 2
    one = _inside(target, wave, accuracy, 1, 2)
    if one is None:
        return
    each = max(one[0].widths)
    for folding in range(1, layers):
        for kept in _to_keep(count, each, folding):
            inside = _inside(target, wave, accuracy, kept, layers - folding + 1)
            if inside is not None:
                images = -(-count // kept) + 1
                yield HalfWaves(balanced_bases(images, folding), *inside)


def _to_keep(count: int, each: int, folding: int) -> set[int]:
    """Numbers of half-waves about which folds and what follows are equally wide."""
    balanced = (count ** (1 / folding) / each) ** (folding / (folding + 1))
    near = {round(float(share.p) / float(share.q) * balanced) for share in AROUND}
    return {1} | {q for q in near if 1 < q <= min(MOST_KEPT, count)}


def _inside(
    target: InnerProduct, wave: Wave, accuracy: fmpq, kept: int, depth: int
) -> tuple[Upper, Problem] | None:
    with ctx.workprec(PRECISION):
        length = arb.pi() / wave.argument(PRECISION)
        first = length * arb(fmpq(1, 2) if wave.shape == "sin" else fmpq(0))
        room = fmpq(1, 1 << BITS)
        start = dyadic_near(midpoint(first), BITS) - 2 * room
        stop = dyadic_near(midpoint(first + kept * length), BITS) + 2 * room
    problem = Problem(target.profile, Segment(start, stop), accuracy=accuracy)
    best = narrowest(PLAIN, problem, depth)
    return None if best is None else (best, problem)


def narrowest(
    constructions: tuple[AbstractConstruction, ...], problem: Problem, depth: int
) -> Upper | None:
    """What the constructions claim with the least width, then the fewest units."""
    answers = [c.prove(problem, depth) for c in constructions]
    found = [a for a in answers if isinstance(a, Upper)]
    return min(found, key=lambda a: (max(a.widths), sum(a.widths)), default=None)
