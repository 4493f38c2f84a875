"""Inputs of a graph: which axis is the batch, how many numbers one point has."""

from collections.abc import Sequence
from math import prod

import numpy as np
from onnx import ValueInfoProto

from depthsep._errors import FileFormatError
from depthsep._files import quoted
from depthsep.interop.forms._forms import Block, form_of, selected
from depthsep.interop.onnx._tensors import FLOAT_TYPES, type_name
from depthsep.interop.onnx._values import Value, check_features


def input_values(given: Sequence[ValueInfoProto], *, batch: bool) -> dict[str, Value]:
    """All inputs by name: their numbers one after another are those of one point."""
    shapes = [_shape(info, batch=batch) for info in given]
    sizes = [prod(shape) for shape, _, _ in shapes]
    check_features((sum(sizes),))
    whole = form_of(Block(sum(sizes)))
    values, start = {}, 0
    for info, (shape, axis, extent), size in zip(given, shapes, sizes, strict=True):
        form = selected(whole, np.arange(start, start + size))
        values[info.name] = Value(shape, axis, form, extent)
        start += size
    return values


def _shape(
    info: ValueInfoProto, *, batch: bool
) -> tuple[tuple[int, ...], int | None, int | None]:
    """The shape of one point, the batch axis, and its length if that is fixed.

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
            f"supported: {', '.join(map(type_name, FLOAT_TYPES))}"
        )
    if not tensor.HasField("shape"):
        raise FileFormatError(
            f"its input {name} has no shape; export the model with one"
        )
    dims = [d.dim_value if d.HasField("dim_value") else None for d in tensor.shape.dim]
    unknown = [k for k, d in enumerate(dims) if d is None]
    if len(unknown) > 1 or any(d is not None and d < 1 for d in dims):
        raise FileFormatError(
            f"its input {name} has the dimensions {dims}; only the batch dimension "
            "may be unknown (None), and the others must be at least 1"
        )
    axis, extent = (unknown[0], None) if unknown else (None, None)
    if has_fixed_batch(info):
        axis, extent = 0, dims[0]
    if not batch:
        axis, extent = None, None
    shape = tuple(1 if k == axis else d or 1 for k, d in enumerate(dims))
    check_features(shape)
    return shape, axis, extent


def has_fixed_batch(info: ValueInfoProto) -> bool:
    """Whether the first axis may be a batch of fixed length, or part of one point."""
    dims = info.type.tensor_type.shape.dim
    known = all(d.HasField("dim_value") for d in dims)
    return known and len(dims) > 1 and dims[0].dim_value > 1
