"""Regions by the filter and in rationals, one thread; time and memory as they grow.

Networks of zigzags have 4^k regions in the plane, on layers of four units each.
"""

import tracemalloc
from pathlib import Path

import numpy as np
import pytest

from depthsep.analysis.regions import (
    affine_regions,
    integrals,
    regions,
    subdivide,
)
from depthsep.analysis.regions.cells._maps import map_labels
from depthsep.constructions import fold_network
from depthsep.interop.files._npz import read_npz
from depthsep.laws import Box, Segment
from depthsep.networks import Network, compose, parallel

NETS = Path(__file__).parents[1] / "tests" / "reference" / "nets"
CASES = {"n1_256x3_s0": 530, "n2_32x2_s0": 1254, "n2_64x3_s0": 9974}
SQUARE = Box.cube(Segment(0, 1), 2)


def case(name):
    network, side = read_npz(NETS / f"{name}.npz"), Segment(-1, 1)
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


def maxima(planes=32):
    """The maximum of affine functions, pair by pair: nearly every sign is a tie."""
    rng = np.random.default_rng(1)
    values = rng.standard_normal((planes, 3)).astype(np.float32).astype(float)
    network = Network.from_arrays(values[:, :2], values[:, 2])
    while network.out_dim > 1:  # max(a, b) = relu(a - b) + relu(b) - relu(-b)
        half = np.eye(network.out_dim // 2)
        hidden = np.kron(half, [[1.0, -1], [0, 1], [0, -1]])
        out = np.kron(half, [[1.0, 1, -1]])
        pairs = Network.from_arrays(
            hidden, np.zeros(len(hidden)), out, np.zeros(len(out))
        )
        network = compose(pairs, network)
    return network


@pytest.mark.parametrize("engine", ["auto", "filtered", "rational"])
def test_ties(benchmark, engine):
    """Auto takes about what the rational engine takes."""
    network, on = maxima(), Box.cube(Segment(-2, 2), 2)
    found = benchmark.pedantic(regions, (network, on), {"engine": engine}, rounds=3)
    benchmark.extra_info["regions"] = found.activation_regions


@pytest.mark.parametrize("labels", [True, False], ids=["labels", "exact maps"])
def test_distinct_maps(benchmark, labels):
    network = random_network([16] * 4)
    cells = subdivide(network, Box.cube(Segment(-1, 1), 2))

    def count():
        if not labels:
            return len(set(cells.maps()))
        return int(map_labels(cells.network.layers, cells.complex.patterns).max()) + 1

    benchmark.extra_info["maps"] = benchmark.pedantic(count, rounds=3)


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
    square = Box.cube(Segment(-1, 1), 2)
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
