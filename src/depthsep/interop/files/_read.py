"""Read a network from whatever file holds one."""

import os
from pathlib import Path

from depthsep._errors import FileFormatError
from depthsep._files import quoted, read_bounded, reading
from depthsep.evidence import Certificate, json_document
from depthsep.interop.files._certificates import certified_network
from depthsep.interop.files._npz import read_npz
from depthsep.interop.onnx._read import read_onnx
from depthsep.networks import Network, network_from_json

PICKLES = (".pt", ".pth", ".pkl", ".pickle", ".joblib", ".ckpt")


def read_network(path: str | os.PathLike[str], *, logits: bool = False) -> Network:
    """The network in an ``.onnx``, ``.npz`` or ``.json`` file, by its suffix.

    A ``.json`` file is a network as `network_to_json` writes it, or a certificate,
    with the network inside or in an ONNX file beside it.

    Args:
        logits: of an ``.onnx`` file, leave out a softmax at the end.

    Raises:
        FileFormatError: another suffix, or a file that is missing, damaged or
            unsupported; the message names the file.
    """
    readers = {".onnx": read_onnx, ".npz": read_npz, ".json": _read_json}
    suffix = Path(path).suffix.lower()
    reader = readers.get(suffix)
    if suffix in PICKLES:
        raise FileFormatError(
            f"{path}: {suffix} files hold pickles, which are never opened; export the "
            "model to ONNX, or load it in Python and use from_torch or from_sklearn"
        )
    if reader is None:
        raise FileFormatError(
            f"{path}: no network has the suffix {quoted(Path(path).suffix)}; "
            f"use {', '.join(readers)}"
        )
    if logits:
        if reader is not read_onnx:
            raise FileFormatError(f"{path}: only .onnx files end in a softmax")
        return read_onnx(path, logits=True)
    return reader(path)


def _read_json(path: str | os.PathLike[str]) -> Network:
    file = Path(path)
    with reading(file, "JSON"):
        data = read_bounded(file)
        document = json_document(data)
        if isinstance(document, dict) and "problem" in document:
            certificate = Certificate.from_json(data.decode("utf-8"))
            return certified_network(certificate, file.parent)
        if isinstance(document, dict) and "network" in document:
            document = document["network"]
        return network_from_json(document)
