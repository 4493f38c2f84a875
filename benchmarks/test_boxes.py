"""Networks on boxes: building them, and following them, beside plain evaluation."""

import numpy as np
import pytest
from flint import arb, ctx, fmpq

from depthsep.analysis import mean_error, sweep
from depthsep.analysis.box._ridge_fits import DEGREES, Sampled
from depthsep.analysis.box._ridges import ridge_sum
from depthsep.analysis.box.by_region._region_error import region_error
from depthsep.analysis.box.by_region._region_mean import region_mean
from depthsep.constructions import (
    cube_network,
    product_network,
    record_named,
    taylor_plan,
)
from depthsep.infinite_width import Gaussian, barron_thresholds, threshold_mass
from depthsep.laws import Box, Segment, uniform_on
from depthsep.lower_bounds.box.skinny._blind import distance_from_blind
from depthsep.networks import Network
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


@pytest.fixture(scope="module")
def random_network():
    """Of 12 and 12 units: some 170 regions of the square."""
    rng = np.random.default_rng(3)
    arrays = []
    for n, m in ((2, 12), (12, 12), (12, 1)):
        arrays += [rng.normal(size=(m, n)) * 1.4 / n**0.5, rng.normal(size=m) / 2]
    return Network.from_arrays(*arrays)


def test_sup_region_by_region(benchmark, random_network):
    found = benchmark(
        region_error, random_network, BUMP, SQUARE, relative=1e-2, seconds=60
    )
    assert found.upper < fmpq(102, 100) * found.lower


@pytest.mark.parametrize("norm", ["linf", "l1"])
def test_blind_directions(benchmark, norm):
    found = benchmark.pedantic(
        distance_from_blind.__wrapped__, (BUMP, SQUARE, norm), rounds=3
    )
    assert 0 < found < 1


@pytest.mark.parametrize("norm", ["l1", "l2"])
def test_mean_region_by_region(benchmark, random_network, norm):
    options = {"norm": norm, "relative": 1e-2, "seconds": 60}
    found = benchmark.pedantic(
        region_mean, (random_network, BUMP, SQUARE), options, rounds=3
    )
    assert found.upper < fmpq(102, 100) * found.lower


def test_baseline_samples_of_a_small_network(benchmark, random_network):
    x = uniform_on(SQUARE).sample(100_000, seed=1)
    off = benchmark(lambda: random_network.floats(x)[:, 0] - BUMP.floats(x))
    assert np.isfinite(off).all()


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


@pytest.fixture(scope="module")
def ridges():
    """53 of them, sampled."""
    record = record_named("bump-l2-1e-3-depth-2")
    found = ridge_sum(record.network, record.problem.law.box)
    return [Sampled.of(ridge) for ridge in found.ridges]


def test_fit_polynomials_to_ridges(benchmark, ridges):
    found = benchmark(lambda: [[r.fitted(k) for k in DEGREES] for r in ridges])
    assert len(found) == 53


def test_baseline_one_fit_of_numpy_each(benchmark, ridges):
    fit = np.polynomial.Polynomial.fit
    found = benchmark.pedantic(
        lambda: [
            [fit(r.points, r.values, k).convert() for k in DEGREES] for r in ridges
        ],
        rounds=3,
    )
    np.testing.assert_allclose(found[3][5].coef, ridges[3].fitted(6), atol=1e-9)


@pytest.mark.parametrize("axis", [0, 1])
def test_bend_along_an_axis(benchmark, axis):
    ball, step = [arb(0.3, 0.01), arb(0.4, 0.01)], [int(axis == k) for k in (0, 1)]
    with ctx.workprec(96):
        assert benchmark(WAVE.along, step, ball).second.is_finite()
