"""Velocities, the spread and the decomposition against autodiff and samples."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from depthsep.dynamics import radial_loss, radial_velocity, spread, spread_gradient
from depthsep.dynamics.radial.network._tiles import Tiles
from support.radial_nets import (
    by_autodiff,
    directions,
    quick,
    random_network,
    with_rows,
)
from support.radial_nets import double as double
from support.slow import mostly_slow

BENT = [(0, 0.5), (0.4, 1), (1.5, 0)]
ACROSS = np.linalg.qr(np.random.default_rng(3).standard_normal((3, 2)))[0]
SHAPES = [(2, BENT, None), (1, "radial:relu", ACROSS)]
CUTS = [(32, 64, False), (64, 64, True)]
MORE_CUTS = [(32, 32, True), (96, 32, False)]


@pytest.mark.parametrize(
    ("bottleneck", "profile", "basis"), SHAPES, ids=["bent", "subspace"]
)
def test_velocities_are_gradients_in_every_part(bottleneck, profile, basis):
    task = quick(
        dim=3,
        target=profile,
        second=5,
        bottleneck=bottleneck,
        subspace=basis,
        train_outputs=True,
        train_scales=True,
    )
    network = random_network(3, 37, 5, bottleneck)
    at = directions(45, 3)
    if basis is not None:
        at = at._replace(stretch=np.linalg.norm(at.points @ basis, axis=1))
    found = radial_velocity(network, task, directions=at)
    wanted, loss = by_autodiff(network, task, at)
    assert np.abs(wanted.weights).max() > 1e-3
    assert radial_loss(network, task, directions=at) == pytest.approx(loss, rel=1e-6)
    for a, b in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
        assert np.abs(a - b).max() < 1e-5 * (1 + np.abs(b).max())


def test_a_neuron_at_zero_stays_there():
    network = random_network(3, 8, 2, 1, outputs=False)
    rows = network.weights.at[3].set(0.0)
    network = with_rows(network, rows)
    moved = radial_velocity(
        network, quick(dim=3, second=2), directions=directions(9, 3)
    )
    assert not moved.weights[3].any()
    assert np.isfinite(moved.weights).all()


@pytest.mark.parametrize(
    ("neurons", "count", "keep"),
    mostly_slow(CUTS, [*CUTS, *MORE_CUTS]),
)
def test_every_way_of_cutting_gives_the_same(neurons, count, keep):
    network = random_network(5, 77, 3, 2)
    parts = {"bottleneck": 2, "train_outputs": True, "train_scales": True}
    at, task = directions(83, 5), quick(dim=5, second=3, **parts)
    whole = radial_velocity(network, task, directions=at)
    assert min(np.abs(x).max() for x in jax.tree.leaves(whole)) > 1e-3
    cut = Tiles(neurons, count, keep)
    found = radial_velocity(network, task, directions=at, tiles=cut)
    for a, b in zip(jax.tree.leaves(found), jax.tree.leaves(whole), strict=True):
        assert np.abs(a - b).max() < 1e-12


@pytest.mark.parametrize("keep", [False, True])
def test_single_precision_is_near_double(keep):
    network = random_network(120, 500, 4, 1, outputs=False)
    at, task = directions(300, 120), quick(dim=120, second=4)
    narrow = with_rows(network, network.weights.astype(jnp.float32))
    whole = radial_velocity(network, task, directions=at)
    for thirds in (False, True) if keep else (False,):
        cut = Tiles(512, 320, keep, thirds)
        try:
            found = radial_velocity(narrow, task, directions=at, tiles=cut)
        except jax.errors.JaxRuntimeError:
            pytest.skip("this processor has no bfloat16 products")
        gap = np.abs(found.weights - whole.weights).max()
        assert gap < 2e-5 * np.abs(whole.weights).max()


@pytest.mark.slow
def test_a_wide_second_layer_moves_along_its_gradient():
    task = quick(dim=3, second=40, train_scales=True)
    network, at = random_network(3, 12, 40, 1, outputs=False), directions(12, 3)
    found = radial_velocity(network, task, directions=at)
    wanted, _ = by_autodiff(network, task, at)  # as good as its quadrature
    for a, b in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
        assert np.abs(a - b).max() < 3e-5 * (1 + np.abs(b).max())


def test_the_spread_and_its_gradient():
    network = random_network(3, 40, 1, 2)
    value, gradient = spread_gradient(network)
    at = directions(40_000, 3)._replace(weights=np.full(40_000, 1 / 40_000))
    size = np.linalg.norm(network.weights, axis=1, keepdims=True)
    u = np.concatenate([at.points, -at.points])
    first = np.maximum(u @ network.weights.T, 0) @ (size * network.outputs) / 40
    middle = (size**2 * network.outputs).mean(axis=0) / 4  # c_3 = 1/4
    sampled = ((first - middle) ** 2).sum(axis=1).mean() / (middle**2).sum()
    assert value == pytest.approx(float(sampled), rel=0.02)
    h = 1e-5 / np.abs(gradient).max()

    def at_step(step):
        rows = network.weights + step * jnp.asarray(gradient)
        return spread(with_rows(network, rows))

    slope = (at_step(h) - at_step(-h)) / (2 * h)
    assert slope == pytest.approx(float((gradient**2).sum()) / 40, rel=1e-5)
    assert spread(with_rows(network, 2 * network.weights)) == pytest.approx(
        value, rel=1e-12
    )
