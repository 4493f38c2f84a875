"""ONNX files become networks that equal, in real arithmetic, what the file computes."""

import os
from pathlib import Path

from onnx import ModelProto

from depthsep._files import read_bounded, reading
from depthsep.interop.forms._layers import network_of
from depthsep.interop.onnx._graph import drop_softmax, output_form
from depthsep.networks import Network


def read_onnx(
    path: str | os.PathLike[str], *, may_round: bool = True, logits: bool = False
) -> Network:
    """The network in an ONNX file, exactly.

    Weights are taken at face value, float32 and narrower ones as the float64 numbers
    they are; consecutive affine operators are fused exactly, so a layer may become
    rational where float64 cannot hold it. A plain chain of Gemm and Relu keeps its
    float64 arrays. What the file means is its value in real arithmetic: the rounding
    of a run time, also by casts between float types, does not count.

    One input and one output are read, for one point: inputs and outputs of several
    axes are taken in row-major order, without the batch axis. That is the axis of
    unknown length; in a fixed shape of several axes it is the first.

    Skip connections are carried by extra ReLU units, one for each hidden unit and two
    for each input, in every layer that they skip.

    Args:
        path: the file; tensors in side files are read from its folder only.
        may_round: round an irrational factor of a batch normalisation to float64, the
            only place where the network read may differ from the file; certificates
            refuse such files.
        logits: leave out a softmax at the end; `Softmax(network)` is then the model.

    Raises:
        FileFormatError: the file is missing, damaged, too large, or no network of
            ReLU or threshold units; the message names the file and the node.
    """
    file = Path(path)
    with reading(file, "an ONNX model"):
        model = ModelProto.FromString(read_bounded(file))
        if logits:
            drop_softmax(model.graph)
        return network_of(output_form(model, file.parent, may_round=may_round))
