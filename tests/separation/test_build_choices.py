"""Which network `build` chooses, and what its weights are rounded to."""

import numpy as np
import pytest

from depthsep import CertificationError, HypothesisError, Problem, build
from depthsep.analysis import certify
from depthsep.claims import Upper
from depthsep.interop import read_onnx, write_npz, write_onnx
from depthsep.interop.files._npz import read_npz
from depthsep.laws import Segment
from depthsep.separation import best_upper

SIGMOID = Problem("expr:1/(1+exp(-x))", Segment(-8, 8), accuracy="1e-3")
PRODUCT = Problem("product", accuracy="1/20")
SIZES = {
    "width": lambda n: max(n.widths),
    "units": lambda n: sum(n.widths),
    "weights": lambda n: sum(layer.weight.size for layer in n.layers),
}


@pytest.mark.parametrize("problem", [SIGMOID, PRODUCT], ids=["line", "box"])
def test_the_least_by_each_measure_is_chosen_over_all_depths(problem):
    answers = [best_upper(problem, depth) for depth in range(2, 9)]
    networks = [a.network for a in answers if isinstance(a, Upper)]
    built = {name: build(problem, least=name).network for name in SIZES}
    for name, size in SIZES.items():
        assert size(built[name]) <= min(map(size, networks))
        assert size(built[name]) == min(map(size, built.values()))
    assert SIZES["units"](build(problem).network) == SIZES["units"](built["units"])


def test_fourteen_units_are_fewer_than_eighteen():
    """The least weights are at depth 2, the fewest units at depth 3."""
    assert build(SIGMOID).network.widths == (7, 7)
    fewest = build(SIGMOID, least="weights").network
    assert (fewest.depth, fewest.units) == (2, 18)


def test_a_depth_asks_for_the_narrowest_and_other_words_are_refused():
    for depth in (2, 3, 5):
        found = best_upper(SIGMOID, depth)
        assert build(SIGMOID, depth=depth).network.width == found.width
    with pytest.raises(HypothesisError, match="width, units, weights"):
        build(SIGMOID, least="size")
    with pytest.raises(HypothesisError, match="use float64, float32"):
        build(SIGMOID, weights="float16")


@pytest.mark.parametrize(
    "problem",
    [
        SIGMOID,
        PRODUCT,
        Problem("square", accuracy="1e-3"),
        Problem("square", norm="l2", accuracy="1e-3"),
        Problem("expr:sin(7*x)", norm="l1", accuracy="1e-2"),
    ],
    ids=str,
)
def test_rounded_to_float32_it_still_keeps_the_accuracy(problem, tmp_path):
    built = build(problem, weights="float32")
    for layer in built.network.layers:
        for values in (layer.weight, layer.bias):
            assert (values == values.astype(np.float32)).all()
    assert certify(built.network, problem).error.is_at_most(problem.accuracy)
    write_onnx(built.network, tmp_path / "net.onnx", kind=np.float32)
    assert read_onnx(tmp_path / "net.onnx") == built.network
    write_npz(built.network, tmp_path / "net.npz")
    assert read_npz(tmp_path / "net.npz") == built.network


def test_what_float32_cannot_hold_is_refused():
    with pytest.raises(CertificationError, match="float64"):
        build(Problem("square", accuracy="1e-10"), depth=6, weights="float32")
    steep = Problem("expr:1e40*x", accuracy="1")
    with pytest.raises(
        CertificationError, match="no network was confirmed to meet the accuracy;"
    ):
        build(steep, depth=2, weights="float32")
