"""What every edge of a graph carries: its datum and its element type."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from onnx import GraphProto, NodeProto, ValueInfoProto

from depthsep._errors import FileFormatError, HypothesisError
from depthsep._files import first_line, quoted
from depthsep.interop.onnx._heads import SOFTMAX
from depthsep.interop.onnx._input import input_values
from depthsep.interop.onnx._linear_operators import LINEAR_OPERATORS
from depthsep.interop.onnx._nodes import Node, Operator, attribute_of, datum_of
from depthsep.interop.onnx._pooling_operators import POOLING_OPERATORS
from depthsep.interop.onnx._schema import (
    STANDARD,
    check_counts,
    output_types,
    schema_of,
)
from depthsep.interop.onnx._shape_operators import SHAPE_OPERATORS
from depthsep.interop.onnx._tensors import Tensors
from depthsep.interop.onnx._unit_operators import UNIT_OPERATORS
from depthsep.interop.onnx._values import Datum, numbers_in
from depthsep.interop.onnx._window_operators import WINDOW_OPERATORS

OPERATORS = (
    SHAPE_OPERATORS
    | LINEAR_OPERATORS
    | UNIT_OPERATORS
    | WINDOW_OPERATORS
    | POOLING_OPERATORS
)
ML = "ai.onnx.ml"
_IN_ML = ("LinearRegressor", "Scaler")
_MAX_NUMBERS = 1 << 29


class Edges:
    """The data of a graph's edges; initialisers are read when first used."""

    def __init__(
        self,
        graph: GraphProto,
        nodes: Sequence[NodeProto],
        folder: Path,
        opsets: Mapping[str, int],
        *,
        may_round: bool,
        batch: bool,
    ) -> None:
        self._may_round, self._opsets = may_round, opsets
        if graph.sparse_initializer:
            raise FileFormatError("has sparse weights; export dense ones")
        self._tensors = Tensors(folder)
        self._weights = {t.name: t for t in graph.initializer}
        if len(self._weights) != len(graph.initializer):
            raise FileFormatError("has two weights with the same name; export it again")
        self._numbers = 0
        given = self.inputs_of(graph, nodes)
        self._known: dict[str, Datum] = {**input_values(given, batch=batch)}
        self._types = {t.name: t.data_type for t in graph.initializer}
        self._types |= {i.name: i.type.tensor_type.elem_type for i in given}

    @staticmethod
    def inputs_of(
        graph: GraphProto, nodes: Sequence[NodeProto]
    ) -> list[ValueInfoProto]:
        """The inputs that the nodes read; weights may stand among the inputs."""
        weights = {t.name for t in graph.initializer}
        free = [i for i in graph.input if i.name not in weights]
        read = {name for node in nodes for name in node.input}
        used = [i for i in free if i.name in read] or free
        if not used:
            raise FileFormatError("has 0 inputs; a network needs at least one")
        return used

    def get(self, name: str, reader: str) -> Datum:
        """The datum of an edge, computed earlier or stored in the file."""
        if name not in self._known and name in self._weights:
            self._known[name] = datum_of(self._tensors.read(self._weights[name]))
        if name in self._known:
            return self._known[name]
        raise FileFormatError(
            f"{reader} needs {quoted(name)}, which no node provides: "
            "the graph is disconnected"
        )

    def run(self, proto: NodeProto) -> None:
        """Compute the outputs of a node."""
        name = proto.name or next((n for n in proto.output if n), "")
        where = f"node {quoted(name)}"
        operator = _operator(proto, where)
        where = f"{where} ({proto.op_type})"
        inputs = tuple(self.get(n, where) if n else None for n in proto.input)
        try:
            found = self._results(proto, operator, inputs)
        except FileFormatError as error:
            raise FileFormatError(f"{where} {error}") from error
        except HypothesisError as error:  # as of values that an activation lacks
            raise FileFormatError(f"{where}: {first_line(error)}") from error
        except (ValueError, TypeError, IndexError, OverflowError) as error:
            raise FileFormatError(
                f"{where} is malformed: {first_line(error)}"
            ) from error
        self._numbers += sum(map(numbers_in, found.values()))
        self._known |= found
        if self._numbers > _MAX_NUMBERS:
            raise FileFormatError(
                f"{where}: the values computed up to here need too much "
                "memory; give a smaller network"
            )

    def _results(
        self, proto: NodeProto, operator: Operator, inputs: tuple[Datum | None, ...]
    ) -> dict[str, Datum]:
        """The data of the outputs by name; those that nobody can read are left out."""
        schema = schema_of(proto, self._opsets)
        check_counts(proto, schema)
        ignored = {a.name for a in proto.attribute} - set(operator.attributes)
        if ignored:
            raise FileFormatError(
                f"has the attribute {quoted(min(ignored))}, which is not supported"
            )
        types = tuple(self._types.get(n) if n else None for n in proto.input)
        attributes = {a.name: attribute_of(a, self._tensors) for a in proto.attribute}
        domain = "" if proto.domain in STANDARD else proto.domain
        node = Node(
            inputs,
            attributes,
            types,
            self._opsets[domain],
            len([name for name in proto.output if name]),
            self._may_round,
        )
        names = list(proto.output)
        self._types |= dict(
            zip(names, output_types(proto, schema, types), strict=False)
        )
        found = operator.run(node)
        data = found if isinstance(found, tuple) else (found,)
        return {name: d for name, d in zip(names, data, strict=False) if name}


def _operator(proto: NodeProto, where: str) -> Operator:
    domain = ML if proto.op_type in _IN_ML else ""
    known = proto.op_type in OPERATORS
    if known and (proto.domain == domain or (not domain and proto.domain in STANDARD)):
        return OPERATORS[proto.op_type]
    written = f" of domain {quoted(proto.domain)}" if proto.domain else ""
    remedy = f"use one of {', '.join(sorted(OPERATORS))}"
    if proto.op_type in SOFTMAX:
        remedy = "if it is the last node, leave it out with logits=True or --logits"
    raise FileFormatError(
        f"{where}: operator {quoted(proto.op_type)}{written} is not supported; {remedy}"
    )
