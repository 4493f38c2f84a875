r"""Second derivatives on boxes: gradients of smooth networks by the mean value theorem.

The gradient on a box is that at its middle and at most |H| (x - c), H an interval
matrix of second derivatives: its error falls with the square of the box where slopes
alone leave one that falls with its side.
"""

import numpy as np

from depthsep.analysis.bounds._balls import EPS, FLOOR, GROW, ROUND, Ball
from depthsep.analysis.bounds._followed import Followed
from depthsep.analysis.bounds._tables import TableUnits

MOST_INPUTS = 4


def is_smooth(net: Followed) -> bool:
    """Whether second derivatives are known, of few inputs."""
    smooth = all(isinstance(units, TableUnits) for units in net.units)
    return smooth and bool(net.units) and net.in_dim <= MOST_INPUTS


def hessians_of(
    net: Followed,
    before: list[tuple[np.ndarray, np.ndarray]],
    backwards: list[Ball],
) -> Ball:
    """Second derivatives on boxes, (B, n, n).

    Args:
        before: bounds of what every layer's units read.
        backwards: the derivatives of the output in every layer's units.
    """
    first, n = net.maps[0], net.in_dim
    count = len(before[0][0])
    forward = Ball(
        np.broadcast_to(first.weight, (count, *first.weight.shape)),
        np.broadcast_to(EPS * first.sizes + FLOOR, (count, *first.weight.shape)),
    )
    total, spread = np.zeros((count, n, n)), np.zeros((count, n, n))
    for k, units in enumerate(net.units):
        assert isinstance(units, TableUnits)
        bend = backwards[k].times(*units.bends(*before[k]))
        for i in range(n):
            row = Ball(forward.middle[:, i], forward.reach[:, i]).times(*bend.ends)
            for j in range(i, n):
                other = Ball(forward.middle[:, j], forward.reach[:, j])
                part = row.times(*other.ends)
                total[:, i, j] += part.middle.sum(1)
                wide = part.reach + row.middle.shape[1] * EPS * np.abs(part.middle)
                spread[:, i, j] += wide.sum(1) * GROW
        if k + 1 < len(net.units):
            forward = _onwards(net, k, forward, units.slopes(*before[k]))
    spread += ROUND * np.abs(total) + FLOOR
    i, j = np.triu_indices(n)
    total[:, j, i], spread[:, j, i] = total[:, i, j], spread[:, i, j]
    return Ball(total, spread)


def _onwards(
    net: Followed, k: int, forward: Ball, slopes: tuple[np.ndarray, np.ndarray]
) -> Ball:
    """Derivatives of what the next layer's units read."""
    inner = forward.times(slopes[0][:, None], slopes[1][:, None])
    here = net.maps[k + 1]
    far = inner.reach @ here.sizes
    size = np.abs(inner.middle) + inner.reach
    off = here.share * (size @ here.sizes)
    floor = here.floor * (1 + size.sum(2, keepdims=True))
    return Ball(inner.middle @ here.weight, (far + off) * GROW + floor)
