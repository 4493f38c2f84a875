"""Starts on a box: the units of a known network that say most, and random ones."""

from collections.abc import Iterator

import numpy as np

from depthsep.constructions.search._samples import Samples
from depthsep.constructions.search._weights import Weights

RANDOM = 12


def starts(
    sampled: Samples,
    known: Weights | None,
    layers: int,
    width: int,
    rng: np.random.Generator,
) -> Iterator[Weights]:
    """A known network with fewer units, and networks with random ones."""
    if known is not None:
        yield fewer_units(sampled, known, width)
    for _ in range(RANDOM):
        yield at_random(sampled, layers, width, rng)


def fewer_units(sampled: Samples, known: Weights, width: int) -> Weights:
    """In each layer the units a pivoted QR chooses, the next layer fitted to them."""
    from scipy.linalg import qr

    grid = sampled.grid
    layers: list[tuple[np.ndarray, np.ndarray]] = [known.layers[0]]
    wanted = [*known.hidden(grid)[1:], sampled.values[:, None]]
    values = known.hidden(grid)[0]
    for read in wanted:
        values = np.maximum(values, 0.0)
        order = np.asarray(qr(values, mode="r", pivoting=True)[-1])
        kept = np.sort(order[:width])
        weight, bias = layers[-1]
        layers[-1] = weight[kept], bias[kept]
        layers.append(_fitted(values[:, kept], read))
        weight, bias = layers[-1]
        values = values[:, kept] @ weight.T + bias
    return Weights(tuple(layers))


def at_random(
    sampled: Samples, layers: int, width: int, rng: np.random.Generator
) -> Weights:
    """Layers of units that read a random direction and are 0 at a random point."""
    values = sampled.grid
    made: list[tuple[np.ndarray, np.ndarray]] = []
    for _ in range(layers):
        weight = rng.normal(size=(width, values.shape[1]))
        size = np.std(values @ weight.T, axis=0) + 1e-12
        weight /= size[:, None]
        zeros = values[rng.integers(len(values), size=width)]
        made.append((weight, -np.einsum("ij,ij->i", weight, zeros)))
        values = np.maximum(values @ weight.T + made[-1][1], 0.0)
    made.append(_fitted(values, sampled.values[:, None]))
    return Weights(tuple(made))


def _fitted(values: np.ndarray, read: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """The weights and biases with which the values give what is read, nearly."""
    table = np.hstack([values, np.ones((len(values), 1))])
    found = np.linalg.lstsq(table, read, rcond=1e-9)[0]
    return found[:-1].T.copy(), found[-1].copy()
