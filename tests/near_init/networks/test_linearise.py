"""Linearisation, kernels of finite networks, regression and training, in JAX."""

import math

import numpy as np
import pytest
from flint import fmpq
from hypothesis import given
from hypothesis import strategies as st

from depthsep import HypothesisError
from depthsep.near_init import (
    adversary,
    adversary_from_start,
    draw,
    linearised_value,
    network_value,
    relu_bound,
    relu_bound_sharp,
)
from depthsep.near_init.bounds._shallow import largest_error_from_start

pytestmark = pytest.mark.usefixtures("x64")


# initialisations


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
    from depthsep.near_init import DenseNetwork, linearise
    from depthsep.near_init.networks._initialisations import Layer

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


@pytest.mark.parametrize(("signs", "limit"), [(False, 0.552), (True, 0.438)])
def test_the_worst_case_from_the_start_has_its_limit(signs, limit):
    """Of m^(1/3) B^(4/3): with signs at random half the rows count."""
    rng, m, distance, found = np.random.default_rng(4), 200_000, 2.0, []
    for _ in range(5):
        a = rng.choice([-1.0, 1.0], m) if signs else np.ones(m)
        z = rng.normal(size=(m, 1))
        worst = largest_error_from_start(a, z, np.ones((1, 1)), distance)
        found.append(worst / (m ** (1 / 3) * distance ** (4 / 3)))
    assert np.mean(found) == pytest.approx(limit, rel=0.03)


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


# regression


# training
