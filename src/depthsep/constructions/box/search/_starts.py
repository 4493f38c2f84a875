"""Starts on a box: units of a known network, ridges chosen one by one, random units."""

from collections.abc import Iterator

import numpy as np

from depthsep.constructions.search._samples import Samples
from depthsep.constructions.search._weights import Weights

RANDOM = 12
DIRECTIONS, OFFSETS = 32, 24  # of the ridges to choose from


def starts(
    sampled: Samples,
    known: Weights | None,
    layers: int,
    width: int,
    rng: np.random.Generator,
) -> Iterator[Weights]:
    """A known network with fewer units, a sum of ridges, and random networks."""
    if known is not None:
        yield fewer_units(sampled, known, width)
    if layers == 1:
        yield sum_of_ridges(sampled, width, rng)
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


def sum_of_ridges(sampled: Samples, width: int, rng: np.random.Generator) -> Weights:
    """One hidden layer: ridges of a dictionary, chosen one by one.

    Each is the one that, with those before it, leaves the least mean square
    (orthogonal matching pursuit). One unit, on everywhere, gives the affine part.
    """
    grid = sampled.grid
    weight, bias = _ridges(grid, rng)
    values = np.maximum(grid @ weight.T + bias, 0.0)
    left, table, chosen = sampled.values.copy(), values.copy(), []
    flat = np.column_stack([np.ones(len(grid)), grid])
    basis = np.linalg.qr(flat)[0].T
    for direction in basis:
        table -= np.outer(direction, direction @ table)
        left = left - direction * (direction @ left)
    for _ in range(width - 1):
        sizes = np.maximum(np.linalg.norm(table, axis=0), 1e-9 * len(grid))
        best = int(np.argmax(np.abs(left @ table) / sizes))
        chosen.append(best)
        direction = table[:, best] / sizes[best]
        table -= np.outer(direction, direction @ table)
        left = left - direction * (direction @ left)
    kept = np.sort(np.array(chosen, dtype=int))
    slopes = _fitted(np.hstack([grid, values[:, kept]]), sampled.values[:, None])[0]
    affine = slopes[:, : grid.shape[1]]
    first = np.vstack([weight[kept], affine])
    bias = np.append(bias[kept], np.abs(affine).sum())
    values = np.maximum(grid @ first.T + bias, 0.0)
    return Weights(((first, bias), _fitted(values, sampled.values[:, None])))


def _ridges(
    grid: np.ndarray, rng: np.random.Generator
) -> tuple[np.ndarray, np.ndarray]:
    """Units with zeros in many directions, at many distances, facing either way."""
    dim = grid.shape[1]
    if dim == 2:
        angles = np.arange(DIRECTIONS) * (np.pi / DIRECTIONS)
        ways = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    else:
        ways = rng.normal(size=(DIRECTIONS, dim))
        ways = np.vstack([np.eye(dim), ways / np.linalg.norm(ways, axis=1)[:, None]])
    ends = np.abs(ways).sum(axis=1)
    offsets = (np.arange(OFFSETS) + 0.5) * 2 / OFFSETS - 1
    bias = np.outer(ends, offsets).ravel()
    weight = np.repeat(ways, OFFSETS, axis=0)
    return np.vstack([weight, -weight]), np.concatenate([bias, bias])


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
