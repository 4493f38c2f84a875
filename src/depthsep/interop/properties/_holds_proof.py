"""Proofs that a property holds, for a checker that knows nothing of depthsep."""

import json

import numpy as np

from depthsep._errors import HypothesisError
from depthsep.analysis import Checked
from depthsep.exact import rationals
from depthsep.networks import RELU, Network, as_relu


def holds_proof(network: Network, written: str, found: Checked) -> str:
    """The proof as text: the network, the property as it is written, all cuts.

    Raises:
        HypothesisError: the answer is another, or the network is not one of ReLUs with
            float64 weights.
    """
    if found.answer != "holds":
        raise HypothesisError(f"the property is {found.answer}: there is no proof")
    if not found.trees:
        raise HypothesisError("it was decided over all regions, without a partition")
    chosen = as_relu(network)
    if any(a is not RELU for a in chosen.activations):
        raise HypothesisError("proofs are about networks of ReLUs; leave --proof out")
    layers = []
    for layer in chosen.layers:
        weight, bias = layer.as_floats
        exact = (rationals(weight) == rationals(layer.weight)).all()
        if not (exact and (rationals(bias) == rationals(layer.bias)).all()):
            raise HypothesisError("a weight is no float64 number; leave --proof out")
        layers.append({"weight": [_hex(row) for row in weight], "bias": _hex(bias)})
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
        "network": layers,
        "cases": cases,
    }
    return json.dumps(proof) + "\n"


def _hex(values: np.ndarray) -> list[str]:
    return [float(v).hex() for v in values.tolist()]
