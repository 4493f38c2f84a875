"""What the specification says of a node, by opset: attributes, inputs, element types.

ONNX has no implicit casts: all inputs of one type variable must have the same element
type. Which attributes exist, how many inputs there may be and which types these may
have is asked of `onnx.defs`, at the opset that the file declares.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

from onnx import AttributeProto, NodeProto, TensorProto, defs

from depthsep._errors import FileFormatError
from depthsep._files import quoted
from depthsep.interop.onnx._tensors import type_name

T = TypeVar("T")
Schema = defs.OpSchema
STANDARD = ("", "ai.onnx")
_VARIADIC = defs.OpSchema.FormalParameterOption.Variadic
_OPTIONAL = defs.OpSchema.FormalParameterOption.Optional
_SPELLED: dict[str, int] = {
    "tensor(float)": TensorProto.FLOAT,
    "tensor(double)": TensorProto.DOUBLE,
    "tensor(int64)": TensorProto.INT64,
    "tensor(int32)": TensorProto.INT32,
    "tensor(bool)": TensorProto.BOOL,
}


def schema_of(proto: NodeProto, opsets: Mapping[str, int]) -> Schema:
    """What the operator is at the opset of its domain.

    Raises:
        FileFormatError: the file declares no opset of that domain, or one in which the
            operator does not exist yet.
    """
    domain = "" if proto.domain in STANDARD else proto.domain
    if domain not in opsets:
        raise FileFormatError(
            f"belongs to domain {quoted(domain)}, for which the file declares no opset"
        )
    try:
        return defs.get_schema(proto.op_type, opsets[domain], domain)
    except defs.SchemaError:
        raise FileFormatError(
            "uses an operator that does not exist in opset "
            f"{opsets[domain]}, which the file declares"
        ) from None


def check_counts(proto: NodeProto, schema: Schema) -> None:
    """Refuse attributes, inputs and outputs that the operator does not have there."""
    unknown = {a.name for a in proto.attribute} - set(schema.attributes)
    if unknown:
        raise FileFormatError(f"has the unknown attribute {quoted(min(unknown))}")
    if not schema.min_input <= len(proto.input) <= schema.max_input:
        raise FileFormatError(
            f"has a wrong number of inputs for its operator: {len(proto.input)}"
        )
    if not schema.min_output <= len(proto.output) <= schema.max_output:
        raise FileFormatError(
            f"has a wrong number of outputs for its operator: {len(proto.output)}"
        )
    for formal, name in _matched(schema.inputs, proto.input):
        if not name and formal.option != _OPTIONAL:
            raise FileFormatError(f"lacks its input {quoted(formal.name)}")


def output_types(
    proto: NodeProto, schema: Schema, types: Sequence[int | None]
) -> list[int]:
    """The element type of each output, from those of the inputs (None: left out).

    Raises:
        FileFormatError: types that the operator does not take, or takes only together
            with equal ones.
    """
    bound = _bound(schema, types)
    allowed = {c.type_param_str: c.allowed_type_strs for c in schema.type_constraints}
    found = []
    for formal, _ in _matched(schema.outputs, proto.output):
        alone = allowed.get(formal.type_str, [formal.type_str])
        if len(alone) == 1:  # as the truth that a comparison makes
            found.append(_SPELLED.get(alone[0], TensorProto.UNDEFINED))
        else:
            found.append(_own_type(proto) or bound.get(formal.type_str, 0))
    return found


def _bound(schema: Schema, types: Sequence[int | None]) -> dict[str, int]:
    """What each type variable stands for."""
    allowed = {c.type_param_str: c.allowed_type_strs for c in schema.type_constraints}
    bound: dict[str, int] = {}
    for formal, number in _matched(schema.inputs, types):
        if number is None:
            continue
        variable = formal.type_str
        if bound.setdefault(variable, number) != number and formal.is_homogeneous:
            names = " and ".join(sorted(map(type_name, {bound[variable], number})))
            raise FileFormatError(
                f"combines {names}; ONNX has no implicit casts, so add a Cast"
            )
        if _spelled(number) not in allowed.get(variable, (variable,)):
            raise FileFormatError(
                f"does not accept {type_name(number)} as "
                f"{quoted(formal.name)} in this opset"
            )
    return bound


def _matched(
    formal: Sequence[Schema.FormalParameter], actual: Sequence[T]
) -> Iterator[tuple[Schema.FormalParameter, T]]:
    """Each given thing with its formal parameter; the last may take several."""
    for k, given in enumerate(actual):
        if k < len(formal) or formal[-1].option == _VARIADIC:
            yield formal[min(k, len(formal) - 1)], given


def _own_type(proto: NodeProto) -> int | None:
    """The type that an attribute of the node decides."""
    attributes = {a.name: a for a in proto.attribute}
    if proto.op_type == "Cast" and "to" in attributes:
        return attributes["to"].i
    if proto.op_type != "Constant" or not attributes:
        return None
    (value,) = list(attributes.values())[:1]
    if value.type == AttributeProto.TENSOR:
        return value.t.data_type
    floats = (AttributeProto.FLOAT, AttributeProto.FLOATS)
    return TensorProto.FLOAT if value.type in floats else TensorProto.INT64


def _spelled(number: int) -> str:
    name = {v: k for k, v in _SPELLED.items()}.get(number)
    return name or f"tensor({type_name(number).lower()})"
