"""Read a network from whatever file holds one."""

import os
from dataclasses import dataclass
from pathlib import Path

from depthsep._errors import FileFormatError, HypothesisError
from depthsep._files import quoted, read_bounded, reading
from depthsep.evidence import Certificate, json_document
from depthsep.interop.files._certificates import certified_network
from depthsep.interop.files._npz import read_npz
from depthsep.interop.onnx._read import onnx_outputs, read_onnx
from depthsep.networks import Network, network_from_json, single_output

PICKLES = (".pt", ".pth", ".pkl", ".pickle", ".joblib", ".ckpt")


def read_network(
    path: str | os.PathLike[str],
    *,
    logits: bool = False,
    output: str | None = None,
    batch: bool = True,
) -> Network:
    """The network in an ``.onnx``, ``.npz`` or ``.json`` file, by its suffix.

    A ``.json`` file is a network as `network_to_json` writes it, or a certificate,
    with the network inside or in an ONNX file beside it.

    Args:
        logits: of an ``.onnx`` file, leave out a softmax or a sigmoid at the end.
        output: one number of the output, counted from 1, such as ``"2"``; of an
            ``.onnx`` file also an output by its name, or one number of it, ``"y:2"``.
        batch: of an ``.onnx`` file, False takes all axes of the input for one point.

    Raises:
        FileFormatError: another suffix, or a file that is missing, damaged or
            unsupported; the message names the file.
        HypothesisError: an output that does not exist.
    """
    chosen = chosen_output(path, output)
    network = _whole(path, logits=logits, output=chosen.name, batch=batch)
    if chosen.number is None:
        return network
    return single_output(network, chosen.number - 1)


@dataclass(frozen=True)
class ChosenOutput:
    """An output of a file by its name, and a number of it, counted from 1."""

    name: str | None = None
    number: int | None = None


def chosen_output(path: str | os.PathLike[str], written: str | None) -> ChosenOutput:
    """What ``2``, ``y`` or ``y:2`` means for a file; names may hold colons, too."""
    if written is None:
        return ChosenOutput()
    if _is_number(written):
        return ChosenOutput(None, int(written))
    if Path(path).suffix.lower() != ".onnx":
        raise HypothesisError(
            f"the output is {written[:40]!r}; only outputs in .onnx "
            "files have names, so give a number, counted from 1"
        )
    name, _, number = written.rpartition(":")
    if written in onnx_outputs(path) or not _is_number(number):
        return ChosenOutput(written)
    return ChosenOutput(name, int(number))


def _is_number(written: str) -> bool:
    return written.isascii() and written.isdigit() and len(written) < 10


def _whole(
    path: str | os.PathLike[str], *, logits: bool, output: str | None, batch: bool
) -> Network:
    """The network of all numbers of an output."""
    readers = {".npz": read_npz, ".json": _read_json}
    suffix = Path(path).suffix.lower()
    if suffix == ".onnx":
        return read_onnx(path, logits=logits, output=output, batch=batch)
    if suffix in PICKLES:
        raise FileFormatError(
            f"{path}: {suffix} files hold pickles, which are never opened; export the "
            "model to ONNX, or load it in Python and use from_torch or from_sklearn"
        )
    reader = readers.get(suffix)
    if reader is None:
        raise FileFormatError(
            f"{path}: networks cannot be read from {quoted(Path(path).suffix)} files; "
            f"use .onnx, {', '.join(readers)}"
        )
    if logits or not batch:
        what = "can end in a softmax" if logits else "can have an axis for a batch"
        raise FileFormatError(
            f"{path}: --logits and --no-batch are for .onnx files only: "
            f"no other network file {what}"
        )
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
