r"""Bounds of a network's outputs on boxes, by linear functions carried backwards.

An output is bounded by a linear function of the last layer's units, those by lines in
what they read (`Lines`), and so on down to the inputs, where the box bounds it. Every
step adds to `slack` what rounding may have changed: gamma |A| v, v the largest sizes of
what A multiplies.

Source:
    Zhang et al. 2018 (CROWN), with the rounding of every step.
"""

from dataclasses import dataclass, field

import numpy as np

from depthsep.analysis.bounds._balls import EPS, FLOOR, GROW, ROUND, known
from depthsep.analysis.bounds._followed import Followed, Map
from depthsep.analysis.bounds._units import Lines


@dataclass(frozen=True, eq=False)
class Bounds:
    """Of the outputs on B boxes.

    Attributes:
        low, high: (B, outputs).
        slopes: of the linear functions below and above in the inputs, (B, 2 outputs,
            n): those below first.
        sizes: bounds of the sizes of the network's own outputs, (B, network outputs).
    """

    low: np.ndarray
    high: np.ndarray
    slopes: np.ndarray
    sizes: np.ndarray


@dataclass(eq=False)
class _Boxes:
    """Boxes, and what is known of the layers on them so far."""

    net: Followed
    low: np.ndarray
    high: np.ndarray
    lines: list[Lines] = field(default_factory=list)
    sizes: list[np.ndarray] = field(default_factory=list)
    before: list[tuple[np.ndarray, np.ndarray]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.sizes.append(np.maximum(np.abs(self.low), np.abs(self.high)))


def bounds_on(
    net: Followed,
    low: np.ndarray,
    high: np.ndarray,
    outputs: np.ndarray | None = None,
    inputs: np.ndarray | None = None,
) -> Bounds:
    """Bounds of the network on boxes, or of outputs @ network(x) + inputs @ x.

    Args:
        low, high: (B, n) corners, floats.
        outputs: (k, outputs) combinations of outputs that are bounded; each itself if
            not given.
        inputs: (k, n) combinations of inputs that are added.
    """
    with np.errstate(all="ignore"):
        boxes = _prepared(net, low, high)
        combined = np.eye(net.out_dim) if outputs is None else outputs
        last = net.maps[-1]
        return _carried(boxes, len(net.maps) - 1, last, combined, inputs)


def layers_on(
    net: Followed, low: np.ndarray, high: np.ndarray
) -> list[tuple[np.ndarray, np.ndarray]]:
    """Bounds of what every hidden layer's units read, (B, units) each."""
    with np.errstate(all="ignore"):
        return _prepared(net, low, high).before


def _prepared(net: Followed, low: np.ndarray, high: np.ndarray) -> _Boxes:
    boxes = _Boxes(net, low, high)
    inner = low, high
    for level, units in enumerate(net.units):
        here = net.maps[level]
        a, b = _interval(here, *inner)
        if level:
            found = _carried(boxes, level, here, None)
            a, b = np.fmax(a, found.low), np.fmin(b, found.high)
        a, b = known(a, -np.inf), known(b, np.inf)
        boxes.before.append((a, b))
        boxes.lines.append(units.lines(a, b))
        inner = units.span(a, b)
        boxes.sizes.append(np.maximum(np.abs(inner[0]), np.abs(inner[1])))
    return boxes


def _interval(
    here: Map, low: np.ndarray, high: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Interval bounds of one map."""
    middle, reach = (low + high) / 2, (high - low) / 2 * GROW + FLOOR
    centre = middle @ here.weight + here.bias
    size = (np.abs(middle) + reach) @ here.sizes + np.abs(here.bias)
    far = (reach @ here.sizes + 2 * here.share * size) * GROW
    far = far + here.floor * (1 + (np.abs(middle) + reach).sum(1, keepdims=True))
    return centre - far, centre + far


def _carried(
    boxes: _Boxes,
    level: int,
    here: Map,
    outputs: np.ndarray | None,
    inputs: np.ndarray | None = None,
) -> Bounds:
    """Bounds of what the map of a level gives, or of combinations of it."""
    batch = len(boxes.low)
    if outputs is None:
        weight, bias = here.weight.T, here.bias
        extra = np.zeros(len(bias))
    else:
        weight, bias = outputs @ here.weight.T, outputs @ here.bias
        extra = np.abs(outputs) @ np.abs(here.bias)
    rows = len(weight)
    both = np.concatenate([weight, weight])
    a = np.broadcast_to(both, (batch, *both.shape))
    constant = np.broadcast_to(np.concatenate([bias, bias]), (batch, 2 * rows)).copy()
    share = here.share + (0 if outputs is None else (outputs.shape[1] + 8) * EPS)
    sizes = boxes.sizes[level]
    if outputs is None:
        slack = sizes @ here.sizes + np.abs(bias)
    else:
        slack = (sizes @ here.sizes) @ np.abs(outputs).T + extra
    slack = share * np.concatenate([slack, slack], axis=1)
    slack = slack + here.floor * (1 + sizes.sum(1, keepdims=True))
    for k in range(level - 1, -1, -1):
        a, constant, slack = _through(boxes, k, a, constant, slack, rows)
    if inputs is not None:
        more = np.abs(np.concatenate([inputs, inputs])) @ boxes.sizes[0].T
        slack = slack + ROUND * (
            more.T + (np.abs(a) @ boxes.sizes[0][:, :, None])[:, :, 0]
        )
        a = a + np.concatenate([inputs, inputs])
    reach = boxes.sizes[level] @ here.sizes + np.abs(here.bias)
    return _at_inputs(boxes, a, constant, slack, reach * GROW)


def _through(
    boxes: _Boxes,
    k: int,
    a: np.ndarray,
    constant: np.ndarray,
    slack: np.ndarray,
    rows: int,
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Through the units of layer k and the map before them."""
    lines, here = boxes.lines[k], boxes.net.maps[k]
    low, high = boxes.before[k]
    up, down = np.maximum(a, 0.0), np.minimum(a, 0.0)
    slopes, offsets = np.empty_like(up), np.empty_like(constant)
    size = np.abs(a)
    for part, (s, t, u, v) in (
        (slice(rows, None), _lines_above(lines)),
        (slice(0, rows), _lines_below(lines)),
    ):
        slopes[:, part] = up[:, part] * s[:, None] + down[:, part] * u[:, None]
        offsets[:, part] = (
            up[:, part] @ t[:, :, None] + down[:, part] @ v[:, :, None]
        )[:, :, 0]
    # what a slope multiplies is as large as the unit's input; lines as their offsets
    reads = np.maximum(np.abs(low), np.abs(high))
    steep = np.maximum(np.abs(lines.lower_slope), np.abs(lines.upper_slope))
    shift = np.maximum(np.abs(lines.lower), np.abs(lines.upper))
    reads = np.where(steep > 0, reads, 0.0)
    touched = np.where(steep > 0, steep * reads, 0.0) + shift
    count = a.shape[2] + 8
    slack = slack + count * EPS * ((size + FLOOR) @ touched[:, :, None])[:, :, 0]
    slack = slack + count * FLOOR * (1 + reads.sum(1, keepdims=True))
    total = constant + offsets + slopes @ here.bias
    inner = boxes.sizes[k] @ here.sizes + np.abs(here.bias)
    share = here.share + count * EPS
    slack = slack + share * ((np.abs(slopes) + FLOOR) @ inner[:, :, None])[:, :, 0]
    slack = slack + here.floor * (1 + boxes.sizes[k].sum(1, keepdims=True))
    slack = slack + ROUND * (np.abs(constant) + np.abs(offsets))
    return slopes @ here.weight.T, total, slack


def _lines_above(lines: Lines) -> tuple[np.ndarray, ...]:
    """Slope and offset for positive, then for negative factors, of an upper bound."""
    return lines.upper_slope, lines.upper, lines.lower_slope, lines.lower


def _lines_below(lines: Lines) -> tuple[np.ndarray, ...]:
    """The same of a lower bound."""
    return lines.lower_slope, lines.lower, lines.upper_slope, lines.upper


def _at_inputs(
    boxes: _Boxes,
    a: np.ndarray,
    constant: np.ndarray,
    slack: np.ndarray,
    reach: np.ndarray,
) -> Bounds:
    rows = a.shape[1] // 2
    low, high = boxes.low[:, None], boxes.high[:, None]
    up, down = np.maximum(a, 0.0), np.minimum(a, 0.0)
    size = np.abs(a) @ boxes.sizes[0][:, :, None]
    slack = slack + (a.shape[2] + 8) * EPS * size[:, :, 0] + ROUND * np.abs(constant)
    slack = slack * GROW + 1e-290
    bottom = (up * low + down * high).sum(2) + constant - slack
    top = (up * high + down * low).sum(2) + constant + slack
    bottom, top = bottom[:, :rows], top[:, rows:]
    return Bounds(
        known(bottom, -np.inf),
        known(top, np.inf),
        a,
        reach,
    )
