"""ONNX files made by hand, and what a run time computes from them."""

import numpy as np
import onnx
import pytest
from flint import fmpq
from onnx import TensorProto, helper, numpy_helper

from depthsep import FileFormatError
from depthsep.interop import read_onnx
from depthsep.networks import RELU, Network

DOUBLE = TensorProto.DOUBLE
node = helper.make_node
W = np.array([[1.0, -2, 3], [0, 4, -1]])
B = np.array([1.0, -2])
V = {"W": W, "b": B}
GEMM = node("Gemm", ["x", "W", "b"], ["h"], transB=1)
RELU_NODE = node("Relu", ["h"], ["y"])


def save(path, nodes, weights=(), *, x=("batch", 3), y=None, opset=17, kind=DOUBLE):
    """A hand-made model; the last node makes the output, an odd shape is inferred."""
    tensors = [
        w if isinstance(w, TensorProto) else numpy_helper.from_array(np.array(w), name)
        for name, w in dict(weights).items()
    ]
    output = nodes[-1].output[0] if nodes else "x"
    ends = [
        helper.make_tensor_value_info("x", kind, x),
        helper.make_tensor_value_info(output, kind, y),
    ]
    graph = helper.make_graph(nodes, "hand made", ends[:1], ends[1:], tensors)
    opsets = [helper.make_opsetid("", opset)]
    onnx.save(helper.make_model(graph, opset_imports=opsets, ir_version=8), path)
    return path


def run(path, batch):
    missing = "onnxruntime is not installed"
    runtime = pytest.importorskip("onnxruntime", reason=missing)
    session = runtime.InferenceSession(str(path))
    return session.run(None, {session.get_inputs()[0].name: batch})[0]


def assert_same_as_runtime(path, *shape, axis=0):
    """Equality, not closeness: with small integers float64 arithmetic is exact."""
    network = read_onnx(path)
    batch = np.random.default_rng(1).integers(-5, 6, size=shape).astype(np.float64)
    outputs = run(path, batch)
    for k, point in enumerate(batch):
        expected = [fmpq(*v.as_integer_ratio()) for v in outputs.take(k, axis).flat]
        assert list(network(point.ravel().tolist())) == expected
    return network


def random_network(*widths, activation=RELU, seed=0):
    rng = np.random.default_rng(seed)
    pairs = zip(widths[1:], widths, strict=False)
    arrays = [rng.normal(size=s) for m, n in pairs for s in ((m, n), (m,))]
    return Network.from_arrays(*arrays, activation=activation)


def vector(values):
    return np.array(values, dtype=np.int64)


def refused(path):
    with pytest.raises(FileFormatError) as caught:
        read_onnx(path)
    message = str(caught.value)
    assert message.startswith(str(path)) and "\n" not in message
    return message
