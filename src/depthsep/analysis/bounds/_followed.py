"""A network ready for bounds: float64 layers whose rounding is known, and its units."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from depthsep._errors import HypothesisError
from depthsep.analysis.bounds._balls import EPS, FLOOR
from depthsep.analysis.bounds._tables import table_units
from depthsep.analysis.bounds._units import (
    AbstractUnits,
    DifferenceUnits,
    ReluUnits,
    ThresholdUnits,
)
from depthsep.exact import rationals
from depthsep.networks import RELU, THRESHOLD, Activation, Affine, Network, as_relu

LARGEST = 1e100  # of a weight: no product of a few overflows


@dataclass(frozen=True, eq=False)
class Map:
    """x -> x weight + bias.

    Attributes:
        weight: (inputs, outputs).
        bias: (outputs,).
    """

    weight: np.ndarray
    bias: np.ndarray

    @cached_property
    def sizes(self) -> np.ndarray:
        """|weight|."""
        return np.abs(self.weight)

    @property
    def floor(self) -> float:
        """What rounding may change of a sum where numbers have fewer digits."""
        return (max(self.weight.shape) + 8) * FLOOR

    @property
    def share(self) -> float:
        """What rounding may change of a sum, by the sum of the sizes of its terms."""
        return (len(self.weight) + 8) * EPS


@dataclass(frozen=True, eq=False)
class Followed:
    """Maps, and the units between them."""

    maps: list[Map]
    units: list[AbstractUnits]

    @property
    def in_dim(self) -> int:
        """Inputs."""
        return len(self.maps[0].weight)

    @property
    def out_dim(self) -> int:
        """Outputs."""
        return len(self.maps[-1].bias)

    @property
    def widest(self) -> int:
        """Most numbers of a layer."""
        return max(max(m.weight.shape) for m in self.maps)


def followed(network: Network) -> Followed:
    """Any network whose units are known here.

    Raises:
        HypothesisError: units without bounds, or weights beyond 1e100.
    """
    chosen = as_relu(network)
    return Followed(
        list(map(_map, chosen.layers)), list(map(_units, chosen.activations))
    )


def difference(first: Network, second: Network) -> Followed:
    """second - first, neuron by neuron where they have the same shape.

    Raises:
        HypothesisError: other shapes, units without bounds, or weights beyond 1e100.
    """
    first, second = as_relu(first), as_relu(second)
    if (first.widths, first.activations) != (second.widths, second.activations):
        raise HypothesisError(
            "networks of different shapes cannot be compared neuron by neuron"
        )
    maps, count = [], len(first.layers)
    for k, (one, two) in enumerate(zip(first.layers, second.layers, strict=True)):
        a, b = _map(one), _map(_subtracted(two, one))
        # rows: what carries the first network, and what carries the difference
        whole = np.block(
            [[a.weight, b.weight], [np.zeros_like(a.weight), _map(two).weight]]
        )
        bias = np.concatenate([a.bias, b.bias])
        if k == 0:
            whole = whole[: len(a.weight)]
        if k == count - 1:
            whole, bias = whole[:, a.weight.shape[1] :], b.bias
        maps.append(Map(np.ascontiguousarray(whole), bias))
    return Followed(maps, [DifferenceUnits(_units(a)) for a in first.activations])


def _subtracted(a: Affine, b: Affine) -> Affine:
    """a - b, exactly."""
    return Affine(
        rationals(a.weight) - rationals(b.weight), rationals(a.bias) - rationals(b.bias)
    )


def _map(layer: Affine) -> Map:
    weight, bias = layer.as_floats
    if not (
        np.abs(weight).max(initial=0.0) <= LARGEST >= np.abs(bias).max(initial=0.0)
    ):
        raise HypothesisError(
            f"weights and biases have to be at most {LARGEST:g} in absolute value"
        )
    return Map(np.ascontiguousarray(weight.T), bias)


def _units(activation: Activation) -> AbstractUnits:
    if activation is RELU:
        return ReluUnits()
    if activation is THRESHOLD:
        return ThresholdUnits()
    return table_units(activation)
