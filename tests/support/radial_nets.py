"""Networks, directions and gradients by autodiff for tests of mean-field learning."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from depthsep.dynamics import RadialNetwork, RadialTask
from depthsep.dynamics.radial.network._network import Directions

RNG = np.random.default_rng(5)
START = RNG.bit_generator.state


def with_rows(network, rows):
    """The network with another first layer."""
    return RadialNetwork(
        jnp.asarray(rows),
        network.outputs,
        network.slopes,
        network.offsets,
        network.scales,
    )


@pytest.fixture(autouse=True)
def double():
    """Float64, and the same random numbers whatever ran before."""
    RNG.bit_generator.state = START
    with jax.enable_x64(True):
        yield


def quick(**more):
    """A small task; tasks of equal sizes share what JAX compiles for them."""
    given = {"dim": 4, "width": 32, "time": 20.0, "records": 10, "pairs": 128}
    return RadialTask(**{**given, **more})


def directions(pairs, dim, stretch=None):
    z = RNG.standard_normal((pairs, dim))
    weights = RNG.random(pairs)
    ones = np.ones(pairs) if stretch is None else stretch
    u = z / np.linalg.norm(z, axis=1, keepdims=True)
    return Directions(u, weights / weights.sum(), ones)


def by_autodiff(network, task, at):
    """-m dL/dw of a plain float64 loss with the radius by fine quadrature."""
    r = 2 * (jnp.arange(4000) + 0.5) / 4000
    u = jnp.concatenate([at.points, -at.points])
    weights = jnp.concatenate([at.weights, at.weights]) / 2
    stretch = jnp.concatenate([at.stretch, at.stretch])
    goal = task.profile.floats(np.asarray(stretch[:, None] * r))

    def loss(net):
        size = jnp.sqrt((net.weights**2).sum(axis=1, keepdims=True))
        outputs = 1.0 if net.outputs is None else net.outputs
        active = jnp.maximum(u @ net.weights.T, 0)
        first = active @ (size * outputs) / len(net.weights)
        before = (first @ net.slopes.T)[:, None] * r[:, None] + net.offsets
        values = (net.scales * jnp.maximum(before, 0)).mean(axis=2)
        return (weights * ((values - goal) ** 2).mean(axis=1)).sum() / 2

    g = jax.grad(loss)(network)
    return jax.tree.map(lambda x: -len(x) * x, g), float(loss(network))


def random_network(dim, width, second, bottleneck, outputs=True):
    slopes = RNG.standard_normal((second, bottleneck)) - 0.5
    return RadialNetwork(
        jnp.asarray(RNG.standard_normal((width, dim))),
        jnp.asarray(RNG.standard_normal((width, bottleneck))) if outputs else None,
        jnp.asarray(slopes),
        jnp.asarray(RNG.standard_normal(second) + 0.3),
        jnp.asarray(RNG.standard_normal(second)),
    )
