"""Convexity without regions: from signs of weights, or from second derivatives."""

import numpy as np

from depthsep.analysis.bounds._bends import LeastBend
from depthsep.analysis.bounds._hessians import is_smooth
from depthsep.analysis.bounds._search import largest
from depthsep.analysis.facts._subject import Subject, stop_after
from depthsep.networks import Affine, Network


def bends_by_signs(network: Network) -> tuple[np.ndarray, np.ndarray]:
    """Which outputs are convex, and which concave, by rules of composition.

    A combination of convex functions is convex if its weights are not negative; a
    convex unit that never falls keeps it. Input convex networks are such.

    Source:
        Amos, Xu and Kolter 2017, Proposition 1.
    """
    up = down = np.ones(network.in_dim, dtype=bool)
    for layer, activation in zip(network.layers, network.activations, strict=False):
        up, down = _combined(layer, up, down)
        kept = up if activation.increasing else up & down
        up, down = kept & activation.convex, np.zeros_like(down)
    return _combined(network.layers[-1], up, down)


def _combined(
    layer: Affine, up: np.ndarray, down: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    positive, negative = layer.weight > 0, layer.weight < 0
    not_convex = (positive & ~up) | (negative & ~down)
    not_concave = (positive & ~down) | (negative & ~up)
    return ~np.any(not_convex, axis=1), ~np.any(not_concave, axis=1)


def is_convex_by_bounds(subject: Subject, output: int, sign: int, share: float) -> bool:
    """Whether sign * output is proved to be convex on the box."""
    if not is_smooth(subject.net):
        return False
    function = LeastBend(subject.net, sign * subject.row(output))
    low, high = (end[None] for end in subject.ends)
    stop_at = stop_after(share)
    return largest(function, low, high, stop_at=stop_at, threshold=0.0).upper <= 0
