"""Linearisation, kernels of finite networks, regression and training, in JAX."""

import math

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.near_init import (
    INITIALISATIONS,
    LinearTraining,
    TangentKernel,
    adversary,
    adversary_from_start,
    draw,
    fit,
    linearised_value,
    network_value,
    relu_bound,
    relu_bound_sharp,
    relu_bounds_along,
)

FIRST = TangentKernel("relu", 2, trained=(1,))


@pytest.fixture(autouse=True)
def x64():
    import jax

    with jax.enable_x64(True):
        yield


def circle(count, start=0.0):
    angles = start + 2 * np.pi * np.arange(count) / count
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


# initialisations


@pytest.mark.parametrize("law", INITIALISATIONS, ids=str)
def test_initialisations_draw_what_they_say(law):
    inner, outer = draw(law.name, (5, 4000, 1), 0)
    assert inner.weight.shape == (4000, 5) and outer.weight.shape == (1, 4000)
    variance = {"scaled": 1 / 5, "pytorch": 1 / 15, "he": 2 / 5}.get(law.name, 1.0)
    assert inner.weight.var() == pytest.approx(variance, rel=0.05)
    assert abs(inner.weight.mean()) < 5 * (variance / 20_000) ** 0.5
    if law.name in ("signs", "symmetrised"):
        assert set(np.unique(outer.weight)) == {-1.0, 1.0}
    if law.name == "scaled":
        assert np.abs(outer.weight) == pytest.approx(4000**-0.5)
    assert law.limits and all(law.limits)
    again = draw(law.name, (5, 4000, 1), 0)
    assert (again[0].weight == inner.weight).all()
    assert (draw(law.name, (5, 4000, 1), 1)[0].weight != inner.weight).any()


def test_symmetrised_networks_start_at_zero():
    inner, outer = draw("symmetrised", (3, 50, 1), 4)
    x = np.random.default_rng(0).standard_normal((20, 3))
    assert np.abs(network_value(outer.weight[0], inner.weight, x)).max() < 1e-12


@pytest.mark.parametrize(
    ("call", "error", "message"),
    [
        (("nonsense", (2, 3, 1)), HypothesisError, "one of signs"),
        (("signs", (2,)), HypothesisError, "give inputs"),
        (("signs", (2, 0, 1)), HypothesisError, "a size is 0; give a whole number"),
        (("symmetrised", (2, 3, 1)), HypothesisError, "even width"),
        (("symmetrised", (2, 4, 4, 1)), HypothesisError, "depth 2"),
        (("signs", (10**5, 10**5, 1)), TooLargeError, "at most 2"),
    ],
)
def test_draws_that_make_no_sense_are_refused(call, error, message):
    with pytest.raises(error, match=message):
        draw(*call, seed=0)


# linearisation


def test_the_linearisation_is_the_first_order_expansion_of_any_function():
    import jax
    import jax.numpy as jnp

    from depthsep.near_init import linearise

    def function(w, x):
        return jnp.tanh(x @ w["a"]).sum(axis=1) * w["b"] + jnp.sin(w["b"])

    start = {"a": jnp.arange(6.0).reshape(2, 3) / 7, "b": jnp.asarray(0.3)}
    step = {"a": jnp.ones((2, 3)), "b": jnp.asarray(-2.0)}
    x = jnp.asarray(np.random.default_rng(0).standard_normal((4, 2)))
    linear = linearise(function, start)

    def moved(t):
        return jax.tree.map(lambda w, s: w + t * s, start, step)

    at = [np.asarray(linear(moved(float(t)), x)) for t in (0, 1, 3)]
    assert at[0] == pytest.approx(np.asarray(function(start, x)))
    slope = (function(moved(1e-6), x) - function(moved(-1e-6), x)) / 2e-6
    assert at[1] - at[0] == pytest.approx(np.asarray(slope), rel=1e-7)
    assert at[2] == pytest.approx(3 * at[1] - 2 * at[0])
    gradient = jax.grad(lambda w: linear(w, x).sum())(moved(5.0))
    expected = jax.grad(lambda w: function(w, x).sum())(start)
    assert jax.tree.all(jax.tree.map(jnp.allclose, gradient, expected))


def test_the_derivative_at_the_kink_is_the_one_that_was_chosen():
    import jax
    import jax.numpy as jnp

    from depthsep.near_init import unit

    for name, low in (("relu", 0), ("leaky-relu:1/10", 0.1), ("abs", -1)):
        for at_kink in (0.0, 0.5, 1.0):
            sigma = unit(name, at_kink=at_kink)
            middle = low + at_kink * (1 - low)
            slopes = jax.vmap(jax.grad(sigma))(jnp.array([-2.0, 0.0, 3.0]))
            assert slopes == pytest.approx([low, middle, 1])
            assert float(sigma(jnp.asarray(-2.0))) == pytest.approx(-2 * low)
    with pytest.raises(HypothesisError, match="one of relu"):
        unit("gelu")


def test_relu_linearisations_in_jax_and_numpy_agree():
    from depthsep.near_init import DenseNetwork, Layer, linearise

    inner, outer = draw("signs", (3, 40, 1), 0)
    rng = np.random.default_rng(0)
    w, v = (inner.weight + 0.5 * rng.standard_normal((40, 3)) for _ in range(2))
    x = rng.standard_normal((9, 3))
    network = DenseNetwork()
    found = linearise(network, (Layer(w), outer))((Layer(v), outer), x)
    expected = linearised_value(outer.weight[0], w, v, x)
    assert np.asarray(found) == pytest.approx(expected)


# the bounds along real displacements


@given(st.integers(0, 10**6), st.sampled_from([8, 100, 700]), st.floats(0.05, 20))
def test_no_adversary_beats_the_bounds(seed, width, distance):
    inner, outer = draw("signs", (2, width, 1), seed)
    x, a, start = np.array([0.6, 0.8]), outer.weight[0], inner.weight
    radius = fmpq(*distance.as_integer_ratio())
    tiny = fmpq(1, 10**9)  # the bounds fail for one draw in 10^9
    worst = adversary_from_start(a, start, x, distance)
    off = np.linalg.norm(worst.evaluated_at - start)
    assert off <= distance * (1 + 1e-12)
    sharp = relu_bound_sharp(width, radius, tiny, from_start=True)
    assert worst.error <= float(sharp.value.upper()) * (1 + 1e-12)
    assert sharp.value <= relu_bound_sharp(width, radius, tiny).value
    assert relu_bound_sharp(width, radius, tiny).value <= relu_bound(
        width, radius, tiny, fmpq(1)
    )
    try:
        both = adversary(a, start, x, distance)
    except HypothesisError:  # no row is within reach
        return
    for moved in (both.linearised_at, both.evaluated_at):
        assert np.linalg.norm(moved - start) <= distance * (1 + 1e-9)
    assert both.error <= float(relu_bound_sharp(width, radius, tiny).value.upper())


def test_the_worst_case_from_the_start_is_the_worst():
    rng = np.random.default_rng(0)
    for seed in range(6):
        inner, outer = draw("signs", (2, 7, 1), seed)
        a, start, x = outer.weight[0], inner.weight, np.array([1.0, 0.0])
        worst = adversary_from_start(a, start, x, 1.5)
        best = 0.0
        for _ in range(4000):
            step = rng.standard_normal((7, 2)) * (rng.random((7, 1)) < 0.5)
            step *= 1.5 / max(np.linalg.norm(step), 1e-9)
            v = start + step
            gap = network_value(a, v, x[None]) - linearised_value(a, start, v, x[None])
            best = max(best, abs(gap[0]))
        assert 0.5 * worst.error < best <= worst.error + 1e-12


def test_the_adversaries_reach_their_constants():
    rng = np.random.default_rng(1)
    m = 200_000
    start, x = rng.standard_normal((m, 2)), np.array([0.6, 0.8])
    signs = rng.choice([-1.0, 1.0], m)
    for a, factor in ((np.ones(m), 1.0), (signs, 2 ** (-1 / 3))):
        assert adversary(a, start, x, 1.0).constant == pytest.approx(
            2.0785 * factor, rel=0.02
        )
        assert adversary_from_start(a, start, x, 1.0).constant == pytest.approx(
            0.75 * (math.sqrt(2 / math.pi) / 2) ** (1 / 3) * factor, rel=0.02
        )
    with pytest.raises(HypothesisError, match="equals its linearisation"):
        adversary(signs, start, np.zeros(2), 1.0)


# finite kernels


def test_blocks_of_parameters_add_up_and_agree_with_whole_gradients():
    import jax
    import jax.flatten_util
    import jax.numpy as jnp

    from depthsep.near_init import empirical_kernel

    def network(w, x):
        h = jnp.tanh(x @ w["in"] + w["shift"])
        return jnp.stack([h @ w["out"], (h * h) @ w["out"]], axis=1)

    rng = np.random.default_rng(0)
    shapes = {"in": (3, 5), "shift": (5,), "out": (5,)}
    w = {k: jnp.asarray(rng.standard_normal(s)) for k, s in shapes.items()}
    x, z = (jnp.asarray(rng.standard_normal((n, 3))) for n in (6, 4))
    found = empirical_kernel(network, w, x, z)
    assert set(found.blocks) == {f"['{k}']" for k in shapes}
    flat, unravel = jax.flatten_util.ravel_pytree(w)

    def whole(points):
        return jax.jacrev(lambda v: network(unravel(v), points))(flat)

    expected = np.einsum("ikp,jlp->ijkl", whole(x), whole(z))
    assert found.total == pytest.approx(expected, rel=1e-12)
    own, square = empirical_kernel(network, w, x).total, whole(x)
    assert own == pytest.approx(np.einsum("ikp,jlp->ijkl", square, square), rel=1e-12)


def test_row_blocks_change_nothing(monkeypatch):
    import jax.numpy as jnp

    from depthsep.near_init import finite_network
    from depthsep.near_init.networks import _dense, _empirical_kernel

    network, layers = finite_network(TangentKernel("relu", 3, 2, 0.2), 3, 20, 0)
    x = jnp.asarray(np.random.default_rng(0).standard_normal((11, 3)))
    whole = _empirical_kernel.empirical_kernel(network, layers, x).total
    layered = network.kernel(layers, x)
    monkeypatch.setattr(_empirical_kernel, "NUMBERS_A_BLOCK", 3000)
    monkeypatch.setattr(_dense, "NUMBERS_A_BLOCK", 200)
    blocked = _empirical_kernel.empirical_kernel(network, layers, x).total
    assert blocked == pytest.approx(whole, rel=1e-12)
    assert sum(network.kernel(layers, x)) == pytest.approx(whole, rel=1e-12)
    assert sum(layered) == pytest.approx(whole, rel=1e-12)


@pytest.mark.slow
@pytest.mark.parametrize(
    "kernel",
    [
        TangentKernel("relu", 2, trained=(1,)),
        TangentKernel("relu", 3, 2),
        TangentKernel("erf", 3, 1.5, 0.1),
    ],
    ids=["first layer", "deep relu", "deep erf"],
)
def test_finite_kernels_tend_to_the_limit_like_one_over_the_root_of_the_width(kernel):
    import jax.numpy as jnp

    from depthsep.near_init import finite_network

    x = np.random.default_rng(0).standard_normal((10, 3))
    x /= np.linalg.norm(x, axis=1)[:, None]
    limit, points = kernel(x), jnp.asarray(x)
    layers = kernel.trained or range(1, kernel.depth + 1)
    widths, errors = (64, 128, 256, 512, 1024, 2048), []
    for width in widths:
        squares = []
        for seed in range(24):
            network, start = finite_network(kernel, 3, width, seed)
            parts = network.kernel(start, points)
            squares.append(((sum(parts[h - 1] for h in layers) - limit) ** 2).mean())
        errors.append(math.sqrt(np.mean(squares)))
    slope = np.polyfit(np.log(widths), np.log(errors), 1)[0]
    assert -0.6 <= slope <= -0.4
    assert errors[-1] < 0.1 * np.abs(limit).max()


def test_the_first_layer_kernel_concentrates_as_stated():
    from depthsep.near_init import finite_network
    from depthsep.separation import bound

    x = np.array([[1.0, 2.0], [1.0, 1.0]])
    limit, outside = FIRST(x)[0, 1], 0
    radius = bound("telgarsky-3.19", x="1,2", z="1,1", width=200, delta="1/10").value
    for seed in range(100):
        network, layers = finite_network(FIRST, 2, 200, seed, init="signs")
        outside += abs(network.kernel(layers, x)[0][0, 1] - limit) > float(radius.upper)
    assert outside <= 10


def test_only_initialisations_with_this_limit_are_offered():
    from depthsep.near_init import finite_network

    for kernel, init in (
        (TangentKernel("relu", 3), "signs"),
        (TangentKernel("relu", 2, 1.0, 0.5), "symmetrised"),
        (TangentKernel(), "pytorch"),
    ):
        with pytest.raises(HypothesisError, match="does not tend to this kernel"):
            finite_network(kernel, 2, 8, 0, init=init)


# regression


def test_cholesky_reports_its_jitter_and_least_squares_its_rank():
    x = np.concatenate([circle(5), circle(5)])  # every point twice
    gram, y = FIRST(x), np.arange(10.0) % 5
    found = fit(gram, y)
    assert found.jitter > 0 and found.residual < 1e-6
    least = fit(gram, y, method="least-squares")
    assert least.rank == 5 and least.cutoff > 0 and least.jitter == 0
    assert least.residual < 1e-8
    norms = [np.linalg.norm(f.coefficients) for f in (least, found)]
    assert norms[0] <= norms[1] + 1e-6
    clean = fit(FIRST(circle(5)), np.arange(5.0))
    assert clean.jitter == 0 and clean.residual < 1e-10
    ridge = fit(gram, y, ridge=0.1)
    assert gram @ ridge.coefficients + 0.1 * ridge.coefficients == pytest.approx(y)
    other = fit(gram, y, ridge=0.1, method="least-squares")
    assert other.coefficients == pytest.approx(ridge.coefficients)
    assert least.predict(FIRST(circle(5), x)) == pytest.approx(np.arange(5.0), abs=1e-7)
    y[0] = 7.0  # the same point has two targets: no function meets both
    with pytest.raises(HypothesisError, match="least-squares"):
        fit(gram, y)


def test_targets_that_no_kernel_sum_meets_are_refused():
    # on a regular hexagon (-1)^j is orthogonal to every kernel without bias
    gram = FIRST(circle(6))
    with pytest.raises(HypothesisError, match="nothing fits"):
        fit(gram, np.arange(6.0))
    least = fit(gram, np.arange(6.0), method="least-squares")
    assert least.rank == 5 and least.residual == pytest.approx(0.5)


@pytest.mark.parametrize(
    ("gram", "y", "message"),
    [
        (-np.eye(3), np.ones(3), "indefinite"),
        (
            np.array([[1.0, 2.0], [2.0, 1.0]]),
            np.ones(2),
            "indefinite",
        ),
        (np.array([[1.0, 0.5], [0.0, 1.0]]), np.ones(2), "not symmetric"),
        (np.eye(3), np.ones(2), "give"),
        (np.full((2, 2), np.nan), np.ones(2), "NaN"),
    ],
)
@pytest.mark.parametrize("method", ["cholesky", "least-squares"])
def test_matrices_that_are_no_kernels_are_refused(gram, y, message, method):
    with pytest.raises(HypothesisError, match=message):
        fit(gram, y, method=method)


def test_a_gram_matrix_that_rounding_made_indefinite_is_solved():
    x = 1 + 1e-9 * np.random.default_rng(0).standard_normal((20, 2))
    gram = TangentKernel("cos", 2, 1.0, 0.3)(x)
    assert np.linalg.eigvalsh(gram)[0] < 1e-12
    for method in ("cholesky", "least-squares"):
        found = fit(gram, np.ones(20), method=method)
        assert np.isfinite(found.coefficients).all() and found.residual < 1e-5
    assert (LinearTraining(gram, np.ones(20)).values >= 0).all()


def test_training_with_a_fixed_kernel_follows_the_steps_and_the_flow():
    gram = FIRST(circle(7, 0.1))
    y = np.sin(np.arange(7.0))
    training = LinearTraining(gram, y)
    rate = 0.7 * training.largest_rate
    f, a = np.zeros(7), np.zeros(7)
    for step in range(1, 41):
        a = a + rate * (y - f)
        f = gram @ a
        assert training.descent(step, rate) == pytest.approx(a, rel=1e-9)
    assert training.descent(0, rate) == pytest.approx(np.zeros(7))
    small = training.flow(1.0) - training.descent(10**6, 1e-6)
    assert np.abs(small).max() < 1e-5
    late = training.flow(1e9)
    assert gram @ late == pytest.approx(y, abs=1e-6)
    assert training.flow(0.0) == pytest.approx(np.zeros(7))
    two = LinearTraining(gram, np.stack([y, -y], axis=1))
    assert two.flow(2.0)[:, 1] == pytest.approx(-training.flow(2.0))
    with pytest.raises(HypothesisError, match="it has to lie between 0 and"):
        training.descent(3, 2 * training.largest_rate)
    null = LinearTraining(np.zeros((2, 2)), np.ones(2))
    assert null.flow(3.0) == pytest.approx([3.0, 3.0])  # a grows, f stays


def test_minimum_norm_least_squares_for_the_linearisation():
    import jax
    import jax.flatten_util
    import jax.numpy as jnp

    from depthsep.near_init import distance, finite_network, linearise, minimum_norm

    kernel = TangentKernel("erf", 3, 1.2, 0.1)
    network, start = finite_network(kernel, 2, 30, 0)
    x, y = jnp.asarray(circle(6, 0.2)), np.cos(np.arange(6.0))
    found = minimum_norm(network, start, x, y)
    assert found.rank == 6 and found.residual < 1e-8
    flat, unravel = jax.flatten_util.ravel_pytree(start)
    jacobian = jax.jacrev(lambda v: network(unravel(v), x))(flat)
    step = np.linalg.pinv(np.asarray(jacobian)) @ (y - np.asarray(network(start, x)))
    expected = flat + step
    assert jax.flatten_util.ravel_pytree(found.parameters)[0] == pytest.approx(expected)
    assert float(distance(found.parameters, start)) == pytest.approx(
        np.linalg.norm(step)
    )
    # printed: (J^T J)^+ J (y - F): the shapes do not fit
    square = np.asarray(jacobian.T @ jacobian)
    with pytest.raises(ValueError, match="matmul"):
        _ = square @ np.asarray(jacobian) @ step
    # J J^T is the kernel's Gram matrix, J^T J is not
    gram = sum(network.kernel(start, x))
    assert gram == pytest.approx(np.asarray(jacobian @ jacobian.T))
    assert square.shape != gram.shape
    linear = linearise(network, start)(found.parameters, x)
    assert np.asarray(linear) == pytest.approx(y)


# training


def trained(width, steps=(1, 10, 100, 600)):
    from depthsep.near_init import descend, finite_network

    x, grid = circle(8, 0.3), circle(90)
    y = np.sin(2 * np.arctan2(x[:, 1], x[:, 0])) + 0.5 * x[:, 0]
    network, layers = finite_network(FIRST, 2, width, 0, init="symmetrised")
    gram = network.kernel(layers, x)[0]
    cross = network.kernel(layers, grid, x)[0]
    training = LinearTraining(gram, y)
    rate = 0.5 * training.largest_rate
    found = descend(network, layers, x, y, grid, rate=rate, steps=steps, trained=(1,))
    linear = np.array([cross @ training.descent(int(s), rate) for s in found.steps])
    return found, linear, layers


@pytest.mark.slow
def test_wide_networks_follow_their_linearisation_and_narrow_ones_leave_it():
    wide, wide_linear, layers = trained(8192)
    scale = 8192**-0.5
    delta = fmpq(1, 1000)
    bounds = np.array(
        relu_bounds_along(8192, wide.distance, 90, delta, units_per_row=2)
    )
    assert (wide.gap[1:] <= scale * bounds[1:]).all() and wide.gap[0] == 0
    # and within the exact worst case at that distance, point by point
    a, start = layers[1].weight[0], layers[0].weight
    for radius, values, linear in zip(
        wide.distance[1:], wide.values[1:], wide.linearised[1:], strict=True
    ):
        for x, gap in zip(circle(90)[::15], np.abs(values - linear)[::15], strict=True):
            assert gap <= scale * adversary_from_start(a, start, x, radius).error + 1e-9
    assert wide.loss[-1] < 1e-3 * wide.loss[0]
    follows = np.abs(wide.values - wide_linear).max()
    narrow, narrow_linear, _ = trained(64)
    leaves = np.abs(narrow.values - narrow_linear).max()
    size = np.abs(wide_linear).max()
    assert follows < 0.02 * size and leaves > 0.1 * size
    assert wide.longest[-1] < 0.2 * narrow.longest[-1]
    assert wide.distance[-1] == pytest.approx(narrow.distance[-1], rel=0.35)


def test_descent_reports_and_refuses():
    from depthsep.near_init import DenseNetwork, descend

    layers = draw("he", (2, 20, 1), 0)
    x, y = circle(4), np.ones(4)
    seen = []
    smooth, note = DenseNetwork("tanh"), seen.append
    found = descend(smooth, layers, x, y, x, rate=0.05, steps=[5, 2], progress=note)
    assert seen == [0, 2, 5] == found.steps.tolist()
    assert found.loss[2] < found.loss[0] and found.values.shape == (3, 4)
    assert found.layers[0].bias is not None and (found.layers[0].bias != 0).any()
    second = descend(
        DenseNetwork(), layers, x, y, x, rate=0.05, steps=[3], trained=(2,)
    )
    assert (second.layers[0].weight == layers[0].weight).all()
    assert (second.gap < 1e-12).all()  # linear in the last layer
    with pytest.raises(HypothesisError, match="lower the rate"):
        descend(DenseNetwork(), layers, x, y, x, rate=1e6, steps=[60])
    with pytest.raises(HypothesisError, match="the targets"):
        descend(DenseNetwork(), layers, x, np.ones(3), x, rate=0.1, steps=[1])
    with pytest.raises(HypothesisError, match="a trained layer is 3"):
        descend(DenseNetwork(), layers, x, y, x, rate=0.1, steps=[1], trained=(3,))


def test_deviations_of_smooth_networks_stay_within_proposition_3_4():
    from depthsep.near_init import (
        DenseNetwork,
        descend,
        smooth_bound,
        smoothness,
    )

    layers = draw("scaled", (2, 300, 1), 0)
    x = circle(5)
    layers = tuple(type(w)(w.weight) for w in layers)
    found = descend(
        DenseNetwork("tanh"), layers, x, x[:, 0], x, rate=0.2, steps=[200], trained=(1,)
    )
    radius = fmpq(*float(found.distance[-1]).as_integer_ratio())
    weight = fmpq(*float(np.abs(layers[1].weight).max()).as_integer_ratio())
    bound = smooth_bound(smoothness("tanh"), radius, weight)
    assert 0 < found.gap[-1] <= float(bound.upper())
