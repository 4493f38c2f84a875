"""Mean-field networks of any depth: order, balance, flow, symmetrisation."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from depthsep import HypothesisError
from depthsep.dynamics import (
    Block,
    MeanFieldNetwork,
    RadialNetwork,
    descend,
    first_layer_unit,
    flow,
    symmetrised,
    velocities,
)
from depthsep.dynamics.particles._mean_field import balance, half_mean_square
from support.mean_field import data, three_layers
from support.radial_nets import RNG
from support.radial_nets import double as double


def test_the_order_of_particles_does_not_matter():
    network, (x, y) = three_layers(), data()
    order = jnp.asarray([3, 1, 5, 0, 2, 4])
    turned = MeanFieldNetwork((network.blocks[0].permuted(order), network.blocks[1]))
    assert float(turned(x[0])[0]) == pytest.approx(float(network(x[0])[0]), rel=1e-13)
    moved, other = (velocities(n, x, y).blocks[0].particles for n in (network, turned))
    assert np.abs(moved[order] - other).max() < 1e-14


@pytest.mark.slow
def test_the_balance_is_conserved_by_the_flow_and_drifts_under_euler():
    network, (x, y) = three_layers(), data()
    start = float(balance(network))
    after = flow(network, x, y, time=3.0, tolerance=1e-11)
    assert float(balance(after)) == pytest.approx(start, abs=1e-9)
    ends = [descend(network, x, y, rate=3 / n, steps=n)[0] for n in (100, 200)]
    drifts = [abs(float(balance(n)) - start) for n in ends]
    assert 1.7 < drifts[0] / drifts[1] < 2.3


def test_the_loss_falls_along_the_flow_at_the_rate_of_the_velocities():
    network, (x, y) = three_layers(), data()
    moved = velocities(network, x, y)
    rate = -sum(
        float(sum((v**2).sum() for v in jax.tree.leaves(b.particles))) / b.width
        for b in moved.blocks
    )
    h = 1e-6
    ahead = jax.tree.map(lambda w, v: w + h * v, network, moved)
    slope = (half_mean_square(ahead, x, y) - half_mean_square(network, x, y)) / h
    assert float(slope) == pytest.approx(rate, rel=1e-4)


def test_four_blocks_with_wide_bottlenecks_learn():
    def unit(z, w):
        return w["out"] * jnp.tanh(w["in"] @ z)

    sizes = [(3, 2), (2, 2), (2, 3), (3, 1)]
    blocks = tuple(
        Block(
            unit,
            {
                "in": jnp.asarray(RNG.standard_normal((12, a))),
                "out": jnp.asarray(RNG.standard_normal((12, b))),
            },
        )
        for a, b in sizes
    )
    x, _ = data()
    network, losses = descend(
        MeanFieldNetwork(blocks), x, jnp.sin(x[:, 0]), rate=0.3, steps=400
    )
    assert network(x[0]).shape == (1,)
    assert losses[-1] < 0.9 * losses[0]


def test_the_general_network_agrees_with_the_radial_one():
    network = three_layers(width=9, dim=4)
    a, b = network.blocks[1].particles
    radial = RadialNetwork(network.blocks[0].particles, None, a, b, jnp.ones(4))
    x, _ = data(dim=4)
    whole = jnp.stack([network(p)[0] for p in x])
    assert np.abs(radial(x) - whole).max() < 1e-14


def test_blocks_without_particles_are_refused():
    with pytest.raises(
        HypothesisError, match="a mean-field network needs at least one"
    ):
        MeanFieldNetwork(())
    with pytest.raises(HypothesisError, match="first axis"):
        MeanFieldNetwork((Block(first_layer_unit, jnp.zeros((0, 3))),))


def test_symmetrisation_of_a_linear_function_and_of_the_norm():
    radii = jnp.asarray([0.5, 1.0, 2.0])
    assert np.abs(symmetrised(lambda x: x[:, 0], 5, radii)).max() < 1e-14
    norms = symmetrised(lambda x: jnp.linalg.norm(x, axis=1), 5, radii)
    assert np.asarray(norms) == pytest.approx(np.asarray(radii), rel=1e-12)


def test_the_flow_keeps_the_types_of_its_start():
    network, (x, y) = three_layers(), data()
    ahead = flow(network, x, y, time=0.1)
    dtypes = {leaf.dtype for leaf in jax.tree.leaves(ahead)}
    assert dtypes == {leaf.dtype for leaf in jax.tree.leaves(network)}
    descend(ahead, x, y, rate=0.1, steps=2)
