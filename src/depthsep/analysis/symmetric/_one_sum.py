"""Networks that make one sum of functions of one coordinate, then a function of it."""

from collections.abc import Callable
from dataclasses import dataclass
from math import isfinite, log2

import numpy as np
from flint import arb, fmpq

from depthsep.exact import ball_upper, nearest_float, rational
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
    first, last = part.layers
    if times == 1:
        return part
    row = [rational(w) / times for w in last.weight[0].tolist()]
    return Network([first, Affine([row], [0])])


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
