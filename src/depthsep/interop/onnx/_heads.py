"""What stands at the end of a classifier: softmax or sigmoid after the logits."""

from collections.abc import Container, Mapping

from onnx import NodeProto

from depthsep._errors import FileFormatError

SOFTMAX = ("Softmax", "LogSoftmax")
HEADS = (*SOFTMAX, "Sigmoid")
# what may stand behind a head without changing which class wins: p and 1 - p, joined
_AFTER = (
    *("Identity", "Cast", "Reshape", "Flatten", "Squeeze", "Unsqueeze"),
    *("Concat", "Sub"),
)


def head_of(
    name: str, makers: Mapping[str, NodeProto], weights: Container[str]
) -> NodeProto | None:
    """The one softmax or sigmoid from which an edge follows by moving numbers only."""
    found: dict[int, NodeProto] = {}
    waiting, seen = [name], {name}
    while waiting:
        edge = waiting.pop()
        if edge in weights:
            continue
        node = makers.get(edge)
        if node is None:  # the input itself
            return None
        if node.op_type in HEADS:
            found[id(node)] = node
        elif node.op_type in _AFTER:
            new = [n for n in node.input if n and n not in seen]
            seen.update(new)
            waiting += new
        elif node.op_type != "Constant":
            return None
    return next(iter(found.values())) if len(found) == 1 else None


def logits_of(
    name: str, makers: Mapping[str, NodeProto], weights: Container[str], opset: int
) -> str:
    """The edge that the softmax or sigmoid at the end reads.

    Raises:
        FileFormatError: there is none, or a softmax that may not run along the last
            axis.
    """
    head = head_of(name, makers, weights)
    if head is None or len(head.input) != 1:
        raise FileFormatError(
            "does not end in a softmax or a sigmoid; leave out --logits (logits=True)"
        )
    if head.op_type in SOFTMAX:
        axes = [a.i for a in head.attribute if a.name == "axis"]
        axis = axes[0] if axes else (-1 if opset >= 13 else 1)
        if axis not in (-1, 1):
            raise FileFormatError(
                f"its softmax runs along axis {axis}; only axes 1 and -1 are supported"
            )
    return head.input[0]
