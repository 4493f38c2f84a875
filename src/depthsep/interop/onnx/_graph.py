"""Run a graph on forms instead of numbers: every node once, in the order given."""

from pathlib import Path

import numpy as np
from onnx import GraphProto, ModelProto, NodeProto, ValueInfoProto, defs

from depthsep._errors import FileFormatError
from depthsep._files import first_line, quoted
from depthsep.interop.forms._forms import Block, Form, form_of
from depthsep.interop.onnx._linear_operators import LINEAR_OPERATORS
from depthsep.interop.onnx._nodes import Node, attribute_of, datum_of
from depthsep.interop.onnx._shape_operators import SHAPE_OPERATORS
from depthsep.interop.onnx._tensors import FLOAT_TYPES, Tensors, type_name
from depthsep.interop.onnx._unit_operators import UNIT_OPERATORS
from depthsep.interop.onnx._values import Datum, Value, check_features, numbers_in

_OPERATORS = SHAPE_OPERATORS | LINEAR_OPERATORS | UNIT_OPERATORS
SOFTMAX = ("Softmax", "LogSoftmax")
_OLDEST_OPSET = 7
_MAX_NUMBERS = 1 << 29
_STANDARD = ("", "ai.onnx")


def output_form(model: ModelProto, folder: Path, *, may_round: bool) -> Form:
    """The output of a model as an affine form over hidden units.

    Args:
        may_round: round irrational factors of a batch normalisation to float64.

    Raises:
        FileFormatError: an unsupported operator, a graph that is not a function of one
            input, weights missing or damaged.
    """
    graph = model.graph
    if not graph.output:
        raise FileFormatError("holds no graph with an output; is it truncated?")
    _check_opset(model)
    if any(f.domain in _STANDARD for f in model.functions):
        raise FileFormatError("redefines standard operators; export without functions")
    if len(graph.output) != 1:
        names = ", ".join(quoted(o.name) for o in graph.output[:5])
        raise FileFormatError(f"has {len(graph.output)} outputs ({names}); one is read")
    edges = _Edges(graph, folder, may_round)
    for position, node in enumerate(graph.node):
        edges.run(node, position)
    result = edges.get(graph.output[0].name, "the output")
    if not isinstance(result, Value) or result.is_constant:
        raise FileFormatError(
            f"its output {quoted(graph.output[0].name)} does not depend on the input "
            "as a tensor of floats; export the network itself"
        )
    return result.form


def drop_softmax(graph: GraphProto) -> None:
    """Make what a last softmax reads the output.

    Raises:
        FileFormatError: the output is not that of a softmax over the last axis.
    """
    output = graph.output[0].name if graph.output else ""
    found = [n for n in graph.node if output in n.output and n.op_type in SOFTMAX]
    if len(found) != 1 or len(found[0].input) != 1:
        raise FileFormatError(
            "does not end in a softmax; read it without logits (--logits)"
        )
    axes = [a.i for a in found[0].attribute if a.name == "axis"]
    if axes and axes[0] not in (-1, 1):
        raise FileFormatError(f"its softmax runs along axis {axes[0]}, not the last")
    graph.output[0].name = found[0].input[0]
    graph.node.remove(found[0])


class _Edges:
    """What every edge of the graph carries; initialisers are read when first used."""

    def __init__(self, graph: GraphProto, folder: Path, may_round: bool) -> None:
        self._may_round = may_round
        if graph.sparse_initializer:
            raise FileFormatError("has sparse weights; export dense ones")
        self._tensors = Tensors(folder)
        self._weights = {t.name: t for t in graph.initializer}
        if len(self._weights) != len(graph.initializer):
            raise FileFormatError("has two weights of one name; export it again")
        self._numbers = 0
        self._computed = {name for node in graph.node for name in node.output}
        inputs = [i for i in graph.input if i.name not in self._weights]
        if len(inputs) != 1:
            names = ", ".join(quoted(i.name) for i in inputs[:5])
            raise FileFormatError(f"has {len(inputs)} inputs ({names}); one is read")
        self._known: dict[str, Datum] = {inputs[0].name: _input(inputs[0])}

    def get(self, name: str, reader: str) -> Datum:
        """The datum of an edge, computed earlier or stored in the file."""
        if name not in self._known and name in self._weights:
            self._known[name] = datum_of(self._tensors.read(self._weights[name]))
        if name in self._known:
            return self._known[name]
        why = (
            "is computed only later: the graph has a cycle or is out of order"
            if name in self._computed
            else "nothing provides: the graph is disconnected"
        )
        raise FileFormatError(f"{reader} reads {quoted(name)}, which {why}")

    def run(self, proto: NodeProto, position: int) -> None:
        """Compute the first output of a node; the others are taken by nobody."""
        where = f"node {quoted(proto.name) if proto.name else position}"
        if proto.op_type not in _OPERATORS or proto.domain not in _STANDARD:
            domain = f" of domain {quoted(proto.domain)}" if proto.domain else ""
            remedy = f"supported are {', '.join(sorted(_OPERATORS))}"
            if proto.op_type in SOFTMAX:
                remedy = "if it is the last, leave it out: logits=True, or --logits"
            raise FileFormatError(
                f"{where}: operator {quoted(proto.op_type)}{domain} is not supported; "
                f"{remedy}"
            )
        where = f"{where} ({proto.op_type})"
        inputs = tuple(self.get(n, where) if n else None for n in proto.input)
        try:
            result = self._result(proto, inputs)
        except FileFormatError as error:
            raise FileFormatError(f"{where} {error}") from error
        except (ValueError, TypeError, IndexError, OverflowError) as error:
            raise FileFormatError(
                f"{where} is malformed: {first_line(error)}"
            ) from error
        name = proto.output[0] if proto.output else ""
        if not name or name in self._known or name in self._weights:
            raise FileFormatError(f"{where} has no output of its own: {quoted(name)}")
        self._known[name] = result
        self._numbers += numbers_in(result)
        if self._numbers > _MAX_NUMBERS:
            raise FileFormatError(
                f"{where} needs too much memory; give a smaller network"
            )

    def _result(self, proto: NodeProto, inputs: tuple[Datum | None, ...]) -> Datum:
        operator = _OPERATORS[proto.op_type]
        if not operator.least <= len(inputs) <= operator.most:
            raise FileFormatError(f"has {len(inputs)} inputs")
        unknown = {a.name for a in proto.attribute} - set(operator.attributes)
        if unknown:
            raise FileFormatError(f"has the unknown attribute {quoted(min(unknown))}")
        attributes = {a.name: attribute_of(a, self._tensors) for a in proto.attribute}
        return operator.run(Node(inputs, attributes, self._may_round))


def _check_opset(model: ModelProto) -> None:
    versions = [o.version for o in model.opset_import if o.domain in _STANDARD]
    newest = defs.onnx_opset_version()
    if len(versions) != 1 or not _OLDEST_OPSET <= versions[0] <= newest:
        found = f"opset {versions[0]}" if versions else "no opset (truncated?)"
        raise FileFormatError(
            f"declares {found}; opsets {_OLDEST_OPSET} to {newest} are read"
        )


def _input(info: ValueInfoProto) -> Value:
    """The input as a value: which axis is the batch, how many features.

    The one axis of unknown length is the batch; if all are known, the first of
    several is, unless it has length 1 and so makes no difference.
    """
    tensor = info.type.tensor_type
    name = quoted(info.name)
    if tensor.elem_type not in FLOAT_TYPES:
        raise FileFormatError(
            f"its input {name} has element type {type_name(tensor.elem_type)}; "
            f"known: {', '.join(map(type_name, FLOAT_TYPES))}"
        )
    if not tensor.HasField("shape"):
        raise FileFormatError(f"its input {name} has no shape; export with one")
    dims = [d.dim_value if d.HasField("dim_value") else None for d in tensor.shape.dim]
    unknown = [k for k, d in enumerate(dims) if d is None]
    if len(unknown) > 1 or any(d is not None and d < 1 for d in dims):
        raise FileFormatError(
            f"its input {name} has unknown dimensions {dims}; only the batch may be"
        )
    batch, extent = (unknown[0], None) if unknown else (None, None)
    if not unknown and len(dims) > 1 and dims[0] != 1:
        batch, extent = 0, dims[0]
    shape = tuple(1 if k == batch else d or 1 for k, d in enumerate(dims))
    check_features(shape)
    block = Block(int(np.prod(shape)))
    return Value(shape, batch, form_of(block), extent)
