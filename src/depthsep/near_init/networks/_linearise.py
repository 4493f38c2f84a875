r"""Linearisations in the parameters: of any JAX function, with no Jacobian stored."""

from collections.abc import Callable
from dataclasses import dataclass

import jax
import jax.numpy as jnp
from jax import Array
from jaxtyping import PyTree

from depthsep._errors import HypothesisError
from depthsep._inputs import Numbers
from depthsep.near_init.kernels._regression import fit
from depthsep.near_init.networks._empirical_kernel import empirical_kernel

Function = Callable[..., Array]  # (parameters, *inputs) to values
REFINEMENTS = 3


def linearise(function: Function, start: PyTree) -> Function:
    """F_0(w, x) = F(w_0, x) + <dF(w_0, x), w - w_0>, a function of (w, x) like F.

    One forward-mode product a call; differentiable in w and x. At kinks the derivative
    is the one of `function`'s own activations (`unit` states the choice; jax.nn.relu
    takes 0, jnp.maximum takes 1/2).

    Args:
        function: (parameters, *inputs) to an array; parameters are any pytree.
        start: w_0.

    Source:
        Telgarsky (2023), Definition 3.1.
    """

    def linear(parameters: PyTree, *inputs: Numbers) -> Array:
        step = jax.tree.map(lambda w, w0: w - w0, parameters, start)
        value, change = jax.jvp(lambda w: function(w, *inputs), (start,), (step,))
        return value + change

    return linear


def distance(parameters: PyTree, start: PyTree) -> Array:
    """The Frobenius distance |w - w_0| of two pytrees of equal shapes."""
    shapes = [[jnp.shape(v) for v in jax.tree.leaves(w)] for w in (parameters, start)]
    if shapes[0] != shapes[1]:
        raise HypothesisError("the parameters and their start have different shapes")
    squares = jax.tree.map(lambda w, w0: jnp.sum((w - w0) ** 2), parameters, start)
    return jnp.sqrt(sum(jax.tree.leaves(squares)))


@dataclass(frozen=True, eq=False)
class LeastSquares:
    """The nearest parameters to w_0 whose linearisation fits the data best.

    Attributes:
        parameters: w_0 + J^T (J J^T)^+ (y - F(w_0)), with steps of refinement.
        residual: largest |F_0(x_i) - y_i| left.
        rank, cutoff: eigenvalues of J J^T above the cutoff are inverted; directions
            of J below the root of it are left alone.
    """

    parameters: PyTree
    residual: float
    rank: int
    cutoff: float


def minimum_norm(
    function: Function, start: PyTree, x: Numbers, y: Numbers
) -> LeastSquares:
    """Ordinary least squares for F_0, of least distance from w_0.

    Args:
        function: (parameters, inputs (n, d)) to (n,).
        y: (n,).

    Source:
        Telgarsky (2023), Section 3.3: in print (J^T J)^+ J (y - F), whose shapes do not
        fit and which lacks w_0. The Gram matrix of the kernel is J J^T.
    """
    value, pull = jax.vjp(lambda w: function(w, x), start)
    target = jnp.asarray(y, value.dtype)
    if value.shape != target.shape or value.ndim != 1:
        raise HypothesisError(
            f"the network gives shape {value.shape} and the targets "
            f"have {target.shape}; both must be (n,)"
        )
    gram = empirical_kernel(function, start, x).total
    linear, parameters = linearise(function, start), start
    found = fit(gram, target - value, method="least-squares")
    for k in range(REFINEMENTS):  # J J^T squares the condition number of J
        if k:
            left = target - linear(parameters, x)
            found = fit(gram, left, method="least-squares")
        (step,) = pull(jnp.asarray(found.coefficients, value.dtype))
        parameters = jax.tree.map(lambda w, s: w + s, parameters, step)
    left = target - linear(parameters, x)
    return LeastSquares(
        parameters, float(jnp.max(jnp.abs(left))), found.rank, found.cutoff
    )
