"""The infinite-width limit of subspace targets: by samples, grids and networks."""

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from depthsep import HypothesisError
from depthsep.dynamics import (
    RadialNetwork,
    RadialTask,
    infinite_width,
    learn_radial,
    radial_loss,
    radial_velocity,
)
from depthsep.dynamics.radial.learning._subspace_limit import subspace_law
from depthsep.dynamics.radial.network._network import Directions
from depthsep.evidence import Inapplicable
from support.radial_nets import double as double

UNITS = {"second": 2, "slope": (-0.7, -0.4), "offset": (0.5, 0.7)}


@pytest.mark.parametrize(("dim", "rank"), [(2, 1), (3, 1), (3, 2), (5, 2), (7, 4)])
def test_the_kernel_and_its_derivatives_are_means_over_both_parts(dim, rank):
    rng = np.random.default_rng(4)
    with jax.enable_x64(True):
        law, start = subspace_law(RadialTask(dim, 8, subspace=rank, **UNITS))
        inside = start.inside[:, None] * law.at
        outside = start.outside[:, None] * jnp.sqrt(1 - law.at**2)
        inner, outer = (np.asarray(x) for x in law.kernel(inside, outside))
    xi, eta = (
        (x / np.linalg.norm(x, axis=1, keepdims=True))[:, 0]
        for x in (rng.standard_normal((400_000, n)) for n in (rank, dim - rank))
    )
    for a, b in ((0, 5), (10, 30), (25, 60), (47, 33)):
        x = float(start.inside[a] * law.at[b])
        y = float(start.outside[a] * np.sqrt(1 - law.at[b] ** 2))
        on = x * xi + y * eta > 0
        assert inner[a, b] == pytest.approx((on * xi).mean(), abs=4e-3)
        assert outer[a, b] == pytest.approx((on * eta).mean(), abs=4e-3)
    assert float(law.weights.sum()) == pytest.approx(1)
    share = float(law.shares @ (start.inside**2)) / float(law.squares(start)[0])
    assert share == pytest.approx(rank / dim)


@pytest.mark.slow
def test_in_the_plane_the_velocity_is_that_of_evenly_spread_particles():
    count = 2048
    task = RadialTask(2, count, subspace=1, precision="float64", **UNITS)
    with jax.enable_x64(True):
        law, start = subspace_law(task)
        skewed = start._replace(inside=1.5 * start.inside)
        moved = law(skewed)
        angle = 2 * np.pi * (np.arange(count) + 0.5) / count
        size = float(jnp.sqrt(start.inside[0] ** 2 + start.outside[0] ** 2))
        rows = size * np.stack([1.5 * np.cos(angle), np.sin(angle)], axis=1)
        layer = (start.slopes[:, None], start.offsets, start.scales)
        network = RadialNetwork(jnp.asarray(rows), None, *layer)
        half = np.pi * (np.arange(4096) + 0.25) / 4096
        points = np.stack([np.cos(half), np.sin(half)], axis=1)
        share = np.full(len(half), 1 / len(half))
        at = Directions(*map(jnp.asarray, (points, share, np.abs(points[:, 0]))))
        found = radial_velocity(network, task, directions=at)
        loss = radial_loss(network, task, directions=at)
    assert np.allclose(found.slopes[:, 0], moved.slopes, atol=2e-5)
    assert np.allclose(found.offsets, moved.offsets, atol=2e-5)
    assert loss == pytest.approx(float(law.loss(skewed)), abs=5e-6)
    # the velocity of the particle at an angle, interpolated
    own = np.arctan2(np.asarray(start.outside), np.asarray(start.inside))
    quarter = slice(0, count // 4)
    for column, wanted in ((0, moved.inside), (1, moved.outside)):
        near = np.interp(own, angle[quarter], found.weights[quarter, column])
        assert np.allclose(near, wanted, atol=3e-4)


@pytest.mark.slow
def test_a_whole_space_has_the_radial_limit():
    whole, radial = (
        infinite_width(RadialTask(3, 8, subspace=rank, time=5, records=2))
        for rank in (3, None)
    )
    assert np.array_equal(whole.flow.alpha, radial.flow.alpha)
    assert whole.inside is None


def test_a_start_of_its_own_has_none():
    task = RadialTask(3, 8, subspace=1, weights=np.ones((8, 3)), time=1, records=1)
    assert isinstance(task.no_flow, Inapplicable)
    with pytest.raises(HypothesisError, match="weights"):
        infinite_width(task)


@pytest.mark.slow
def test_wide_networks_follow_it():
    sizes = {"pairs": 128, "time": 8, "records": 4, "start": "orthogonal"}
    run = learn_radial(RadialTask(4, 256, subspace=2, **sizes, **UNITS))
    limit, rows = run.infinite.stepped, run.trajectory
    assert np.abs(rows.alpha - limit.alpha).max() < 3e-3
    assert np.abs(rows.slopes[:, :, 0] - limit.slopes).max() < 0.01
    assert np.abs(rows.offsets - limit.offsets).max() < 0.01


@pytest.mark.slow
def test_wide_networks_with_channels_follow_it_by_steps_of_heun():
    dim, rank = 5, 2
    sizes = {"pairs": 256, "time": 8, "records": 4, "start": "orthogonal"}
    more = {"solver": "heun", "bottleneck": 2, **sizes, **UNITS}
    run = learn_radial(RadialTask(dim, 512, subspace=rank, **more))
    limit, rows = run.infinite.stepped, run.trajectory
    # the limit of one channel is 0.009, 0.07 and 0.03 away; that of Euler 0.003,
    # 0.011 and 0.017
    assert np.abs(rows.alpha - limit.alpha).max() < 1e-3
    assert np.abs(rows.slopes.sum(axis=2) - limit.slopes).max() < 5e-3
    assert np.abs(rows.offsets - limit.offsets).max() < 2e-3
    assert np.abs(limit.alpha - run.infinite.flow.alpha).max() < 1e-3
    weights = np.asarray(run.network.weights, dtype=float)
    share = (weights[:, :rank] ** 2).sum() / (weights**2).sum()
    assert share == pytest.approx(run.infinite.inside[-1], abs=0.02)
    assert run.infinite.inside[0] == pytest.approx(rank / dim)
    assert (np.diff(run.infinite.inside) > 0).all()
    assert run.loss == pytest.approx(run.infinite.loss[-1], rel=0.05)
    assert run.loss < 0.7 * rows.loss[0]
