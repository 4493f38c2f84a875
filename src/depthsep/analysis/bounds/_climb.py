"""Points with large values, found by random steps that are kept where they climb."""

import numpy as np

from depthsep._deadline import seconds_left
from depthsep.analysis.bounds._search import AbstractBounded

DRAWN, KEPT, ROUNDS, HALVINGS = 4096, 64, 60, 12
NUMBERS = 1 << 18  # of one layer at all points that are drawn


def climbed(
    function: AbstractBounded,
    low: np.ndarray,
    high: np.ndarray,
    *,
    seed: int = 0,
    enough: float = np.inf,
    stop_at: float = np.inf,
) -> tuple[np.ndarray, np.ndarray]:
    """Points of a box and their values, the largest first.

    Args:
        low, high: (n,) corners.
        enough: no step is taken once a value is that large.
        stop_at: nor after that time.
    """
    rng = np.random.default_rng(seed)
    count = min(DRAWN, NUMBERS // max(len(low), function.net.widest))
    count = max(KEPT, count)
    points = low + (high - low) * rng.random((count, len(low)))
    points = np.clip(points, low, high)
    values = function.at(points)
    best = np.argsort(-values)[:KEPT]
    points, values = points[best], values[best]
    for k in range(ROUNDS):
        if values.max() >= enough or seconds_left(stop_at) <= 0:
            break
        size = (high - low) * 0.5 ** (1 + k % HALVINGS)
        moved = np.clip(points + size * rng.normal(size=points.shape), low, high)
        changed = function.at(moved)
        better = changed > values
        points[better], values[better] = moved[better], changed[better]
    order = np.argsort(-values)
    return points[order], values[order]
