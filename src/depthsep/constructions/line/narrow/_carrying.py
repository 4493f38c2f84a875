"""Layers under construction, in float64, that carry x - A and a sum."""

from dataclasses import dataclass, field

import numpy as np

from depthsep.networks import Affine, Network


@dataclass(frozen=True, eq=False)
class Reading:
    """An affine function of the units of one layer."""

    row: np.ndarray
    constant: float = 0.0

    def __add__(self, other: "Reading | float") -> "Reading":
        if isinstance(other, Reading):
            return Reading(self.row + other.row, self.constant + other.constant)
        return Reading(self.row, self.constant + other)

    def __rmul__(self, factor: float) -> "Reading":
        return Reading(factor * self.row, factor * self.constant)


def unit(place: int, units: int) -> Reading:
    """One unit of a layer, as it is."""
    row = np.zeros(units)
    row[place] = 1.0
    return Reading(row)


@dataclass
class Carrying:
    """What the last layer knows: x - A, and a sum (nothing before the first layer).

    Attributes:
        layers: those made so far.
        x: reads x - A, which is never negative on the interval [A, B].
        total: reads the sum; may be negative.
    """

    x: Reading
    total: Reading | None = None
    layers: list[Affine] = field(default_factory=list)

    def add(self, units: list[Reading]) -> list[Reading]:
        """One more hidden layer; its units, for the next."""
        rows = np.array([reading.row for reading in units])
        bias = np.array([reading.constant for reading in units])
        self.layers.append(Affine(rows, bias))
        return [unit(i, len(units)) for i in range(len(units))]

    def pass_on(self, lift: float) -> None:
        """A layer that only passes the sum on; with `lift` it is never negative."""
        assert self.total is not None
        (carried,) = self.add([self.total + lift])
        self.total = carried + -lift

    def network(self) -> Network:
        """The network that reads the sum."""
        assert self.total is not None
        last = Affine(self.total.row[None, :], np.array([self.total.constant]))
        return Network([*self.layers, last])


def lift_of(least: float) -> float:
    """A power of two to add to what is at least `least`, so that it is positive."""
    return 0.0 if least > 0 else float(2.0 ** np.ceil(np.log2(1e-6 - 2 * least)))


def through(x: np.ndarray, values: np.ndarray, units: int) -> Reading:
    """The function through (x, values), if relu(t - x_i), i < n, are the first units.

    Args:
        units: of the layer; those after the n first are not read.
    """
    row = np.zeros(units)
    row[: len(x) - 1] = np.diff(np.diff(values) / np.diff(x), prepend=0.0)
    return Reading(row, float(values[0]))
