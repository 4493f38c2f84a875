"""ONNX files become networks that equal, in real arithmetic, what the file computes."""

import os
from pathlib import Path

from onnx import ModelProto

from depthsep._errors import FileFormatError
from depthsep._files import read_bounded, reading
from depthsep.interop.forms._layers import network_of
from depthsep.interop.onnx._graph import Graph
from depthsep.networks import Network

Location = str | os.PathLike[str]


def read_onnx(
    path: Location,
    *,
    may_round: bool = True,
    logits: bool = False,
    output: str | None = None,
    batch: bool = True,
) -> Network:
    """The network in an ONNX file, exactly.

    Weights are taken at face value, float32 and narrower ones as the float64 numbers
    they are; consecutive affine operators are fused exactly, so a layer may become
    rational where float64 cannot hold it. A plain chain of Gemm and Relu keeps its
    float64 arrays. What the file means is its value in real arithmetic: the rounding
    of a run time, also by casts between float types, does not count. A `Clip` without
    a bound stops at the largest number of its type, as ONNX says.

    One output is read, for one point. The numbers of several inputs stand one after
    another, in the order of the file. Inputs and outputs of several
    axes are taken in row-major order, without the batch axis. That is the axis of
    unknown length; in a fixed shape of several axes it is the first, unless the graph
    mixes its entries: then all are one point. Nodes may stand in any order; those that
    the output does not need are left alone.

    Skip connections are carried by extra ReLU units, one for each hidden unit and two
    for each input, in every layer that they skip.

    Args:
        path: the file; tensors in side files are read from its folder only.
        may_round: round an irrational factor of a batch normalisation to float64, the
            only place where the network read may differ from the file; certificates
            refuse such files.
        logits: leave out a softmax or a sigmoid at the end; `Softmax(network)` is then
            the model of the first kind.
        output: the name of the output; not needed where one alone holds floats.
        batch: False takes all axes of the input for one point.

    Raises:
        FileFormatError: the file is missing, damaged, too large, or no network of
            units that are known here; the message names the file and the node.
    """
    file = Path(path)
    with reading(file, "an ONNX model"):
        graph = Graph(_model(file), output=output, logits=logits)
        return _network(graph, file.parent, may_round=may_round, batch=batch)


def network_of_model(model: ModelProto) -> Network:
    """The network of a model in memory, which has no side files.

    Raises:
        FileFormatError: as `read_onnx`.
    """
    return _network(Graph(model), Path(), may_round=True, batch=True)


def _network(graph: Graph, folder: Path, *, may_round: bool, batch: bool) -> Network:
    try:
        form = graph.form(folder, may_round=may_round, batch=batch)
    except FileFormatError as refusal:
        if not (batch and graph.has_fixed_batch):
            raise
        try:  # W @ x of one point in a column mixes what would be a batch
            form = graph.form(folder, may_round=may_round, batch=False)
        except FileFormatError:
            raise refusal from None
    return network_of(form)


def onnx_head(path: Location, output: str | None = None) -> str | None:
    """The softmax or sigmoid that an output of the file ends in, if any."""
    file = Path(path)
    with reading(file, "an ONNX model"):
        return Graph(_model(file), output=output).head


def onnx_outputs(path: Location) -> tuple[str, ...]:
    """The names of the outputs."""
    file = Path(path)
    with reading(file, "an ONNX model"):
        return tuple(o.name for o in _model(file).graph.output)


def _model(file: Path) -> ModelProto:
    return ModelProto.FromString(read_bounded(file))
