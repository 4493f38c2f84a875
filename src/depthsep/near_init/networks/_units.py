"""Activations for JAX, with a stated derivative at the kink."""

from collections.abc import Callable
from functools import lru_cache

import jax
import jax.numpy as jnp
from jax import Array

from depthsep._errors import HypothesisError
from depthsep.exact import nearest_float
from depthsep.near_init.kernels._duals import leak_of

_SMOOTH: dict[str, Callable[[Array], Array]] = {
    "tanh": jnp.tanh,
    "logistic": jax.nn.sigmoid,
    "softplus": jax.nn.softplus,
    "erf": jax.scipy.special.erf,
    "sin": jnp.sin,
    "cos": jnp.cos,
    "exp": jnp.exp,
    "identity": lambda z: z,
}


def unit(name: str, *, at_kink: float = 0.0) -> Callable[[Array], Array]:
    """The activation of this name as a JAX function.

    relu, leaky-relu:ALPHA and abs have the derivative of their negative side at 0 plus
    `at_kink` times the jump. 0 is the element of least norm for ReLU (1[z > 0]); 1 is
    1[z >= 0], as the proofs near initialisation write it.

    Raises:
        HypothesisError: another name.
    """
    leak = leak_of(name)
    if name in _SMOOTH:
        return _SMOOTH[name]
    if name == "threshold":
        return lambda z: (z >= 0).astype(jnp.result_type(z))
    if leak is not None:
        return _kinked(nearest_float(leak), float(at_kink))
    known = ", ".join(["relu", "leaky-relu:1/10", "abs", "threshold", *_SMOOTH])
    raise HypothesisError(
        f"there is no activation {name[:40]!r}; choose one of {known}"
    )


@lru_cache(maxsize=64)
def _kinked(leak: float, at_kink: float) -> Callable[[Array], Array]:
    @jax.custom_jvp
    def kinked(z: Array) -> Array:
        return jnp.where(z > 0, z, leak * z) if leak else jnp.maximum(z, 0)

    @kinked.defjvp
    def _(primals: tuple[Array], tangents: tuple[Array]) -> tuple[Array, Array]:
        (z,), (dz,) = primals, tangents
        middle = leak + at_kink * (1 - leak)
        slope = jnp.where(z > 0, 1.0, jnp.where(z < 0, leak, middle))
        return kinked(z), slope.astype(dz.dtype) * dz

    return kinked
