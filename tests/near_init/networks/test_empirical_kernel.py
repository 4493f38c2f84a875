"""Kernels of finite networks and steps along them."""

import math

import numpy as np
import pytest

from depthsep import HypothesisError
from depthsep.near_init import TangentKernel, draw

pytestmark = pytest.mark.usefixtures("x64")

FIRST = TangentKernel("relu", 2, trained=(1,))


def test_finite_kernels_of_whole_numbers_are_not_truncated():
    import jax
    import jax.numpy as jnp

    from depthsep.near_init import DenseNetwork, empirical_kernel, minimum_norm

    with jax.enable_x64(True):
        network, layers = DenseNetwork("sin"), draw("he", (3, 20, 1), 0)
        whole = np.array([[1, 2, 3], [0, 1, 1]])
        found = empirical_kernel(network, layers, whole).total
        exact = empirical_kernel(network, layers, jnp.asarray(whole, float)).total
        assert found.dtype == np.float64 and found == pytest.approx(exact)
        assert sum(network.kernel(layers, whole)) == pytest.approx(exact)
        assert minimum_norm(network, layers, jnp.asarray(whole, float), [1.0, 2.0])
        for bad in (np.ones(3), [[1.0, 2.0], [3.0]], np.full((2, 3), np.nan)):
            with pytest.raises(HypothesisError):
                network.kernel(layers, bad)
            with pytest.raises(HypothesisError):
                empirical_kernel(network, layers, bad)
        with pytest.raises(HypothesisError, match="not all of them empty"):
            empirical_kernel(network, (), whole)
        with pytest.raises(HypothesisError, match="arrays of floats"):
            empirical_kernel(lambda w, x: x @ w, np.arange(3), whole)


@pytest.mark.slow
def test_minimum_norm_refines_what_the_gram_matrix_squares():
    import jax
    import jax.flatten_util
    import jax.numpy as jnp

    from depthsep.near_init import distance, finite_network, minimum_norm

    with jax.enable_x64(True):
        network, start = finite_network(TangentKernel("erf", 2), 2, 40, 0)
        x = np.random.default_rng(0).standard_normal((6, 2))
        x[5] = x[4] + 1e-4
        y = np.array([1.0, -1.0, 0.5, 0.2, 0.3, 0.31])
        found = minimum_norm(network, start, jnp.asarray(x), y)
        flat, unravel = jax.flatten_util.ravel_pytree(start)
        jacobian = np.asarray(jax.jacrev(lambda v: network(unravel(v), x))(flat))
        step = np.linalg.lstsq(jacobian, y - np.asarray(network(start, x)), rcond=None)
        assert found.residual < 1e-7
        assert float(distance(found.parameters, start)) == pytest.approx(
            np.linalg.norm(step[0]), rel=1e-5
        )


def circle(count, start=0.0):
    angles = start + 2 * np.pi * np.arange(count) / count
    return np.stack([np.cos(angles), np.sin(angles)], axis=1)


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
    widths, errors = (64, 256, 1024), []
    for width in widths:
        squares = []
        for seed in range(12):
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
        with pytest.raises(HypothesisError, match="are not known to have this kernel"):
            finite_network(kernel, 2, 8, 0, init=init)


@pytest.mark.slow
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
