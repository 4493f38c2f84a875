"""The input of a graph: which axis is the batch, and how many numbers one point has."""

import numpy as np
from onnx import ValueInfoProto

from depthsep._errors import FileFormatError
from depthsep._files import quoted
from depthsep.interop.forms._forms import Block, form_of
from depthsep.interop.onnx._tensors import FLOAT_TYPES, type_name
from depthsep.interop.onnx._values import Value, check_features


def input_value(info: ValueInfoProto, *, batch: bool) -> Value:
    """The input as a value.

    The one axis of unknown length is the batch; if all are known, the first of
    several is, unless it has length 1 and so makes no difference.

    Args:
        batch: False takes all axes for one point; one of unknown length has length 1.
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
    axis, extent = (unknown[0], None) if unknown else (None, None)
    if has_fixed_batch(info):
        axis, extent = 0, dims[0]
    if not batch:
        axis, extent = None, None
    shape = tuple(1 if k == axis else d or 1 for k, d in enumerate(dims))
    check_features(shape)
    return Value(shape, axis, form_of(Block(int(np.prod(shape)))), extent)


def has_fixed_batch(info: ValueInfoProto) -> bool:
    """Whether the first axis may be a batch of fixed length, or part of one point."""
    dims = info.type.tensor_type.shape.dim
    known = all(d.HasField("dim_value") for d in dims)
    return known and len(dims) > 1 and dims[0].dim_value > 1
