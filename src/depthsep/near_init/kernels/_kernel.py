"""Tangent kernels and NNGP kernels of networks of infinite width."""

import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, overload

import numpy as np

from depthsep._errors import HypothesisError
from depthsep._inputs import Numbers, real, whole
from depthsep.near_init import _inputs as inputs
from depthsep.near_init import kernels
from depthsep.near_init.kernels._duals import kernel_activation
from depthsep.near_init.kernels._recursion import Architecture, diagonal
from depthsep.near_init.kernels.pairs._pairs import finite, matrix, side

if TYPE_CHECKING:
    import jax

MOST_DEPTH = 10_000


@dataclass(frozen=True)
class TangentKernel:
    r"""The kernel k_inf of fully connected networks of infinite width.

    Theta^1 = Q^1 = s <x, x'> + b; Q^(h+1) = c E sigma sigma + b; Theta^(h+1) =
    Q^(h+1) + Theta^h c E sigma' sigma', expectations under N(0, Q^h). With ReLU,
    c = 2 keeps the size of signals.

    Calling it gives the matrix of all pairs: a NumPy array for anything that NumPy
    reads (float32 stays float32, all else becomes float64), computed tile by tile on
    all cores; a JAX array for JAX arrays, traceable (not differentiable where points
    coincide), by row blocks, in their precision. Angles come from differences, not from
    a rounded cosine: at and near the diagonal and the antipode, too, values are about
    as accurate as the inputs' last digits allow (ReLU: 1e-14 of the kernel's size). A
    zero vector without biases has the kernel of a zero signal: 0 for ReLU.

    Args:
        activation: relu, leaky-relu:ALPHA, identity, abs, erf, sin, cos, exp, threshold
            (whose tangent kernel is infinite: use `nngp`).
        depth: affine layers; 2 is one hidden layer.
        weight_variance: c, of every layer after an activation (over its fan-in).
        bias_variance: b, of every layer, the last included.
        input_variance: s of the first layer, without 1/d.
        trained: the layers whose parameters are trained, counted from 1; all if None.
            (1,) at depth 2 is the first-layer kernel <x, x'> E sigma' sigma' with
            c = rho^2.

    Raises:
        HypothesisError: an unknown name; a depth, variance or layer out of range.

    Source:
        Telgarsky (2023), Theorem 3.19 and Proposition 3.23 (for any norms; the unit
        formula must not be applied to other inputs), and the recursion over layers of
        Jacot, Gabriel and Hongler (2018).
    """

    activation: str = "relu"
    depth: int = 2
    weight_variance: float = 1.0
    bias_variance: float = 0.0
    input_variance: float = 1.0
    trained: tuple[int, ...] | None = None

    def __post_init__(self) -> None:
        kernel_activation(self.activation)
        whole(self.depth, "depth", least=1, most=MOST_DEPTH)
        for name in ("weight_variance", "bias_variance", "input_variance"):
            value = real(getattr(self, name), name, least=0.0)
            if value == 0 and name != "bias_variance":
                raise HypothesisError(f"{name} is 0; give a positive number")
        if self.trained is not None:
            object.__setattr__(self, "trained", _layers(self.trained, self.depth))

    @overload
    def __call__(self, x: "jax.Array", z: object = None) -> "jax.Array": ...
    @overload
    def __call__(self, x: object, z: object = None) -> np.ndarray: ...
    def __call__(self, x: object, z: object = None) -> Numbers:
        """The tangent kernel of all pairs: (n, d) and (m, d) to (n, m).

        Args:
            z: x itself if None; then the NumPy matrix is exactly symmetric.

        Raises:
            HypothesisError: inputs that do not fit, hold NaN or have norms beyond 1e150
                (float32: 1e18), values that overflow, or thresholds.
        """
        self._architecture(tangent=True)
        return self._matrix(x, z, tangent=True)

    def nngp(self, x: object, z: object = None) -> Numbers:
        """The covariance of the output at random parameters, as `__call__`."""
        return self._matrix(x, z, tangent=False)

    def diagonal(self, x: object) -> np.ndarray:
        """k(x_i, x_i), shape (n,), without the matrix."""
        net, array = self._architecture(tangent=True), inputs.points(x, "x")
        with np.errstate(over="ignore", invalid="ignore", under="ignore"):
            found = side(np, net, array)
            square, layers = found.square, found.layers
            return finite(np.asarray(diagonal(np, net, square, layers)[1]))

    def by_layer(self, x: object, z: object = None) -> list[Numbers]:
        """The summand of every layer, first to last; `depth` kernels are computed."""
        layers = range(1, self.depth + 1)
        return [replace(self, trained=(h,))(x, z) for h in layers]

    def sharded(
        self, x: object, z: object = None, *, tangent: bool = True
    ) -> "jax.Array":
        """A JAX array with its rows spread over all devices."""
        net = self._architecture(tangent=tangent)
        return kernels.jax_matrix(net, x, z, tangent=tangent, spread=True)

    def _architecture(self, *, tangent: bool) -> Architecture:
        activation = kernel_activation(self.activation)
        if tangent and not activation.has_slope and self.depth > 1:
            raise HypothesisError(
                "threshold units have no tangent kernel (E sigma' "
                "sigma' is infinite); use the method nngp"
            )
        every = tuple(range(1, self.depth + 1))
        return Architecture(
            activation,
            self.depth,
            float(self.weight_variance),
            float(self.bias_variance),
            float(self.input_variance),
            every if self.trained is None else self.trained,
        )

    def _matrix(self, x: object, z: object, *, tangent: bool) -> Numbers:
        net = self._architecture(tangent=tangent)
        if _is_jax(x) or _is_jax(z):
            return kernels.jax_matrix(net, x, z, tangent=tangent)
        left = inputs.points(x, "x")
        right = None if z is None else inputs.points(z, "z")
        if right is not None and left.shape[1] != right.shape[1]:
            raise HypothesisError(
                f"points of x have {left.shape[1]} numbers, those of z "
                f"{right.shape[1]}; these must agree"
            )
        if right is not None and right.dtype != left.dtype:
            left, right = left.astype(np.float64), right.astype(np.float64)
        return matrix(net, left, right, tangent=tangent)


def _layers(trained: Iterable[object], depth: int) -> tuple[int, ...]:
    """The layers, each once, in order."""
    try:
        found = {whole(h, "a trained layer", least=1, most=depth) for h in trained}
    except TypeError:
        raise HypothesisError(
            f"`trained` is {trained}; give layers, such as (1,)"
        ) from None
    return tuple(sorted(found))


def _is_jax(x: object) -> bool:
    """Whether x is a JAX array or tracer, without loading JAX."""
    jax = sys.modules.get("jax")
    return jax is not None and isinstance(x, jax.Array)
