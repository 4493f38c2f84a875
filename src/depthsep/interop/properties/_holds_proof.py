"""Proofs that a property holds, for a checker that knows nothing of depthsep."""

import hashlib
import json
from pathlib import Path

import numpy as np

from depthsep._errors import HypothesisError
from depthsep._files import read_bounded
from depthsep.analysis import Checked
from depthsep.exact import rationals
from depthsep.networks import RELU, Network, as_relu


def check_provable(network: Network) -> None:
    """Refuse what the checker does not read.

    Raises:
        HypothesisError: units that are no ReLUs, or weights that no float64 holds.
    """
    chosen = as_relu(network)
    if any(a is not RELU for a in chosen.activations):
        raise HypothesisError(
            "proofs are only for networks of ReLUs; leave --proof out"
        )
    for layer in chosen.layers:
        for exact, near in zip(
            (layer.weight, layer.bias), layer.as_floats, strict=True
        ):
            if not (rationals(near) == rationals(exact)).all():
                raise HypothesisError(
                    "a weight or a bias is not a float64 number, and a "
                    "proof can contain only float64 numbers"
                )


def holds_proof(
    network: Network, written: str, found: Checked, file: str | Path | None = None
) -> str:
    """The proof as text: the network, the property as it is written, all cuts.

    Args:
        file: that the network was read from: its name and SHA-256 stand in the proof.

    Raises:
        HypothesisError: the answer is another, or was found over all regions without a
            partition; or as `check_provable`.
    """
    if found.answer != "holds":
        raise HypothesisError(
            f"the property is {found.answer}, so there is no proof that it holds"
        )
    if len(found.trees) < found.cases:
        raise HypothesisError(
            "the property was decided by examining all regions, for "
            "which no proof can be written"
        )
    check_provable(network)
    layers = [
        {"weight": [_hex(row) for row in weight], "bias": _hex(bias)}
        for weight, bias in (layer.as_floats for layer in as_relu(network).layers)
    ]
    cases = [
        {
            "low": _hex(tree.low),
            "high": _hex(tree.high),
            "cuts": [[n, k, v.hex(), a, b] for n, k, v, a, b in tree.cuts.made],
        }
        for tree in found.trees
    ]
    proof = {
        "format": "depthsep-holds",
        "version": 1,
        "property": written,
        "file": None if file is None else file_entry(Path(file)),
        "network": layers,
        "cases": cases,
    }
    return json.dumps(proof) + "\n"


def file_entry(file: Path) -> dict[str, str]:
    """The name and the SHA-256 of a file."""
    return {
        "name": file.name,
        "sha256": hashlib.sha256(read_bounded(file)).hexdigest(),
    }


def _hex(values: np.ndarray) -> list[str]:
    return [float(v).hex() for v in values.tolist()]
