"""Units that do nothing on a domain: dead ones, and ones that never bend."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from depthsep.analysis.inspection.facts._fact import AbstractFact, Rows
from depthsep.analysis.inspection.facts._sizes import layers_words
from depthsep.analysis.regions.cells._filtered import FloatLayer
from depthsep.evidence import Rigour
from depthsep.exact import float_above, nearest_float
from depthsep.laws import Box
from depthsep.networks import Activation, Affine, Network

WIDER = 1 + 2.0**-50
ROUNDING = 2.0**-51
TINY = 1e-300


@dataclass(frozen=True)
class UnitStates(AbstractFact):
    """Hidden units layer by layer.

    Attributes:
        dead: ReLUs and clips that are constant all over the domain.
        linear: other units that do not bend on the domain.
        unseen: ReLUs and clips that are not proved dead, and not to be on at a sample
            point; 0 where all regions were looked at.
        rigour: exact: from all regions; enclosed: from interval bounds, so that there
            may be more of both.
        where: the domain in words.
    """

    dead: tuple[int, ...]
    linear: tuple[int, ...]
    unseen: tuple[int, ...]
    rigour: Rigour
    where: str = ""

    @property
    def title(self) -> str:
        """The domain."""
        return f"units on {self.where}"

    def rows(self) -> Rows:
        """Dead and linear units, layer by layer."""
        exact = self.rigour is Rigour.EXACT
        how = (
            "exact, from all regions"
            if exact
            else "a lower bound, by interval arithmetic"
        )
        rows = [
            ("dead", f"{_by_layer(self.dead)} ({how})"),
            ("always affine", f"{_by_layer(self.linear)} ({how})"),
        ]
        if any(self.unseen):
            rows.append(("off at all samples", f"{_by_layer(self.unseen)} (sampled)"))
        return rows

    def to_json(self) -> dict[str, object]:
        """Lists, a number a layer."""
        states: dict[str, object] = {
            "dead": list(self.dead),
            "linear": list(self.linear),
            "unseen": list(self.unseen),
            "rigour": str(self.rigour),
        }
        return {"unit_states": states}


def _by_layer(counts: tuple[int, ...]) -> str:
    if len(counts) < 2:
        return str(sum(counts))
    return f"{sum(counts)} ({layers_words(counts)} by layer)"


def states_in_regions(
    network: Network,
    positive: Sequence[np.ndarray],
    negative: Sequence[np.ndarray],
) -> UnitStates:
    """From the signs of the network's ReLU form in all regions, (regions, units).

    Of units that are two ReLUs each those of the first kind stand in front.
    """
    on = [np.zeros(len(layer.bias), dtype=bool) for layer in _hidden(network)]
    off = [np.zeros_like(a) for a in on]
    for k, (above, below) in enumerate(zip(positive, negative, strict=True)):
        m = len(on[k])
        works, rests = above[:, :m], below[:, :m]
        if _is_clip(network.activations[k]):
            works, rests = works & below[:, m:], rests | above[:, m:]
        on[k] |= works.any(axis=0)
        off[k] |= rests.any(axis=0)
    return _states(network, on, off, [np.zeros_like(a) for a in on], Rigour.EXACT)


def states_by_bounds(network: Network, box: Box, points: np.ndarray) -> UnitStates:
    """From interval bounds on a box, and sample points in it, (points, inputs)."""
    pairs = [(nearest_float(s.start), nearest_float(s.stop)) for s in box.sides]
    ends = np.array(pairs)
    values, errors = _ball(*ends.T)
    on, off, unseen = [], [], []
    x, doubt = points, np.zeros_like(points)
    for affine, activation in zip(_hidden(network), network.activations, strict=True):
        layer = FloatLayer(affine)
        with np.errstate(all="ignore"):
            near, far = layer(values, errors)
            low, high = (near - far)[0], (near + far)[0]
        wild = ~np.isfinite(near[0]) | ~np.isfinite(far[0])
        low[wild], high[wild] = -np.inf, np.inf
        start, end = _kinks(activation)
        on.append((high > start[0]) & (low < end[1]))
        off.append((low < start[1]) | (high > end[0]))
        with np.errstate(all="ignore"):
            z, doubt = layer(x, doubt)
            seen = ((z - doubt > start[1]) & (z + doubt < end[0])).any(axis=0)
            x, doubt = activation.floats(z), doubt + ROUNDING * np.abs(z)
        unseen.append(~seen & on[-1])
        values, errors = _ball(*_after(activation, low, high))
    return _states(network, on, off, unseen, Rigour.ENCLOSED)


def _after(
    activation: Activation, low: np.ndarray, high: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """The range of a ReLU, a leaky one, a clip or |z|."""
    if activation.increasing:
        return activation.floats(low), activation.floats(high)
    return np.maximum(0.0, np.maximum(low, -high)), np.maximum(-low, high)


def _ball(low: np.ndarray, high: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """A middle and a distance that hold an interval whose ends may be rounded."""
    size = np.maximum(np.abs(low), np.abs(high))
    with np.errstate(all="ignore"):
        reach = (high / 2 - low / 2) * WIDER + ROUNDING * size + TINY
        middle = low / 2 + high / 2
    wild = ~np.isfinite(middle) | ~np.isfinite(reach)
    return np.where(wild, 0.0, middle)[None], np.where(wild, np.inf, reach)[None]


def _is_clip(activation: Activation) -> bool:
    return activation.relus[-1].factor < 0 < activation.relus[-1].sign


def _kinks(activation: Activation) -> list[tuple[float, float]]:
    """Floats on both sides of where a unit begins to work and of where a clip ends."""
    parts = activation.relus[: 2 if _is_clip(activation) else 1]
    ends = [(-float_above(p.offset), float_above(-p.offset)) for p in parts]
    return ends if len(ends) == 2 else [*ends, (np.inf, np.inf)]


def _hidden(network: Network) -> tuple[Affine, ...]:
    return network.layers[:-1]


def _states(
    network: Network,
    on: Sequence[np.ndarray],
    off: Sequence[np.ndarray],
    unseen: Sequence[np.ndarray],
    rigour: Rigour,
) -> UnitStates:
    """Counts, from which units may be on or off somewhere."""
    dead, linear, lost = [], [], []
    for k, activation in enumerate(network.activations):
        bends = bool(activation.relus)
        flat = bends and activation.relus[-1].sign > 0
        never = ~on[k] if flat else np.zeros_like(on[k])
        dead.append(int(never.sum()))
        linear.append(int((bends & ~never & ~(on[k] & off[k])).sum()))
        lost.append(int(unseen[k].sum()) if flat else 0)
    return UnitStates(tuple(dead), tuple(linear), tuple(lost), rigour)
