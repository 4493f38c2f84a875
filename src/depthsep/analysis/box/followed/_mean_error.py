r"""Means of |network - f| and of its square over a box.

On a small box network - f = c + sum_k s_k t_k + r, t uniform on [-1, 1]^d, |r| <= e.
The root of its mean square is within e of sqrt(c^2 + sum s_k^2 / 3). The mean of its
size is at least |c| - e; at most |c| + e where |c| >= sum |s_k|, that root + e
elsewhere. Boxes where the two sides are far apart are cut until the limit is decided.
"""

import heapq
from collections.abc import Callable
from itertools import count
from math import prod

import numpy as np
from flint import fmpq

from depthsep._deadline import end_after, is_over
from depthsep._errors import HypothesisError
from depthsep._progress import tell
from depthsep.analysis.box.followed._branch_and_bound import (
    misfit,
    not_followed,
    outward,
)
from depthsep.analysis.box.followed._mean_cells import MeanCells
from depthsep.analysis.box.followed._nodes import MOST_HALVINGS, Node, OpenNode
from depthsep.analysis.box.followed._shared_forms import weights_of
from depthsep.evidence import Enclosure, Rigour
from depthsep.exact import nearest_float, rational, sqrt_upper
from depthsep.laws import Box
from depthsep.networks import Network, as_relu
from depthsep.targets import AbstractBoxTarget, Formula

MOST_NODES = 1024
FEW_WEIGHTS = 2_000
MOST_CELLS = 1 << 18
LEAST = fmpq(1, 10**290)
REST = 16  # models may leave out this share of the limit
SHARE = 0.6  # of what is open, in the cells that are cut at once


def mean_error(
    network: Network,
    target: AbstractBoxTarget,
    box: Box,
    *,
    norm: str,
    limit: object,
    seconds: float = 60.0,
) -> Enclosure:
    r"""The l1 or l2 error on a box under its uniform law, enclosed; few inputs best.

    Stops when it is known whether the error is at most the limit, or when the time or
    2^18 boxes are used up; the enclosure holds in every case.

    Args:
        norm: "l1" or "l2".

    Raises:
        HypothesisError: units that are not piecewise affine and continuous, several
            outputs, inputs that do not fit, another norm, a limit that is not positive,
            a formula that no ball encloses, numbers beyond 1e-100 to 1e100.
    """
    if norm not in ("l1", "l2"):
        raise HypothesisError(
            f"the norm is {norm}; mean errors are computed in l1 and l2 only"
        )
    network, formula = as_relu(network), target.as_formula()
    reason = not_followed(network, box) or misfit(network, formula, box)
    if reason:
        raise HypothesisError(reason)
    most = rational(limit, name="limit")
    if most <= 0:
        raise HypothesisError(f"the limit on the error is {most}; it must be positive")
    squared = norm == "l2"
    stop_at = end_after(seconds)
    low, high = outward(box)
    with np.errstate(all="ignore"):
        opened = _opened(network, formula, box, most, stop_at)
        parts = [MeanCells.of(found, squared, high - low) for found in opened]
        return _refined(parts, _beyond(box), most, squared, stop_at)


def _beyond(box: Box) -> fmpq:
    """The volume of what the cells cover, over that of the box: 1 or a little more."""
    low, high = outward(box)
    ends = zip(low.tolist(), high.tolist(), box.sides, strict=True)
    grown = [(rational(b) - rational(a)) / side.length for a, b, side in ends]
    return prod(grown, start=fmpq(1))


def _opened(
    network: Network, formula: Formula, box: Box, limit: fmpq, stop_at: float
) -> list[OpenNode]:
    """Parts where models leave out little and little of a large network is left."""
    room = nearest_float(limit) / REST
    first = Node.whole(network, *outward(box)).opened(formula)
    accurate = _cut_most(
        [first], lambda found: found.model.rest, formula, room, stop_at
    )
    return _cut_most(accurate, _compressible, formula, FEW_WEIGHTS, stop_at)


def _compressible(found: OpenNode) -> float:
    """Weights, where cutting lessens them."""
    light = found.node.halvings > 1 and found.is_incompressible
    return 0.0 if light else float(weights_of(found.layers))


def _cut_most(
    opened: list[OpenNode],
    size: Callable[[OpenNode], float],
    formula: Formula,
    small: float,
    stop_at: float,
) -> list[OpenNode]:
    """Cut where share times size is largest, until their sum is small or it is late."""
    ticket = count()

    def entry(found: OpenNode) -> tuple[float, int, OpenNode]:
        return -found.node.share * size(found), next(ticket), found

    heap = [entry(found) for found in opened]
    heapq.heapify(heap)
    total = -sum(first for first, *_ in heap)
    while total > small and len(heap) < MOST_NODES and not is_over(stop_at):
        if heap[0][-1].node.halvings >= MOST_HALVINGS:
            break
        lost, _, worst = heapq.heappop(heap)
        new = [entry(node.opened(formula)) for node in worst.cut()]
        total += lost - sum(first for first, *_ in new)
        for found in new:
            heapq.heappush(heap, found)
    return [found for *_, found in heap]


def _refined(
    parts: list[MeanCells], covered: fmpq, limit: fmpq, squared: bool, stop_at: float
) -> Enclosure:
    """Cut where most is open until the limit is decided."""
    most = limit**2 if squared else limit
    while True:
        largest = _largest(parts)
        low, high = _sums(parts, largest, squared, covered)
        cells = sum(len(p.low) for p in parts)
        decided = high <= most or low > most
        if decided or cells >= MOST_CELLS or is_over(stop_at):
            break
        tell(min(1.0, nearest_float(most / high)), "the mean")
        _cut_worst(parts, largest)
    if squared:
        low, high = (low / sqrt_upper(low) if low > 0 else low), sqrt_upper(high)
    return Enclosure(max(low, fmpq(0)), high, Rigour.ENCLOSED)


def _largest(parts: list[MeanCells]) -> float:
    """A power of two about the largest bound: sums are taken of shares of it."""
    above = np.concatenate([p.above for p in parts])
    if not np.isfinite(above).all():
        raise HypothesisError(
            "no finite bound was found on a part of the box: the target, or its "
            "slopes near a kink, could not be proved bounded there"
        )
    return float(2.0 ** np.ceil(np.log2(above.max())))


def _cut_worst(parts: list[MeanCells], largest: float) -> None:
    """Cut the cells that together make up most of what is open."""
    open_now = np.concatenate([p.open(largest) for p in parts])
    open_now = np.where(np.isfinite(open_now), open_now, np.finfo(float).max / 1e9)
    order = np.argsort(-open_now, kind="stable")
    grown = np.cumsum(open_now[order])
    enough = int(np.searchsorted(grown, SHARE * grown[-1])) + 1
    chosen = np.zeros(len(open_now), dtype=bool)
    chosen[order[:enough]] = True
    at = 0
    for part in parts:
        mine = chosen[at : at + len(part.low)]
        at += len(mine)
        if mine.any():
            part.cut(mine)


def _sums(
    parts: list[MeanCells], largest: float, squared: bool, covered: fmpq
) -> tuple[fmpq, fmpq]:
    """The means over the whole box from below and above, rounding included.

    The cells cover the box and may reach a little beyond it. Sums are of numbers up to
    1 times shares; what underflows there is less than `LEAST` together.
    """
    shares = np.concatenate([p.shares for p in parts])
    below = np.concatenate([p.below for p in parts]) / largest
    above = np.concatenate([p.above for p in parts]) / largest
    unit = rational(largest)
    if squared:
        below, above, unit = below**2, above**2, unit**2
    slack = fmpq(len(shares) + 64, 1 << 52)
    high = rational(float(shares @ above)) * (1 + slack) * covered + LEAST
    whole = rational(float(shares.sum())) * (1 + slack) * covered
    beyond = max(whole - 1, fmpq(0)) * rational(float(above.max()))
    low = rational(float(shares @ below)) * (1 - slack) * covered - beyond - LEAST
    return low * unit, high * unit
