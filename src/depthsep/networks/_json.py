"""Networks as JSON: rational weights as ``"p/q"``, float64 weights as numbers."""

import hashlib
import json

import numpy as np
from flint import fmpq, fmpz

from depthsep._errors import FileFormatError
from depthsep._files import MAX_BYTES
from depthsep.exact import rational, text
from depthsep.networks._affine import Affine
from depthsep.networks._network import Network
from depthsep.networks.activations._named import activation_named

_OBJECT = 64  # bytes that a rational takes beside its digits


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
        raise FileFormatError("the network is not a JSON object; write the file again")
    layers, names = document.get("layers"), document.get("activations")
    if not isinstance(layers, list) or not isinstance(names, list):
        raise FileFormatError(
            "the network must have two lists, 'layers' and 'activations'"
        )
    read = _Reader().read
    try:
        maps = [Affine(read(x["weight"], 2), read(x["bias"], 1)) for x in layers]
        return Network(maps, [activation_named(str(name)) for name in names])
    except (KeyError, TypeError) as error:
        raise FileFormatError(
            "a layer is not an object with lists 'weight' and 'bias'; write the file "
            "again"
        ) from error
    except ValueError as error:
        raise FileFormatError(f"the network is damaged: {error}") from error


def network_digest(network: Network) -> str:
    """SHA-256 of the weights as rationals: equal functions of equal form agree."""
    digest = hashlib.sha256()
    for layer in network.layers:
        w, b, s = layer.integers
        header = json.dumps([list(w.shape), _digits(s)])
        digest.update(header.encode())
        for values in (w, b):
            digest.update(",".join(map(_digits, values.ravel().tolist())).encode())
            digest.update(b";")
    digest.update(",".join(a.name for a in network.activations).encode())
    return digest.hexdigest()


def _digits(n: int) -> str:
    # Python refuses to write out more than 4300 digits
    return str(n) if n.bit_length() < 10_000 else str(fmpz(n))


def _nested(values: np.ndarray) -> list:
    if values.dtype != object:
        return values.tolist()
    return np.vectorize(text, otypes=[object])(values).tolist()


class _Reader:
    """Reads the arrays of one document, together up to a limit of memory."""

    def __init__(self) -> None:
        self._left = MAX_BYTES

    def read(self, values: list, ndim: int) -> np.ndarray:
        rows = values if ndim == 2 else [values]
        if not all(isinstance(row, list) for row in rows) or not rows:
            raise FileFormatError(
                "a weight must be a list of one row or more, and a bias a list"
            )
        if len({len(row) for row in rows}) != 1:
            raise FileFormatError("the rows of a weight differ in length")
        flat = [x for row in rows for x in row]
        if all(isinstance(x, float) for x in flat):
            return np.array(values, dtype=np.float64)
        out = np.empty(len(flat), dtype=object)
        out[:] = [self._number(x) for x in flat]
        return out.reshape((len(rows), -1)) if ndim == 2 else out

    def _number(self, written: object) -> fmpq:
        number = rational(written, name="a weight")
        self._left -= _OBJECT + number.height_bits() // 4  # two times as bytes
        if self._left < 0:
            raise FileFormatError(
                f"the rational weights need more than {MAX_BYTES} bytes; use fewer or "
                "shorter ones"
            )
        return number
