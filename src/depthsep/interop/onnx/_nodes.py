"""One node of a graph, ready to run: its inputs as data, its attributes as values."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from onnx import AttributeProto

from depthsep._errors import FileFormatError
from depthsep._files import quoted
from depthsep.interop.onnx._tensors import Tensors
from depthsep.interop.onnx._values import Datum, Integers, Truth, Value, constant

Attribute = int | float | str | list[int] | list[float] | np.ndarray


@dataclass(frozen=True, eq=False)
class Node:
    """A node with what its inputs carry.

    Attributes:
        inputs: None where one is left out.
        attributes: those that are written in the file.
        types: the element type of each input.
        opset: of the operator's domain, as the file declares it.
        outputs: how many outputs the file names.
        may_round: whether irrational factors are rounded to float64, or refused.
    """

    inputs: tuple[Datum | None, ...]
    attributes: dict[str, Attribute]
    types: tuple[int | None, ...] = ()
    opset: int = 0
    outputs: int = 1
    may_round: bool = True

    def given(self, position: int) -> Datum | None:
        """The input at a position, if there is one."""
        return self.inputs[position] if position < len(self.inputs) else None

    def value(self, position: int) -> Value:
        """The input at a position, which must be a tensor of floats."""
        datum = self.given(position)
        if not isinstance(datum, Value):
            what = "booleans" if isinstance(datum, Truth) else "integers"
            found = "missing" if datum is None else f"a tensor of {what}"
            raise FileFormatError(
                f"needs floats as input {position} (counted from 0), which is {found}"
            )
        return datum

    def integer(self, name: str, default: int) -> int:
        """An integer attribute."""
        found = self.attributes.get(name, default)
        if not isinstance(found, int):
            raise FileFormatError(f"has an attribute {name} that is not an integer")
        return found

    def number(self, name: str, default: float) -> float:
        """A float attribute: the float32 that the file holds, at face value."""
        found = self.attributes.get(name, default)
        if not isinstance(found, float):
            raise FileFormatError(f"has an attribute {name} that is not a float")
        return found

    def word(self, name: str, default: str) -> str:
        """A text attribute."""
        found = self.attributes.get(name, default)
        if not isinstance(found, str):
            raise FileFormatError(f"has an attribute {name} that is not a string")
        return found

    def integers(self, name: str, position: int = 1 << 20) -> list[int] | None:
        """Integers from an attribute (older opsets) or an input (newer ones)."""
        found = self.attributes.get(name)
        if found is not None:
            return [int(x) for x in np.asarray(found).ravel().tolist()]
        datum = self.given(position)
        if datum is None:
            return None
        if not isinstance(datum, Integers):
            raise FileFormatError(f"needs constant integers as its {name}")
        return datum.values.reshape(-1).tolist()


@dataclass(frozen=True)
class Operator:
    """What an operator does, and which of its attributes are read.

    One that is not read is refused, so that none is ignored.
    """

    run: Callable[[Node], Datum | tuple[Datum, ...]]
    attributes: tuple[str, ...] = ()


def axis_of(axis: int, rank: int) -> int:
    """An axis counted from the front."""
    if not -rank <= axis < rank:
        raise FileFormatError(
            f"has axis {axis}, but the number of axes of its tensor is {rank}"
        )
    return axis % rank


def datum_of(array: np.ndarray) -> Datum:
    """A constant from a file: integers (and truths) or floats."""
    return Integers(array) if array.dtype == np.int64 else constant(array)


def attribute_of(proto: AttributeProto, tensors: Tensors) -> Attribute:
    """The value of an attribute; graphs and other kinds are refused."""
    kind = AttributeProto.AttributeType
    if proto.type == kind.TENSOR:
        try:
            return tensors.read(proto.t)
        except FileFormatError as error:
            raise FileFormatError(f"has an attribute whose {error}") from error
    simple = {kind.INT: "i", kind.FLOAT: "f", kind.INTS: "ints", kind.FLOATS: "floats"}
    simple[kind.STRING] = "s"
    if proto.type not in simple or proto.ref_attr_name:
        raise FileFormatError(
            f"has the attribute {quoted(proto.name)} of a kind that is not supported"
        )
    found = getattr(proto, simple[proto.type])
    if proto.type == kind.STRING:
        return found.decode("utf-8")
    if not np.isfinite(np.asarray(found, dtype=np.float64)).all():
        raise FileFormatError(
            f"has the attribute {quoted(proto.name)} with a value that is "
            "NaN or infinite"
        )
    return found if isinstance(found, int | float) else list(found)
