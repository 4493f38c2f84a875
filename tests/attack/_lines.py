"""Affine pieces of networks along a line, in fractions.

A function is a list of `Segment`s from left to right; each carries slope and level of
every unit of the layer at hand.
"""

import itertools
from dataclasses import dataclass
from fractions import Fraction

from ._networks import Net, slope_below

Affine = tuple[Fraction, Fraction]  # slope, level


@dataclass(frozen=True)
class Segment:
    """An interval on which all units are affine."""

    start: Fraction
    stop: Fraction
    units: list[Affine]


def segments(
    net: Net, origin: list[Fraction], step: list[Fraction], a: Fraction, b: Fraction
) -> list[Segment]:
    """The outputs along origin + t step for t in [a, b]; continuous activations."""
    inputs = list(zip(step, origin, strict=True))
    found = [Segment(a, b, inputs)]
    for layer in net.layers:
        found = [
            Segment(s.start, s.stop, _image(layer.weight, layer.bias, s.units))
            for s in found
        ]
        if layer.name is not None:
            slope = slope_below(layer.name)
            found = [_bent(p, slope) for s in found for p in _cut(s)]
    return found


def pieces(found: list[Segment], output: int = 0) -> list[Segment]:
    """Neighbours with one affine map merged."""
    merged: list[Segment] = []
    for s in found:
        unit = s.units[output]
        if merged and merged[-1].units[0] == unit:
            merged[-1] = Segment(merged[-1].start, s.stop, [unit])
        else:
            merged.append(Segment(s.start, s.stop, [unit]))
    return merged


def against_square(found: list[Segment]) -> tuple[Fraction, Fraction]:
    """sup |x^2 - f| and the mean of (x^2 - f)^2 over the whole interval."""
    largest, total = Fraction(0), Fraction(0)
    for s in found:
        slope, level = s.units[0]
        marks = [s.start, s.stop, min(max(slope / 2, s.start), s.stop)]
        largest = max(largest, *(abs(x * x - slope * x - level) for x in marks))
        # (x^2 - p x - q)^2 term by term
        p, q = slope, level
        terms = (q * q, 2 * p * q, p * p - 2 * q, -2 * p, Fraction(1))
        total += sum(
            c * (s.stop ** (k + 1) - s.start ** (k + 1)) / (k + 1)
            for k, c in enumerate(terms)
        )
    return largest, total / (found[-1].stop - found[0].start)


def _image(
    weight: list[list[Fraction]], bias: list[Fraction], units: list[Affine]
) -> list[Affine]:
    return [
        (
            sum(
                (w * slope for w, (slope, _) in zip(row, units, strict=True)),
                Fraction(0),
            ),
            sum((w * level for w, (_, level) in zip(row, units, strict=True)), b),
        )
        for row, b in zip(weight, bias, strict=True)
    ]


def _cut(s: Segment) -> list[Segment]:
    """The segment, cut where a unit changes sign."""
    zeros = {-level / slope for slope, level in s.units if slope}
    marks = [s.start, *sorted(z for z in zeros if s.start < z < s.stop), s.stop]
    return [Segment(a, b, s.units) for a, b in itertools.pairwise(marks)]


def _bent(s: Segment, below: Fraction) -> Segment:
    middle = (s.start + s.stop) / 2
    units = [
        (slope, level)
        if slope * middle + level >= 0
        else (below * slope, below * level)
        for slope, level in s.units
    ]
    return Segment(s.start, s.stop, units)
