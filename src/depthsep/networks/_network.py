"""`Network`: affine maps with activations between them."""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
from flint import arb, fmpq

from depthsep._display import report
from depthsep._errors import HypothesisError
from depthsep._plural import plural
from depthsep.exact import rational
from depthsep.networks._affine import Affine
from depthsep.networks._layered import Layered
from depthsep.networks.activations._activations import RELU, Activation

if TYPE_CHECKING:
    from matplotlib.axes import Axes

BLOCK = 1 << 24  # hidden values that are held at once: 128 MiB


@dataclass(frozen=True)
class Network(Layered):
    """A feed-forward network: layers[0], activation, layers[1], ..., layers[-1].

    Immutable. ``depth`` counts affine layers, so depth 2 has one hidden layer; the
    last affine map is the read-out and has no activation.

    Args:
        layers: the affine maps, each fitting the one before.
        activations: one for each hidden layer; ReLU everywhere if not given.

    Raises:
        HypothesisError: no layers, shapes that do not fit, weights not finite.
    """

    layers: tuple[Affine, ...]  # pyrefly: ignore[bad-override] (frozen)
    activations: tuple[Activation, ...]

    def __init__(
        self, layers: Sequence[Affine], activations: Sequence[Activation] | None = None
    ) -> None:
        chosen = [RELU] * (len(layers) - 1) if activations is None else activations
        object.__setattr__(self, "layers", tuple(layers))
        object.__setattr__(self, "activations", tuple(chosen))
        if not layers:
            raise HypothesisError("a network needs at least one affine layer")
        if len(chosen) != len(layers) - 1:
            raise HypothesisError(
                f"{len(layers)} layers need {len(layers) - 1} "
                f"activations, not {len(chosen)}"
            )
        for k, (a, b) in enumerate(pairwise(layers), start=1):
            if a.shape[0] != b.shape[1]:
                raise HypothesisError(
                    f"layer {k} gives {plural(a.shape[0], 'value')}, but layer "
                    f"{k + 1} takes {b.shape[1]}"
                )

    @staticmethod
    def from_arrays(
        *weights_and_biases: object, activation: Activation = RELU
    ) -> "Network":
        """From W1, b1, W2, b2, ...: one activation on every hidden layer."""
        if len(weights_and_biases) % 2:
            raise HypothesisError("give pairs: W1, b1, W2, b2, ...")
        pairs = zip(weights_and_biases[::2], weights_and_biases[1::2], strict=True)
        layers = [Affine(w, b) for w, b in pairs]
        return Network(layers, [activation] * (len(layers) - 1))

    @property
    def in_dim(self) -> int:
        """Inputs."""
        return self.layers[0].shape[1]

    @property
    def is_continuous(self) -> bool:
        """Whether every activation is continuous."""
        return all(a.continuous for a in self.activations)

    def __call__(self, x: Sequence[object]) -> tuple[fmpq, ...]:
        """The exact values at a rational point (floats are taken at face value)."""
        values = [rational(v, name="an input") for v in x]
        self._check_inputs(len(values))
        for layer, activation in zip(self.layers, self.activations, strict=False):
            values = [activation.exact(v) for v in layer(values)]
        return tuple(self.layers[-1](values))

    def balls(self, x: Sequence[arb]) -> tuple[arb, ...]:
        """Enclosures of the values on a box of balls, at flint's current precision."""
        values = [arb(v) for v in x]
        self._check_inputs(len(values))
        for layer, activation in zip(self.layers, self.activations, strict=False):
            values = [activation.balls(v) for v in layer.balls(values)]
        return tuple(self.layers[-1].balls(values))

    def floats(self, x: np.ndarray) -> np.ndarray:
        """Float64 values, vectorised: shape (..., in_dim) to (..., out_dim).

        Many points are taken in blocks, so that hidden values need little memory.
        """
        inputs = np.asarray(x, dtype=np.float64)
        self._check_inputs(inputs.shape[-1] if inputs.ndim else 0)
        rows = inputs.reshape(-1, self.in_dim)
        block = max(1, BLOCK // max(self.width, 1))
        if len(rows) <= block:
            return self._floats(inputs)
        found = np.empty((len(rows), self.out_dim))
        for start in range(0, len(rows), block):
            found[start : start + block] = self._floats(rows[start : start + block])
        return found.reshape(*inputs.shape[:-1], self.out_dim)

    def _floats(self, values: np.ndarray) -> np.ndarray:
        for layer, activation in zip(self.layers, self.activations, strict=False):
            weight, bias = layer.as_floats
            values = activation.floats(values @ weight.T + bias)
        weight, bias = self.layers[-1].as_floats
        return values @ weight.T + bias

    def _check_inputs(self, given: int) -> None:
        if given != self.in_dim:
            raise HypothesisError(
                f"{plural(given, 'input')} given; the network takes {self.in_dim}"
            )

    def plot(self, start: object = 0, stop: object = 1) -> "Axes":
        """As a function on [start, stop], or its regions on that square.

        Raises:
            HypothesisError: neither one input nor two.
        """
        return report("plot_network", self, start, stop)

    def __repr__(self) -> str:
        shown = [self.in_dim, *self.widths, self.out_dim]
        if len(shown) > 16:
            shown = [*shown[:8], "...", *shown[-4:]]
        widths = " -> ".join(map(str, shown))
        kind = "float64" if self.is_float else "rational"
        return f"Network({widths}, {kind})"
