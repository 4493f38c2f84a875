"""Mean-field networks: velocities, limits, records, checkpoints and refusals."""

import math
from itertools import pairwise

import jax
import jax.numpy as jnp
import numpy as np
import pytest
from scipy.integrate import quad
from scipy.special import jv

from depthsep._errors import FileFormatError, HypothesisError
from depthsep.dynamics import (
    Block,
    Directions,
    MeanFieldNetwork,
    RadialNetwork,
    RadialProfile,
    RadialTask,
    Tiles,
    TwoLayerBudget,
    balance,
    decompose,
    density_moments,
    descend,
    equal_compute,
    equal_parameters,
    first_layer_unit,
    flow,
    half_mean_square,
    infinite_width,
    learn_radial,
    learn_two_layer,
    limit_alpha,
    moments,
    predicted_bytes,
    radial_loss,
    radial_velocity,
    second_layer_unit,
    shell_moments,
    spread,
    spread_gradient,
    symmetrised,
    velocities,
)
from depthsep.evidence import Inapplicable
from depthsep.laws import law_from_text

RNG = np.random.default_rng(5)


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
    with jax.enable_x64(True):
        yield


def quick(**more):
    given = {"dim": 4, "width": 32, "time": 20.0, "records": 10, "pairs": 128}
    return RadialTask(**{**given, **more})


def directions(pairs, dim, stretch=None):
    z = RNG.standard_normal((pairs, dim))
    weights = RNG.random(pairs)
    ones = np.ones(pairs) if stretch is None else stretch
    u = z / np.linalg.norm(z, axis=1, keepdims=True)
    return Directions(u, weights / weights.sum(), ones)


# truncated moments


def density_of(law):
    if law.startswith("chi"):
        return lambda r: r**4 * math.exp(-r * r / 2) / (2**1.5 * math.gamma(2.5))
    if law.startswith("gaussian"):
        return lambda r: r**2 * math.exp(-r * r / 2) / (2**0.5 * math.gamma(1.5))
    if law.startswith("ball"):
        return lambda r: 3 * r * r if r < 1 else 0.0
    if law.startswith("radius"):
        return lambda r: 0.4 if 0.5 < r < 3 else 0.0
    phase = float(law_from_text(law).phase().mid())
    return lambda r: 3 / r * jv(1.5, phase * r) ** 2


@pytest.mark.parametrize(
    "law", ["chi:3:5", "gaussian:3", "ball:3", "radius:3:1/2,3", "phi2:3:2"]
)
def test_truncated_moments_agree_with_quadrature(law):
    table, density = moments(law_from_text(law)), density_of(law)
    for s in (0.0, 0.3, 0.77, 1.9, 4.0):
        found = np.asarray(table(jnp.asarray(s)))
        breaks = [p for p in (0.5, 1.0, 3.0) if p < s]
        for k in range(3):
            wanted = quad(
                lambda r, k=k: r**k * density(r), 1e-300, s, points=breaks, limit=400
            )[0]
            assert found[k] == pytest.approx(wanted, abs=2e-9), (law, s, k)


def test_moments_of_shells_count_what_lies_below():
    table = moments(law_from_text("shells:3:1/2,1,1,2"))
    assert np.asarray(table(jnp.asarray(1.0))) == pytest.approx([0.25, 0.125, 0.0625])
    found = np.asarray(table(jnp.asarray(1.0001)))
    assert found == pytest.approx([0.75, 0.625, 0.5625])
    assert np.asarray(table.total()) == pytest.approx([1, 1.125, 1.5625])


def test_a_given_density_is_normalised():
    table = density_moments(lambda r: np.exp(-r), 60.0)
    assert np.asarray(table.total()) == pytest.approx([1, 1, 2], rel=1e-9)
    heavy = density_moments(lambda r: 1 / (1 + r) ** 2, 2000.0, tail=1.0)
    assert heavy(jnp.asarray(1.0))[0] == pytest.approx(0.5, abs=1e-3)
    assert np.isinf(heavy.total()[1])
    with pytest.raises(HypothesisError, match="density"):
        density_moments(lambda r: -r, 1.0)


# velocities


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


@pytest.mark.parametrize("bottleneck", [1, 2])
@pytest.mark.parametrize("profile", ["radial:relu", [(0, 0.5), (0.4, 1), (1.5, 0)]])
def test_velocities_are_gradients_in_every_part(bottleneck, profile):
    task = quick(
        dim=3,
        target=profile,
        second=5,
        bottleneck=bottleneck,
        train_outputs=True,
        train_scales=True,
    )
    network = random_network(3, 37, 5, bottleneck)
    at = directions(45, 3)
    found = radial_velocity(network, task, directions=at)
    wanted, loss = by_autodiff(network, task, at)
    assert radial_loss(network, task, directions=at) == pytest.approx(loss, rel=1e-6)
    for a, b in zip(jax.tree.leaves(found), jax.tree.leaves(wanted), strict=True):
        assert np.abs(a - b).max() < 1e-5 * (1 + np.abs(b).max())


def test_velocities_of_a_subspace_target():
    basis = np.linalg.qr(RNG.standard_normal((4, 2)))[0]
    task = quick(subspace=basis, second=3)
    at = directions(60, 4)
    at = at._replace(stretch=np.linalg.norm(at.points @ basis, axis=1))
    network = random_network(4, 20, 3, 1, outputs=False)
    found = radial_velocity(network, task, directions=at)
    wanted, _ = by_autodiff(network, task, at)
    assert np.abs(found.weights - wanted.weights).max() < 1e-5


def test_a_neuron_at_zero_stays_there():
    network = random_network(3, 8, 2, 1, outputs=False)
    rows = network.weights.at[3].set(0.0)
    network = with_rows(network, rows)
    moved = radial_velocity(
        network, quick(dim=3, second=2), directions=directions(9, 3)
    )
    assert not moved.weights[3].any()
    assert np.isfinite(moved.weights).all()


@pytest.mark.parametrize("neurons", [32, 64, 96])
@pytest.mark.parametrize("count", [32, 64])
@pytest.mark.parametrize("keep", [False, True])
def test_every_way_of_cutting_gives_the_same(neurons, count, keep):
    network = random_network(5, 77, 3, 2)
    at, task = directions(83, 5), quick(dim=5, second=3, bottleneck=2)
    whole = radial_velocity(network, task, directions=at)
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
    for halves in (False, True) if keep else (False,):
        cut = Tiles(512, 320, keep, halves)
        try:
            found = radial_velocity(narrow, task, directions=at, tiles=cut)
        except jax.errors.JaxRuntimeError:
            pytest.skip("this processor has no bfloat16 products")
        gap = np.abs(found.weights - whole.weights).max()
        assert gap < 2e-5 * np.abs(whole.weights).max()


# general mean-field networks


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


def test_the_order_of_particles_does_not_matter():
    network, (x, y) = three_layers(), data()
    order = jnp.asarray([3, 1, 5, 0, 2, 4])
    turned = MeanFieldNetwork((network.blocks[0].permuted(order), network.blocks[1]))
    assert float(turned(x[0])[0]) == pytest.approx(float(network(x[0])[0]), rel=1e-13)
    moved, other = (velocities(n, x, y).blocks[0].particles for n in (network, turned))
    assert np.abs(moved[order] - other).max() < 1e-14


def test_the_balance_is_conserved_by_the_flow_and_drifts_under_euler():
    network, (x, y) = three_layers(), data()
    start = float(balance(network))
    after = flow(network, x, y, time=3.0, tolerance=1e-11)
    assert float(balance(after)) == pytest.approx(start, abs=1e-9)
    ends = [descend(network, x, y, rate=3 / n, steps=n)[0] for n in (50, 100, 200)]
    drifts = [abs(float(balance(n)) - start) for n in ends]
    assert all(1.7 < a / b < 2.3 for a, b in pairwise(drifts))


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
    with pytest.raises(HypothesisError, match="block or more"):
        MeanFieldNetwork(())
    with pytest.raises(HypothesisError, match="first axis"):
        MeanFieldNetwork((Block(first_layer_unit, jnp.zeros((0, 3))),))


def test_symmetrisation_of_a_linear_function_and_of_the_norm():
    radii = jnp.asarray([0.5, 1.0, 2.0])
    assert np.abs(symmetrised(lambda x: x[:, 0], 5, radii)).max() < 1e-14
    norms = symmetrised(lambda x: jnp.linalg.norm(x, axis=1), 5, radii)
    assert np.asarray(norms) == pytest.approx(np.asarray(radii), rel=1e-12)


# the spread


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
    h = 1e-6

    def at_step(step):
        rows = network.weights + step * jnp.asarray(gradient)
        return spread(with_rows(network, rows))

    slope = (at_step(h) - at_step(-h)) / (2 * h)
    assert slope == pytest.approx(float((gradient**2).sum()) / 40, rel=1e-5)
    assert spread(with_rows(network, 2 * network.weights)) == pytest.approx(
        value, rel=1e-12
    )


def test_rates_by_term_add_up_to_the_derivative_along_the_flow():
    task = quick(second=2, precision="float64")
    network = random_network(4, 24, 2, 1, outputs=False)
    at = directions(200, 4)
    found = decompose(network, task, directions=at)
    moved = radial_velocity(network, task, directions=at)
    h = 1e-5

    def after(step):
        rows = network.weights + step * jnp.asarray(moved.weights)
        return with_rows(network, rows)

    slope = (spread(after(h)) - spread(after(-h))) / (2 * h)
    assert found.spread_rate.total == pytest.approx(slope, rel=1e-5, abs=1e-10)
    assert abs(found.spread_rate.fit) < 1e-12
    for terms in (found.terms, found.symmetrised):
        assert terms.total == pytest.approx(found.loss, rel=1e-10)
    assert abs(found.symmetrised.cross) < 1e-12


def test_the_decomposition_needs_a_radial_limit():
    network = random_network(4, 24, 2, 2)
    with pytest.raises(HypothesisError, match="bottleneck"):
        decompose(network, quick(second=2, bottleneck=2))


# learning


def test_a_run_follows_the_infinite_width_limit_of_the_same_steps():
    gaps = []
    for width in (128, 2048):
        run = learn_radial(quick(dim=8, width=width, pairs=512))
        gap = np.abs(run.trajectory.alpha - run.infinite.stepped.alpha).max()
        gaps.append(gap)
        assert run.failure is None
        assert (np.diff(run.trajectory.loss) < 0).all()
        exact = run.trajectory.spread_exact
        assert (np.diff(exact) <= 1e-6 * exact[:-1]).all()
        assert run.spread_end < run.spread_start
    assert gaps[1] < gaps[0] / 4 and gaps[1] < 2e-4


def test_heun_and_the_adaptive_solver_end_near_the_flow():
    ends = {
        s: learn_radial(quick(width=512, solver=s, precision="float64"))
        for s in ("euler", "heun", "adaptive")
    }
    exact = ends["adaptive"].trajectory.alpha[-1]
    heun, euler = (abs(ends[s].trajectory.alpha[-1] - exact) for s in ("heun", "euler"))
    assert heun < euler / 2
    kept = ends["adaptive"].trajectory.conserved
    assert np.abs(kept - kept[0]).max() < 1e-4
    assert np.abs(np.diff(ends["euler"].trajectory.conserved)).max() > 1e-5


def test_the_initial_spread_falls_like_one_over_the_width():
    widths, rms = [64, 128, 256, 512, 1024], []
    for width in widths:
        rows = RNG.standard_normal((8, width, 8))
        rows /= np.linalg.norm(rows, axis=2, keepdims=True)
        ones = (jnp.ones((1, 1)), jnp.ones(1), jnp.ones(1))
        values = [spread(RadialNetwork(jnp.asarray(w), None, *ones)) for w in rows]
        rms.append(np.sqrt(np.mean(values)))
    slope = np.polyfit(np.log(widths), np.log(rms), 1)[0]
    assert -0.6 < slope < -0.4


def test_orthogonal_starts_spread_less():
    found = [
        learn_radial(quick(dim=8, width=256, start=s, time=1.0, step=0.5)).spread_start
        for s in ("sphere", "orthogonal")
    ]
    assert found[1] < found[0] / 4


@pytest.mark.parametrize(
    "change",
    [
        {"fresh": True},
        {"start": "gaussian"},
        {"directions": "independent"},
        {"dim": 2, "directions": "equispaced"},
        {"law": "chi:4:2"},
        {"law": "ball:4"},
        {"law": "phi2:4:2"},
        {"law": "shells:4:1/2,1,3/2"},
        {"target": [(0, 1), (0.5, 0.2), (2, 0)]},
        {"subspace": 2},
        {"bottleneck": 2, "train_outputs": True},
        {"bottleneck": 2, "outputs": "gaussian"},
        {"train_scales": True},
        {"width": 33, "pairs": 77},
        {"rates": (1.0, 0.5)},
    ],
    ids=str,
)
def test_every_variant_learns(change):
    run = learn_radial(quick(**change))
    assert run.failure is None
    assert run.trajectory.loss[-1] < 0.7 * run.trajectory.loss[0]
    assert run.loss < 0.8 * run.trajectory.loss[0]
    unknown = run.task.no_limit is not None
    assert isinstance(run.infinite, Inapplicable) == unknown


def test_moments_given_by_hand_are_a_law():
    radii = np.linspace(0.01, 2, 2000)
    given = learn_radial(quick(law=shell_moments(radii)))
    named = learn_radial(quick(law="radius:4:0,2"))
    assert given.trajectory.loss[-1] == pytest.approx(
        named.trajectory.loss[-1], rel=0.05
    )


def test_the_projection_is_applied_after_every_step():
    def clip(network):
        return RadialNetwork(
            network.weights,
            network.outputs,
            jnp.clip(network.slopes, -0.6, -0.4),
            network.offsets,
            network.scales,
        )

    run = learn_radial(quick(projection=clip))
    assert run.trajectory.slopes.min() == pytest.approx(-0.6)


def test_the_limit_alpha_is_where_the_flow_ends():
    found = infinite_width(RadialTask(8, 1, second=1, time=2000.0, step=1.0))
    wanted = float(limit_alpha(8, 1, "-1/2").mid())
    assert found.flow.alpha[-1] == pytest.approx(wanted, rel=1e-6)
    with pytest.raises(HypothesisError, match="positive"):
        limit_alpha(8, 0, "-1/2")


def test_large_steps_that_kill_the_second_layer_are_said():
    run = learn_radial(quick(step=5.0))
    assert run.failure is not None and "dead" in run.failure
    assert run.loss == pytest.approx(1 / 12, rel=1e-6)


def test_a_flow_that_explodes_is_said():
    run = learn_radial(quick(step=2.0, rates=(400.0, 400.0), slope=0.5, offset=0.5))
    assert run.failure is not None
    assert "floats" in run.failure or "dead" in run.failure


# checkpoints


def same(a, b):
    leaves = zip(jax.tree.leaves(a.network), jax.tree.leaves(b.network), strict=True)
    return all((np.asarray(x) == np.asarray(y)).all() for x, y in leaves)


class Stop(Exception):
    """The run is interrupted."""


@pytest.mark.parametrize(
    "change", [{}, {"fresh": True}, {"solver": "adaptive"}, {"solver": "heun"}], ids=str
)
def test_a_stopped_run_goes_on_and_ends_bit_for_bit(change, tmp_path):
    task, place = quick(**change), tmp_path / "checkpoint.eqx"
    whole = learn_radial(task)

    def stop(share, line):
        if share > 0.5:
            raise Stop

    with pytest.raises(Stop):
        learn_radial(task, checkpoint=place, every=0.0, progress=stop)
    seen = []
    run = learn_radial(
        task, checkpoint=place, every=0.0, progress=lambda s, line: seen.append(s)
    )
    assert 0 < len(seen) < len(task.recorded)
    assert same(run, whole)
    assert (run.trajectory.loss == whole.trajectory.loss).all()
    again = learn_radial(task, checkpoint=place)
    assert same(again, whole)


def test_a_checkpoint_of_another_task_or_a_damaged_one_is_refused(tmp_path):
    place = tmp_path / "checkpoint.eqx"
    learn_radial(quick(time=2.0, records=2), checkpoint=place)
    with pytest.raises(HypothesisError, match="another task"):
        learn_radial(quick(time=2.0, records=2, seed=1), checkpoint=place)
    place.write_bytes(place.read_bytes()[:-100])
    with pytest.raises(FileFormatError, match="checkpoint"):
        learn_radial(quick(time=2.0, records=2), checkpoint=place)
    place.write_bytes(b"\x80\x04" * 400)
    with pytest.raises(FileFormatError, match="checkpoint"):
        learn_radial(quick(time=2.0, records=2), checkpoint=place)


# two layers


def test_two_layer_losses_are_exact_in_the_radius():
    task = quick(dim=3, width=16)
    budget = TwoLayerBudget(
        steps=200, batch=64, rates=(1e-2, 3e-2), seeds=2, validation=16, test=64
    )
    found = learn_two_layer(task, 12, budget)
    assert [r.optimiser for r in found] == ["adam", "momentum", "mean-field"]
    for result in found:
        assert len(result.losses) == 2 and np.isfinite(result.losses).all()
        assert result.rate in budget.rates and result.at_edge
    assert found[0].best < 0.08


def test_budgets_of_equal_parameters_and_compute():
    task = quick(dim=32, width=1024)
    assert equal_parameters(task) == (1024 * 32 + 2 * 4 - 1) // 34
    budget = TwoLayerBudget(steps=100, batch=128)
    assert equal_compute(task, budget) == 40 * 4 * 128 * 1024 // (100 * 6 * 128)


def test_bad_budgets_are_refused():
    for change in ({"optimisers": ("sgdd",)}, {"rates": ()}, {"steps": 0}):
        with pytest.raises(HypothesisError):
            TwoLayerBudget(**change)


# refusals


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"dim": 1}, "2 or more"),
        ({"dim": 0}, "dim is 0"),
        ({"width": 0}, "width is 0"),
        ({"second": 0}, "second is 0"),
        ({"bottleneck": 0}, "bottleneck is 0"),
        ({"step": float("nan")}, "step is nan"),
        ({"step": 0.0}, "step is 0"),
        ({"step": 50.0}, "steps of 50"),
        ({"alpha": -1.0}, "alpha is -1"),
        ({"slope": (-0.5, -0.4)}, "2 values of slope"),
        ({"slope": float("inf")}, "slope"),
        ({"slope": -1.0, "offset": -1.0}, "starts dead"),
        ({"law": "signs:4"}, "no radial law"),
        ({"law": "ball:5"}, "5 dimensions"),
        ({"target": "radial:ball"}, "jumps"),
        ({"target": "radial:1-r**2"}, "piecewise affine"),
        ({"target": [(0, 1), (1, 1)]}, "value of 0"),
        ({"target": [(0, 1), (2, 1), (1, 0)]}, "increase"),
        ({"subspace": 9}, "rank"),
        ({"subspace": np.ones((4, 2))}, "orthonormal"),
        ({"subspace": np.eye(3)}, "shape"),
        ({"solver": "rk4"}, "euler, heun, adaptive"),
        ({"start": "orthogonal", "width": 31}, "even width"),
        ({"directions": "equispaced"}, "2 dimensions"),
        ({"precision": "float16"}, "float32, float64"),
        ({"seed": -1}, "seed"),
    ],
    ids=lambda v: str(v)[:40],
)
def test_bad_tasks_are_refused_in_a_line(change, message):
    with pytest.raises(HypothesisError, match=message) as refusal:
        quick(**change)
    assert "\n" not in str(refusal.value)


def test_heavy_tails_need_falling_units():
    with pytest.raises(HypothesisError, match="infinite"):
        learn_radial(quick(law="phi2:4", slope=(-0.5, -0.5, 0.1, -0.5)))


def test_profiles_need_increasing_knots():
    with pytest.raises(HypothesisError, match="increasing"):
        RadialProfile((), ())


def test_memory_is_predicted_without_the_product_of_both_sizes():
    assert predicted_bytes(10**5, 256, 4096) < 2e9
    large = predicted_bytes(10**6, 1000, 50_000)
    assert large < 24e9 < 10**6 * 50_000 * 4


@pytest.mark.parametrize(
    "law", ["radius:40:1,3", "ball:40", "chi:40:30", "gaussian:400", "shells:3:1/2,2"]
)
def test_radii_drawn_from_moments_are_those_of_the_law(law):
    from depthsep.dynamics._radii import draw_radii

    named = law_from_text(law)
    table = moments(named)
    for given in (named, table):
        radii = draw_radii(given, 40_000, np.random.default_rng(0))
        for k in (1, 2):
            error = (radii**k).std() / 200
            assert abs((radii**k).mean() - table.total()[k]) < 5 * error


def test_moments_by_hand_have_names_of_their_own():
    laws = [moments(law_from_text(f"radius:4:{ends}")) for ends in ("1,12", "1.01,2")]
    laws += [shell_moments([1, 2]), shell_moments([1, 1.1])]
    names = {quick(law=law).describe()["law"] for law in laws}
    assert len(names) == 4


@pytest.mark.parametrize("law", ["chi:4:3", "gaussian:4", "shells:4:1/2,1", "phi2:4:2"])
def test_instruments_take_every_law(law):
    task = quick(law=law, time=2.0, records=2)
    run = learn_radial(task)
    found = decompose(run.network, task, pairs=64)
    assert found.terms.total == pytest.approx(found.loss, rel=1e-9)
    budget = TwoLayerBudget(steps=20, batch=32, seeds=1, validation=8, test=16)
    if law.startswith("phi2"):
        with pytest.raises(HypothesisError, match="no mean"):
            learn_two_layer(task, 8, budget)
        return
    assert all(np.isfinite(r.losses).all() for r in learn_two_layer(task, 8, budget))
