r"""ReLU networks on bounded inputs, rewritten exactly with units of another kind.

A clip is one ReLU where that is bounded: relu(z) = s (clip(z/s + low) - low), z up to
s (high - low). A unit of slopes a and 1 is a z + (1 - a) relu(z), so a layer of them
gives the ReLUs and, as long as something carries them, the linear functions that are
left: as many units more as these span, each with a bias that keeps it from bending.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from flint import fmpq, fmpq_mat

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.exact import rational, rational_array, rationals
from depthsep.networks._affine import Affine
from depthsep.networks._network import Network
from depthsep.networks._ranges import BoxReach, PathReach, Range, Reach
from depthsep.networks.activations._activations import RELU, ZERO, Activation

MOST_WEIGHTS = 1 << 16


def in_units(
    network: Network, activation: Activation, box: Sequence[tuple[object, object]]
) -> Network:
    """The same function on a box, exactly, in units of two slopes or clips.

    Weights become rational. Layers get as many units as they had, or, of two slopes,
    fewer where ReLUs are only passed on, and more where linear functions have to be.

    Args:
        network: of ReLUs.
        activation: a leaky ReLU, |z| or a clip.
        box: one (low, high) pair for each input.

    Raises:
        HypothesisError: other units.
        TooLargeError: more than 65,536 weights.
    """
    if any(a is not RELU for a in network.activations):
        raise HypothesisError("only networks of ReLUs can be rewritten in other units")
    entries = sum(layer.weight.size for layer in network.layers)
    if entries > MOST_WEIGHTS:
        raise TooLargeError(
            f"the network has {entries} weights; at most {MOST_WEIGHTS} "
            "can be rewritten in other units"
        )
    rewrite = _clipped if activation.pieces == 3 else _sloped
    ends = [(rational(low), rational(high)) for low, high in box]
    reach: Reach = BoxReach(ends)
    if len(ends) == 1:
        reach = PathReach(np.array(ends, dtype=object).T)
    layers, now, before = [], network.layers[0], reach
    for layer, following in pairwise(network.layers):
        # the same values, bounded in two ways
        ranges = [
            (max(a[0], b[0]), min(a[1], b[1]))
            for a, b in zip(reach.images(now), before.images(layer), strict=True)
        ]
        made, now = rewrite(now, following, ranges, reach, activation)
        reach, before = reach.after(made, activation), before.after(layer, RELU)
        layers.append(made)
    return Network([*layers, now], (activation,) * len(layers))


def _clipped(
    now: Affine,
    following: Affine,
    ranges: Sequence[Range],
    reach: Reach,
    activation: Activation,
) -> tuple[Affine, Affine]:
    low, high = (-part.offset for part in activation.relus)
    tops = [max(top, ZERO) / (high - low) or fmpq(1) for _, top in ranges]
    sizes, lows = rational_array(tops), rational_array([low] * len(tops))
    weight, bias = rationals(now.weight), rationals(now.bias)
    made = Affine(weight / sizes[:, None], bias / sizes + lows)
    reading = rationals(following.weight) * sizes
    constant = rationals(following.bias) - reading.sum(axis=1) * low
    return made, Affine(reading, constant)


def _sloped(
    now: Affine,
    following: Affine,
    ranges: Sequence[Range],
    reach: Reach,
    activation: Activation,
) -> tuple[Affine, Affine]:
    """`following` reads sums of few relu(z) and a linear rest of what `now` reads."""
    bent, linear = _apart(now, following, ranges)
    below = -activation.exact(fmpq(-1))  # the slope there
    for column, row in bent:
        linear = linear - np.outer(column, row) * (below / (1 - below))
    columns = [column / (1 - below) for column, _ in bent]
    units, constant = [row for _, row in bent], linear[:, -1]
    for row, column in _spanned(linear[:, :-1]):
        plain = Affine([row], [ZERO])
        lift = -reach.images(plain)[0][0]  # never below 0, so never bent
        units.append(rational_array([*row, lift]))
        columns.append(column)
        constant = constant - column * lift
    if not units:  # a unit for the depth's sake
        units, columns = [linear[0] * 0], [constant * 0]
    table = np.array(units, dtype=object)
    reading = np.array(columns, dtype=object).T
    return Affine(table[:, :-1], table[:, -1]), Affine(reading, constant)


Bent = tuple[np.ndarray, np.ndarray]  # a column of readers, and z with its constant


def _apart(
    now: Affine, following: Affine, ranges: Sequence[Range]
) -> tuple[list[Bent], np.ndarray]:
    """ReLUs of one kink each with who reads them, and the linear rest.

    relu(t z) = t relu(z) for t > 0, and relu(-z) = relu(z) - z.
    """
    weight, bias = rationals(now.weight), rationals(now.bias)
    rows = np.concatenate([weight, bias[:, None]], axis=1)
    bent: dict[tuple[fmpq, ...], Bent] = {}
    linear: np.ndarray = np.full((len(following.bias), rows.shape[1]), ZERO)
    linear[:, -1] = rationals(following.bias)
    readers = rationals(following.weight).T
    for column, row, (low, high) in zip(readers, rows, ranges, strict=True):
        if high <= 0:
            continue
        if low >= 0:
            linear = linear + np.outer(column, row)
            continue
        first = next(x for x in row if x != 0)
        read, chosen = bent.setdefault(tuple(row / first), (column * 0, row))
        ratio = first / next(x for x in chosen if x != 0)
        bent[tuple(row / first)] = read + column * abs(ratio), chosen
        if ratio < 0:
            linear = linear - np.outer(column * abs(ratio), chosen)
    return [pair for pair in bent.values() if any(pair[0])], linear


def _spanned(matrix: np.ndarray) -> list[tuple[np.ndarray, np.ndarray]]:
    """Rows that span those of the matrix, with the columns that give it back."""
    height, width = matrix.shape
    reduced, rank = fmpq_mat(height, width, matrix.ravel().tolist()).rref()
    table = rational_array(reduced.entries()).reshape(matrix.shape)[:rank]
    pivots = [next(k for k, x in enumerate(row) if x != 0) for row in table]
    return [(row, matrix[:, k]) for row, k in zip(table, pivots, strict=True)]
