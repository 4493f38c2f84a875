"""Regions by the filter and in rationals, one thread; time and memory as they grow.

Networks of zigzags have 4^k regions in the plane, on layers of four units each.
"""

import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from depthsep.analysis.regions import affine_regions, integrals, regions
from depthsep.constructions import fold_network
from depthsep.interop import read_npz
from depthsep.laws import Box, Uniform
from depthsep.networks import Network, compose, parallel

NETS = Path(__file__).parents[1] / "tests" / "reference" / "nets"
CASES = {"n1_256x3_s0": 530, "n2_32x2_s0": 1254, "n2_64x3_s0": 9974}
SQUARE = Box.cube(Uniform(0, 1), 2)


def case(name):
    network, side = read_npz(NETS / f"{name}.npz"), Uniform(-1, 1)
    return network, side if network.in_dim == 1 else Box.cube(side, network.in_dim)


def zigzags(folds):
    """(x, y) -> (D^k(x), D^k(y)): 4^k regions."""
    fold = fold_network((2,) * folds)
    first, second = (Network.from_arrays([row], [0]) for row in ([1, 0], [0, 1]))
    return parallel(compose(fold, first), compose(fold, second))


def random_network(widths, seed=0):
    rng, arrays = np.random.default_rng(seed), []
    for fan, units in zip([2, *widths], [*widths, 1], strict=True):
        arrays.append(rng.standard_normal((units, fan)) * (2 / fan) ** 0.5)
        arrays.append(0.1 * rng.standard_normal(units))
    return Network.from_arrays(*arrays)


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("engine", ["filtered", "rational"])
def test_regions(benchmark, name, engine):
    network, on = case(name)
    found = benchmark(regions, network, on, engine=engine)
    assert found.activation_regions == CASES[name]


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("engine", ["filtered", "rational"])
def test_affine_regions(benchmark, name, engine):
    """On an interval these are the pieces."""
    network, on = case(name)
    assert benchmark(affine_regions, network, on, engine=engine) == CASES[name]


@pytest.mark.parametrize("exact", [True, False], ids=["rationals", "balls"])
def test_integrals(benchmark, exact):
    network, on = case("n2_32x2_s0")
    found = benchmark(integrals, network, on, exact=exact)
    assert float(found.integral) == pytest.approx(-3.488413482353859, rel=1e-12)


@pytest.mark.parametrize("engine", ["filtered", "rational"])
@pytest.mark.parametrize("folds", [6, 8, 10])
def test_time_is_linear_in_the_regions(benchmark, folds, engine):
    """4^6, 4^8 and 4^10, about a million."""
    run = benchmark.pedantic
    found = run(regions, (zigzags(folds), SQUARE), {"engine": engine}, rounds=1)
    assert found.activation_regions == 4**folds
    benchmark.extra_info["microseconds a region"] = (
        benchmark.stats["min"] / 4**folds * 1e6
    )


@pytest.mark.parametrize("depth", [2, 3, 4])
def test_random_networks_of_width_64(benchmark, depth):
    network = random_network((64,) * depth)
    square = Box.cube(Uniform(-1, 1), 2)
    found = benchmark.pedantic(regions, (network, square), rounds=1)
    benchmark.extra_info["regions"] = found.activation_regions
    assert found.vertices - found.edges + found.activation_regions == 1


def test_memory_of_a_million_regions():
    tracemalloc.start()
    found = regions(zigzags(10), SQUARE)
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert found.activation_regions == 4**10
    assert peak < 2e9
