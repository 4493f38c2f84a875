"""Run a graph on forms instead of numbers: every node that the output needs, once."""

from graphlib import CycleError, TopologicalSorter
from pathlib import Path

from onnx import GraphProto, ModelProto, NodeProto, TensorProto, defs

from depthsep._errors import FileFormatError
from depthsep._files import quoted
from depthsep.interop.forms._forms import Form
from depthsep.interop.onnx._edges import Edges
from depthsep.interop.onnx._heads import head_of, logits_of
from depthsep.interop.onnx._input import has_fixed_batch
from depthsep.interop.onnx._schema import STANDARD
from depthsep.interop.onnx._tensors import FLOAT_TYPES
from depthsep.interop.onnx._values import Value

_OLDEST_OPSET = 7


class Graph:
    """The part of a model that one of its outputs needs.

    Args:
        output: its name; the only output of floats if not given.
        logits: leave out the softmax or sigmoid at the end.

    Raises:
        FileFormatError: no such output, or several where none is named; a graph of
            unknown opset, with a cycle, or in which an edge is computed twice.
    """

    def __init__(
        self, model: ModelProto, *, output: str | None = None, logits: bool = False
    ) -> None:
        self._graph = model.graph
        if not self._graph.output:
            raise FileFormatError("holds no graph with an output; is it truncated?")
        self._opsets = _opsets(model)
        if any(f.domain in STANDARD for f in model.functions):
            raise FileFormatError(
                "defines functions in place of standard operators; "
                "export without functions"
            )
        self._makers = _makers(self._graph)
        self._weights = {t.name for t in self._graph.initializer}
        self._output = output_named(self._graph, output)
        if logits:
            self._output = logits_of(
                self._output, self._makers, self._weights, self._opsets[""]
            )

    @property
    def head(self) -> str | None:
        """The softmax or sigmoid that ends it, in small letters."""
        node = head_of(self._output, self._makers, self._weights)
        return None if node is None else node.op_type.lower()

    @property
    def has_fixed_batch(self) -> bool:
        """Whether the input's first axis may be a batch, or part of one point."""
        inputs = Edges.inputs_of(self._graph, self._needed())
        return any(map(has_fixed_batch, inputs))

    def form(self, folder: Path, *, may_round: bool, batch: bool) -> Form:
        """The output as an affine form over hidden units.

        Args:
            may_round: round irrational factors of a batch normalisation to float64.
            batch: whether one axis of the input counts points.
        """
        nodes = self._needed()
        edges = Edges(
            self._graph, nodes, folder, self._opsets, may_round=may_round, batch=batch
        )
        for node in nodes:
            edges.run(node)
        result = edges.get(self._output, "the output")
        if not isinstance(result, Value) or result.is_constant:
            raise FileFormatError(
                f"its output {quoted(self._output)} is not a tensor of floats that "
                "depends on the input; export the network itself"
            )
        return result.form

    def _needed(self) -> list[NodeProto]:
        """The nodes that the output needs, each after those that it reads."""
        reads: dict[str, list[str]] = {}
        waiting = [self._output]
        while waiting:
            name = waiting.pop()
            if name in reads or name not in self._makers:
                continue
            reads[name] = [n for n in self._makers[name].input if n]
            waiting += reads[name]
        try:
            order = list(TopologicalSorter(reads).static_order())
        except CycleError as error:
            name = quoted(str(error.args[1][0]))
            raise FileFormatError(f"has a cycle through {name}") from None
        nodes = [self._makers[name] for name in order if name in reads]
        return list({id(node): node for node in nodes}.values())


def output_named(graph: GraphProto, name: str | None) -> str:
    """The output of this name, or the only one of floats."""
    names = [o.name for o in graph.output]
    if name is not None:
        if name not in names:
            raise FileFormatError(f"has no output {quoted(name)}; {_listed(names)}")
        return name
    kinds = (*FLOAT_TYPES, TensorProto.UNDEFINED)
    floats = [o.name for o in graph.output if o.type.tensor_type.elem_type in kinds]
    chosen = floats if len(names) > 1 else names
    if len(chosen) != 1:
        raise FileFormatError(
            f"has {len(names)} outputs; {_listed(names)}; choose one by "
            "its name with output= or --output"
        )
    return chosen[0]


def _listed(names: list[str]) -> str:
    return f"its outputs are {', '.join(map(quoted, names[:8]))}"


def _makers(graph: GraphProto) -> dict[str, NodeProto]:
    """The node behind every edge that is computed."""
    makers: dict[str, NodeProto] = {}
    given = {i.name for i in graph.input} | {t.name for t in graph.initializer}
    for position, node in enumerate(graph.node):
        named = [name for name in node.output if name]
        for name in named:
            if name in makers or name in given:
                where = quoted(node.name) if node.name else position
                raise FileFormatError(
                    f"node {where} ({node.op_type}) writes to {quoted(name)}, a name "
                    "that another node, an input or a weight already has"
                )
            makers[name] = node
    return makers


def _opsets(model: ModelProto) -> dict[str, int]:
    """The declared opset of each domain, "" for the standard one."""
    versions = [o.version for o in model.opset_import if o.domain in STANDARD]
    newest = defs.onnx_opset_version()
    if len(versions) > 1:
        raise FileFormatError("declares several opsets of the standard operators")
    if len(versions) != 1 or not _OLDEST_OPSET <= versions[0] <= newest:
        found = (
            f"opset {versions[0]}" if versions else "no opset (is the file truncated?)"
        )
        raise FileFormatError(
            f"declares {found}; opsets {_OLDEST_OPSET} to {newest} are supported"
        )
    others = {o.domain: o.version for o in model.opset_import}
    return {**others, "": versions[0]}
