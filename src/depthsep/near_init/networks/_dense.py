"""Fully connected networks in JAX, plain or in tangent-kernel scaling."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array

from depthsep._errors import HypothesisError
from depthsep._inputs import Numbers, whole
from depthsep.near_init import _inputs as inputs
from depthsep.near_init.kernels._kernel import TangentKernel
from depthsep.near_init.networks._initialisations import Layer, draw
from depthsep.near_init.networks._units import unit

NUMBERS_A_BLOCK = 1 << 25


@dataclass(frozen=True)
class DenseNetwork:
    """x to W_L sigma(... sigma(W_1 x + b_1)) + b_L, every layer times its scale.

    Callable as (layers, x): x (n, d) to (n,), or (n, k) for k > 1 outputs. `layers` is
    a tuple of `Layer`, a pytree; biases may be None.

    Attributes:
        scales: factors of the weights, one a layer; all 1 if empty.
        bias_scale: the factor of every bias.
        at_kink: see `unit`.
    """

    activation: str = "relu"
    scales: tuple[float, ...] = ()
    bias_scale: float = 1.0
    at_kink: float = 0.0

    def __post_init__(self) -> None:
        unit(self.activation, at_kink=self.at_kink)
        object.__setattr__(self, "scales", tuple(float(s) for s in self.scales))

    def __call__(self, layers: Sequence[Layer], x: Numbers) -> Array:
        return self._forward(layers, x, None)[0]

    def kernel(
        self, layers: Sequence[Layer], x: object, z: object = None
    ) -> list[np.ndarray]:
        """The tangent kernel of every layer, weights and bias together, (n, m) each.

        From activations h and signals delta = dF / d(pre-activation): layer l has
        s^2 <h, h'> <delta, delta'> (+ its bias), so memory is n times the width, not n
        times the number of parameters. One output only.
        """
        _one_output(layers)
        left = jnp.asarray(inputs.points(x, "x"))
        right = left if z is None else jnp.asarray(inputs.points(z, "z"))
        rows = max(1, NUMBERS_A_BLOCK // sum(2 * w.weight.shape[0] for w in layers))
        shape = (len(left), len(right))
        dtype = np.dtype(jnp.result_type(left, *layers[0][:1]))
        found = [np.zeros(shape, dtype) for _ in layers]
        for i in range(0, len(left), rows):
            a = _signals(self, layers, left[i : i + rows])
            for j in range(0, len(right), rows):
                b = _signals(self, layers, right[j : j + rows])
                for block, part in zip(found, _blocks(self, layers, a, b), strict=True):
                    block[i : i + rows, j : j + rows] = part
        return found

    def _forward(
        self, layers: Sequence[Layer], x: Numbers, taps: Sequence[Array] | None
    ) -> tuple[Array, list[Array]]:
        """Values and the inputs of every layer; taps are added to pre-activations."""
        sigma, taken = unit(self.activation, at_kink=self.at_kink), []
        h = jnp.asarray(x)
        scales = self.scales or (1.0,) * len(layers)
        if not layers:
            raise HypothesisError("a network needs at least one layer")
        if len(scales) != len(layers) or layers[0].weight.shape[1] != x.shape[-1]:
            raise HypothesisError(
                f"{len(layers)} layers, inputs of shape {x.shape}, {len(scales)} "
                f"scales and {layers[0].weight.shape[1]} inputs of the first layer do "
                "not fit together; give one scale for each layer, and points with as "
                "many numbers as the first layer has inputs"
            )
        for k, (layer, scale) in enumerate(zip(layers, scales, strict=True)):
            taken.append(h)
            h = scale * jnp.matmul(h, jnp.asarray(layer.weight).T, precision="highest")
            h = h if layer.bias is None else h + self.bias_scale * layer.bias
            h = h if taps is None else h + taps[k]
            h = h if k == len(layers) - 1 else sigma(h)
        return (h[..., 0] if h.shape[-1] == 1 else h), taken


def finite_network(
    kernel: TangentKernel, dim: int, width: int, seed: int, *, init: str = "gaussian"
) -> tuple[DenseNetwork, tuple[Layer, ...]]:
    """A network of finite width whose tangent kernel tends to `kernel`, and its start.

    Weights are scaled by sqrt(variance / fan-in) outside (the first layer by
    sqrt(input_variance)), biases by sqrt(bias_variance). All layers have parameters;
    `kernel.trained` says which to train.

    Args:
        init: "gaussian"; "signs" or "symmetrised" at depth 2 without biases.

    Raises:
        HypothesisError: an initialisation whose limit is another kernel.
    """
    biased = kernel.bias_variance > 0
    shallow = kernel.depth == 2 and not biased
    if init != "gaussian" and not (shallow and init in ("signs", "symmetrised")):
        raise HypothesisError(
            f"networks with the initialisation {init} and depth {kernel.depth} are "
            "not known to have this kernel as their limit; use the initialisation "
            "gaussian or, only at depth 2 without biases, signs or symmetrised"
        )
    width = whole(width, "width", least=1)
    sizes = (dim, *(width,) * (kernel.depth - 1), 1)
    layers = draw(init, sizes, seed)
    if not biased:
        layers = tuple(Layer(layer.weight) for layer in layers)
    later = (kernel.weight_variance / width) ** 0.5
    scales = (kernel.input_variance**0.5, *(later,) * (kernel.depth - 1))
    network = DenseNetwork(kernel.activation, scales, kernel.bias_variance**0.5)
    return network, layers


def _one_output(layers: Sequence[Layer]) -> None:
    if layers[-1].weight.shape[0] != 1:
        raise HypothesisError(
            f"the network has {layers[-1].weight.shape[0]} outputs, but the kernel by "
            "layers needs one output (empirical_kernel takes several)"
        )


@partial(jax.jit, static_argnums=0)
def _signals(
    network: DenseNetwork, layers: Sequence[Layer], x: Array
) -> tuple[list[Array], list[Array]]:
    """Inputs h and signals delta of every layer, each (n, width)."""
    taps = [jnp.zeros((len(x), w.weight.shape[0]), x.dtype) for w in layers]

    def value(taps: list[Array]) -> tuple[Array, list[Array]]:
        out, taken = network._forward(layers, x, taps)
        return out.sum(), taken

    signals, taken = jax.grad(value, has_aux=True)(taps)
    return taken, signals


def _blocks(
    network: DenseNetwork,
    layers: Sequence[Layer],
    a: tuple[list[Array], list[Array]],
    b: tuple[list[Array], list[Array]],
) -> list[Array]:
    scales = network.scales or (1.0,) * len(layers)
    found = []
    for k, (h, g, delta, epsilon) in enumerate(
        zip(a[0], b[0], a[1], b[1], strict=True)
    ):
        inner = scales[k] ** 2 * jnp.matmul(h, g.T, precision="highest")
        if layers[k].bias is not None:
            inner = inner + network.bias_scale**2
        found.append(inner * jnp.matmul(delta, epsilon.T, precision="highest"))
    return found
