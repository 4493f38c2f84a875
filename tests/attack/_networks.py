"""Networks in fractions: read from certificates, ONNX files and the library's records.

`Net` is a list of layers; a layer is rows of weights, a bias and an activation.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np

from . import _graphs

Row = list[Fraction]


@dataclass(frozen=True)
class Layer:
    """x -> activation(weight x + bias); the name is None for the read-out."""

    weight: list[Row]
    bias: Row
    name: str | None


@dataclass(frozen=True)
class Net:
    """A feed-forward network with rational weights."""

    layers: list[Layer]

    @property
    def inputs(self) -> int:
        """How many numbers it takes."""
        return len(self.layers[0].weight[0])

    @property
    def widths(self) -> list[int]:
        """Units of the hidden layers."""
        return [len(layer.bias) for layer in self.layers[:-1]]

    def exact(self, x: Row) -> Row:
        """The values at a rational point."""
        values = list(x)
        for layer in self.layers:
            values = [
                activated(layer.name, _affine(row, values, b))
                for row, b in zip(layer.weight, layer.bias, strict=True)
            ]
        return values

    def floats(self, points: np.ndarray) -> np.ndarray:
        """The first output at points (rows), rounded."""
        try:
            return self._floats(points)
        except OverflowError:  # a weight is no float64
            rows = [[Fraction(v) for v in row] for row in points.tolist()]
            return np.array([nearest(self.exact(row)[0]) for row in rows])

    def _floats(self, points: np.ndarray) -> np.ndarray:
        values = points
        for layer in self.layers:
            weight = np.array([[float(w) for w in row] for row in layer.weight])
            z = values @ weight.T + np.array([float(b) for b in layer.bias])
            values = _activated_floats(layer.name, z)
        return values[:, 0]

    def document(self) -> dict[str, object]:
        """The JSON form that the library reads."""
        return {
            "activations": [layer.name for layer in self.layers[:-1]],
            "layers": [
                {
                    "weight": [[str(w) for w in row] for row in layer.weight],
                    "bias": [str(b) for b in layer.bias],
                }
                for layer in self.layers
            ],
        }

    @staticmethod
    def of_json(document: Mapping[str, Any]) -> "Net":
        """From the JSON form: numbers are floats, texts are fractions."""
        names = [*document["activations"], None]
        return Net(
            [
                Layer(
                    [[Fraction(w) for w in row] for row in layer["weight"]],
                    [Fraction(b) for b in layer["bias"]],
                    name,
                )
                for layer, name in zip(document["layers"], names, strict=True)
            ]
        )

    @staticmethod
    def of_onnx(path: str | Path) -> "Net":
        """From a file of Gemm, Relu and GreaterOrEqual with Cast, as `build` writes."""
        graph = _graphs.load(path).graph
        weights = {t.name: _graphs.array_of(t) for t in graph.initializer}
        gemms = [n for n in graph.node if n.op_type == "Gemm"]
        kinds = [n.op_type for n in graph.node if n.op_type in ("Relu", "Cast")]
        names = ["relu" if kind == "Relu" else "threshold" for kind in kinds]
        arrays = [[weights[name].tolist() for name in n.input[1:]] for n in gemms]
        pairs = zip(arrays, [*names, None], strict=True)
        return Net([Layer(w, b, name) for (w, b), name in pairs])

    @staticmethod
    def of_library(network: Any) -> "Net":
        """From the library's record of a network."""
        names = [a.name for a in network.activations] + [None]
        return Net(
            [
                Layer(
                    [[_fraction(w) for w in row] for row in layer.weight.tolist()],
                    [_fraction(b) for b in layer.bias.tolist()],
                    name,
                )
                for layer, name in zip(network.layers, names, strict=True)
            ]
        )

    @staticmethod
    def certified(document: Mapping[str, Any], folder: Path) -> "Net":
        """The network of a certificate, inside it or in the file beside it."""
        entry = document["network"]
        if "onnx" in entry:
            return Net.of_onnx(folder / entry["onnx"])
        return Net.of_json(entry)


def nearest(x: Fraction) -> float:
    """The nearest float; infinite beyond the largest."""
    try:
        return float(x)
    except OverflowError:
        return float("inf") if x > 0 else float("-inf")


def activated(name: str | None, z: Fraction) -> Fraction:
    """The activation of this name at z."""
    if name is None or (name == "relu" and z > 0):
        return z
    if name == "threshold":
        return Fraction(int(z >= 0))
    if name == "abs":
        return abs(z)
    return z if z > 0 else slope_below(name) * z


def _affine(row: Row, values: Row, bias: Fraction) -> Fraction:
    return sum((w * v for w, v in zip(row, values, strict=True) if w), bias)


def slope_below(name: str) -> Fraction:
    """The slope of relu, abs or leaky_relu:p/q below 0."""
    known = {"relu": Fraction(0), "abs": Fraction(-1)}
    return known[name] if name in known else Fraction(name.partition(":")[2])


def _activated_floats(name: str | None, z: np.ndarray) -> np.ndarray:
    if name is None:
        return z
    if name == "threshold":
        return (z >= 0).astype(float)
    return np.where(z > 0, z, float(slope_below(name)) * z)


def _fraction(x: Any) -> Fraction:
    return Fraction(int(x.p), int(x.q)) if hasattr(x, "p") else Fraction(x)
