"""Networks become ONNX files that run anywhere: float64, opset 17, IR version 8."""

import os

import numpy as np
from onnx import GraphProto, ModelProto, NodeProto, checker, helper, numpy_helper

from depthsep._errors import HypothesisError, TooLargeError
from depthsep._files import MAX_BYTES, write_atomically
from depthsep.interop.files._rounding import float_arrays, slope_of
from depthsep.networks import (
    RELU,
    THRESHOLD,
    Network,
    SkipNetwork,
    Softmax,
    as_relu,
    leaky_slope,
)

OPSET = 17
IR_VERSION = 8
MOST_WEIGHTS = MAX_BYTES * 15 // 16  # bytes; the rest of a file is for its nodes


def write_onnx(
    network: Network | SkipNetwork | Softmax,
    path: str | os.PathLike[str],
    *,
    rounded: bool = False,
    kind: type = np.float64,
    batch: int | None = None,
) -> None:
    """Write a network as an ONNX model with input ``x`` and output ``y``.

    Layers are Gemm nodes with float weights ``W1``, ``b1``, ...; ReLU units are
    Relu nodes, leaky ones PRelu, threshold units GreaterOrEqual (to 0) and Cast;
    absolute values and clips are written as two ReLUs each. The first axis of
    ``x`` and ``y`` is the batch. `read_onnx` gives back an equal network. Of a
    `SkipNetwork` each layer reads a Concat of the input and the layers it has weights
    for; `read_onnx` carries the values, `with_skips` finds the skips again. A
    `Softmax` ends in a Softmax node; `read_onnx(..., logits=True)` reads its network.

    Args:
        network: what to write.
        path: the file, replaced whole or not at all.
        rounded: round weights that are not numbers of that kind to the nearest one;
            the file then holds a different function.
        kind: ``np.float64`` or ``np.float32``, of weights, input and output.
        batch: length of the first axis; any if not given.

    Raises:
        HypothesisError: a weight is not a number of that kind and `rounded` is not set,
            or it is too large for one; names the first. Or units of other kinds.
        TooLargeError: the weights need more than 512 MiB.
        OSError: the file cannot be written.
    """
    ends_in_softmax = isinstance(network, Softmax)
    if isinstance(network, Softmax):
        network = network.network
    if isinstance(network, Network):
        network = _writable(network)
    arrays = float_arrays(network, rounded=rounded, kind=kind)
    if isinstance(network, Network):
        arrays |= _slopes(network, rounded, kind)
    size = sum(a.nbytes for a in arrays.values())
    if size > MOST_WEIGHTS:
        raise TooLargeError(
            f"the weights take {size} bytes; a file can hold at most {MOST_WEIGHTS} "
            "bytes of weights"
        )
    model = _model(network, arrays, np.dtype(kind), "batch" if batch is None else batch)
    if ends_in_softmax:
        _add_softmax(model.graph)
        checker.check_model(model)
    write_atomically(path, model.SerializeToString(deterministic=True))


def _add_softmax(graph: GraphProto) -> None:
    """Rename what gave the output, and put a softmax after it."""
    graph.node[-1].output[0] = "logits"
    graph.node.append(helper.make_node("Softmax", ["logits"], ["y"], axis=-1))


def _writable(network: Network) -> Network:
    """In ReLUs, leaky ones and thresholds, which are what the file holds."""
    held = all(a is RELU or leaky_slope(a) is not None for a in network.activations)
    plain = network if held else as_relu(network)
    for activation in plain.activations:
        if not (activation in (RELU, THRESHOLD) or held):
            raise HypothesisError(
                f"{activation.name} units cannot be written as ONNX; use .npz or .json"
            )
    return plain


def _slopes(network: Network, rounded: bool, kind: type) -> dict[str, np.ndarray]:
    """``a1``, ... of layers of leaky ReLUs."""
    found = {}
    for k, activation in enumerate(network.activations, start=1):
        slope = slope_of(activation, rounded=rounded, kind=kind)
        if slope is not None:
            found[f"a{k}"] = np.array([slope], kind)
    return found


def _model(
    network: Network | SkipNetwork,
    arrays: dict[str, np.ndarray],
    kind: np.dtype,
    batch: str | int,
) -> ModelProto:
    number = helper.np_dtype_to_tensor_dtype(kind)
    if isinstance(network, SkipNetwork):
        nodes = _nodes_with_skips(network, arrays)
    else:
        nodes = _nodes(network, number, arrays)
    tensors = [numpy_helper.from_array(a, name) for name, a in arrays.items()]
    if any(node.op_type == "GreaterOrEqual" for node in nodes):
        tensors.append(numpy_helper.from_array(np.zeros((), kind), "zero"))
    ends = [
        helper.make_tensor_value_info(name, number, [batch, dim])
        for name, dim in (("x", network.in_dim), ("y", network.out_dim))
    ]
    graph = helper.make_graph(nodes, "network", ends[:1], ends[1:], tensors)
    model = helper.make_model(
        graph,
        producer_name="depthsep",
        ir_version=IR_VERSION,
        opset_imports=[helper.make_opsetid("", OPSET)],
    )
    checker.check_model(model)
    return model


def _gemm(inputs: list[str], output: str, name: str) -> NodeProto:
    """With every attribute written out: some readers do not know the defaults."""
    attributes = {"alpha": 1.0, "beta": 1.0, "transA": 0, "transB": 1}
    return helper.make_node("Gemm", inputs, [output], name, **attributes)


def _nodes(
    network: Network, number: int, arrays: dict[str, np.ndarray]
) -> list[NodeProto]:
    nodes, last = [], "x"
    for k, activation in enumerate([*network.activations, None], start=1):
        sums = "y" if activation is None else f"z{k}"
        inputs = [last, f"W{k}", f"b{k}"]
        nodes.append(_gemm(inputs, sums, f"affine{k}"))
        last = f"h{k}"
        if activation is RELU:
            nodes.append(helper.make_node("Relu", [sums], [last], f"relu{k}"))
        elif f"a{k}" in arrays:
            inputs = [sums, f"a{k}"]
            nodes.append(helper.make_node("PRelu", inputs, [last], f"leaky{k}"))
        elif activation is not None:
            nodes.extend(_threshold(k, number))
    return nodes


def _nodes_with_skips(
    network: SkipNetwork, arrays: dict[str, np.ndarray]
) -> list[NodeProto]:
    """Every layer on the blocks that it reads; columns of others are left out."""
    nodes, blocks = [], [("x", network.in_dim)]
    for k in range(1, network.depth + 1):
        weight, used, at = arrays[f"W{k}"], [], 0
        for name, size in blocks:
            if weight[:, at : at + size].any():
                used.append((name, slice(at, at + size)))
            at += size
        used = used or [("x", slice(0, network.in_dim))]
        arrays[f"W{k}"] = np.concatenate([weight[:, part] for _, part in used], axis=1)
        last = used[0][0]
        if len(used) > 1:
            last = f"c{k}"
            names = [name for name, _ in used]
            nodes.append(helper.make_node("Concat", names, [last], axis=-1))
        sums = "y" if k == network.depth else f"z{k}"
        inputs = [last, f"W{k}", f"b{k}"]
        nodes.append(_gemm(inputs, sums, f"affine{k}"))
        if k < network.depth:
            nodes.append(helper.make_node("Relu", [sums], [f"h{k}"], f"relu{k}"))
            blocks.append((f"h{k}", network.widths[k - 1]))
    return nodes


def _threshold(k: int, number: int) -> list[NodeProto]:
    made = helper.make_node
    return [
        made("GreaterOrEqual", [f"z{k}", "zero"], [f"t{k}"], f"threshold{k}"),
        made("Cast", [f"t{k}"], [f"h{k}"], f"cast{k}", to=number),
    ]
