"""Where networks and certificates are written."""

import json
from pathlib import Path

import numpy as np

from depthsep._errors import HypothesisError
from depthsep.interop import (
    is_plain,
    onnx_reference,
    write_atomically,
    write_certificate,
    write_npz,
    write_onnx,
)
from depthsep.networks import Network, SkipNetwork, network_to_json
from depthsep.separation import Built


def check_places(output: str | None, *others: str | None) -> None:
    """Refuse unusable file names before any work is done."""
    if output is not None and Path(output).suffix.lower() not in (
        ".onnx",
        ".npz",
        ".json",
    ):
        raise HypothesisError(
            f"cannot write {output}: use a name that ends in .onnx, .npz or .json"
        )
    check_folders(output, *others)


def check_folders(*places: str | None) -> None:
    """Refuse files in folders that do not exist, and one file for two things."""
    files = [Path(place).resolve() for place in places if place is not None]
    for file in files:
        if not file.parent.is_dir():
            raise HypothesisError(f"cannot use {file}: its folder does not exist")
    if len(set(files)) < len(files):
        raise HypothesisError(
            "the same file is given twice; give each output a file of its own"
        )


def save(
    built: Built,
    output: str | None,
    certificate: str | None,
    skips: SkipNetwork | None = None,
) -> None:
    """Write the network, then the certificate that refers to it or contains it.

    The certificate refers to an ONNX file beside it if that holds the weights exactly
    and has a plain name; in every other case it lists the weights itself.
    """
    if output is not None and skips is not None:
        kind = _kind_of(built)
        write_onnx(skips, output, rounded=not skips.is_float, kind=kind)
    elif output is not None:
        _write_network(built, output)
    if certificate is None:
        return
    reference, beside = None, None if skips else output
    if beside is not None and can_refer(built.network, beside, certificate):
        reference = onnx_reference(beside, built.network)
    write_certificate(built.certificate(reference), certificate)


def _kind_of(built: Built) -> type[np.floating]:
    """Of the numbers in an ONNX file, which hold the weights exactly."""
    return np.float32 if built.weights == "float32" else np.float64


def _write_network(built: Built, output: str) -> None:
    rounded, suffix = not built.network.is_float, Path(output).suffix.lower()
    if suffix == ".onnx":
        kind = _kind_of(built)
        write_onnx(built.network, output, rounded=rounded, kind=kind)
    elif suffix == ".npz":
        write_npz(built.network, output, rounded=rounded)
    else:
        document = json.dumps(network_to_json(built.network), indent=1) + "\n"
        write_atomically(output, document.encode())


def can_refer(network: Network, file: str, certificate: str) -> bool:
    """Whether a certificate can refer to a file beside it in place of weights."""
    place, beside = Path(file).resolve(), Path(certificate).resolve()
    exact = network.is_float and place.suffix.lower() == ".onnx"
    return exact and place.parent == beside.parent and is_plain(place.name)
