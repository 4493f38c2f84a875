"""Tangent kernels of infinite width: against balls, at every extreme, fast paths."""

import math

import numpy as np
import pytest
from flint import arb, fmpq
from hypothesis import given
from hypothesis import strategies as st

from depthsep import HypothesisError, listening
from depthsep.exact import rational
from depthsep.near_init import TangentKernel, enclosed_kernel, padded
from depthsep.near_init.kernels.pairs import _pairs as tiles
from support.kernels import ACTIVATIONS, exact, near_and_far

DEPTHS = {"exp": (2, 3)}


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
        with listening(lambda share, what, seen=seen: seen.append(share)):
            symmetric = kernel(x)
        assert symmetric == pytest.approx(kernel(x, x.copy()), rel=1e-13)
        assert len(seen) == 7 and seen == sorted(seen)


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
    with pytest.raises(HypothesisError, match="dimensions 2 and 1"):
        enclosed_kernel(x, z[:1])


# JAX


def own_kernel_again(kernel, x):
    """The kernel of points with copies of themselves, against the exact diagonal."""
    found = np.diag(kernel(x, x.copy()))
    return found, kernel.diagonal(x)


@pytest.mark.parametrize(
    ("name", "depth", "variance", "kind", "tolerance"),
    [
        ("sin", 10, 10.0, np.float32, 2e-4),
        ("sin", 10, 25.0, np.float64, 1e-12),
        ("sin", 5, 1e4, np.float64, 1e-12),
        ("cos", 5, 1e6, np.float64, 1e-12),
        ("erf", 5, 1e10, np.float64, 1e-12),
        ("erf", 10, 25.0, np.float32, 2e-4),
        ("erf", 4, 1e7, np.float32, 2e-4),
        ("erf", 4, 1e12, np.float64, 1e-12),
    ],
)
def test_smooth_kernels_of_copies_are_those_of_the_point(
    name, depth, variance, kind, tolerance
):
    x = np.random.default_rng(0).standard_normal((40, 4)).astype(kind)
    found, exact = own_kernel_again(TangentKernel(name, depth, variance, 0.1), x)
    assert found == pytest.approx(exact, rel=tolerance)


@pytest.mark.parametrize("name", ["sin", "cos", "erf"])
@pytest.mark.parametrize("variance", [0.5, 4.0, 100.0])
def test_deep_smooth_kernels_next_to_the_diagonal_agree_with_balls(name, variance):
    x = np.array([[0.6, -0.3, 0.2]])
    kernel = TangentKernel(name, 6, variance, 0.1)
    for gap in (1e-2, 1e-5, 1e-9):
        for sign in (1, -1):
            z = sign * (x + gap * np.array([[0.1, 0.5, -0.7]]))
            points = [
                [fmpq(*v.as_integer_ratio()) for v in p[0].tolist()] for p in (x, z)
            ]
            given = {
                "activation": name,
                "depth": 6,
                "weight_variance": fmpq(*variance.as_integer_ratio()),
                "bias_variance": fmpq(*(0.1).as_integer_ratio()),
            }
            truth = float(enclosed_kernel(*points, **given))
            size = float(np.sqrt(kernel.diagonal(x) * kernel.diagonal(z))[0])
            assert abs(kernel(x, z)[0, 0] - truth) <= 1e-11 * size


def test_thresholds_are_accurate_at_the_antipode():
    found = TangentKernel("threshold").nngp([[1.0, 0.0]], [[-1.0, 1e-9]])[0, 0]
    assert found == pytest.approx(1e-9 / (2 * math.pi), rel=1e-12)


def test_padding_makes_unit_points_and_another_kernel():
    x = np.array([[0.3, 0.4], [0.6, -0.8], [0.0, 0.0]])
    long = padded(x)
    np.testing.assert_allclose(np.linalg.norm(long, axis=1), 1)
    assert (long[:, :2] == x).all()
    kernel = TangentKernel("relu", 2, trained=(1,))
    near, far = kernel(x[:1], x[1:2])[0, 0], kernel(long[:1], long[1:2])[0, 0]
    assert abs(near - far) > 1e-3
    with pytest.raises(HypothesisError, match="scale it"):
        padded([[1.0, 1.0]])
