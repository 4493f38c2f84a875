"""Exact ranges of affine maps and activations on boxes, and along paths."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Protocol

import numpy as np
from flint import fmpq, fmpq_mat

from depthsep.exact import rational_array, rationals
from depthsep.networks._affine import Affine
from depthsep.networks.activations._activations import Activation

Range = tuple[fmpq, fmpq]
MOST_POINTS = 2000  # of a path, beyond which the ranges alone are kept


def image(row: Iterable[fmpq], bias: fmpq, ranges: Iterable[Range]) -> Range:
    """Where row @ x + bias lies, for x in a box: exact."""
    low = high = bias
    for w, (a, b) in zip(row, ranges, strict=True):
        low, high = (
            (low + w * a, high + w * b) if w > 0 else (low + w * b, high + w * a)
        )
    return low, high


def image_of(activation: Activation, low: fmpq, high: fmpq) -> Range:
    """Where the activation takes [low, high], as an interval around it.

    Raises:
        HypothesisError: it has no exact values.
    """
    ends = sorted((activation.exact(low), activation.exact(high)))
    if not activation.increasing and low < 0 < high:
        # |z| and z^2: down to 0 inside
        return fmpq(0), ends[1]
    return ends[0], ends[1]


class Reach(Protocol):
    """What the units of a layer may be, for inputs in a box or an interval."""

    def images(self, layer: Affine) -> list[Range]:
        """Where the values of an affine map lie."""
        ...

    def after(self, layer: Affine, activation: Activation) -> "Reach":
        """The same for the units of a layer that reads these."""
        ...


@dataclass(frozen=True)
class BoxReach:
    """A range for each unit, as if they were independent."""

    ranges: Sequence[Range]

    def images(self, layer: Affine) -> list[Range]:
        return [image(row, b, self.ranges) for row, b in layer.rational_rows()]

    def after(self, layer: Affine, activation: Activation) -> Reach:
        return BoxReach([image_of(activation, *ends) for ends in self.images(layer)])


@dataclass(frozen=True)
class PathReach:
    """The units of a network of one input: affine from each point to the next.

    Attributes:
        points: (points, units), rational.
    """

    points: np.ndarray

    def images(self, layer: Affine) -> list[Range]:
        values = self._values(layer)
        return list(zip(values.min(axis=0), values.max(axis=0), strict=True))

    def after(self, layer: Affine, activation: Activation) -> Reach:
        kinks = [-part.offset / part.sign for part in activation.relus]
        values = _with_crossings(self._values(layer), kinks)
        if len(values) > MOST_POINTS:
            return BoxReach(self.images(layer)).after(_identity(layer), activation)
        bent = [[activation.exact(z) for z in row] for row in values]
        return PathReach(np.array(bent, dtype=object))

    def _values(self, layer: Affine) -> np.ndarray:
        units, inputs = layer.shape
        points = fmpq_mat(len(self.points), inputs, self.points.ravel().tolist())
        weight = fmpq_mat(units, inputs, rationals(layer.weight).ravel().tolist())
        values = rational_array((points * weight.transpose()).entries())
        return values.reshape(-1, units) + rationals(layer.bias)


def _with_crossings(values: np.ndarray, kinks: Sequence[fmpq]) -> np.ndarray:
    """The points, and those between them at which some unit is at a kink."""
    path = [values[0]]
    for a, b in pairwise(values):
        step = b - a
        places = {
            (kink - x) / move
            for x, move in zip(a, step, strict=True)
            for kink in kinks
            if move != 0
        }
        path += [a + step * t for t in sorted(places) if 0 < t < 1]
        path.append(b)
    return np.array(path, dtype=object)


def _identity(layer: Affine) -> Affine:
    return Affine(np.eye(len(layer.bias)), np.zeros(len(layer.bias)))
