"""ReLU networks whose units read the inputs and all earlier layers."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep._plural import plural
from depthsep.exact import rational
from depthsep.networks._affine import Affine
from depthsep.networks._circuit import Circuit, Wire
from depthsep.networks._layered import Layered
from depthsep.networks._network import Network


@dataclass(frozen=True)
class SkipNetwork(Layered):
    """h_k = relu(W_k (x, h_1, ..., h_(k-1)) + b_k); the last layer has no ReLU.

    Immutable. Widths, units and depth count as for a `Network`; connections that skip
    layers cost nothing, as in lower bounds that allow them.

    Args:
        in_dim: inputs.
        layers: affine maps; each reads the inputs, then all units of earlier layers.

    Raises:
        HypothesisError: no layers, shapes that do not fit.
    """

    in_dim: int
    layers: tuple[Affine, ...]  # pyrefly: ignore[bad-override] (frozen)

    def __init__(self, in_dim: int, layers: Sequence[Affine]) -> None:
        object.__setattr__(self, "in_dim", in_dim)
        object.__setattr__(self, "layers", tuple(layers))
        if not layers:
            raise HypothesisError("a network needs at least one affine layer")
        reads = in_dim
        for k, layer in enumerate(layers, start=1):
            if layer.shape[1] != reads:
                raise HypothesisError(
                    f"layer {k} takes {plural(layer.shape[1], 'value')}, but the "
                    f"inputs and the layers before it give {reads}"
                )
            reads += layer.shape[0]

    @staticmethod
    def from_arrays(in_dim: int, *weights_and_biases: object) -> "SkipNetwork":
        """From W1, b1, W2, b2, ...; W_k has a column for each input, then each unit."""
        if len(weights_and_biases) % 2:
            raise HypothesisError("give pairs: W1, b1, W2, b2, ...")
        pairs = zip(weights_and_biases[::2], weights_and_biases[1::2], strict=True)
        return SkipNetwork(in_dim, [Affine(w, b) for w, b in pairs])

    def __call__(self, x: Sequence[object]) -> tuple[fmpq, ...]:
        """The exact values at a rational point (floats are taken at face value)."""
        values = [rational(v, name="an input") for v in x]
        if len(values) != self.in_dim:
            raise HypothesisError(
                f"{plural(len(values), 'input')} given; the network takes {self.in_dim}"
            )
        for layer in self.layers[:-1]:
            values += [max(v, fmpq(0)) for v in layer(values)]
        return tuple(self.layers[-1](values))

    def floats(self, x: np.ndarray) -> np.ndarray:
        """Float64 values, vectorised: shape (..., in_dim) to (..., out_dim)."""
        values = np.asarray(x, dtype=np.float64)
        if values.ndim == 0 or values.shape[-1] != self.in_dim:
            raise HypothesisError(
                f"the last axis of x must have length {self.in_dim}, the "
                "number of inputs of the network"
            )
        for layer in self.layers[:-1]:
            weight, bias = layer.as_floats
            more = np.maximum(values @ weight.T + bias, 0.0)
            values = np.concatenate([values, more], axis=-1)
        weight, bias = self.layers[-1].as_floats
        return values @ weight.T + bias

    def layered(self) -> Network:
        """The same function without skips: values are passed on by more units.

        One for a unit and two for an input, in every layer that is skipped.
        """
        circuit = Circuit(self.in_dim)
        known, outputs = circuit.inputs, []
        for k, layer in enumerate(self.layers):
            outputs = [_joined(circuit, known, row, k) for row in layer.rational_rows()]
            if k < self.depth - 1:
                known += [circuit.relu(wire) for wire in outputs]
        return circuit.network(outputs)

    def __repr__(self) -> str:
        widths = " -> ".join(map(str, [self.in_dim, *self.widths, self.out_dim]))
        return f"SkipNetwork({widths})"


def _joined(
    circuit: Circuit, known: list[Wire], row: tuple[Sequence[fmpq], fmpq], layer: int
) -> Wire:
    """One affine row over wires of earlier layers, as a wire of this layer."""
    weights, bias = row
    parts = [
        w * circuit.delayed(wire, layer)
        for w, wire in zip(weights, known, strict=True)
        if w != 0
    ]
    return circuit.sum([Wire(layer, {}, bias), *parts])


def layered(network: Network | SkipNetwork) -> Network:
    """A network without skips as it is, one with skips in layers."""
    return network.layered() if isinstance(network, SkipNetwork) else network
