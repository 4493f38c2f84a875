"""NumPy archives: arrays W1, b1, W2, b2, ..., read without trust, written plainly."""

import io
import math
import os
import re
import struct
import warnings
import zipfile
from pathlib import Path

import numpy as np

from depthsep._errors import FileFormatError
from depthsep._files import (
    MAX_BYTES,
    check_readable,
    quoted,
    reading,
    write_atomically,
)
from depthsep.interop.files._rounding import float_arrays
from depthsep.networks import RELU, Activation, Affine, Network, activation_named

_WEIGHT = re.compile(r"[Wb][1-9]\d{0,5}")
_MAX_ENTRIES = 1 << 27
_MAX_INTEGERS = 1 << 24
_MAX_START = 1 << 14  # numpy refuses headers above 10 000 bytes
_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)


def read_npz(path: str | os.PathLike[str]) -> Network:
    """The network in an ``.npz`` archive of W1, b1, W2, b2, ...

    W has shape (outputs, inputs), as x -> W x + b; float16 and float32 become the
    float64 numbers they are, integers stay exact. An optional array of strings
    ``activations`` names one activation for each hidden layer; without it all are
    ReLU.

    Raises:
        FileFormatError: the file is missing, damaged, too large once unpacked, holds
            pickled objects or other arrays; the message names the file.
    """
    file = Path(path)
    with reading(file, "an .npz archive"):
        check_readable(file)
        with zipfile.ZipFile(file) as archive:
            _check_complete(file, archive)
            members = _members(archive)
            _check_entries([_entries(archive, info) for info in members.values()])
            arrays = {name: _read(archive, info) for name, info in members.items()}
        return _network(arrays)


def write_npz(
    network: Network, path: str | os.PathLike[str], *, rounded: bool = False
) -> None:
    """Write a network as float64 arrays W1, b1, W2, b2, ... in an ``.npz`` archive.

    An array ``activations`` is added unless all units are ReLU. `read_npz` gives back
    an equal network.

    Args:
        network: what to write.
        path: the file, replaced whole or not at all.
        rounded: round weights that are not float64 numbers to the nearest one.

    Raises:
        HypothesisError: a weight is not a float64 number and `rounded` is not set.
        OSError: the file cannot be written.
    """
    arrays = float_arrays(network, rounded=rounded)
    if any(a is not RELU for a in network.activations):
        arrays["activations"] = np.array([a.name for a in network.activations])
    buffer = io.BytesIO()
    # the names, which start with W or b, are no options of savez
    np.savez(buffer, **arrays)  # pyrefly: ignore[bad-argument-type]
    write_atomically(path, buffer.getvalue())


def _check_complete(file: Path, archive: zipfile.ZipFile) -> None:
    """Compare the directory with its own count of members, which zipfile does not."""
    with file.open("rb") as stream:
        stream.seek(-22 - len(archive.comment), os.SEEK_END)
        (promised,) = struct.unpack("<10xH", stream.read(12))
    if promised != len(archive.infolist()):
        raise FileFormatError(
            f"the number of arrays listed in the archive is {len(archive.infolist())}, "
            f"but the archive states that there are {promised}; save the network again"
        )


def _members(archive: zipfile.ZipFile) -> dict[str, zipfile.ZipInfo]:
    """The arrays by name, after checking what they claim to unpack to."""
    members: dict[str, zipfile.ZipInfo] = {}
    for info in archive.infolist():
        name = info.filename.removesuffix(".npy")
        if not _WEIGHT.fullmatch(name) and name != "activations":
            raise FileFormatError(
                f"holds the array {quoted(info.filename)}; a network "
                "holds only W1, b1, W2, b2, ... and activations"
            )
        if name in members or info.compress_type not in _METHODS:
            raise FileFormatError(
                f"holds {name} twice, or in a compression that is not supported"
            )
        members[name] = info
    size = sum(info.file_size for info in members.values())
    if size > MAX_BYTES:
        raise FileFormatError(
            f"unpacks to {size} bytes, above the limit of {MAX_BYTES}; "
            "give a smaller network"
        )
    return members


def _check_entries(entries: list[int]) -> None:
    if sum(entries) > _MAX_ENTRIES:
        raise FileFormatError(
            f"holds {sum(entries)} numbers, above the limit of {_MAX_ENTRIES}; "
            "give a smaller network"
        )


def _entries(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> int:
    """How many entries an array has, by a header that fits its size."""
    with archive.open(info) as member, warnings.catch_warnings():
        warnings.simplefilter("ignore")  # about headers that Python 2 wrote
        stream = io.BytesIO(member.read(_MAX_START))
        version = np.lib.format.read_magic(stream)
        if version not in ((1, 0), (2, 0)):
            raise FileFormatError(
                f"{info.filename} has .npy version {version}, which is not supported"
            )
        header = (
            np.lib.format.read_array_header_1_0
            if version == (1, 0)
            else np.lib.format.read_array_header_2_0
        )
        shape, _, dtype = header(stream)
        if dtype.hasobject:
            raise FileFormatError(
                f"{info.filename} holds pickled objects, which are never loaded; "
                "save plain arrays"
            )
        declared = stream.tell() + math.prod(shape) * dtype.itemsize
    if not (math.prod(shape) and dtype.itemsize):
        raise FileFormatError(
            f"{info.filename} of shape {shape} and type {dtype} is empty; save it again"
        )
    if declared != info.file_size:
        raise FileFormatError(
            f"{info.filename} of shape {shape} needs {declared} bytes, "
            f"but has {info.file_size}; save it again"
        )
    return math.prod(shape)


def _read(archive: zipfile.ZipFile, info: zipfile.ZipInfo) -> np.ndarray:
    with archive.open(info) as stream, warnings.catch_warnings():
        warnings.simplefilter("ignore")
        return np.lib.format.read_array(stream, allow_pickle=False)


def _network(arrays: dict[str, np.ndarray]) -> Network:
    depth = max(1, (len(arrays) - ("activations" in arrays) + 1) // 2)
    layers = []
    for k in range(1, depth + 1):
        missing = [name for name in (f"W{k}", f"b{k}") if name not in arrays]
        if missing:
            raise FileFormatError(
                f"array {missing[0]} is missing; layers are counted from 1"
            )
        layers.append(Affine(_numbers(arrays, f"W{k}"), _numbers(arrays, f"b{k}")))
    return Network(layers, _activations(arrays.get("activations"), depth))


def _numbers(arrays: dict[str, np.ndarray], name: str) -> np.ndarray:
    array = arrays[name]
    if array.dtype.kind in "iu":
        as_floats = array.astype(np.float64)
        # beyond 2**53 a float64 may be a different integer
        if np.all(np.abs(as_floats) < 1 << 53):
            return as_floats
        if array.size > _MAX_INTEGERS:
            raise FileFormatError(
                f"{name} holds {array.size} integers, some of absolute "
                "value 2**53 or more; such arrays may have at most "
                f"{_MAX_INTEGERS} entries, so save floats"
            )
        return array
    if array.dtype.kind != "f" or array.dtype.itemsize > 8:
        raise FileFormatError(f"{name} has type {array.dtype}; use float64")
    if not np.isfinite(array).all():
        raise FileFormatError(f"{name} holds NaN or infinity; weights must be finite")
    return array.astype(np.float64)


def _activations(names: np.ndarray | None, depth: int) -> list[Activation]:
    if names is None:
        return [RELU] * (depth - 1)
    if names.dtype.kind not in "US" or names.ndim != 1:
        raise FileFormatError("the array `activations` is not a list of strings")
    if names.size != depth - 1:
        raise FileFormatError(
            f"the length of the array `activations` is {names.size}; in "
            f"a network of depth {depth} it must be {depth - 1}"
        )
    found = names.astype(str).tolist()
    return [activation_named(name) for name in found]
