"""Lipschitz constants of one output, with inputs in l1, l2 and linf."""

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from flint import arb, ctx, fmpq

from depthsep.analysis.bounds._gradients import DUAL, GradientNorm, Slopes
from depthsep.analysis.facts._between import Between, exactly
from depthsep.analysis.facts._subject import (
    PRECISION,
    Subject,
    point_words,
)
from depthsep.analysis.inspection.facts._fact import AbstractFact, Rows
from depthsep.analysis.inspection.facts._left_out import LeftOut
from depthsep.analysis.regions.cells._domains import Point
from depthsep.analysis.regions.cells._maps import exact_maps
from depthsep.evidence import enclosure
from depthsep.exact import rational, text

CLOSE = 1e-3
APART = 2.0**-24  # of a pair of points whose quotient is a lower bound


@dataclass(frozen=True)
class Lipschitz(AbstractFact):
    """The least L with |f(x) - f(y)| <= L |x - y| on the box, for each norm.

    Attributes:
        values: by the norm of the inputs; one norm where there is one input.
        points: near which the function is as steep as the lower ends say.
    """

    output: int
    values: dict[str, Between]
    points: dict[str, Point]

    def rows(self) -> Rows:
        """One a norm."""
        name = f"output {self.output + 1}, Lipschitz"
        one = len(self.values) == 1
        return [
            (
                name if one else f"{name} ({norm})",
                f"{value} ({value.rigour}) near {point_words(self.points[norm])}",
            )
            for norm, value in self.values.items()
        ]

    def to_json(self) -> dict[str, object]:
        """By the norm of the inputs."""
        values = {
            norm: {
                **value.to_json(),
                "near": [text(x) for x in self.points[norm]],
            }
            for norm, value in self.values.items()
        }
        return {f"lipschitz_{self.output + 1}": values}


def lipschitz(subject: Subject, output: int, share: float) -> Lipschitz | LeftOut:
    """Exact where regions are few; else between a pair of points and bounds."""
    if not subject.network.is_continuous:
        return LeftOut("Lipschitz constants, as the network is discontinuous")
    norms = tuple(DUAL) if subject.network.in_dim > 1 else ("l2",)
    if subject.regions is not None:
        found = {norm: _by_regions(subject, output, norm) for norm in norms}
    else:
        found = {
            norm: _by_bounds(subject, output, norm, share / (len(norms) - k))
            for k, norm in enumerate(norms)
        }
        found = _in_order(found)
    values = {norm: value for norm, (value, _) in found.items()}
    return Lipschitz(
        output, values, {norm: point for norm, (_, point) in found.items()}
    )


Found = dict[str, tuple[Between, Point]]


def _in_order(found: Found) -> Found:
    """|x|_linf <= |x|_l2 <= |x|_l1: the constants fall in this order."""
    names = [norm for norm in ("linf", "l2", "l1") if norm in found]
    for larger, smaller in [*pairwise(names)][::-1]:  # what is seen of the smaller
        (a, _), (b, point) = found[larger], found[smaller]
        if b.lower is not None and (a.lower is None or b.lower > a.lower):
            found[larger] = replace(a, lower=b.lower), point
    for larger, smaller in pairwise(names):  # what is proved of the larger
        (a, _), (b, point) = found[larger], found[smaller]
        if a.upper is not None and (b.upper is None or a.upper < b.upper):
            found[smaller] = replace(b, upper=a.upper), point
    return found


def _by_regions(subject: Subject, output: int, norm: str) -> tuple[Between, Point]:
    """The largest dual norm of the regions' slopes."""
    slopes, scale, _ = slopes_in_regions(subject, output)
    sizes = np.abs(slopes)
    if DUAL[norm] == "l2":
        squares = (sizes * sizes).sum(axis=1)
        best = int(squares.argmax())
        square = fmpq(int(squares[best]), int(scale) ** 2)
        with ctx.workprec(PRECISION):
            root = enclosure(arb(square).sqrt())
        value = Between(root.lower, root.upper)
        if subject.network.in_dim == 1:
            value = exactly(fmpq(int(sizes[best, 0]), int(scale)))
    else:
        each = sizes.sum(axis=1) if DUAL[norm] == "l1" else sizes.max(axis=1)
        best = int(each.argmax())
        value = exactly(fmpq(int(each[best]), int(scale)))
    assert subject.regions is not None
    return value, middle_of(subject.regions[best].corners)


def slopes_in_regions(
    subject: Subject, output: int
) -> tuple[np.ndarray, int, np.ndarray]:
    """Integers (regions, n) over one denominator, and the constants."""
    found = subject.regions
    assert found is not None
    table, scale = exact_maps(found.network.layers, found.complex.patterns)
    rows = table[:, output].astype(object)
    return rows[:, 1:], scale, rows[:, 0]


def middle_of(corners: tuple[Point, ...]) -> Point:
    """The mean of points."""
    count = len(corners)
    return tuple(sum(xs, fmpq(0)) / count for xs in zip(*corners, strict=True))


def _by_bounds(
    subject: Subject, output: int, norm: str, share: float
) -> tuple[Between, Point]:
    row = subject.row(output)
    slopes = Slopes(subject.net, row)
    function = GradientNorm(subject.net, row, DUAL[norm], slopes)
    found = subject.largest(function, share, CLOSE)
    point = subject.inside(found.point)
    lower = _quotient(subject, output, norm, point, slopes(point[None])[0])
    upper = rational(found.upper) if np.isfinite(found.upper) else None
    return Between(lower, upper), subject.point(point)


def _quotient(
    subject: Subject, output: int, norm: str, point: np.ndarray, slope: np.ndarray
) -> fmpq:
    """|f(x) - f(y)| / |x - y| of two points, along the steepest way for the norm."""
    way = slope
    if norm == "linf":
        way = np.sign(slope)
    elif norm == "l1":
        way = np.where(np.abs(slope) == np.abs(slope).max(), np.sign(slope), 0.0)
    if not np.isfinite(way).all():
        return fmpq(0)
    low, high = subject.inner
    step = APART * (high - low).min() * way / max(np.abs(way).max(), 1e-300)
    first, second = subject.point(point - step), subject.point(point + step)
    if first == second:
        return fmpq(0)
    a, b = subject.value(first, output), subject.value(second, output)
    rise = max(b.lower - a.upper, a.lower - b.upper, fmpq(0))
    gaps = [abs(x - y) for x, y in zip(first, second, strict=True)]
    if norm == "l1":
        return rise / sum(gaps, fmpq(0))
    if norm == "linf":
        return rise / max(gaps)
    with ctx.workprec(PRECISION):
        square = sum((g * g for g in gaps), fmpq(0))
        return enclosure(arb(rise) / arb(square).sqrt()).lower
