"""Tangent kernels of infinite width: against balls, at every extreme, fast paths."""

import math
import subprocess
import sys

import numpy as np
import pytest
from flint import arb
from hypothesis import given
from hypothesis import strategies as st

from depthsep._errors import HypothesisError
from depthsep.exact import rational
from depthsep.near_init import TangentKernel, enclosed_kernel
from depthsep.near_init.kernels import _pairs as tiles

ACTIVATIONS = (
    *("relu", "leaky-relu:1/10", "leaky-relu:-3", "identity", "abs"),
    *("erf", "sin", "cos", "exp", "threshold"),
)
DEPTHS = {"exp": (2, 3)}


def exact(kernel, x, z, *, tangent):
    """The same kernel in balls."""
    return np.array(
        [
            [
                float(
                    enclosed_kernel(
                        [rational(float(v)) for v in p],
                        [rational(float(v)) for v in q],
                        activation=kernel.activation,
                        depth=kernel.depth,
                        weight_variance=rational(kernel.weight_variance),
                        bias_variance=rational(kernel.bias_variance),
                        input_variance=rational(kernel.input_variance),
                        trained=kernel.trained,
                        tangent=tangent,
                    )
                )
                for q in z
            ]
            for p in x
        ]
    )


def near_and_far(rng, size=1.0):
    """Six points, and six others: antipodes, near copies, multiples, both at 1e-12."""
    x = size * rng.standard_normal((6, 3))
    z = x.copy()
    z[0], z[1], z[2] = -x[0], x[1] + 1e-9, -x[2] + 1e-7
    z[3], z[4], z[5] = 4 * x[3], -x[4] * (1 + 1e-12), x[5] + 1e-4
    return x, z


@pytest.mark.parametrize("bias", [0.0, 0.25])
@pytest.mark.parametrize("name", ACTIVATIONS)
def test_kernels_agree_with_balls_at_the_diagonal_the_antipode_and_between(name, bias):
    rng = np.random.default_rng(1)
    x, z = near_and_far(rng, 0.1 if name == "exp" else 1.0)
    for depth in DEPTHS.get(name, (2, 3, 5)):
        kernel = TangentKernel(name, depth, 0.5 if name == "exp" else 1.5, bias)
        # thresholds turn an error e of an angle into one of sqrt(e) in every layer
        tolerance = 1e-13 if name != "threshold" or depth == 2 else 1e-3
        calls = [(kernel.nngp, False)]
        calls += [(kernel, True)] if name != "threshold" else []
        for call, tangent in calls:
            truth = exact(kernel, x, z, tangent=tangent)
            size = np.abs(truth).max(axis=1, keepdims=True)
            assert np.abs(call(x, z) - truth).max() <= tolerance * size.max()
            assert (np.abs(call(x, z) - truth) <= 30 * tolerance * size).all()


@pytest.mark.parametrize("gap", [1e-3, 1e-6, 1e-9, 1e-12])
def test_relu_is_accurate_relative_to_itself_next_to_the_antipode(gap):
    x = np.array([[0.6, 0.8]])
    z = -x + gap * np.array([[0.8, -0.6]])
    for trained in ((1,), (2,), (1, 2)):
        kernel = TangentKernel(trained=trained)
        truth = exact(kernel, x, z, tangent=True)
        assert kernel(x, z) == pytest.approx(truth, rel=1e-12, abs=0)


@pytest.mark.parametrize("depth", [2, 3, 6, 40])
def test_the_diagonal_is_exact(depth):
    x = np.array([[3.0, 4.0], [1.0, 0.0], [0.0, 0.0], [-2.0, 1.0]])
    kernel = TangentKernel("relu", depth, 2)
    square = np.array([25.0, 1, 0, 5])
    assert kernel.diagonal(x) == pytest.approx(depth * square, rel=4e-16 * depth)
    assert (np.diag(kernel(x)) == kernel.diagonal(x)).all()
    assert np.diag(kernel(x, x.copy())) == pytest.approx(depth * square, rel=1e-14)
    assert TangentKernel(trained=(1,))(x)[0, 0] == 12.5


@pytest.mark.parametrize("name", ACTIVATIONS[:-1])
def test_gram_matrices_are_symmetric_and_positive_semidefinite_to_rounding(name):
    rng = np.random.default_rng(2)
    x = rng.standard_normal((80, 2)) * (0.3 if name == "exp" else 1)
    x[40:60] = x[:20]  # repeated points
    x[60:] = -x[:20]
    for depth in (2, 3):
        gram = TangentKernel(name, depth, 1.0, 0.1)(x)
        assert (gram == gram.T).all()
        values = np.linalg.eigvalsh(gram)
        assert values[0] > -1e-13 * values[-1]


def test_layers_add_up_to_the_kernel():
    x = np.random.default_rng(3).standard_normal((7, 4))
    for name in ("relu", "erf", "cos"):
        kernel = TangentKernel(name, 4, 1.3, 0.2, 0.7)
        assert sum(kernel.by_layer(x)) == pytest.approx(kernel(x), rel=1e-13)


def test_symmetric_tiles_and_all_pairs_agree(monkeypatch):
    monkeypatch.setattr(tiles, "ROWS", 5)
    monkeypatch.setattr(tiles, "COLUMNS", 7)
    x = np.random.default_rng(4).standard_normal((33, 6))
    for kernel in (TangentKernel("relu", 3, 2, 0.1), TangentKernel("sin", 2)):
        seen = []
        symmetric = kernel(x, progress=seen.append)
        assert symmetric == pytest.approx(kernel(x, x.copy()), rel=1e-13)
        assert sum(seen) == 33


def test_extreme_norms_give_scaled_kernels_or_one_clear_line():
    x = np.random.default_rng(5).standard_normal((5, 3))
    kernel = TangentKernel("relu", 3, 2)
    plain = kernel(x)
    for scale in (1e-100, 1e-150, 1e100, 1e140):
        assert kernel(scale * x) == pytest.approx(scale * (scale * plain), rel=1e-12)
    tiny = kernel(1e-300 * x)
    assert (tiny == 0).all()
    mixed = kernel(1e-160 * x, 1e150 * x / np.abs(x).max() / 4)
    assert np.isfinite(mixed).all() and mixed.any()
    with pytest.raises(HypothesisError, match=r"beyond 1e\+150.*scale the inputs"):
        kernel(1e151 * x)
    with pytest.raises(HypothesisError, match=r"beyond 1e\+18"):
        kernel((1e19 * x).astype(np.float32))
    with pytest.raises(HypothesisError, match="leave float64"):
        TangentKernel("exp", 4)(30 * x)
    with pytest.raises(HypothesisError, match="leave float64"):
        TangentKernel("relu", 600, 1e3)(x)
    for name in ("erf", "sin", "cos", "threshold"):
        for scale in (1e-160, 1e150 / 4):
            assert np.isfinite(TangentKernel(name, 3, 1, 0.1).nngp(scale * x)).all()


@pytest.mark.parametrize("name", ACTIVATIONS)
@pytest.mark.parametrize("bias", [0.0, 0.5])
def test_zero_vectors_have_a_defined_kernel(name, bias):
    x = np.zeros((3, 2))
    x[1] = 0.3, -0.2
    kernel = TangentKernel(name, 3, 1.0, bias)
    calls = [(kernel.nngp, False)]
    calls += [(kernel, True)] if name != "threshold" else []
    for call, tangent in calls:
        found = call(x)
        assert np.isfinite(found).all() and (found == found.T).all()
        truth = exact(kernel, x, x, tangent=tangent)
        assert found == pytest.approx(truth, rel=1e-13, abs=1e-14)
        if name == "relu" and bias == 0:
            assert (found[0] == 0).all() and (found[:, 2] == 0).all()


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"activation": "gelu"}, "no kernel for the activation 'gelu'; one of relu"),
        ({"activation": "leaky-relu"}, "leaky-relu:1/10"),
        ({"depth": 0}, "depth is 0; give a whole number from 1"),
        ({"weight_variance": 0.0}, "weight_variance is 0"),
        ({"bias_variance": -1.0}, "bias_variance is -1"),
        ({"weight_variance": float("nan")}, "weight_variance is nan"),
        ({"trained": (3,)}, "trained layer is 3; give a whole number from 1 to 2"),
    ],
)
def test_kernels_that_are_none_are_refused(change, message):
    with pytest.raises(HypothesisError, match=message):
        TangentKernel(**change)


@pytest.mark.parametrize(
    ("x", "z", "message"),
    [
        (np.ones((2, 3)), np.ones((2, 4)), "x has 3 inputs a point, z has 4"),
        (np.ones(3), None, r"shape \(3,\); give \(points, inputs\)"),
        (np.array([[np.nan, 1]]), None, "holds NaN"),
        (np.array([[np.inf, 1]]), None, "holds NaN or infinite"),
        ([["a"]], None, "not an array of real numbers"),
    ],
)
def test_inputs_that_do_not_fit_are_refused(x, z, message):
    with pytest.raises(HypothesisError, match=message):
        TangentKernel()(x, z)


def test_thresholds_have_an_nngp_kernel_only():
    x = np.eye(2)
    with pytest.raises(HypothesisError, match="use nngp"):
        TangentKernel("threshold")(x)
    assert TangentKernel("threshold").nngp(x) == pytest.approx(
        np.array([[0.5, 0.25], [0.25, 0.5]])
    )


def test_single_precision_stays_single_and_close():
    x = np.random.default_rng(6).standard_normal((40, 5))
    for name in ("relu", "erf", "cos"):
        kernel = TangentKernel(name, 3, 1.5, 0.1)
        single = kernel(x.astype(np.float32))
        assert single.dtype == np.float32
        assert single == pytest.approx(kernel(x), rel=2e-5, abs=2e-5)


@given(
    st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=2),
    st.lists(st.floats(-1e3, 1e3), min_size=2, max_size=2),
    st.sampled_from(["relu", "leaky-relu:1/2", "abs"]),
)
def test_any_two_points_of_the_plane_agree_with_balls(x, z, name):
    kernel = TangentKernel(name, 3, 2.0)
    found = kernel([x], [z])[0, 0]
    truth = exact(kernel, [x], [z], tangent=True)[0, 0]
    size = math.hypot(*x) * math.hypot(*z)
    assert abs(found - truth) <= 1e-12 * size + 1e-300


def test_the_balls_do_not_depend_on_the_working_precision():
    x, z = ([rational(v) for v in p] for p in (["1", "2"], ["-1", "2.5"]))
    ball = enclosed_kernel(x, z, depth=7, weight_variance=rational(2))
    assert ball.rad() < arb(10) ** -100
    with pytest.raises(HypothesisError, match="dimension 2 and 1"):
        enclosed_kernel(x, z[:1])


# JAX


@pytest.fixture
def x64():
    import jax

    with jax.enable_x64(True):
        yield


@pytest.mark.parametrize("name", ACTIVATIONS)
def test_jax_arrays_give_the_same_kernel_as_jax_arrays(name, x64):
    import jax
    import jax.numpy as jnp

    x, z = near_and_far(np.random.default_rng(7), 0.2)
    kernel = TangentKernel(name, 3, 0.8, 0.1)
    call = kernel.nngp if name == "threshold" else kernel
    found = call(jnp.asarray(x), jnp.asarray(z))
    assert isinstance(found, jax.Array)
    assert np.asarray(found) == pytest.approx(call(x, z), rel=1e-9, abs=1e-12)
    own = call(jnp.asarray(x))
    assert np.asarray(own) == pytest.approx(call(x), rel=1e-9, abs=1e-12)
    compiled = jax.jit(call)(jnp.asarray(x), jnp.asarray(z))
    assert np.asarray(compiled) == pytest.approx(np.asarray(found), rel=1e-12)


def test_jax_arrays_are_filled_by_row_blocks(x64, monkeypatch):
    import jax.numpy as jnp

    from depthsep.near_init.kernels import _jax_pairs

    monkeypatch.setattr(_jax_pairs, "ENTRIES_A_BLOCK", 40)
    x = np.random.default_rng(8).standard_normal((17, 3))
    kernel = TangentKernel("relu", 2, 1.7)
    assert np.asarray(kernel(jnp.asarray(x))) == pytest.approx(kernel(x), rel=1e-13)


def test_jax_works_in_single_precision_too():
    import jax.numpy as jnp

    x = np.random.default_rng(9).standard_normal((9, 3)).astype(np.float32)
    found = np.asarray(TangentKernel("relu", 3, 2)(jnp.asarray(x)))
    assert found.dtype == np.float32
    assert found == pytest.approx(TangentKernel("relu", 3, 2)(x), rel=1e-5, abs=1e-5)
    with pytest.raises(HypothesisError, match=r"give \(points, inputs\)"):
        TangentKernel()(jnp.arange(3))


@pytest.mark.slow
def test_rows_are_spread_over_several_devices():
    code = """
import jax, numpy as np, jax.numpy as jnp
from depthsep.near_init import TangentKernel
assert len(jax.devices()) == 4
x = np.random.default_rng(0).standard_normal((12, 3)).astype(np.float32)
kernel = TangentKernel("relu", 3, 2.0, 0.1)
found = kernel.sharded(jnp.asarray(x))
assert len(found.sharding.device_set) == 4
assert np.allclose(np.asarray(found), kernel(x), rtol=1e-4, atol=1e-5)
cross = kernel.sharded(jnp.asarray(x), jnp.asarray(x[:5]), tangent=False)
assert np.allclose(np.asarray(cross), kernel.nngp(x, x[:5]), rtol=1e-4, atol=1e-5)
try:
    kernel.sharded(jnp.asarray(x[:7]))
except ValueError as error:
    assert "7 rows over 4 devices" in str(error)
else:
    raise AssertionError
"""
    import os

    flags = "--xla_force_host_platform_device_count=4"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-800:]
