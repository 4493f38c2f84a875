r"""Sup of |network - f| over a whole box, from the network and the formula alone.

Boxes are halved; on each the network is specialised, followed by affine forms, and
compared with a Taylor polynomial of the formula.
"""

from dataclasses import dataclass, field

import numpy as np
from flint import fmpq

from depthsep._deadline import end_after, is_over
from depthsep._errors import HypothesisError
from depthsep._progress import tell
from depthsep.analysis.box.followed._affine_forms import Stages, boxes_to_forms
from depthsep.analysis.box.followed._nodes import MOST_HALVINGS, Node, OpenNode
from depthsep.analysis.box.followed._taylor_model import LocalModel
from depthsep.exact import decimal, nearest_float, plain, rational
from depthsep.laws import Box
from depthsep.networks import RELU, Network, as_relu
from depthsep.targets import AbstractBoxTarget, Formula

LARGEST = fmpq(10) ** 100
BATCH = 1 << 22
MAX_BOXES = 1 << 18


@dataclass
class Sweep:
    """How far a sweep got.

    Attributes:
        upper: a proved bound of the sup over the whole box; infinite if none was found.
        share: of the box where the limit is proved; 0 to 1.
        boxes: how many were looked at.
        complete: whether the limit is proved everywhere.
    """

    limit: float
    stop_at: float
    upper: float = 0.0
    share: float = 0.0
    boxes: int = 0
    open: float = field(default=0.0)

    @property
    def complete(self) -> bool:
        """Whether the limit is proved everywhere."""
        return self.open == 0 and self.upper <= self.limit

    def __str__(self) -> str:
        how = "was proved" if self.complete else "was proved only"
        share = plain(decimal(rational(100 * self.share), 3, upward=False))
        return (
            f"an error of at most {self.limit:.4g} {how} on {share} % "
            f"of the box, using {self.boxes} box{'es' * (self.boxes != 1)}"
        )

    @property
    def late(self) -> bool:
        """Whether the time is over."""
        return is_over(self.stop_at)

    def settle(self, bounds: np.ndarray, share: float) -> None:
        """Boxes on which the limit is proved."""
        self.upper = max(self.upper, float(bounds.max(initial=0.0)))
        self.share += share * len(bounds)
        tell(self.share, "the box")

    def give_up(self, bounds: np.ndarray, share: float) -> None:
        """Boxes that stay undecided."""
        worst = bounds.max(initial=0.0)
        self.upper = float("inf") if np.isnan(worst) else max(self.upper, float(worst))
        self.open += share * len(bounds)


def sweep(
    network: Network,
    target: AbstractBoxTarget,
    box: Box,
    *,
    limit: object,
    seconds: float = 300.0,
) -> Sweep:
    r"""Try to prove sup |network - target| <= limit on a box, two to four inputs best.

    Stops when that is proved, or hopeless, or when the time is over; `upper` is then
    still a bound of the sup, and `share` says how far it got.

    Raises:
        HypothesisError: units that are not piecewise affine and continuous, several
            outputs, inputs that do not fit, a limit that is not positive, numbers of
            sizes beyond 1e-100 to 1e100.
    """
    network, formula = as_relu(network), target.as_formula()
    reason = not_followed(network, box) or misfit(network, formula, box)
    if reason:
        raise HypothesisError(reason)
    low, high = outward(box)
    state = Sweep(_below(limit), end_after(seconds))
    # what overflows is not a number, and not proved
    with np.errstate(all="ignore"):
        nodes = [Node.whole(network, low, high)]
        while nodes:
            node = nodes.pop()
            if state.late:
                state.give_up(np.array([node.bound]), node.share)
            else:
                nodes += _looked_at(node, formula, state)
    return state


def _looked_at(node: Node, target: Formula, state: Sweep) -> list[Node]:
    """Settle a box, sweep it in many small ones, or cut it."""
    state.boxes += 1
    found = node.opened(target)
    bound = np.array([found.bound])
    if found.bound <= state.limit:
        state.settle(bound, node.share)
        return []
    if node.halvings >= MOST_HALVINGS:
        state.give_up(bound, node.share)
        return []
    if found.is_light and found.model.rest <= state.limit / 8:
        _swept(found, state)
        return []
    return found.cut()


def _swept(found: OpenNode, state: Sweep) -> None:
    """Halve the boxes where the limit is not proved yet, all at once."""
    node, net, model = found.node, found.stages, found.model
    low, high, share = node.low[None], node.high[None], node.share
    for _ in range(MOST_HALVINGS * len(node.low)):
        parts = _distances(net, model, low, high, state, node.bound)
        state.boxes += len(low)
        bounds = parts.sum(1)
        proved = bounds <= state.limit
        state.settle(bounds[proved], share)
        low, high, parts = low[~proved], high[~proved], parts[~proved]
        if not len(low):
            return
        if state.late or 2 * len(low) > MAX_BOXES:
            break
        low, high = _halved(low, high, parts)
        share /= 2
    else:
        parts = _distances(net, model, low, high, state, node.bound)
    state.give_up(parts.sum(1), share)


def _distances(
    net: Stages,
    model: LocalModel,
    low: np.ndarray,
    high: np.ndarray,
    state: Sweep,
    otherwise: float,
) -> np.ndarray:
    """Bounds on all boxes, part by part; `otherwise` where the time is over."""
    step = max(1, BATCH // (net.widest * (low.shape[1] + 3)))
    parts = np.zeros((len(low), low.shape[1] + 1))
    parts[:, 0] = otherwise
    for at in range(0, len(low), step):
        if at and state.late:
            break
        a, b = low[at : at + step], high[at : at + step]
        parts[at : at + step] = model.distances(a, b, net(boxes_to_forms(a, b)))
    return parts


def _halved(
    low: np.ndarray, high: np.ndarray, parts: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Each box cut across the axis that adds most, long ones first."""
    length = high - low
    score = parts[:, 1:] + parts[:, :1] * length / length.max(axis=1, keepdims=True)
    axis = np.nan_to_num(score).argmax(axis=1)
    rows = np.arange(len(low))
    middle = (low[rows, axis] + high[rows, axis]) / 2
    left, right = high.copy(), low.copy()
    left[rows, axis], right[rows, axis] = middle, middle
    return np.vstack([low, right]), np.vstack([left, high])


def not_followed(network: Network, box: Box) -> str:
    """Why a network on a box cannot be followed in float64; empty if it can."""
    if any(a is not RELU for a in network.activations):
        return (
            "only networks of ReLUs, leaky ReLUs, clips or absolute values "
            "are supported"
        )
    if network.out_dim != 1:
        return (
            f"the network has {network.out_dim} outputs; give one with a single output"
        )
    numbers = [v for layer in network.layers for v in (layer.weight, layer.bias)]
    sizes = [s for values in numbers for s in _extremes(values)]
    sizes += [abs(v) for v in (*box.starts, *box.stops) if v != 0]
    if sizes and (max(sizes) > LARGEST or min(sizes) < 1 / LARGEST):
        return (
            "all weights, biases and ends of the box must be 0 or between "
            "1e-100 and 1e100 in absolute value"
        )
    return ""


def _extremes(values: np.ndarray) -> list[fmpq]:
    """The smallest and the largest size that is not 0."""
    nonzero = np.abs(values[values != 0])
    return [rational(v) for v in (nonzero.min(), nonzero.max())] if len(nonzero) else []


def misfit(network: Network, target: Formula, box: Box) -> str:
    if network.in_dim == target.dim == box.in_dim:
        return ""
    return (
        f"the number of inputs is {network.in_dim} for the network and {target.dim} "
        f"for the target, and the box has dimension {box.in_dim}; these must agree"
    )


def outward(box: Box) -> tuple[np.ndarray, np.ndarray]:
    """float64 corners of a box around the box."""
    low = np.array([nearest_float(v) for v in box.starts])
    high = np.array([nearest_float(v) for v in box.stops])
    for k, (a, b) in enumerate(zip(box.starts, box.stops, strict=True)):
        if rational(float(low[k])) > a:
            low[k] = np.nextafter(low[k], -np.inf)
        if rational(float(high[k])) < b:
            high[k] = np.nextafter(high[k], np.inf)
    return low, high


def _below(limit: object) -> float:
    exact = rational(limit, name="limit")
    if exact <= 0:
        raise HypothesisError(f"the limit on the error is {exact}; it must be positive")
    near = nearest_float(exact)
    return near if rational(near) <= exact else float(np.nextafter(near, -np.inf))
