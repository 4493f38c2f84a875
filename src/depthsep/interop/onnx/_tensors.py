"""Tensors out of ONNX files: checked against the bytes that are there, then read."""

import math
from pathlib import Path

import numpy as np
from onnx import TensorProto

from depthsep._errors import FileFormatError
from depthsep._files import MAX_BYTES, first_line, quoted

FLOAT_TYPES: dict[int, np.dtype] = {
    TensorProto.DOUBLE: np.dtype("<f8"),
    TensorProto.FLOAT: np.dtype("<f4"),
    TensorProto.FLOAT16: np.dtype("<f2"),
    TensorProto.BFLOAT16: np.dtype("<u2"),
}
INTEGER_TYPES: dict[int, np.dtype] = {
    TensorProto.INT64: np.dtype("<i8"),
    TensorProto.INT32: np.dtype("<i4"),
    TensorProto.BOOL: np.dtype("u1"),
    TensorProto.INT8: np.dtype("i1"),
    TensorProto.UINT8: np.dtype("u1"),
}
_TYPES = FLOAT_TYPES | INTEGER_TYPES
_FIELDS: dict[int, str] = {
    TensorProto.DOUBLE: "double_data",
    TensorProto.FLOAT: "float_data",
    TensorProto.INT64: "int64_data",
}


class Tensors:
    """The tensors of one model file; side files only from the folder of the model."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._left = MAX_BYTES

    def read(self, tensor: TensorProto) -> np.ndarray:
        """The numbers: float64 for every float type, int64 for integers and truths.

        Raises:
            FileFormatError: another type, bytes missing or too many, NaN or infinity,
                a side file that is missing, short or outside the folder.
        """
        try:
            return self._read(tensor)
        except ValueError as error:
            line = first_line(error) if type(error) is ValueError else error
            raise FileFormatError(f"tensor {quoted(tensor.name)} {line}") from error

    def _read(self, tensor: TensorProto) -> np.ndarray:
        dtype = _TYPES.get(tensor.data_type)
        if dtype is None:
            raise FileFormatError(
                f"has element type {type_name(tensor.data_type)}; "
                f"supported: {', '.join(map(type_name, _TYPES))}"
            )
        shape = tuple(tensor.dims)
        if any(d < 0 for d in shape) or len(shape) > 16:
            raise FileFormatError(
                f"has a shape with a negative length or more than 16 axes: {shape[:16]}"
            )
        expected = math.prod(shape) * dtype.itemsize
        if expected > self._left:
            raise FileFormatError(
                f"of shape {shape} needs {expected} bytes, which takes "
                f"all tensors together above the limit of {MAX_BYTES} "
                "bytes; give a smaller network"
            )
        self._left -= expected
        return _numbers(self._stored(tensor, dtype, expected), tensor).reshape(shape)

    def _stored(self, tensor: TensorProto, dtype: np.dtype, size: int) -> np.ndarray:
        if tensor.HasField("segment"):
            raise FileFormatError(
                "is split into segments, which is not supported; save the model again"
            )
        if tensor.data_location == TensorProto.EXTERNAL:
            return np.frombuffer(self._external(tensor, size), dtype)
        if tensor.HasField("raw_data"):
            if len(tensor.raw_data) != size:
                raise _wrong_size(len(tensor.raw_data), size, tensor)
            return np.frombuffer(tensor.raw_data, dtype)
        values = getattr(tensor, _FIELDS.get(tensor.data_type, "int32_data"))
        if len(values) * dtype.itemsize != size:
            raise _wrong_size(len(values) * dtype.itemsize, size, tensor)
        if tensor.data_type == TensorProto.FLOAT16:
            return np.array(values, dtype="<u2").view(dtype)
        return np.array(values, dtype=dtype)

    def _external(self, tensor: TensorProto, size: int) -> bytes:
        entries = {entry.key: entry.value for entry in tensor.external_data}
        path = self._side_file(entries.get("location", ""))
        offset = int(entries.get("offset") or 0)
        length = int(entries.get("length") or size)
        available = path.stat().st_size
        if length != size or offset < 0 or offset + length > available:
            raise FileFormatError(
                f"needs {size} bytes; the model takes {length} bytes for it from byte "
                f"{offset} of the side file {quoted(path.name)}, which has {available} "
                "bytes in all; copy the whole side file beside the model"
            )
        with path.open("rb") as stream:
            stream.seek(offset)
            return stream.read(size)

    def _side_file(self, location: str) -> Path:
        given = Path(location)
        if (
            not location
            or given.is_absolute()
            or ".." in given.parts
            or "\\" in location
        ):
            raise FileFormatError(
                f"lies in the side file {quoted(location)}; only relative paths "
                "inside the folder of the model are allowed"
            )
        folder = self._folder.resolve()
        path = (folder / given).resolve()
        if not path.is_relative_to(folder):
            raise FileFormatError(
                f"lies in the side file {quoted(location)}, which is a link out of "
                "the folder of the model; copy the file into the folder"
            )
        if not path.is_file():
            raise FileFormatError(
                f"lies in the side file {quoted(location)}, which does "
                "not exist; copy it beside the model"
            )
        return path


def largest(number: int) -> float:
    """The largest finite number of a float type."""
    if number == TensorProto.BFLOAT16:
        return (2 - 2.0**-7) * 2.0**127
    return float(np.finfo(FLOAT_TYPES[number]).max)


def type_name(number: int) -> str:
    """How ONNX calls an element type."""
    known = TensorProto.DataType.values()
    return TensorProto.DataType.Name(number) if number in known else f"#{number}"


def _numbers(values: np.ndarray, tensor: TensorProto) -> np.ndarray:
    if tensor.data_type == TensorProto.BOOL:
        values = values != 0
    if tensor.data_type in INTEGER_TYPES:
        return values.astype(np.int64)
    if tensor.data_type == TensorProto.BFLOAT16:
        values = (values.astype("<u4") << 16).view("<f4")
    if not np.isfinite(values).all():
        raise FileFormatError("holds NaN or infinity; all weights must be finite")
    return values.astype(np.float64)


def _wrong_size(found: int, size: int, tensor: TensorProto) -> FileFormatError:
    return FileFormatError(
        f"of shape {tuple(tensor.dims)[:16]} needs {size} bytes, but "
        f"has {found}; save the model again"
    )
