"""Networks on boxes: building them, and following them, beside plain evaluation."""

import numpy as np
import pytest
from flint import fmpq

from depthsep.analysis import mean_error, sweep
from depthsep.constructions import cube_network, product_network, taylor_plan
from depthsep.infinite_width import Gaussian, barron_thresholds, threshold_mass
from depthsep.laws import Box, Segment, uniform_on
from depthsep.targets import Formula

SQUARE = Box.cube(Segment(0, 1), 2)
BUMP = Formula("exp(-x1**2-x2**2)")


WAVE = Formula("sin(3*x1)*x2")


@pytest.fixture(scope="module")
def cubes():
    return cube_network(WAVE.floats, 2, fmpq(33, 10), fmpq(1, 8), "centre").network


@pytest.fixture(scope="module")
def glued():
    return taylor_plan(BUMP, SQUARE, fmpq(1, 10)).glued


def test_build_glued_polynomials(benchmark, glued):
    assert list(benchmark(glued.network).widths) == glued.shape.widths()


def test_baseline_predict_their_size(benchmark, glued):
    assert sum(benchmark(glued.shape.widths)) == glued.network().units


def test_sweep_glued_polynomials(benchmark, glued):
    network = glued.network()
    found = benchmark.pedantic(
        sweep, (network, BUMP, SQUARE), {"limit": "1/10"}, rounds=3
    )
    assert found.complete


def test_sweep_a_product(benchmark):
    box = Box.cube(Segment(-1, 1), 2)
    found = benchmark.pedantic(
        sweep,
        (product_network(3), Formula("x1*x2"), box),
        {"limit": "1/900"},
        rounds=3,
    )
    assert found.complete


def test_mean_of_cubes(benchmark, cubes):
    found = benchmark.pedantic(
        mean_error, (cubes, WAVE, SQUARE), {"norm": "l1", "limit": "1/4"}, rounds=3
    )
    assert found.upper <= fmpq(1, 4)


def test_baseline_mean_of_samples(benchmark, cubes):
    x = uniform_on(SQUARE).sample(10_000, 0)

    def mean():
        return np.abs(cubes.floats(x)[:, 0] - WAVE.floats(x)).mean()

    assert benchmark(mean) < 1 / 4


def test_baseline_evaluate_at_as_many_points(benchmark, glued):
    network, x = glued.network(), uniform_on(SQUARE).sample(10_000, 0)
    assert np.isfinite(benchmark(network.floats, x)).all()


def test_threshold_mass(benchmark):
    assert benchmark(threshold_mass, Gaussian(10, "1/2")).lower > 0


def test_draw_and_evaluate_thresholds(benchmark):
    law = barron_thresholds(Gaussian(10, "1/2"))
    x = np.zeros((100, 10))
    assert benchmark(lambda: law.network(1000, 0).floats(x)).shape == (100, 1)
