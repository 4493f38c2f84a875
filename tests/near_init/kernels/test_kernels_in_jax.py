"""Kernels of JAX arrays: the same numbers, compiled once, spread over devices."""

import subprocess
import sys

import numpy as np
import pytest

from depthsep import HypothesisError
from depthsep.near_init import TangentKernel
from support.kernels import near_and_far
from support.slow import mostly_slow

FAST = ("relu", "leaky-relu:-3", "erf", "threshold")
ACTIVATIONS = (*FAST, "sin", "cos", "exp", "identity", "abs")


def test_equal_kernels_compile_once():
    from depthsep.near_init.kernels._duals import kernel_activation

    one, other = TangentKernel("leaky-relu:1/3", 3), TangentKernel("leaky-relu:1/3", 3)
    assert one._architecture(tangent=True) == other._architecture(tangent=True)
    assert hash(one._architecture(tangent=True)) is not None
    assert kernel_activation("relu") is kernel_activation("relu")


def test_deep_kernels_compile_in_a_moment():
    import time

    import jax.numpy as jnp

    x = np.random.default_rng(0).standard_normal((5, 3)).astype(np.float32)
    started = time.perf_counter()
    found = TangentKernel("relu", 300, 2, 0.01)(jnp.asarray(x))
    assert time.perf_counter() - started < 60  # unrolled it took many minutes
    expected = TangentKernel("relu", 300, 2, 0.01)(x)
    assert np.asarray(found) == pytest.approx(expected, rel=1e-2)


def test_jax_inputs_that_do_not_fit_are_refused_or_promoted():
    import jax
    import jax.numpy as jnp

    kernel = TangentKernel("relu", 3, 2, 0.1)
    x = np.random.default_rng(0).standard_normal((4, 3))
    with jax.enable_x64(True):
        single, double = jnp.asarray(x, jnp.float32), jnp.asarray(x)
        for pair in ((single, double), (double, single), (single, x), (x, single)):
            found = kernel(*pair)
            assert found.dtype == jnp.float64
            assert np.asarray(found) == pytest.approx(kernel(x, x.copy()), rel=1e-5)
        assert kernel(double[:0], double).shape == (0, 4)
        assert kernel(double, double[:0]).shape == (4, 0)
        for bad in (
            jnp.asarray([[np.nan, 1.0]]),
            jnp.asarray([[1e200, 1.0]]),
            jnp.ones(3),
            jnp.ones((2, 0)),
        ):
            for call in (kernel, kernel.sharded):
                with pytest.raises(HypothesisError):
                    call(bad)
        with pytest.raises(HypothesisError, match="x have 3 numbers, those of z 2"):
            kernel(double, double[:, :2])
        own = np.asarray(kernel.sharded(double))
        assert (np.diag(own) == np.asarray(kernel(double)).diagonal()).all()


@pytest.mark.parametrize("name", mostly_slow(FAST, ACTIVATIONS))
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


@pytest.mark.parametrize("name", mostly_slow(["relu", "erf"], (*FAST, "sin", "exp")))
def test_kernels_may_be_compiled_into_other_functions(name, x64):
    import jax
    import jax.numpy as jnp

    x, z = (jnp.asarray(a) for a in near_and_far(np.random.default_rng(7), 0.2))
    kernel = TangentKernel(name, 3, 0.8, 0.1)
    call = kernel.nngp if name == "threshold" else kernel
    compiled = jax.jit(call)(x, z)
    assert np.asarray(compiled) == pytest.approx(np.asarray(call(x, z)), rel=1e-12)


def test_jax_arrays_are_filled_by_row_blocks(x64, monkeypatch):
    import jax.numpy as jnp

    from depthsep.near_init.kernels.pairs import _jax_pairs

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
    with pytest.raises(HypothesisError, match="give an array of shape"):
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
    assert "7 rows cannot be shared evenly" in str(error)
else:
    raise AssertionError
"""
    import os

    flags = os.environ.get("XLA_FLAGS", "")
    flags += " --xla_force_host_platform_device_count=4"
    done = subprocess.run(
        [sys.executable, "-c", code],
        env={**os.environ, "XLA_FLAGS": flags, "JAX_PLATFORMS": "cpu"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr[-800:]
