"""The decomposition of the loss, and its rates along the flow."""

from dataclasses import replace
from functools import partial

import jax.numpy as jnp
import numpy as np
import pytest

from depthsep import HypothesisError
from depthsep.dynamics import (
    RadialTask,
    alpha,
    decompose,
    learn_radial,
    radial_loss,
    radial_velocity,
    spread,
)
from depthsep.evidence import Inapplicable
from support.radial_nets import directions, quick, random_network, with_rows
from support.radial_nets import double as double


def spread_of(network, outputs):
    """N by the double sum, the outputs left as they are."""
    return spread(replace(network, outputs=outputs))


def in_channels(network):
    """The same network, whose neurons serve the channels in turn."""
    count = network.bottleneck
    outputs = None
    if count > 1:
        outputs = count * jnp.eye(count)[np.arange(network.width) % count]
    return replace(network, outputs=outputs)


@pytest.mark.slow
@pytest.mark.parametrize("channels", [1, 2])
def test_rates_by_term_add_up_to_the_derivative_along_the_flow(channels):
    task = quick(second=2, precision="float64", bottleneck=channels)
    network = in_channels(random_network(4, 32, 2, channels, outputs=False))
    at = directions(200, 4)
    found = decompose(network, task, directions=at)
    assert found.ratio_rate is None
    moved = radial_velocity(network, task, directions=at)
    h = 1e-5

    def after(step):
        rows = network.weights + step * jnp.asarray(moved.weights)
        return with_rows(network, rows)

    def slope(of):
        return (of(after(h)) - of(after(-h))) / (2 * h)

    wide = partial(spread_of, outputs=network.outputs)
    rates = found.spread_rate.total, found.alpha_rate.total
    assert min(np.abs(rates)) > 1e-4  # no dead network
    assert found.spread == pytest.approx(wide(network), rel=1e-10)
    assert rates[0] == pytest.approx(slope(wide), rel=1e-5, abs=1e-10)
    wanted = slope(lambda n: alpha(np.asarray(n.weights)))
    assert rates[1] == pytest.approx(wanted, rel=1e-6, abs=1e-10)
    assert found.slope_deviation == pytest.approx(float(network.slopes.std()))
    assert found.offset_deviation == pytest.approx(float(network.offsets.std()))
    if channels == 1:  # else channels that differ grow at rates of their own
        assert abs(found.spread_rate.fit) < 1e-12
    for terms in (found.terms, found.symmetrised):
        assert terms.total == pytest.approx(found.loss, rel=1e-10)
    assert abs(found.symmetrised.cross) < 1e-12


def test_the_decomposition_needs_a_radial_limit():
    network = random_network(4, 24, 2, 2)
    with pytest.raises(HypothesisError, match="output weights"):
        decompose(network, quick(second=2, bottleneck=2, outputs="gaussian"))
    with pytest.raises(HypothesisError, match="subspace"):
        decompose(network, quick(second=2, subspace=2, bottleneck=2))


@pytest.mark.slow
def test_many_units_decompose():
    task = RadialTask(4, 32, second=12, pairs=64, time=2.0, records=1)
    network = random_network(4, 32, 12, 1, outputs=False)
    found = decompose(network, task, pairs=64)
    assert found.terms.total == pytest.approx(found.loss, rel=1e-10)


def seen(points, rank):
    """Directions whose target sees the first coordinates only."""
    length = jnp.sqrt((points.points[:, :rank] ** 2).sum(axis=1))
    return points._replace(stretch=length)


@pytest.mark.slow
@pytest.mark.parametrize("rank", [1, 2])
def test_the_terms_of_a_subspace_target_move_as_they_say(rank):
    task = quick(second=2, precision="float64", subspace=rank)
    network = random_network(4, 32, 2, 1, outputs=False)
    at = seen(directions(200, 4), rank)
    found = decompose(network, task, directions=at)
    moved = radial_velocity(network, task, directions=at)
    assert found.terms.total == pytest.approx(found.loss, rel=1e-8)
    assert found.loss == pytest.approx(radial_loss(network, task, directions=at))
    assert found.symmetrised is None

    def slope(of):
        h = 1e-4
        ends = (
            of(with_rows(network, network.weights + s * jnp.asarray(moved.weights)))
            for s in (h, -h)
        )
        return (next(ends) - next(ends)) / (2 * h)

    wanted = slope(lambda n: decompose(n, task, directions=at).spread)
    assert abs(wanted) > 1e-4  # no dead network
    assert found.spread_rate.total == pytest.approx(wanted, rel=2e-3, abs=1e-6)
    wanted = slope(lambda n: alpha(np.asarray(n.weights)))
    assert found.alpha_rate.total == pytest.approx(wanted, rel=1e-5, abs=1e-9)


@pytest.mark.slow
def test_the_mean_over_rotations_of_both_parts():
    rng, rank = np.random.default_rng(8), 3
    network = random_network(4, 32, 2, 1, outputs=False)
    task = quick(second=2, precision="float64", subspace=rank)
    rows = np.asarray(network.weights)
    turned = []
    for _ in range(200):
        turn = np.zeros((4, 4))
        for part in (slice(0, rank), slice(rank, 4)):
            size = part.stop - part.start
            q, r = np.linalg.qr(rng.standard_normal((size, size)))
            turn[part, part] = q * np.sign(np.diag(r))
        turned.append(rows @ turn)
    wide = np.concatenate(turned)
    mixed = with_rows(network, jnp.asarray(wide))
    at = seen(directions(200, 4), rank)
    found = decompose(mixed, task, directions=at)
    assert found.spread < 5e-3 and found.terms.spread < 1e-2 * found.loss
    again = decompose(network, task, directions=at)
    assert again.terms.spread > 1e-4  # no dead network
    assert found.terms.fit == pytest.approx(again.terms.fit, rel=1e-6)


@pytest.mark.slow
def test_the_rate_of_the_ratio_at_points_is_its_derivative():
    """F / alpha along the flow by differences; the fit's part is 0."""
    task = quick(second=2, precision="float64")
    network = random_network(4, 32, 2, 1, outputs=False)
    at = directions(200, 4)
    points = np.eye(4)
    found = decompose(network, task, directions=at, points=points).ratio_rate
    moved = radial_velocity(network, task, directions=at)
    h = 1e-6

    def ratio(step):
        rows = np.asarray(network.weights) + step * np.asarray(moved.weights)
        first = (np.maximum(points @ rows.T, 0) * np.linalg.norm(rows, axis=1)).mean(1)
        return first / alpha(rows)

    wanted = (ratio(h) - ratio(-h)) / (2 * h)
    whole = found.fit + found.spread + found.cross
    assert whole == pytest.approx(wanted, rel=1e-4, abs=1e-7)
    assert np.abs(found.fit).max() < 1e-12 < np.abs(found.spread).max()


def test_the_spread_by_the_mean_slope_is_near_the_term():
    """After learning, where the second layer is like one unit; exact for linear f."""
    task = quick(dim=8, width=128, pairs=512, time=40.0)
    run = learn_radial(task)
    found = decompose(run.network, task, pairs=512)
    assert found.spread_by_mean_slope == pytest.approx(found.terms.spread, rel=0.15)


@pytest.mark.slow
def test_the_first_layer_keeps_the_symmetry_of_its_start():
    """Fact 2 in the plane: rows and directions of one rotation group stay so."""
    rows = 16
    turns = 2 * np.pi * np.arange(rows) / rows
    start = np.stack([np.cos(turns), np.sin(turns)], axis=1) * 1.7
    task = RadialTask(
        *(2, rows),
        weights=start,
        directions="equispaced",
        pairs=rows * 4,
        time=20.0,
        step=0.5,
        records=3,
        precision="float64",
    )
    weights = np.asarray(learn_radial(task).network.weights)
    turn = 2 * np.pi / rows
    turned = weights @ [[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]]
    assert np.linalg.norm(weights - start) > 0.1
    assert np.abs(np.roll(turned, 1, axis=0) - weights).max() < 1e-10


@pytest.mark.slow
def test_the_spread_of_a_subspace_run_is_that_of_both_parts():
    """N against |x| would grow while the first layer turns towards the subspace."""
    start = np.random.default_rng(1).standard_normal((64, 6))
    sizes = {"time": 60.0, "step": 0.5, "records": 3, "pairs": 256}
    task = RadialTask(6, 64, subspace=2, weights=start, **sizes)
    run = learn_radial(task)
    assert isinstance(run.infinite, Inapplicable)
    assert run.spread_end < run.spread_start / 4
    assert spread(run.network) > 2 * run.spread_end
