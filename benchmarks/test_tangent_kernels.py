"""Tangent kernels of many points beside the plain closed form in NumPy."""

import subprocess
import sys
import time

import numpy as np
import pytest

from depthsep.near_init import TangentKernel

POINTS = np.random.default_rng(0).standard_normal((4000, 10))
SMALL = POINTS[:1500]


def plain(x: np.ndarray) -> np.ndarray:
    """The kernel of both layers at depth 2, vectorised; inaccurate at the diagonal."""
    norms = np.linalg.norm(x, axis=1)
    unit = x / norms[:, None]
    cosine = np.clip(unit @ unit.T, -1, 1)
    angle = np.arccos(cosine)
    first = cosine * (np.pi - angle)
    second = np.sin(angle) + (np.pi - angle) * cosine
    return np.outer(norms, norms) * (first + second) / (2 * np.pi)


def cpu(call) -> float:
    """CPU seconds of the fastest of five calls, all threads together."""
    best = np.inf
    for _ in range(5):
        started = time.process_time()
        call()
        best = min(best, time.process_time() - started)
    return best


def test_depth_two_kernel(benchmark):
    kernel = TangentKernel()
    benchmark.extra_info["cpu_s"] = cpu(lambda: kernel(POINTS))
    assert benchmark(kernel, POINTS).shape == (4000, 4000)


def test_baseline_plain_numpy(benchmark):
    benchmark.extra_info["cpu_s"] = cpu(lambda: plain(POINTS))
    assert benchmark(plain, POINTS).shape == (4000, 4000)


@pytest.mark.parametrize("depth", [2, 4, 8])
def test_deep_kernels(benchmark, depth):
    assert benchmark(TangentKernel("relu", depth, 2), SMALL).shape == (1500, 1500)


@pytest.mark.parametrize("name", ["erf", "cos", "exp"])
def test_smooth_kernels(benchmark, name):
    assert benchmark(TangentKernel(name), SMALL / 4).shape == (1500, 1500)


def test_memory_of_twenty_thousand_points(benchmark):
    """One process makes the 3.2 GB result; its peak is in the extra information."""
    code = (
        "import resource, numpy as np; from depthsep.near_init import TangentKernel\n"
        "x = np.random.default_rng(0).standard_normal((20000, 10))\n"
        "TangentKernel()(x)\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)"
    )

    def run() -> float:
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, check=True
        )
        return int(done.stdout) * 1024 / 1e9

    peak = benchmark.pedantic(run, rounds=1)
    benchmark.extra_info["peak_GB"] = peak
    assert peak < 3.5
