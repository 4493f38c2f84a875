"""Skips and branches in ONNX files, carried by units."""

import numpy as np
import pytest

from depthsep import FileFormatError
from depthsep.interop import read_onnx
from support.onnx_files import DOUBLE, GEMM, V, assert_same_as_runtime, node, save


def test_a_skip_from_the_input_is_carried_by_two_units_each(tmp_path):
    square = np.array([[1.0, -1, 0], [2, 0, 1], [0, 3, -2]])
    nodes = [
        node("MatMul", ["x", "S"], ["a"]),
        node("Relu", ["a"], ["r"]),
        node("Add", ["x", "r"], ["y"]),
    ]
    path = save(tmp_path / "net.onnx", nodes, {"S": square})
    assert assert_same_as_runtime(path, 9, 3).widths == (9,)


def test_a_residual_network_grows_no_faster_than_its_depth(tmp_path):
    square = np.array([[1.0, -1, 0], [2, 0, 1], [0, 1, -2]])
    nodes = [node("Relu", ["x"], ["h0"])]
    for k in range(6):
        nodes += [
            node("MatMul", [f"h{k}", "S"], [f"a{k}"]),
            node("Relu", [f"a{k}"], [f"r{k}"]),
            node("Add", [f"h{k}", f"r{k}"], [f"h{k + 1}"]),
        ]
    path = save(tmp_path / "net.onnx", nodes, {"S": square})
    network = assert_same_as_runtime(path, 9, 3)
    assert network.widths == (3, 6, 9, 12, 15, 18, 21)


def test_branches_of_different_depth_meet(tmp_path):
    nodes = [
        GEMM,
        node("Relu", ["h"], ["r"]),
        node("Gemm", ["r", "U"], ["g"]),
        node("Relu", ["g"], ["s"]),
        node("Relu", ["x"], ["q"]),
        node("Concat", ["s", "q", "h"], ["y"], axis=1),
    ]
    weights = V | {"U": np.array([[1.0, -1], [-2, 1]])}
    path = save(tmp_path / "net.onnx", nodes, weights)
    assert assert_same_as_runtime(path, 9, 3).depth == 3


def test_a_skip_past_threshold_units_is_refused(tmp_path):
    nodes = [
        node("GreaterOrEqual", ["x", "zero"], ["t"]),
        node("Cast", ["t"], ["c"], to=DOUBLE),
        node("Add", ["x", "c"], ["y"]),
    ]
    path = save(tmp_path / "net.onnx", nodes, {"zero": np.array(0.0)})
    with pytest.raises(FileFormatError, match="relu and threshold units would share"):
        read_onnx(path)
