"""Distances between piecewise-affine functions, and to exact forms.

Norms are with respect to the uniform probability law on the interval: l1 is a mean,
l2 the root of a mean square, linf the essential supremum.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from flint import fmpq

from depthsep._deadline import check_time
from depthsep._errors import HypothesisError
from depthsep.approximation.distance._exact_forms import residuals
from depthsep.approximation.distance._residuals import Residual
from depthsep.evidence import Enclosure, Rigour
from depthsep.exact import PiecewiseAffine, nearest_float, rational, sqrt_upper, total
from depthsep.laws import Segment
from depthsep.targets import ExactForm


@dataclass(frozen=True)
class Cell:
    """slope x + level on [start, stop]."""

    start: fmpq
    stop: fmpq
    slope: fmpq
    level: fmpq


def cells(f: PiecewiseAffine, start: fmpq, stop: fmpq) -> Iterator[Cell]:
    """The affine cells of f on [start, stop], left to right, jumps left out."""
    f = f.to_exact()
    knots, values = f.knots.tolist(), f.values.tolist()
    if (f.left_slope is None and start < knots[0]) or (
        f.right_slope is None and stop > knots[-1]
    ):
        raise HypothesisError(
            f"[{start}, {stop}] is not within the domain of the "
            f"function, whose knots lie from {knots[0]} to {knots[-1]}"
        )
    if f.left_slope is not None and start < knots[0]:
        slope = rational(f.left_slope)
        yield Cell(start, min(stop, knots[0]), slope, values[0] - slope * knots[0])
    for a, b, v, w in zip(knots, knots[1:], values, values[1:], strict=False):
        low, high = max(a, start), min(b, stop)
        if low < high:
            slope = (w - v) / (b - a)
            yield Cell(low, high, slope, v - slope * a)
    if f.right_slope is not None and stop > knots[-1]:
        slope = rational(f.right_slope)
        yield Cell(max(start, knots[-1]), stop, slope, values[-1] - slope * knots[-1])


def distance(
    f: PiecewiseAffine, g: PiecewiseAffine, norm: str, on: Segment
) -> Enclosure:
    """The distance of two piecewise-affine functions: exact if both are, else sampled.

    Raises:
        HypothesisError: an unknown norm, or an interval that leaves a domain.
    """
    if not (f.is_exact and g.is_exact) and not (f.jumps.any() or g.jumps.any()):
        return _float_distance(f, g, norm, on)
    exact = f.is_exact and g.is_exact
    parts = _difference(f, g, on)
    return measured(parts, norm, on.length, Rigour.EXACT if exact else Rigour.SAMPLED)


def distance_to_form(
    f: PiecewiseAffine, form: ExactForm, norm: str, on: Segment
) -> Enclosure:
    """The distance of a piecewise-affine function to an exact form.

    `exact`, except that l1 against a quadratic can have irrational sign changes and is
    then `enclosed` in a relative interval of about 2**-150.
    """
    parts = (
        r
        for c in _timely(cells(f, on.start, on.stop))
        for r in residuals(form, c.start, c.stop, c.slope, c.level)
    )
    rigour = Rigour.EXACT if f.is_exact else Rigour.SAMPLED
    return measured(parts, norm, on.length, rigour)


def _timely(found: Iterator[Cell]) -> Iterator[Cell]:
    for cell in found:
        check_time()
        yield cell


def _difference(
    f: PiecewiseAffine, g: PiecewiseAffine, on: Segment
) -> Iterator[Residual]:
    others = cells(g, on.start, on.stop)
    other = next(others)
    for cell in _timely(cells(f, on.start, on.stop)):
        start = cell.start
        while start < cell.stop:
            while other.stop <= start:
                other = next(others)
            stop = min(cell.stop, other.stop)
            slope, level = cell.slope - other.slope, cell.level - other.level
            yield Residual(stop - start, slope * start + level, slope, fmpq(0))
            start = stop


def measured(
    parts: Iterable[Residual], norm: str, length: fmpq, rigour: Rigour
) -> Enclosure:
    """The norm of residuals that together cover an interval of the given length."""
    if norm == "linf":
        worst = max(max(abs(x) for x in r.extremes()) for r in parts)
        return Enclosure(worst, worst, rigour)
    if norm == "l2":
        return from_square(total(r.square_integral() for r in parts) / length, rigour)
    if norm != "l1":
        raise HypothesisError(f"unknown norm {norm!r}; use linf, l1 or l2")
    bounds = [r.absolute_integral() for r in parts]
    low, high = (total(b[k] for b in bounds) / length for k in (0, 1))
    if low != high and rigour is Rigour.EXACT:
        rigour = Rigour.ENCLOSED
    return Enclosure(low, high, rigour)


def from_square(square: fmpq, rigour: Rigour) -> Enclosure:
    """The root of an exactly known square."""
    upper = sqrt_upper(square)
    lower = upper if upper * upper == square else square / upper
    return Enclosure(lower, upper, rigour, square)


def _float_distance(
    f: PiecewiseAffine, g: PiecewiseAffine, norm: str, on: Segment
) -> Enclosure:
    a, b = (nearest_float(x) for x in (on.start, on.stop))
    knots = np.union1d(f.knots.astype(float), g.knots.astype(float))
    knots = np.concatenate([[a], knots[(knots > a) & (knots < b)], [b]])
    r, h = f.floats(knots) - g.floats(knots), np.diff(knots)
    p, q = np.abs(r[:-1]), np.abs(r[1:])
    if norm == "linf":
        value = float(np.abs(r).max())
    elif norm == "l2":
        value = float(
            np.sqrt((h * (p * p + r[:-1] * r[1:] + q * q)).sum() / 3 / (b - a))
        )
    else:
        crossing = r[:-1] * r[1:] < 0
        both = np.where(p + q > 0, p + q, 1.0)
        mean = np.where(crossing, (p * p + q * q) / (2 * both), (p + q) / 2)
        value = float((h * mean).sum() / (b - a))
    return Enclosure(rational(value), rational(value), Rigour.SAMPLED)
