"""Weights of a ReLU network with one output, as a search moves them."""

from dataclasses import dataclass

import numpy as np

from depthsep.networks import Affine, Network

ASIDE = 0.05  # shift of a new unit's zero, in a ratio


@dataclass(frozen=True, eq=False)
class Weights:
    """(W_1, b_1), ..., (W_(L+1), b_(L+1)); float64."""

    layers: tuple[tuple[np.ndarray, np.ndarray], ...]

    @staticmethod
    def of(network: Network) -> "Weights":
        """Of a network, rounded to float64."""
        return Weights(tuple(layer.as_floats for layer in network.layers))

    def network(self) -> Network:
        """The network with these weights."""
        return Network([Affine(weight, bias) for weight, bias in self.layers])

    @property
    def widths(self) -> tuple[int, ...]:
        """Units of the hidden layers."""
        return tuple(len(bias) for _, bias in self.layers[:-1])

    @property
    def vector(self) -> np.ndarray:
        """All weights in a row."""
        return np.concatenate([part.ravel() for layer in self.layers for part in layer])

    def moved(self, step: np.ndarray) -> "Weights":
        """The weights plus a step of the shape of `vector`."""
        layers, used = [], 0
        for layer in self.layers:
            parts = []
            for part in layer:
                change = step[used : used + part.size].reshape(part.shape)
                parts.append(part + change)
                used += part.size
            layers.append((parts[0], parts[1]))
        return Weights(tuple(layers))

    def places_reading(self, layer: int, unit: int) -> np.ndarray:
        """Where in `vector` the weights are with which a hidden unit is read."""
        before = sum(w.size + b.size for w, b in self.layers[: layer + 1])
        rows, columns = self.layers[layer + 1][0].shape
        return before + np.arange(rows) * columns + unit

    def hidden(self, x: np.ndarray) -> list[np.ndarray]:
        """What the units of each layer read at the points x, (n,) or (n, d)."""
        read, values = [], _columns(x)
        for weight, bias in self.layers[:-1]:
            read.append(values @ weight.T + bias)
            values = np.maximum(read[-1], 0.0)
        return read

    def __call__(self, x: np.ndarray) -> np.ndarray:
        """Values at the points x."""
        weight, bias = self.layers[-1]
        return np.maximum(self.hidden(x)[-1], 0.0) @ weight[0] + bias[0]

    def jacobian(self, x: np.ndarray) -> np.ndarray:
        """Derivatives of the values by all weights: shape (points, weights)."""
        read = self.hidden(x)
        values = [_columns(x), *(np.maximum(a, 0.0) for a in read)]
        back = np.ones((len(x), 1))
        parts: list[np.ndarray] = []
        for depth in reversed(range(len(self.layers))):
            weight = self.layers[depth][0]
            outer = back[:, :, None] * values[depth][:, None, :]
            parts.insert(0, np.hstack([outer.reshape(len(x), -1), back]))
            if depth:
                back = (back @ weight) * (read[depth - 1] > 0)
        return np.hstack(parts)

    def knots(self, start: float, stop: float) -> np.ndarray:
        """The ends of all affine pieces on the interval, of a network of one input."""
        x = np.array([start, stop])
        for depth in range(len(self.layers) - 1):
            read = self.hidden(x)[depth]
            left, right = read[:-1], read[1:]
            gap, unit = np.nonzero(left * right < 0)
            share = left[gap, unit] / (left[gap, unit] - right[gap, unit])
            x = np.unique(np.concatenate([x, x[gap] + share * (x[gap + 1] - x[gap])]))
        return x

    def balanced(self, x: np.ndarray) -> "Weights":
        """The same function; every unit reads numbers of rms 1 at the points x."""
        layers = [(weight.copy(), bias.copy()) for weight, bias in self.layers]
        for depth, read in enumerate(self.hidden(x)):
            size = np.sqrt(np.mean(read**2, axis=0))
            size = np.where(size > 0, size, 1.0)
            # the units before were scaled already, which left what is read unchanged
            layers[depth] = (layers[depth][0] / size[:, None], layers[depth][1] / size)
            layers[depth + 1] = (layers[depth + 1][0] * size, layers[depth + 1][1])
        return Weights(tuple(layers))

    def without(self, layer: int, unit: int) -> "Weights":
        """One hidden unit less."""
        layers = list(self.layers)
        weight, bias = layers[layer]
        layers[layer] = np.delete(weight, unit, 0), np.delete(bias, unit)
        weight, bias = layers[layer + 1]
        layers[layer + 1] = np.delete(weight, unit, 1), bias
        return Weights(tuple(layers))

    def split(self, layer: int, unit: int, apart: float) -> "Weights":
        """One hidden unit more: a unit as two halves whose zeros are moved apart."""
        layers = list(self.layers)
        weight, bias = layers[layer]
        shift = apart * np.sqrt(bias[unit] ** 2 + np.sum(weight[unit] ** 2))
        weight = np.vstack([weight, weight[unit]])
        bias = np.append(bias, bias[unit] - shift)
        bias[unit] += shift
        layers[layer] = weight, bias
        weight, bias = layers[layer + 1]
        weight = np.hstack([weight, weight[:, unit : unit + 1] / 2])
        weight[:, unit] /= 2
        layers[layer + 1] = weight, bias
        return Weights(tuple(layers))

    def widened(self, width: int) -> "Weights":
        """The same function with at least `width` units in every layer.

        What is new reads nearly what the units there read, and is not yet read itself.
        """
        layers = list(self.layers)
        for layer, units in enumerate(self.widths):
            source = np.arange(max(0, width - units)) % units
            weight, bias = layers[layer]
            norm = np.sqrt(bias[source] ** 2 + np.sum(weight[source] ** 2, axis=1))
            bias = np.append(bias, bias[source] - ASIDE * norm)
            layers[layer] = np.vstack([weight, weight[source]]), bias
            weight, bias = layers[layer + 1]
            unread = np.zeros((len(weight), len(source)))
            layers[layer + 1] = np.hstack([weight, unread]), bias
        return Weights(tuple(layers))

    def after(self, rate: np.ndarray | float, shift: np.ndarray | float) -> "Weights":
        """x -> the function at rate x + shift, entry by entry."""
        (weight, bias), *rest = self.layers
        moved = weight @ np.broadcast_to(shift, weight.shape[1])
        return Weights(((weight * rate, bias + moved), *rest))

    def reading(self, start: np.ndarray | float, stop: np.ndarray | float) -> "Weights":
        """The same on the box from start to stop as this is on [-1, 1]^d."""
        rate = 2 / (stop - start)
        return self.after(rate, -1 - rate * start)

    def times(self, factor: float) -> "Weights":
        """A multiple of the function."""
        *rest, (weight, bias) = self.layers
        return Weights((*rest, (weight * factor, bias * factor)))


def _columns(x: np.ndarray) -> np.ndarray:
    return x[:, None] if x.ndim == 1 else x
