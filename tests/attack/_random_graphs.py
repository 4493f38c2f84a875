"""Random ONNX graphs whose constants are huge, tiny or cancel."""

import itertools
import random

import numpy as np
import onnx
from onnx import TensorProto, helper, numpy_helper

DOUBLE = TensorProto.DOUBLE
EXPONENTS = (-300, -17, -5, -1, 0, 0, 0, 1, 5, 15, 17, 300)


class Graph:
    """A graph that grows node by node; every edge has a shape and may vary with x."""

    def __init__(self, rng: random.Random, inputs: int) -> None:
        self.rng, self.names = rng, (f"t{k}" for k in itertools.count())
        self.nodes: list[onnx.NodeProto] = []
        self.weights: list[onnx.TensorProto] = []
        self.shapes: dict[str, tuple[int, ...]] = {"x": (1, inputs)}
        self.varies = {"x"}
        self.inputs = inputs

    def number(self) -> float:
        """A double of any magnitude."""
        size = self.rng.choice((1.0, self.rng.uniform(0.1, 10), self.rng.randint(1, 9)))
        side = self.rng.choice((-1.0, 1.0))
        return float(side * size * 10.0 ** self.rng.choice(EXPONENTS))

    def constant(self, *shape: int) -> str:
        """An initialiser, or sometimes a Constant node."""
        values = np.array([self.number() for _ in range(int(np.prod(shape)))])
        return self.weight(values.reshape(shape))

    def weight(self, values: np.ndarray) -> str:
        """These numbers as an initialiser, or sometimes as a Constant node."""
        name = next(self.names)
        self.shapes[name] = values.shape
        if self.rng.random() < 0.2:
            tensor = numpy_helper.from_array(values, name)
            self.nodes.append(helper.make_node("Constant", [], [name], value=tensor))
        else:
            self.weights.append(numpy_helper.from_array(values, name))
        return name

    def add(self, kind: str, shape: tuple[int, ...], *inputs: str, **extra) -> str:
        """A node with one output of this shape."""
        name = next(self.names)
        self.nodes.append(helper.make_node(kind, list(inputs), [name], **extra))
        self.shapes[name] = shape
        if self.varies & set(inputs):
            self.varies.add(name)
        return name

    def model(self, output: str) -> onnx.ModelProto:
        """The finished graph as a model."""
        ends = [
            helper.make_tensor_value_info(name, DOUBLE, self.shapes[name])
            for name in ("x", output)
        ]
        graph = helper.make_graph(
            self.nodes, "attack", ends[:1], ends[1:], self.weights
        )
        sets = [helper.make_opsetid("", 17)]
        return helper.make_model(graph, ir_version=8, opset_imports=sets)


def _leaky(graph: Graph, t: str) -> str:
    slope = graph.rng.choice((0.01, 0.01, 0.2, 0.5, 0.0))
    extra = {} if slope == 0.01 and graph.rng.random() < 0.5 else {"alpha": slope}
    return graph.add("LeakyRelu", graph.shapes[t], t, **extra)


def _unit(graph: Graph, t: str) -> str:
    kind = graph.rng.choice(("Relu", "Relu", "Abs", "Neg", "Identity", "Max", "Clip"))
    if kind == "Clip":
        ends = [graph.rng.choice(("", _scalar(graph))) for _ in range(2)]
        return graph.add(kind, graph.shapes[t], t, *ends)
    zero = [graph.weight(np.zeros(()))] if kind == "Max" else []
    return graph.add(kind, graph.shapes[t], t, *zero)


def _scalar(graph: Graph) -> str:
    return graph.weight(np.array(graph.number()))


def _pair(graph: Graph, t: str) -> str:
    """Max, Min and PRelu of a tensor and a constant, or of two tensors of one shape."""
    shape, kind = graph.shapes[t], graph.rng.choice(("Max", "Min", "PRelu"))
    same = [n for n in graph.varies if graph.shapes[n] == shape]
    if kind != "PRelu" and same and graph.rng.random() < 0.5:
        return graph.add(kind, shape, t, graph.rng.choice(sorted(same)))
    return graph.add(kind, shape, t, graph.constant(*shape))


def spoiled(rng: random.Random, model: onnx.ModelProto) -> onnx.ModelProto:
    """The graph with a fault for which every reader has to refuse it."""
    changed = onnx.ModelProto()
    changed.CopyFrom(model)
    nodes = [n for n in changed.graph.node if n.op_type in ("Add", "Mul", "Max", "Min")]
    wrong = next(
        (t for t in changed.graph.initializer if any(t.name in n.input for n in nodes)),
        None,
    )
    if wrong is not None and rng.random() < 0.5:  # there are no implicit casts
        values = np.clip(numpy_helper.to_array(wrong), -9, 9).astype(np.float32)
        wrong.CopyFrom(numpy_helper.from_array(values, wrong.name))
        return changed
    ones = numpy_helper.from_array(np.ones(1), "ones")
    changed.graph.initializer.append(ones)
    last = changed.graph.output[0].name
    more = ["trained", "m", "v"]
    changed.graph.node.append(
        helper.make_node("BatchNormalization", [last, *["ones"] * 4], more)
    )
    changed.graph.node[-1].attribute.append(helper.make_attribute("training_mode", 1))
    changed.graph.output[0].name = "trained"
    return changed


def _step(graph: Graph, t: str) -> str:
    kinds = ("Greater", "GreaterOrEqual", "Less", "LessOrEqual")
    shape, level = graph.shapes[t], graph.constant(1)
    truth = graph.add(graph.rng.choice(kinds), shape, t, level)
    return graph.add("Cast", shape, truth, to=DOUBLE)


def _arithmetic(graph: Graph, t: str) -> str:
    shape = graph.shapes[t]
    other = graph.constant(*graph.rng.choice((shape, shape[-1:], (1,))))
    kind = graph.rng.choice(("Add", "Sub", "Mul", "Div"))
    pair = (t, other) if kind == "Div" or graph.rng.random() < 0.7 else (other, t)
    return graph.add(kind, shape, *pair)


def _linear(graph: Graph, t: str) -> str:
    rows, width = graph.shapes[t]
    outputs = graph.rng.randint(1, 3)
    if graph.rng.random() < 0.5:
        return graph.add("MatMul", (rows, outputs), t, graph.constant(width, outputs))
    flip = graph.rng.randrange(2)
    weight = graph.constant(*((outputs, width) if flip else (width, outputs)))
    extra = {"alpha": 0.3, "beta": -2.0} if graph.rng.random() < 0.3 else {}
    bias = graph.constant(outputs)
    return graph.add("Gemm", (rows, outputs), t, weight, bias, transB=flip, **extra)


def _normalised(graph: Graph, t: str) -> str:
    width = graph.shapes[t][1]
    variance = graph.weight(4.0 ** np.array([graph.rng.randint(-9, 9)] * width))
    scale, offset, mean = (graph.constant(width) for _ in range(3))
    given = (t, scale, offset, mean, variance)
    return graph.add("BatchNormalization", graph.shapes[t], *given, epsilon=0.0)


def _moved(graph: Graph, t: str) -> str:
    rows, width = graph.shapes[t]
    kind = graph.rng.randrange(4)
    if kind == 0:
        flipped = graph.add("Transpose", (width, rows), t, perm=[1, 0])
        return graph.add("Transpose", (rows, width), flipped, perm=[1, 0])
    if kind == 1:
        dims = graph.weight(np.array([1, -1]))
        return graph.add("Reshape", (rows, width), t, dims)
    if kind == 2:
        axes = graph.weight(np.array([0]))
        longer = graph.add("Unsqueeze", (1, rows, width), t, axes)
        return graph.add("Squeeze", (rows, width), longer, axes)
    return graph.add("Flatten", (rows, width), t, axis=1)


def _windowed(graph: Graph, t: str) -> str:
    """A pool or a convolution along a row, as one channel."""
    rows, width = graph.shapes[t]
    if rows != 1:
        return t
    axes, kind = graph.weight(np.array([1])), graph.rng.choice(WINDOWED)
    channel = graph.add("Unsqueeze", (1, 1, width), t, axes)
    pads = [graph.rng.randint(0, 1), graph.rng.randint(0, 1)]
    kernel = graph.rng.randint(1, min(2, width + sum(pads)))
    if kind == "Pad":
        given = graph.weight(np.array([0, 0, pads[0], 0, 0, pads[1]])), _scalar(graph)
        made = graph.add(kind, (1, 1, width + sum(pads)), channel, *given)
    elif kind == "ConvTranspose":
        weight, size = graph.constant(1, 1, kernel), width + kernel - 1
        made = graph.add(kind, (1, 1, size), channel, weight)
    else:
        pads = pads if kernel == 2 else [0, 0]
        given = [graph.constant(1, 1, kernel)] if kind == "Conv" else []
        extra = {} if kind == "Conv" else {"kernel_shape": [kernel]}
        size = width + sum(pads) - kernel + 1
        made = graph.add(kind, (1, 1, size), channel, *given, pads=pads, **extra)
    width = graph.shapes[made][2]
    return graph.add("Squeeze", (1, width), made, axes)


def _extreme(graph: Graph, t: str) -> str:
    """The largest or the least of a row; or a choice by a sign."""
    rows, width = graph.shapes[t]
    if graph.rng.random() < 0.5:
        kind = graph.rng.choice(("ReduceMax", "ReduceMin"))
        return graph.add(kind, (rows, 1), t, axes=[1])
    level = graph.constant(1)
    kind = graph.rng.choice(("Greater", "GreaterOrEqual", "Less", "LessOrEqual"))
    truth = graph.add(kind, (rows, width), t, level)
    sides = [t, level]
    graph.rng.shuffle(sides)
    return graph.add("Where", (rows, width), truth, *sides)


def _joined(graph: Graph, t: str) -> str:
    rows, width = graph.shapes[t]
    other = graph.rng.choice([n for n in graph.shapes if _is_row(graph, n)])
    size = width + graph.shapes[other][1]
    return graph.add("Concat", (rows, size), t, other, axis=1)


def _is_row(graph: Graph, name: str) -> bool:
    shape, kinds = graph.shapes[name], {w.name: w.data_type for w in graph.weights}
    return len(shape) == 2 and shape[0] == 1 and kinds.get(name, DOUBLE) == DOUBLE


WINDOWED = ("MaxPool", "AveragePool", "Conv", "ConvTranspose", "Pad")
STEPS = (
    *(_unit, _unit, _leaky, _leaky, _step, _arithmetic, _arithmetic),
    *(_linear, _linear, _normalised, _moved, _joined, _pair),
    *(_windowed, _extreme),
)


def random_graph(rng: random.Random) -> onnx.ModelProto:
    """A few nodes on the input, a few on a constant, and their sum."""
    graph = Graph(rng, rng.randint(1, 2))
    moving, fixed = "x", graph.constant(1, rng.randint(1, 2))
    for _ in range(rng.randint(1, 5)):
        moving = rng.choice(STEPS)(graph, moving)
    for _ in range(rng.randint(1, 4)):
        fixed = rng.choice(STEPS)(graph, fixed)
    columns = graph.shapes[fixed][1], graph.shapes[moving][1]
    fixed = graph.add("MatMul", (1, columns[1]), fixed, graph.weight(np.ones(columns)))
    return graph.model(graph.add("Add", (1, columns[1]), moving, fixed))


def cancelling_graph(rng: random.Random) -> onnx.ModelProto:
    """relu(x) + (leaky(c) + d) with c huge and d near -0.01 c."""
    graph = Graph(rng, 1)
    c = -rng.uniform(0.5, 2) * 10.0 ** rng.choice((15, 17, 20))
    relu = graph.add("Relu", (1, 1), "x")
    leaky = graph.add("LeakyRelu", (1, 1), graph.weight(np.array([[c]])), alpha=0.01)
    near = float(round(-0.01 * c)) + rng.choice((0.0, 1.0, 0.5))
    total = graph.add("Add", (1, 1), leaky, graph.weight(np.array([[near]])))
    return graph.model(graph.add("Add", (1, 1), relu, total))
