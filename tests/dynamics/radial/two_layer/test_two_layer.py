"""Two-layer networks for comparison: losses, budgets, laws."""

import math

import jax
import jax.numpy as jnp
import numpy as np
import pytest

from depthsep import HypothesisError
from depthsep.dynamics import (
    RadialTask,
    TwoLayerBudget,
    TwoLayerResult,
    decompose,
    equal_compute,
    equal_parameters,
    learn_two_layer,
)
from depthsep.dynamics.radial.task._draws import BATCHES, stream
from depthsep.dynamics.radial.task._start import goal_of, rates_of, starting_network
from depthsep.dynamics.radial.two_layer import _steps
from depthsep.dynamics.radial.two_layer._loss import TwoLayer, half_mean_squares
from depthsep.dynamics.radial.two_layer._steps import Steps, _samples
from support.radial_nets import directions, quick
from support.radial_nets import double as double


@pytest.mark.slow
def test_two_layer_losses_are_exact_in_the_radius():
    task = quick(dim=3, width=16)
    budget = TwoLayerBudget(
        steps=200, batch=64, rates=(1e-2, 3e-2), seeds=2, validation=16, test=64
    )
    found = learn_two_layer(task, 12, budget)
    assert [r.optimiser for r in found] == ["adam", "momentum", "mean-field"]
    for result in found:
        assert len(result.losses) == 2 and np.isfinite(result.losses).all()
        assert result.rate in budget.rates and result.at_edge  # both are edges
        assert -0.1 < result.falling < 1  # noise at most upwards
        assert [step for step, _ in result.curve] == [35, 50, 71, 100, 141, 200]
        assert result.steps == 250 and not result.converged
        assert result.flops == 4 * 64 * 12 * 3
        assert result.loss_within(100 * result.flops) == min(
            loss for step, loss in result.curve if step <= 100
        )
        assert math.isnan(result.loss_within(34 * result.flops))
    assert found[0].best < 0.08


def test_budgets_of_equal_parameters_and_compute():
    changes = [{}, {"bottleneck": 3}, {"train_scales": True}]
    changes += [{"bottleneck": 2, "train_outputs": True}]
    for change in changes:
        task = quick(dim=32, width=256, **change)
        start, moving = starting_network(task), rates_of(task)
        own = start.weights.size + start.slopes.size + start.offsets.size
        own += start.scales.size if moving.scales else 0
        own += start.outputs.size if moving.outputs else 0
        width = equal_parameters(task)
        assert (width * 34 + 1) <= own < ((width + 1) * 34 + 1)
    budget = TwoLayerBudget(steps=100, batch=128)
    euler, heun, wide = (
        equal_compute(quick(width=1024, **change), budget)
        for change in ({}, {"solver": "heun"}, {"bottleneck": 3})
    )
    assert (euler, heun, wide) == (409, 819, 819)  # 40, 80 and 80 times 1024 / 100
    with pytest.raises(HypothesisError, match="adaptive"):
        equal_compute(quick(solver="adaptive"), budget)


@pytest.mark.parametrize("law", ["radius:3:0,2", "chi:3:4", "shells:3:1/2,1,2"])
def test_losses_of_two_layers_are_those_of_samples(law):
    task, rng = quick(dim=3, law=law), np.random.default_rng(1)
    layer = TwoLayer(
        *(jnp.asarray(rng.standard_normal(s)) for s in ((9, 3), (9,), (9,), ()))
    )
    at = directions(40, 3)
    radii = task.radial_law.draw_radii(400_000, rng)
    total = []
    for u, weight in zip(at.points, at.weights, strict=True):
        for sign in (1, -1):
            x = sign * jnp.asarray(radii[:10_000, None] * u)
            gap = layer.values(x, 0.5) - np.maximum(1 - radii[:10_000], 0)
            total.append(weight / 2 * np.asarray(gap**2) / 2)
        radii = np.roll(radii, 10_000)
    sampled = np.sum(total, axis=0)
    found = float(half_mean_squares(layer, at, goal_of(task), jnp.asarray(0.5)))
    assert abs(found - sampled.mean()) < 5 * sampled.std() / 100


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"optimisers": ("sgdd",)}, "sgdd"),
        ({"optimisers": ()}, "no optimiser"),
        ({"rates": ()}, "give one or more rates, all positive"),
        ({"rates": (0.1, -1)}, "give one or more rates, all positive"),
        ({"steps": 0}, "`steps` is 0"),
        ({"batch": 1.5}, "batch"),
        ({"optimisers": None}, "no optimiser None"),
        ({"still": 1.0}, "`still` is 1"),
        ({"cooling": -1}, "`cooling` is -1"),
        ({"rates": (0.1, "x")}, "rate"),
    ],
    ids=str,
)
def test_bad_budgets_are_refused(change, message):
    with pytest.raises(HypothesisError, match=message):
        TwoLayerBudget(**change)


def test_rates_are_given_as_one_number_or_many():
    assert TwoLayerBudget(rates=0.1).rates == (0.1,)
    assert TwoLayerBudget(rates=np.array([0.1, 0.2])).rates == (0.1, 0.2)


@pytest.mark.slow
@pytest.mark.parametrize("law", ["shells:4:1/2,1", "phi2:4:2"])
def test_instruments_take_every_law(law):
    task = quick(law=law)
    found = decompose(starting_network(task), task, pairs=64)
    assert found.terms.total == pytest.approx(found.loss, rel=1e-9)
    small = {"steps": 20, "batch": 32, "seeds": 1, "validation": 8, "test": 16}
    budget = TwoLayerBudget(optimisers=("adam",), **small)
    if law.startswith("phi2"):
        with pytest.raises(HypothesisError, match="no mean"):
            learn_two_layer(task, 8, budget)
        return
    assert all(np.isfinite(r.losses).all() for r in learn_two_layer(task, 8, budget))


def test_samples_are_not_the_weights_that_learn_from_them():
    task, plan = RadialTask(6, 32), TwoLayerBudget(batch=32, seeds=3)
    layers = Steps(task, 32, plan, "sgd").starts().layers
    for place in range(3):
        key = jax.random.fold_in(stream(0, BATCHES), place)
        sample = jax.random.normal(key, (32, 6), jnp.float32)
        for seed in range(3):
            rows = np.asarray(layers.weights[0, seed])
            off = np.corrcoef(np.ravel(rows), np.ravel(sample))[0, 1]
            assert abs(off) < 0.4


def test_the_least_loss_is_the_least_finite_one():
    def best(*losses):
        return TwoLayerResult("adam", 4, 0.1, False, 9, losses, (), 0.0, False, 1).best

    assert best(math.nan, 0.2) == best(0.2, math.nan) == 0.2
    assert math.isnan(best(math.inf, math.nan))


@pytest.mark.slow
@pytest.mark.parametrize("width", [15, 60])
def test_mean_field_descent_converges_at_every_width(width):
    """c_0 is not a particle: at the width times its rate it diverges from 60 on."""
    budget = TwoLayerBudget(steps=200, seeds=1, optimisers=["mean-field"], rates=[0.1])
    [found] = learn_two_layer(RadialTask(4, 64, pairs=64), width, budget)
    assert found.best < 0.03


def test_the_rule_stops_when_doubling_the_steps_changes_little():
    plan = TwoLayerBudget(steps=1000, still=0.1)
    assert plan.records()[0] == 44 and plan.records()[-1] == 1000
    assert not plan.ends({31: 1.0, 62: 1.0})  # before an eighth of the budget
    assert plan.ends({88: 1.0, 125: 0.95, 177: 0.93})
    assert not plan.ends({88: 1.0, 125: 0.95, 177: 0.8})
    assert not plan.ends({125: 1.0, 177: 0.8, 250: 0.95})  # noise: the least counts
    assert plan.ends({500: 1.0, 1000: 0.5})
    assert not plan.ends({125: math.inf, 250: math.inf})


def by_hand(name, width, start, rate, batches):
    """Ten steps in NumPy, of the gradient written out."""
    v, b, c, level = (np.array(x, dtype=float) for x in start)
    share = 1 / width if name == "mean-field" else width**-0.5
    memory = [[np.zeros_like(p) for p in (v, b, c, level)] for _ in range(2)]
    for k, (x, y) in enumerate(batches, 1):
        before = x @ v.T + b
        active = np.maximum(before, 0)
        gap = level + share * active @ c - y
        back = share * gap[:, None] * c * (before > 0) / len(y)
        gradient = [back.T @ x, back.sum(0), share * gap @ active / len(y), gap.mean()]
        moved = []
        for i, g in enumerate(gradient):
            first, second = (memory[n][i] for n in range(2))
            if name == "adam":
                memory[0][i], memory[1][i] = (
                    0.9 * first + 0.1 * g,
                    0.999 * second + 0.001 * g**2,
                )
                g = memory[0][i] / (1 - 0.9**k)
                g = g / (np.sqrt(memory[1][i] / (1 - 0.999**k)) + 1e-8)
            elif name == "momentum":
                g = memory[0][i] = 0.9 * first + g
            elif name == "mean-field" and i < 3:
                g = width * g
            moved.append(rate * g)
        v, b, c, level = (p - m for p, m in zip((v, b, c, level), moved, strict=True))
    return v, b, c, level


@pytest.mark.parametrize("name", ["adam", "momentum", "sgd", "mean-field"])
def test_ten_steps_are_those_of_a_loop_in_numpy(name, monkeypatch):
    table = np.random.default_rng(3).standard_normal((16, 3))

    def points(task, key, radii):
        """Points that do not depend on how they were compiled."""
        wide = radii.astype(jnp.float64)
        return wide[:, None] * table, 1 - wide

    monkeypatch.setattr(_steps, "_points", points)
    with jax.enable_x64(True):
        task, plan = RadialTask(3, 8, pairs=8), TwoLayerBudget(batch=16, seeds=1)
        steps = Steps(task, 7, plan, name)
        states = jax.tree.map(
            lambda x: x.astype(float) if x.dtype == jnp.float32 else x, steps.starts()
        )
        start = jax.tree.map(lambda x: np.asarray(x[3, 0]), states.layers)
        radii = np.asarray(_samples(task, plan, 0, np.ones(10)).radii, dtype=float)
        batches = [(r[:, None] * table, 1 - r) for r in radii[:10]]
        [(_, moved)] = steps.run(states, 0, np.ones(10))
        hand = by_hand(name, 7, start, plan.rates[3], batches)
        for mine, theirs in zip(hand, moved.layers, strict=True):
            assert np.abs(mine - np.asarray(theirs[3, 0])).max() < 1e-10
