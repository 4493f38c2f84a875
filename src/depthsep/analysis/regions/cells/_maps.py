r"""The affine map of a network on cells of known patterns, exact.

Inside a cell every hidden unit is on or off, so the slopes are a product of weight
matrices from which the rows of units that are off are dropped.
"""

import math
from collections.abc import Iterator, Sequence

import numpy as np
from flint import fmpq, fmpz

from depthsep._deadline import check_time
from depthsep._progress import tell
from depthsep.exact import matmul, narrow
from depthsep.networks import Affine

Map = tuple[fmpq, ...]
BATCH = 1 << 22  # numbers of one layer at a time


def exact_maps(
    layers: Sequence[Affine], patterns: Sequence[np.ndarray]
) -> tuple[np.ndarray, int]:
    """Integers (cells, outputs, 1 + n) and one denominator: constants, then slopes."""
    weight, bias, scale = layers[0].integers
    cells, n = len(patterns[0]) if patterns else 1, weight.shape[1]
    start = np.concatenate([bias[None], weight.T])
    rows = np.broadcast_to(start, (cells, *start.shape)).reshape(-1, start.shape[1])
    for layer, pattern in zip(layers[1:], patterns, strict=True):
        weight, bias, s = layer.integers
        on = np.repeat(pattern, n + 1, axis=0)
        rows = matmul(np.where(on, rows, 0), weight.T).astype(object)
        rows[:: n + 1] += bias.astype(object) * scale
        scale *= s
        rows = narrow(rows)
    return rows.reshape(cells, n + 1, -1).transpose(0, 2, 1), scale


def as_maps(table: np.ndarray, scale: int) -> list[Map]:
    """What `exact_maps` found, as rationals."""
    flat = table.reshape(len(table), -1).tolist()
    return [tuple(fmpq(int(x), scale) for x in row) for row in flat]


def map_labels(layers: Sequence[Affine], patterns: Sequence[np.ndarray]) -> np.ndarray:
    """Numbers of the cells' maps, (cells,): two are equal just if the maps are.

    Maps whose integers differ modulo a prime differ. Where the product of the primes
    exceeds twice the largest integer that any cell can have, those that never differed
    are equal. So few cells are looked at again after the first primes, and no integer
    is ever long.
    """
    count = len(patterns[0]) if patterns else 1
    labels, product = np.zeros(count, dtype=np.int64), 1
    alike, largest = np.arange(count), 2 * _largest(layers)
    for prime in _primes(max(layer.shape[1] for layer in layers)):
        if len(alike) < 2 or product > largest:
            break
        rows = _residues(layers, [pattern[alike] for pattern in patterns], prime)
        rows = np.column_stack([labels[alike], rows])
        _, found, sizes = np.unique(
            rows, axis=0, return_inverse=True, return_counts=True
        )
        found = found.ravel()
        labels[alike] = labels.max() + 1 + found
        alike, product = alike[sizes[found] > 1], product * prime
    return np.unique(labels, return_inverse=True)[1]


def _primes(width: int) -> Iterator[int]:
    """Primes p, the largest ones first, with (width + 1) p^2 below 2^53."""
    for number in range(math.isqrt(2**53 // (width + 1)), 1, -1):
        if fmpz(number).is_prime():
            yield number


def _largest(layers: Sequence[Affine]) -> int:
    """No integer that `exact_maps` finds, whatever the pattern, is larger."""
    sizes = [Affine(abs(layer.weight), abs(layer.bias)) for layer in layers]
    everything = [np.ones((1, layer.shape[0]), dtype=bool) for layer in layers[:-1]]
    return max(map(int, exact_maps(sizes, everything)[0].ravel().tolist()), default=0)


def _residues(
    layers: Sequence[Affine], patterns: Sequence[np.ndarray], prime: int
) -> np.ndarray:
    """The integers of `exact_maps` modulo a prime, a row a cell.

    Sums of products stay below 2^53, so that float64 has them exactly.
    """
    cells, n = len(patterns[0]), layers[0].shape[1]
    step = max(1, BATCH // ((n + 1) * max(layer.shape[0] for layer in layers)))
    found = np.empty((cells, (n + 1) * layers[-1].shape[0]), dtype=np.int64)
    for first in range(0, cells, step):
        at = slice(first, first + step)
        check_time()
        part = [pattern[at] for pattern in patterns]
        found[at] = _residues_of_few(layers, part, prime)
        tell(first / cells, "maps")
    return found


def _residues_of_few(
    layers: Sequence[Affine], patterns: Sequence[np.ndarray], prime: int
) -> np.ndarray:
    cells, n = len(patterns[0]), layers[0].shape[1]
    weight, bias, scale = layers[0].integers
    start = _modulo(np.concatenate([bias[None], weight.T]), prime)
    rows = np.tile(start, (cells, 1))
    for layer, pattern in zip(layers[1:], patterns, strict=True):
        weight, bias, s = layer.integers
        rows = np.where(np.repeat(pattern, n + 1, axis=0), rows, 0.0)
        rows = rows @ _modulo(weight.T, prime)
        rows[:: n + 1] += _modulo(bias.astype(object) * scale, prime)
        rows = np.remainder(rows, prime)
        scale *= s
    return rows.reshape(cells, -1)


def _modulo(values: np.ndarray, prime: int) -> np.ndarray:
    return (values % prime).astype(np.float64)
