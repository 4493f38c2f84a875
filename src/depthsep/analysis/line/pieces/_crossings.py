"""Crossing numbers."""

import numpy as np
from flint import fmpq

from depthsep.exact import PiecewiseAffine, nearest_float, rational


def crossings(f: PiecewiseAffine, level: object = fmpq(1, 2)) -> int:
    """Cr(f): the number of maximal intervals on which 1[f >= level] is constant.

    That is one more than the number of changes. Touching the level from below adds
    two (a single point is an interval), from above none (Telgarsky 2016, as corrected:
    the printed definition counts changes in one place and intervals in another).
    """
    at = rational(level, name="the level")
    threshold = at if f.is_exact else nearest_float(at)
    above = np.asarray(f.values >= threshold, dtype=bool).copy()
    _limits_follow_their_side(f, above, threshold)
    changes = int((above[1:] != above[:-1]).sum())
    for slope, end, sign in ((f.left_slope, 0, -1), (f.right_slope, -1, 1)):
        if slope is not None and slope != 0:
            changes += bool(slope * sign > 0) != bool(above[end])
    return changes + 1


def _limits_follow_their_side(
    f: PiecewiseAffine, above: np.ndarray, level: object
) -> None:
    """A one-sided limit that equals the level is not attained: ask inside the gap."""
    jumps, n = f.jumps, len(above)
    for i in np.flatnonzero(jumps):
        left_limit = i == 0 or not jumps[i - 1]
        if left_limit and i > 0 and f.values[i] == level:
            above[i] = f.values[i - 1] >= level
        right = i + 1
        right_limit = right == n - 1 or not jumps[right]
        if right_limit and right < n - 1 and f.values[right] == level:
            above[right] = f.values[right + 1] >= level
