"""Regions by the filter and in rationals alone, one thread."""

from pathlib import Path

import pytest

from depthsep.analysis.regions import regions
from depthsep.interop import read_npz
from depthsep.laws import Box, Uniform

NETS = Path(__file__).parents[1] / "tests" / "reference" / "nets"
CASES = {"n1_256x3_s0": 530, "n2_32x2_s0": 1254, "n2_64x3_s0": 9974}


@pytest.mark.parametrize("name", CASES)
@pytest.mark.parametrize("engine", ["filtered", "rational"])
def test_regions(benchmark, name, engine):
    network, side = read_npz(NETS / f"{name}.npz"), Uniform(-1, 1)
    on = side if network.in_dim == 1 else Box.cube(side, network.in_dim)
    found = benchmark(regions, network, on, engine=engine)
    assert found.activation_regions == CASES[name]
