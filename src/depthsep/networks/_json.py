"""Networks as JSON: rational weights as ``"p/q"``, float64 weights as numbers."""

import hashlib
import json

import numpy as np

from depthsep._errors import FileFormatError
from depthsep.exact import rational, text
from depthsep.networks._affine import Affine
from depthsep.networks._more_activations import activation_named
from depthsep.networks._network import Network


def network_to_json(network: Network) -> dict[str, object]:
    """A document that `network_from_json` turns back into an equal network."""
    return {
        "activations": [a.name for a in network.activations],
        "layers": [
            {"weight": _nested(layer.weight), "bias": _nested(layer.bias)}
            for layer in network.layers
        ],
    }


def network_from_json(document: object) -> Network:
    """Read what `network_to_json` wrote; damaged documents are refused by name."""
    if not isinstance(document, dict):
        raise FileFormatError("the network is not a JSON object")
    layers, names = document.get("layers"), document.get("activations")
    if not isinstance(layers, list) or not isinstance(names, list):
        raise FileFormatError("the network needs 'layers' and 'activations'")
    try:
        maps = [Affine(_read(x["weight"], 2), _read(x["bias"], 1)) for x in layers]
        return Network(maps, [activation_named(str(name)) for name in names])
    except (KeyError, TypeError, ValueError) as error:
        raise FileFormatError(f"the network is damaged: {error}") from error


def network_digest(network: Network) -> str:
    """SHA-256 of the weights as rationals: equal functions of equal form agree."""
    digest = hashlib.sha256()
    for layer in network.layers:
        w, b, s = layer.integers
        header = json.dumps([list(w.shape), str(s)])
        digest.update(header.encode())
        for values in (w, b):
            digest.update(",".join(map(str, values.ravel().tolist())).encode() + b";")
    digest.update(",".join(a.name for a in network.activations).encode())
    return digest.hexdigest()


def _nested(values: np.ndarray) -> list:
    if values.dtype != object:
        return values.tolist()
    return np.vectorize(text, otypes=[object])(values).tolist()


def _read(values: list, ndim: int) -> np.ndarray:
    rows = values if ndim == 2 else [values]
    if not all(isinstance(row, list) for row in rows) or not rows:
        raise FileFormatError("a weight or bias is not a list")
    if len({len(row) for row in rows}) != 1:
        raise FileFormatError("the rows of a weight differ in length")
    flat = [x for row in rows for x in row]
    if all(isinstance(x, float) for x in flat):
        return np.array(values, dtype=np.float64)
    out = np.empty(len(flat), dtype=object)
    out[:] = [rational(x, name="a weight") for x in flat]
    return out.reshape((len(rows), -1)) if ndim == 2 else out
