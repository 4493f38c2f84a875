"""Threshold layers on a line: a jump is three rows: left limit, point, right limit."""

from collections import defaultdict

import numpy as np
from flint import fmpq

from depthsep.analysis.line.pieces._sums_of_ramps import Rows
from depthsep.exact import PiecewiseAffine, total
from depthsep.networks import Network


def threshold_rows(rows: Rows, jumps: np.ndarray) -> tuple[Rows, np.ndarray]:
    """Apply the threshold unit 1[z >= 0] to rows without strict sign changes in gaps.

    A row at which some unit vanishes becomes three rows of the same place: limit from
    the left, value at the point, limit from the right. Rows that are limits already
    keep the sign of the gap they are the limit of. Ends of rays stay single.

    Returns:
        The new rows and, for each gap between them, whether it is a jump.
    """
    z = rows[:, 2:]
    n = len(rows)
    # the sign of each unit inside each gap; 0 there means it vanishes on the gap
    gap_sign = np.sign((np.sign(z[:-1]) + np.sign(z[1:])).astype(np.float64)).astype(
        int
    )
    from_left, from_right = np.sign(z).astype(int), np.sign(z).astype(int)
    real_gap = ~jumps
    from_left[1:][real_gap] = gap_sign[real_gap]
    from_right[:-1][real_gap] = gap_sign[real_gap]
    after_jump = np.concatenate([[False], jumps])
    before_jump = np.concatenate([jumps, [False]])
    plain = ~(after_jump | before_jump) & np.asarray(rows[:, 0] > 0, dtype=bool)
    at = np.sign(z).astype(int)
    at[before_jump & ~after_jump] = from_left[before_jump & ~after_jump]
    at[after_jump & ~before_jump] = from_right[after_jump & ~before_jump]
    ray = ~np.asarray(rows[:, 0] > 0, dtype=bool)
    if ray[0]:
        at[0] = from_right[0]
    if ray[-1]:
        at[-1] = from_left[-1]
    split = plain & np.any(z == 0, axis=1)
    return _expanded(rows, jumps, (from_left, at, from_right), split, n)


def _expanded(
    rows: Rows,
    jumps: np.ndarray,
    signs: tuple[np.ndarray, np.ndarray, np.ndarray],
    split: np.ndarray,
    n: int,
) -> tuple[Rows, np.ndarray]:
    counts = np.where(split, 3, 1)
    source = np.repeat(np.arange(n), counts)
    offset = np.arange(len(source)) - np.repeat(np.cumsum(counts) - counts, counts)
    offset = np.where(split[source], offset, 1)
    chosen = np.stack(signs)[offset, source]
    out = rows[source].copy()
    q = out[:, :1]
    # on a ray (q = 0) the value is the slope along it, which is 0
    out[:, 2:] = np.where(chosen >= 0, q, 0)
    same_place = source[1:] == source[:-1]
    old_gap = np.where(same_place, 0, np.minimum(source[:-1], n - 2))
    return out, same_place | (jumps[old_gap] & ~same_place)


def one_layer_of_steps(network: Network, start: fmpq, stop: fmpq) -> PiecewiseAffine:
    """A network of one layer of thresholds on an interval, in time n log n.

    A unit of positive slope is on from where it vanishes, one of negative slope until
    there. Jumps are three knots of the same place, as `threshold_rows` leaves them.
    """
    (w, b, _), (v, c, s) = (layer.integers for layer in network.layers)
    heights = [fmpq(int(height), s) for height in v[0]]
    value = fmpq(int(c[0]), s)
    before: dict[fmpq, list[fmpq]] = defaultdict(list)  # what is added at the place
    after: dict[fmpq, list[fmpq]] = defaultdict(list)  # and right of it
    for slope, offset, height in zip(
        w[:, 0].tolist(), b.tolist(), heights, strict=True
    ):
        if slope == 0:
            value += height if offset >= 0 else 0
            continue
        place = fmpq(-offset, slope)
        (before if slope > 0 else after)[place].append(height if slope > 0 else -height)
        value += height if slope < 0 else 0
    places = sorted({*before, *after, start, stop})
    knots: list[tuple[fmpq, fmpq]] = []
    for place in places:
        steps = value, value + total(before[place])
        value = steps[1] + total(after[place])
        if start <= place <= stop:
            levels = (*steps, value)[place == start : 2 if place == stop else 3]
            knots += [(place, level) for level in levels]
    return PiecewiseAffine.through(*zip(*knots, strict=True))
