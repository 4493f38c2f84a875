"""How fast are the two piece-counting engines, against plain sampling?"""

from pathlib import Path

import numpy as np
import pytest

from depthsep.analysis import on_interval
from depthsep.constructions import fold_network
from depthsep.interop.files._npz import read_npz
from depthsep.networks import Network

NETS = Path(__file__).parents[1] / "tests" / "reference" / "nets"


def sawtooth(folds: int) -> Network:
    return fold_network([2] * folds)


def reference(name: str) -> Network:
    return read_npz(NETS / f"{name}.npz")


@pytest.mark.parametrize("folds", [16, 20])
def test_float64_pieces_of_a_sawtooth(benchmark, folds):
    net = sawtooth(folds)
    f = benchmark(on_interval, net, 0, 1, exact=False)
    assert f.pieces == 2**folds


@pytest.mark.parametrize("folds", [16, 20])
def test_baseline_one_float64_evaluation_per_piece(benchmark, folds):
    net, x = sawtooth(folds), np.linspace(0, 1, 2**folds + 1)[:, None]
    benchmark(net.floats, x)


@pytest.mark.parametrize(
    ("name", "pieces"), [("n1_64x3_s0", 121), ("n1_256x3_s0", 530)]
)
def test_float64_pieces_of_a_random_network(benchmark, name, pieces):
    f = benchmark(on_interval, reference(name), -1, 1, exact=False)
    assert f.pieces == pieces


def test_rational_pieces_of_a_sawtooth(benchmark):
    f = benchmark(on_interval, sawtooth(14), 0, 1)
    assert f.pieces == 2**14


@pytest.mark.parametrize(
    ("name", "pieces"), [("n1_64x3_s0", 121), ("n1_256x3_s0", 530)]
)
def test_rational_pieces_of_a_random_network(benchmark, name, pieces):
    net = reference(name)
    f = benchmark.pedantic(on_interval, (net, -1, 1), rounds=3)
    assert f.pieces == pieces
