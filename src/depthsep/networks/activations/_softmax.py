"""Softmax after the last layer: class probabilities, and what is exact about them."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from flint import arb

from depthsep._display import Displayed
from depthsep._errors import HypothesisError
from depthsep.networks._affine import Affine
from depthsep.networks._network import Network


@dataclass(frozen=True)
class Softmax(Displayed):
    """p_i = exp(z_i) / sum_j exp(z_j), z the outputs of a network.

    Softmax keeps the order of outputs, so which class wins, and regions, crossings and
    level sets of log(p_i / p_j), are those of exact networks: see `log_odds`. Other
    final nonlinearities act on one output each; they are a hidden layer that an
    identity reads.

    Raises:
        HypothesisError: a network of fewer than two outputs.
    """

    network: Network

    def __post_init__(self) -> None:
        if self.network.out_dim < 2:
            raise HypothesisError("softmax needs a network of at least two outputs")

    @property
    def in_dim(self) -> int:
        """Inputs."""
        return self.network.in_dim

    @property
    def out_dim(self) -> int:
        """Classes."""
        return self.network.out_dim

    def floats(self, x: np.ndarray) -> np.ndarray:
        """Float64 probabilities: shape (..., in_dim) to (..., out_dim)."""
        z = self.network.floats(x)
        grown = np.exp(z - z.max(axis=-1, keepdims=True))
        return grown / grown.sum(axis=-1, keepdims=True)

    def balls(self, x: Sequence[arb]) -> tuple[arb, ...]:
        """Enclosures of the probabilities, as 1 / sum_j exp(z_j - z_i)."""
        z = self.network.balls(x)
        return tuple(1 / sum(((b - a).exp() for b in z), arb(0)) for a in z)

    def log_odds(self, first: int, second: int) -> Network:
        """log(p_first / p_second) = z_first - z_second: an exact network."""
        for index in (first, second):
            if not 0 <= index < self.out_dim:
                raise HypothesisError(
                    f"class {index} does not exist; there are "
                    f"{self.out_dim} classes, counted from 0"
                )
        *inner, last = self.network.layers
        (a, c), (b, e) = (list(last.rational_rows())[k] for k in (first, second))
        row = [x - y for x, y in zip(a, b, strict=True)]
        return Network([*inner, Affine([row], [c - e])], self.network.activations)

    def __repr__(self) -> str:
        return f"Softmax({self.network!r})"
