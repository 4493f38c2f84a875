"""Tangent kernels of finite networks, a summand for every block of parameters."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

import jax
import jax.numpy as jnp
import numpy as np
from jax import Array
from jaxtyping import PyTree

from depthsep._errors import HypothesisError
from depthsep._inputs import floats

NUMBERS_A_BLOCK = 1 << 25
Function = Callable[[PyTree, Array], Array]


@dataclass(frozen=True, eq=False)
class KernelBlocks:
    """k_m and its summands.

    Attributes:
        blocks: one matrix (n, m) for every array of parameters, by its path in the
            pytree; (n, m, k, k) for k outputs.
    """

    blocks: dict[str, np.ndarray]

    @property
    def total(self) -> np.ndarray:
        """The kernel: the sum of all blocks."""
        return sum(list(self.blocks.values())[1:], next(iter(self.blocks.values())))


def empirical_kernel(
    function: Function, parameters: PyTree, x: object, z: object = None
) -> KernelBlocks:
    """<dF(x), dF(z)> of any JAX network, block by block of parameters.

    Gradients are taken point by point in row blocks, so that at most 2^25 numbers of
    them are held, never the whole Jacobian.

    Args:
        function: (parameters, inputs (n, d)) to (n,) or (n, k), point by point.
        z: x itself if None.

    Raises:
        HypothesisError: no parameters, or inputs of different shapes, with NaN, or
            without an axis of points.

    Source:
        Telgarsky (2023), Section 3.3: the inner product of full gradients is the sum
        over blocks; biases are blocks too.
    """
    parameters = jax.tree.map(jnp.asarray, parameters)
    leaves = jax.tree.leaves(parameters)
    size = sum(leaf.size for leaf in leaves)
    if not size or not all(jnp.issubdtype(v.dtype, jnp.floating) for v in leaves):
        raise HypothesisError(
            "the parameters must be arrays of floats, and not all of them empty"
        )
    left = jnp.asarray(floats(x, "x"))
    right = left if z is None else jnp.asarray(floats(z, "z"))
    if left.shape[1:] != right.shape[1:] or left.ndim < 2:
        raise HypothesisError(
            f"x has shape {left.shape}, z has {right.shape}; these must be "
            "(n, ...) and (m, ...) with the same axes after the first"
        )
    outputs = _outputs(function, parameters, left)
    gradients = jax.jit(partial(_gradients, function))
    rows = max(1, NUMBERS_A_BLOCK // (2 * size * math.prod(outputs[:1])))
    paths = [jax.tree_util.keystr(p) for p, _ in _leaves(parameters)]
    shape = (len(left), len(right), *outputs)
    dtype = np.dtype(jnp.result_type(left, right, *leaves))
    found = {p: np.zeros(shape, dtype) for p in paths}
    for i in range(0, len(left), rows):
        own = gradients(parameters, left[i : i + rows])
        for j in range(i if z is None else 0, len(right), rows):
            same = z is None and i == j
            other = own if same else gradients(parameters, right[j : j + rows])
            for path, a, b in zip(paths, own, other, strict=True):
                tile = np.asarray(_product(a, b))
                found[path][i : i + rows, j : j + rows] = tile
                if z is None:
                    flipped = tile.swapaxes(0, 1)
                    flipped = flipped.swapaxes(2, 3) if tile.ndim == 4 else flipped
                    found[path][j : j + rows, i : i + rows] = flipped
    return KernelBlocks(found)


def _gradients(function: Function, w: PyTree, x: Array) -> list[Array]:
    """Each leaf's gradients, (points, p), or (points, k, p) for k outputs."""

    def one(point: Array) -> list[Array]:
        jacobian = jax.jacrev(lambda v: function(v, point[None])[0])(w)
        shape = jax.eval_shape(lambda v: function(v, point[None])[0], w).shape
        return [leaf.reshape(*shape, -1) for leaf in jax.tree.leaves(jacobian)]

    return jax.vmap(one)(x)


@jax.jit
def _product(a: Array, b: Array) -> Array:
    if a.ndim == 2:
        return jnp.matmul(a, b.T, precision="highest")
    return jnp.einsum("ikp,jlp->ijkl", a, b, precision="highest")


def _leaves(parameters: PyTree) -> list[tuple[jax.tree_util.KeyPath, Array]]:
    return jax.tree_util.tree_flatten_with_path(parameters)[0]


def _outputs(function: Function, w: PyTree, x: Array) -> tuple[int, ...]:
    one = jax.ShapeDtypeStruct((1, *x.shape[1:]), x.dtype)
    shape = jax.eval_shape(function, w, one).shape
    if len(shape) not in (1, 2) or shape[0] != 1:
        raise HypothesisError(
            f"for one point the network gives shape {shape}; for n "
            "points it must give (n,) or (n, k)"
        )
    return shape[1:] * 2
