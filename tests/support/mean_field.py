"""A mean-field network of three layers, and data for it."""

import jax.numpy as jnp

from depthsep.dynamics import (
    Block,
    MeanFieldNetwork,
    first_layer_unit,
    second_layer_unit,
)
from support.radial_nets import RNG


def three_layers(width=6, dim=3):
    return MeanFieldNetwork(
        (
            Block(first_layer_unit, jnp.asarray(RNG.standard_normal((width, dim)))),
            Block(
                second_layer_unit,
                (jnp.asarray(-RNG.random((4, 1))), jnp.asarray(RNG.random(4) + 0.2)),
            ),
        )
    )


def data(dim=3, count=40):
    x = RNG.standard_normal((count, dim))
    return jnp.asarray(x), jnp.maximum(1 - jnp.linalg.norm(x, axis=1), 0)
