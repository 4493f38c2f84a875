"""Networks that make one sum of functions of one coordinate, then a function of it."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from math import isfinite, log2

import numpy as np
from flint import arb, fmpq

from depthsep._errors import TooLargeError
from depthsep.analysis.box._ridges import Direction, ridge_sum
from depthsep.exact import ball_upper, nearest_float, rational, rational_array
from depthsep.laws import Box
from depthsep.networks import Affine, Network
from depthsep.targets import AbstractTarget

KEPT = 8


@dataclass(frozen=True)
class OneSum:
    """S = sum_i parts[i](coordinate i), then outer(S)."""

    parts: list[Network]
    outer: Network


def read_sum(
    network: Network,
    coordinates: list[int],
    inputs: np.ndarray,
    probe: Callable[[Network], tuple[fmpq, fmpq]],
) -> OneSum | None:
    """The sum that the second layer sees; None if it sees several, or not all inputs.

    Args:
        coordinates: which coordinate each unit of the first layer reads, 0, 1, ...
        inputs: and its weight.
        probe: a value of a part and what it should be about: the layer may hold S times
            any power of 2, and with any sign.
    """
    first, second = network.layers[:2]
    found = _multiples(second)
    if found is None:
        return None
    ahead, factors = found
    parts = []
    for i in range(max(coordinates) + 1):
        units = [j for j, c in enumerate(coordinates) if c == i]
        if not units:
            return None
        inner = Affine(inputs[units][:, None], first.bias[units])
        parts.append(Network([inner, Affine(ahead[None, units], [0])]))
    value, wanted = probe(parts[0])
    size = nearest_float(abs(value / wanted)) if wanted else 0.0
    if size == 0 or not isfinite(size):
        return None
    times = fmpq(2) ** round(log2(size)) * (1 if value / wanted > 0 else -1)
    column = Affine([[f * times] for f in factors], second.bias)
    outer = Network([column, *network.layers[2:]])
    return OneSum([_divided(part, times) for part in parts], outer)


def _multiples(second: Affine) -> tuple[np.ndarray, list[int]] | None:
    """The row v and factors -1, 0 or 1 with rows factor * v; None for other layers."""
    used = (second.weight != 0).any(axis=1)
    if not used.any():
        return None
    ahead, factors = second.weight[int(np.argmax(used))], []
    for row in second.weight:
        signs = [f for f in (0, 1, -1) if (row == f * ahead).all()]
        if not signs:
            return None
        factors.append(signs[0])
    return ahead, factors


def _divided(part: Network, times: fmpq) -> Network:
    if times == 1:
        return part
    ((row, bias),) = part.layers[-1].rational_rows()
    return Network(
        [*part.layers[:-1], Affine([[w / times for w in row]], [bias / times])]
    )


def read_deep_sum(
    network: Network,
    box: Box,
    directions: Sequence[Direction],
    size: Callable[[Network], fmpq],
) -> OneSum | None:
    """The sum that some layer sees, of ridges along these directions on the box.

    None if no layer sees one combination only, or if that is not such a sum.

    Args:
        size: of a part, over what it should be; 0 where it has none.
    """
    for at in range(1, network.depth):
        found = _proportions(network.layers[at])
        if found is None:
            continue
        ahead, factors = found
        prefix = Network([*network.layers[:at], Affine(ahead[None, :], [0])])
        try:
            ridges = ridge_sum(prefix, box)
        except TooLargeError:
            return None
        parts = (
            {} if ridges is None else {r.direction: r.network for r in ridges.ridges}
        )
        if ridges is None or set(parts) != set(directions):
            return None
        times = size(parts[directions[0]])
        if times == 0:
            return None
        entry = Affine([[f * times] for f in factors], network.layers[at].bias)
        outer = Network([entry, *network.layers[at + 1 :]])
        return OneSum(
            [_divided(parts[w], times) for w in directions],
            moved(outer, ridges.constant / times),
        )
    return None


def _proportions(layer: Affine) -> tuple[np.ndarray, list[fmpq]] | None:
    """The row v and factors with rows factor * v; None for other layers."""
    used = np.flatnonzero((layer.weight != 0).any(axis=1))
    if not len(used):
        return None
    ahead = layer.weight[used[0]]
    exact = rational_array([rational(v) for v in ahead.tolist()])
    pivot = int(np.argmax(ahead != 0))
    factors = []
    for row in layer.weight:
        factor = rational(row[pivot]) / exact[pivot]
        rows = rational_array([rational(v) for v in row.tolist()])
        if not (rows == factor * exact).all():
            return None
        factors.append(factor)
    return ahead, factors


def moved(outer: Network, by: fmpq) -> Network:
    """s -> outer(s + by)."""
    first = outer.layers[0]
    return Network([Affine(first.weight, first([by])), *outer.layers[1:]])


def largest_error(
    network: Network,
    target: AbstractTarget,
    points: np.ndarray,
    exact: Callable[[int], tuple[list[fmpq], arb]],
) -> fmpq:
    """A bound from below of the sup error: float64 finds points to do exactly.

    Args:
        exact: the point of a row in rationals, and the target there, enclosed.
    """
    off = np.abs(network.floats(points)[:, 0] - target.floats(points))
    worst = fmpq(0)
    for k in np.argsort(np.nan_to_num(off))[-KEPT:].tolist():
        x, truth = exact(k)
        error = abs(arb(network(x)[0]) - truth)
        if error.is_finite():
            worst = max(worst, -ball_upper(-error))
    return worst
