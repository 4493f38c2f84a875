"""ONNX files that are refused, by name and in one line."""

import itertools
import shutil

import numpy as np
import onnx
import pytest
from onnx import TensorProto, helper

from depthsep import FileFormatError
from depthsep.interop import read_onnx, write_onnx
from depthsep.networks import THRESHOLD, Network
from support.onnx_files import (
    DOUBLE,
    GEMM,
    RELU_NODE,
    V,
    node,
    random_network,
    refused,
    save,
    vector,
)


@pytest.fixture
def weights(tmp_path):
    """Three float64 numbers outside the folder of the model, and that folder."""
    (tmp_path / "secret.bin").write_bytes(np.array([9.0, 1, 2, 3]).tobytes())
    folder = tmp_path / "model"
    (folder / "deep").mkdir(parents=True)
    shutil.copy(tmp_path / "secret.bin", folder / "deep" / "w.bin")
    return folder


UNSUPPORTED = {
    "Softmax": (
        node("Softmax", ["x"], ["y"], name="head"),
        "'head': .*'Softmax' is not",
    ),
    "foreign": (
        node("Relu", ["x"], ["y"], domain="me"),
        "of domain 'me' is not supp.*Gemm",
    ),
    "cast": (node("Cast", ["x"], ["y"], to=TensorProto.INT64), "casts to INT64"),
    "product": (node("Mul", ["x", "x"], ["y"]), "not piecewise affine"),
    "matrix product": (node("MatMul", ["x", "x"], ["y"]), "not piecewise affine"),
    "quotient": (node("Div", ["c", "x"], ["y"]), "zero entry or is not constant"),
    "division by 0": (node("Div", ["x", "z"], ["y"]), "zero entry or is not constant"),
    "types": (node("Add", ["x", "f"], ["y"]), "combines DOUBLE and FLOAT; ONNX has"),
    "Clip": (node("Clip", ["x", "v"], ["y"]), "a min that is not one constant"),
    "slopes": (node("PRelu", ["x", "x"], ["y"]), "slopes that depend on the input"),
    "empty": (node("Slice", ["x", "d", "d", "d1"], ["y"]), "makes an empty tensor"),
    "late": (node("Gelu", ["x"], ["y"]), "does not exist in opset 17"),
    "left out": (node("Add", ["x", ""], ["y"]), "lacks its input 'B'"),
    "masked": (node("Relu", ["x"], ["y", "m2"]), "wrong number of outputs"),
    "training": (node("Dropout", ["x", "c", "t"], ["y"]), r"model\.eval\(\)"),
    "attribute": (node("Relu", ["x"], ["y"], slope=1.0), "unknown attribute 'slope'"),
    "inputs": (node("Relu", ["x", "x"], ["y"]), "wrong number of inputs"),
    "sizes": (node("Gemm", ["x", "m"], ["y"]), "this axis must have as many"),
    "rows": (node("Add", ["x", "m"], ["y"]), "points of a batch differently"),
    "over the batch": (node("MatMul", ["m", "x"], ["y"]), "not be the batch axis"),
    "flat": (
        node("Flatten", ["x"], ["y"], axis=0),
        "which would mix the batch axis with features",
    ),
    "joined": (
        node("Concat", ["x", "x"], ["y"], axis=0),
        "joins tensors along the batch axis, or",
    ),
    "reshape": (node("Reshape", ["x", "d"], ["y"]), "batch axis must stay apart"),
    "squeeze": (node("Squeeze", ["x", "d"], ["y"]), "axis 3"),
    "constant": (node("Identity", ["c"], ["y"]), "that depends on the input"),
    "truth": (node("Greater", ["x", "c"], ["y"]), "is not a tensor of floats"),
    "NaN": (node("Add", ["x", "nan"], ["y"]), "'nan' holds NaN or infinity"),
    "infinity": (node("Add", ["x", "inf"], ["y"]), "'inf' holds NaN or infinity"),
    "strings": (node("Add", ["x", "s"], ["y"]), "element type STRING"),
    "nothing": (node("Add", ["x", "q"], ["y"]), "which no node provides: the graph is"),
    "cycle": (node("Add", ["x", "y"], ["y"]), "has a cycle through 'y'"),
    "twice": (node("Relu", ["x"], ["x"]), "that another node, an input or a weight"),
}


CONSTANTS = {
    "c": np.array(1.0),
    "f": np.array(1.0, np.float32),
    "v": np.ones(3),
    "d1": vector([1, 1]),
    "z": np.array(0.0),
    "t": np.array(True),
    "m": np.ones((2, 3)),
    "d": vector([3, 1]),
    "nan": np.array([1.0, np.nan, 0]),
    "inf": np.array([1.0, np.inf, 0]),
    "s": helper.make_tensor("s", TensorProto.STRING, [1], [b"a"]),
}


def doubled(operator_axis, first):
    names = [first, *(f"d{k}" for k in range(40))]
    return [
        node("Concat", [a, a], [b], axis=operator_axis)
        for a, b in itertools.pairwise(names)
    ]


def with_side_file(folder, location, **entries):
    """A model whose weight lies in a side file."""
    tensor = TensorProto(name="w", data_type=DOUBLE, dims=[3])
    tensor.data_location = TensorProto.EXTERNAL
    for key, value in {"location": location, **entries}.items():
        tensor.external_data.add(key=key, value=str(value))
    folder.mkdir(exist_ok=True)
    path = folder / "net.onnx"
    return save(path, [node("Add", ["x", "w"], ["y"])], {"w": tensor})


@pytest.mark.parametrize("name", UNSUPPORTED)
def test_what_is_no_network_is_refused_by_name(tmp_path, name):
    unsupported, message = UNSUPPORTED[name]
    path = save(tmp_path / "net.onnx", [unsupported], CONSTANTS)
    with pytest.raises(FileFormatError, match=message):
        read_onnx(path)
    refused(path)


def test_constants_are_not_rounded_by_a_cast(tmp_path):
    nodes = [
        node("Cast", ["c"], ["d"], to=TensorProto.FLOAT),
        node("Add", ["x", "d"], ["y"]),
    ]
    path = save(tmp_path / "net.onnx", nodes, {"c": np.array(0.1)})
    assert "rounds constants to FLOAT" in refused(path)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda g: g.output.append(g.output[0]), "has 2 outputs"),
        (
            lambda g: (
                g.input.append(helper.make_tensor_value_info("W", DOUBLE, [2, 3])),
                g.initializer.__delitem__(0),
            ),
            "both depend on the input",
        ),
        (lambda g: g.ClearField("input"), "has 0 inputs"),
        (lambda g: g.ClearField("output"), "no graph with an output"),
        (lambda g: g.input[0].type.tensor_type.ClearField("shape"), "has no shape"),
        (
            lambda g: g.input[0].type.tensor_type.shape.dim.add(),
            "only the batch dimension may be unknown",
        ),
        (lambda g: setattr(g.input[0].type.tensor_type, "elem_type", 7), "type INT64"),
        (lambda g: g.initializer[0].dims.append(1 << 40), "above the limit of"),
        (lambda g: g.initializer[0].dims.append(2), "needs 96 bytes, but has 48"),
        (lambda g: g.initializer[0].dims.append(-1), "a shape with a negative length"),
    ],
)
def test_graphs_that_are_no_function_are_refused(tmp_path, change, message):
    model = onnx.load(save(tmp_path / "net.onnx", [GEMM, RELU_NODE], V))
    change(model.graph)
    (tmp_path / "net.onnx").write_bytes(model.SerializeToString())
    assert message in refused(tmp_path / "net.onnx")


def test_two_opsets_of_the_standard_operators_are_refused(tmp_path):
    path = save(tmp_path / "net.onnx", [node("Relu", ["x"], ["y"])])
    model = onnx.load(path)
    model.opset_import.append(helper.make_opsetid("", 16))
    path.write_bytes(model.SerializeToString())
    assert "several opsets of the standard operators" in refused(path)


@pytest.mark.parametrize("opset", [1, 6, 1000])
def test_opsets_of_unknown_meaning_are_refused(tmp_path, opset):
    assert f"opset {opset}" in refused(
        save(tmp_path / "net.onnx", [node("Relu", ["x"], ["y"])], opset=opset)
    )


def test_a_file_cut_anywhere_is_refused_or_whole(tmp_path):
    network = random_network(2, 3, 1, activation=THRESHOLD)
    path = tmp_path / "net.onnx"
    write_onnx(network, path)
    data = path.read_bytes()
    for length in range(len(data)):
        path.write_bytes(data[:length])
        refused(path)


@pytest.mark.parametrize("data", [b"", b"not a model", b"\xff" * 100, b"\0" * 100])
def test_garbage_is_refused(tmp_path, data):
    path = tmp_path / "net.onnx"
    path.write_bytes(data)
    refused(path)


def test_damaged_bytes_never_surprise(tmp_path):
    path = tmp_path / "net.onnx"
    write_onnx(random_network(2, 3, 1), path)
    data = path.read_bytes()
    rng = np.random.default_rng(0)
    for _ in range(500):
        damaged = bytearray(data)
        damaged[rng.integers(len(data))] = rng.integers(256)
        path.write_bytes(damaged)
        try:
            assert isinstance(read_onnx(path), Network)
        except FileFormatError as error:
            assert str(error).startswith(str(path))


def test_missing_files_folders_and_giants_are_refused(tmp_path):
    assert "No such file" in refused(tmp_path / "none.onnx")
    assert "not a regular file" in refused(tmp_path)
    giant = tmp_path / "giant.onnx"
    with giant.open("wb") as stream:
        stream.truncate((512 << 20) + 1)
    assert "bytes, and the limit is" in refused(giant)


def test_small_files_cannot_ask_for_much_memory(tmp_path):
    path = tmp_path / "net.onnx"
    assert "(Concat) makes a tensor of" in refused(save(path, doubled(1, "x")))
    shapes = [node("Shape", ["x"], ["s"]), *doubled(0, "s")]
    assert "integers, which are too many" in refused(save(path, shapes))
    wide = [node("Relu", ["x"], ["y"])]
    assert "needs a matrix of shape" in refused(save(path, wide, x=(1, 1 << 20)))
    assert "the limit is" in refused(save(path, wide, x=(1, 1 << 60)))


def test_standard_operators_cannot_be_redefined(tmp_path):
    model = onnx.load(save(tmp_path / "net.onnx", [GEMM, RELU_NODE], V))
    model.functions.add(name="Relu", domain="")
    onnx.save(model, tmp_path / "net.onnx")
    assert "defines functions in place of standard" in refused(tmp_path / "net.onnx")


def test_weights_in_the_folder_of_the_model_are_read(weights):
    path = with_side_file(weights, "deep/w.bin", offset=8, length=24)
    assert read_onnx(path).layers[0].bias.tolist() == [1, 2, 3]


@pytest.mark.parametrize(
    ("location", "message"),
    [
        ("../secret.bin", "only relative paths inside"),
        ("deep/../../secret.bin", "only relative paths inside"),
        ("/etc/passwd", "only relative paths inside"),
        ("C:\\secret.bin", "only relative paths inside"),
        ("", "only relative paths inside"),
        ("link.bin", "a link out of the folder"),
        ("tunnel/secret.bin", "a link out of the folder"),
        ("none.bin", "which does not exist; copy it beside the"),
        ("deep", "which does not exist; copy it beside the"),
        ("a\0b", "null"),
    ],
)
def test_weights_anywhere_else_are_refused(weights, location, message):
    (weights / "link.bin").symlink_to(weights.parent / "secret.bin")
    (weights / "tunnel").symlink_to(weights.parent)
    assert message in refused(with_side_file(weights, location))


@pytest.mark.parametrize(
    "entries", [{"offset": 16}, {"length": 8}, {"length": 32}, {"offset": -8}]
)
def test_side_files_that_are_too_short_are_refused(weights, entries):
    message = refused(with_side_file(weights, "deep/w.bin", **entries))
    assert "tensor 'w' needs 24 bytes" in message


def test_side_files_with_unreadable_bounds_are_refused(weights):
    assert "'w'" in refused(with_side_file(weights, "deep/w.bin", offset="many"))
