"""Axes, batches and reshapes in ONNX files: moved, never mixed."""

import pytest
from onnx import TensorProto

from depthsep.interop import read_onnx
from support.onnx_files import (
    RELU_NODE,
    W,
    assert_same_as_runtime,
    node,
    refused,
    save,
    vector,
)

SHAPES = {
    "Flatten": [node("Flatten", ["x"], ["y"])],
    "Flatten at a negative axis": [node("Flatten", ["x"], ["y"], axis=-2)],
    "Reshape with the batch unknown": [node("Reshape", ["x", "minus"], ["y"])],
    "Reshape with the batch copied": [node("Reshape", ["x", "zero"], ["y"])],
    "Squeeze and Unsqueeze": [
        node("Unsqueeze", ["x", "two"], ["u"]),
        node("Transpose", ["u"], ["t"], perm=[2, 0, 3, 1]),
        node("Squeeze", ["t", "none"], ["y"]),
    ],
    "Transpose": [node("Transpose", ["x"], ["y"], perm=[0, 2, 1])],
    "a view by the size of the batch": [
        node("Shape", ["x"], ["s"]),
        node("Gather", ["s", "none"], ["n"]),
        node("Concat", ["n", "one"], ["d"], axis=0),
        node("Reshape", ["x", "d"], ["y"]),
    ],
    "a view by a slice of the shape": [
        node("Shape", ["x"], ["s"]),
        node("Slice", ["s", "none", "end"], ["n"]),
        node("Concat", ["n", "one"], ["d"], axis=0),
        node("Reshape", ["x", "d"], ["y"]),
    ],
}


TARGETS = {
    "minus": vector([-1, 6]),
    "zero": vector([0, 3, 2]),
    "two": vector([2]),
    "none": vector([0]),
    "one": vector([-1]),
    "end": vector([1]),
}


@pytest.mark.parametrize("name", SHAPES)
def test_features_of_several_axes_are_moved_not_mixed(tmp_path, name):
    path = save(tmp_path / "net.onnx", SHAPES[name], TARGETS, x=("batch", 2, 3))
    assert assert_same_as_runtime(path, 4, 2, 3).depth == 1


def test_a_matrix_may_act_on_one_axis_of_several(tmp_path):
    nodes = [node("MatMul", ["x", "W"], ["h"]), RELU_NODE]
    path = save(tmp_path / "net.onnx", nodes, {"W": W.T.copy()}, x=("batch", 2, 3))
    network = assert_same_as_runtime(path, 4, 2, 3)
    assert (network.in_dim, network.widths) == (6, (4,))


@pytest.mark.parametrize("shape", [(3,), (1, 3), (7, 3), ("n", 3), (None, 3)], ids=str)
def test_the_batch_axis_may_be_absent_fixed_or_open(tmp_path, shape):
    nodes = [node("MatMul", ["x", "W"], ["h"]), RELU_NODE]
    path = save(tmp_path / "net.onnx", nodes, {"W": W.T.copy()}, x=shape)
    network = read_onnx(path)
    assert (network.in_dim, network.out_dim) == (3, 2)
    assert network.layers[0].weight.tolist() == W.tolist()


@pytest.mark.parametrize("target", [[2, 6], [-1, 6], [2, -1], [0, 2, 3]], ids=str)
def test_a_batch_of_fixed_length_may_be_named_by_its_length(tmp_path, target):
    nodes = [node("Reshape", ["x", "d"], ["y"])]
    path = save(tmp_path / "net.onnx", nodes, {"d": vector(target)}, x=(2, 2, 3))
    assert assert_same_as_runtime(path, 2, 2, 3).in_dim == 6


@pytest.mark.parametrize("target", [[2, 3, 2], [1, 12], [3, 4], [6, -1], [-2, -6]])
def test_reshapes_that_mix_points_are_refused(tmp_path, target):
    nodes = [node("Reshape", ["x", "d"], ["y"])]
    path = save(tmp_path / "net.onnx", nodes, {"d": vector(target)}, x=("batch", 2, 3))
    assert "the batch axis must stay apart" in refused(path)


def test_axes_given_as_attributes_by_old_opsets_are_read(tmp_path):
    nodes = [
        node("Unsqueeze", ["x"], ["u"], axes=[1]),
        node("Squeeze", ["u"], ["s"], axes=[1]),
        node("Clip", ["s"], ["y"], min=0.0),
    ]
    path = save(tmp_path / "net.onnx", nodes, opset=9, kind=TensorProto.FLOAT)
    assert read_onnx(path)((-1, 0, 2)) == (0, 0, 2)
