"""Inner products and angles of the terms' gradients in the first layer."""

import jax.numpy as jnp
from jaxtyping import Array, Float


def inner(
    one: Float[Array, "width dim"], others: Float[Array, "terms width dim"]
) -> Float[Array, " terms"]:
    """The mean-field inner product of gradients that carry m already."""
    return (one * others).sum(axis=(-2, -1)) / one.shape[-2]


def cosines(gradients: Float[Array, "3 width dim"]) -> Float[Array, " pairs"]:
    """Between the fit, the spread and the cross term; NaN where one is 0."""
    sizes = jnp.sqrt((gradients**2).sum(axis=(1, 2)))
    pairs = ((0, 1), (0, 2), (1, 2))
    return jnp.stack(
        [(gradients[i] * gradients[j]).sum() / (sizes[i] * sizes[j]) for i, j in pairs]
    )
