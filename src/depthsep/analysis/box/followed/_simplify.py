r"""What is left of a ReLU network on a small box: dead and repeated units go.

Exact where it matters: units are the same only if all their weights are, and columns
are added only if the sum is a float64. What is left out is kept as a bound.
"""

from collections.abc import Sequence

import numpy as np

from depthsep.analysis.box.followed._affine_forms import UNIT, Forms
from depthsep.analysis.box.followed._shared_forms import Layer

NEGLIGIBLE = 1e-12


def specialise(layers: Sequence[Layer], units: Sequence[Forms]) -> list[Layer]:
    """The network for inputs in one box, given the forms of its units there (B = 1).

    A unit that cannot exceed 10^-12 of its terms is left out; one with the same
    weights as another is taken from that.
    """
    left = list(layers)
    for k, before in enumerate(units):
        alive = _alive(layers[k], before)
        left[k + 1] = _without(left[k + 1], ~alive, before.ends[1][0])
        left[k] = _columns(left[k], alive)
        keep, left[k + 1] = _merged(left[k], left[k + 1])
        left[k] = _columns(left[k], keep)
    return left


def _alive(layer: Layer, before: Forms) -> np.ndarray:
    high = before.ends[1][0]
    small = high <= NEGLIGIBLE * before.size[0]
    empty = ~layer.weight.any(axis=0) & (layer.bias + layer.doubt <= 0)
    alive = ~(small | empty)
    if not alive.any():
        alive[0] = True
    return alive


def _columns(layer: Layer, chosen: np.ndarray) -> Layer:
    """The layer with some of its outputs."""
    weight = np.ascontiguousarray(layer.weight[:, chosen])
    return Layer(weight, layer.bias[chosen], layer.doubt[chosen])


def _without(layer: Layer, dead: np.ndarray, high: np.ndarray) -> Layer:
    """The layer without some inputs, each in [0, max(0, high)]."""
    most = np.maximum(high[dead], 0.0)
    more = np.abs(layer.weight[dead]).T @ most
    doubt = layer.doubt + more * (1 + 4 * (len(most) + 2) * UNIT)
    return Layer(layer.weight[~dead], layer.bias, doubt)


def _merged(layer: Layer, following: Layer) -> tuple[np.ndarray, Layer]:
    """Which units to keep, and the next layer reading them in place of all."""
    groups: dict[bytes, list[int]] = {}
    rows = np.ascontiguousarray(np.vstack([layer.weight, layer.bias]).T) + 0.0
    for unit, row in enumerate(rows):
        groups.setdefault(row.tobytes(), []).append(unit)
    keep = np.ones(len(rows), dtype=bool)
    repeated = [group for group in groups.values() if len(group) > 1]
    if not repeated:
        return keep, following
    weight, doubt = following.weight.copy(), following.doubt.copy()
    for first, *others in repeated:
        for unit in others:
            added = weight[first] + weight[unit]
            if not _is_sum(weight[first], weight[unit], added):
                continue
            apart = layer.doubt[first] + layer.doubt[unit]
            doubt += np.abs(weight[unit]) * apart * (1 + 8 * UNIT)
            weight[first], keep[unit] = added, False
    return keep, Layer(weight[keep], following.bias, doubt)


def _is_sum(a: np.ndarray, b: np.ndarray, added: np.ndarray) -> bool:
    """Whether added == a + b without rounding (the error of a sum is a float64)."""
    back = added - a
    return bool(((a - (added - back)) + (b - back) == 0).all())
