r"""What affine pieces leave on the lines of a direction, at least: float64, downwards.

A line is known by lower bounds mu of f'' (or of -f'') on equal parts of it. Where
f'' >= mu >= 0 on a stretch, every affine function p leaves

    int |f - p| >= int f'' V,  int (f - p)^2 >= 5 (int f'' V)^2

with V'' a sign pattern, or 6 x^2 - 6 x + 1, that is orthogonal to affine functions, and
V >= 0. Only sums of positive numbers are made.
"""

from dataclasses import dataclass
from functools import lru_cache

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.polynomial import Polynomial

FINER = 6  # cells in a part
PRICES, RATIO = 24, 1.6  # of a cut: from the whole cost downwards
MOST_STRETCHES = 12  # with a bend of their own each, in a closed form
DOWN = 1 - 2.0**-30  # for all that is rounded


@dataclass(frozen=True, eq=False)
class Lines:
    """B bundles of lines that are close together.

    Attributes:
        shares: (B,) volumes of their feet, in a box of volume 1.
        lengths: (B,) what the lines of a bundle have in common.
        bends: (B, P) lower bounds of f'' on equal parts of it, 0 where there is none.
    """

    shares: np.ndarray
    lengths: np.ndarray
    bends: np.ndarray


@dataclass(frozen=True, eq=False)
class LeftOnLines:
    """What n cuts of every line leave, integrated over all lines.

    On each bundle the largest of max_j (total_j - n price_j), and of a_k / (n + k)^r.

    Attributes:
        shares: (B,) of the bundles.
        prices, totals: (B, PRICES) of a cut, and of the cheapest cuts with it.
        a, parts: (B, W) and (W,): see docs/proofs/all-lines.md.
        order: r.
    """

    shares: np.ndarray
    prices: np.ndarray
    totals: np.ndarray
    a: np.ndarray
    parts: np.ndarray
    order: int

    def after(self, cuts: int) -> float:
        """At least so much is left after so many cuts of each line."""
        priced = (self.totals - cuts * self.prices).max(axis=1, initial=0)
        # in floats: whole numbers of numpy overflow without a word
        closed = self.a / (float(cuts) + self.parts) ** self.order
        left = np.maximum(priced, closed.max(axis=1, initial=0))
        return float(self.shares @ left) * DOWN


def left_on_lines(lines: Lines, norm: str) -> LeftOnLines:
    """In l1 the integral of |f - pieces|, in l2 of its square."""
    bent = lines.bends.any(axis=1)
    lines = Lines(lines.shares[bent], lines.lengths[bent], lines.bends[bent])
    costs = _costs(lines, norm)
    prices = costs.whole[:, None] / RATIO ** np.arange(PRICES)
    totals = _cheapest(costs, prices) * DOWN
    a, parts = _closed(lines, norm)
    order = 2 if norm == "l1" else 4
    return LeftOnLines(lines.shares, prices, totals, a * DOWN, parts, order)


@dataclass(frozen=True, eq=False)
class _Costs:
    """(B, K + 1, K + 1): what is left on the cells from i up to j, j left out.

    Attributes:
        gaps: (B, K) cells on which nothing is known; cuts there are free.
        whole: (B,) what is left without a cut that is paid for.
    """

    between: np.ndarray
    gaps: np.ndarray
    whole: np.ndarray


def _costs(lines: Lines, norm: str) -> _Costs:
    mu = np.repeat(lines.bends, FINER, axis=1)
    count, cells = mu.shape
    step = lines.lengths / cells
    between = np.zeros((count, cells + 1, cells + 1))
    for m in range(1, cells + 1):
        moments = sliding_window_view(mu, m, axis=1) @ _kernel(m, norm)
        moments *= (step[:, None] * m) ** 2  # of a stretch of length 1, f'' grows so
        cost = moments if norm == "l1" else 5 * moments**2
        i = np.arange(cells - m + 1)
        between[:, i, i + m] = cost * step[:, None] * m
    gaps = mu == 0
    known = np.cumsum(np.pad(gaps, ((0, 0), (1, 0))), axis=1)
    has_gap = known[:, None, :] > known[:, :, None]
    between[has_gap] = np.inf  # a free cut in the gap is cheaper
    whole = _cheapest(_Costs(between, gaps, step), np.full((count, 1), np.inf))[:, 0]
    return _Costs(between, gaps, whole)


@lru_cache(maxsize=1024)
def _kernel(cells: int, norm: str) -> np.ndarray:
    """Integrals of V over equal cells of [0, 1], rounded down."""
    if norm == "l2":  # V = x^2 (1 - x)^2 / 2
        v = Polynomial([0, 0, 0.5, -1, 0.5])
        ends = v.integ()(np.linspace(0, 1, cells + 1))
        return np.maximum(np.diff(ends) - 2.0**-50, 0)
    # V'' = 1, -1, 1 with changes at 1/4 and 3/4
    x = np.linspace(0, 1, cells + 1)
    near = np.minimum(x, 1 - x)
    inner = np.maximum(near - 0.25, 0)
    half = near**3 / 6 - inner**3 / 3  # int of V from the nearer end
    whole = 2 * (0.5**3 / 6 - 0.25**3 / 3)
    until = np.where(x <= 0.5, half, whole - half)
    return np.maximum(np.diff(until) - 2.0**-50, 0)


def _cheapest(costs: _Costs, prices: np.ndarray) -> np.ndarray:
    """(B, Q): the cheapest way to cut, when a cut costs a price, and is in some cell.

    A cut in a cell leaves the rest of that cell out; stretches start after it.
    """
    count, cells = costs.gaps.shape
    best = np.full((count, prices.shape[1], cells + 1), np.inf)
    best[:, :, 0] = 0  # stretches that start at cell 0
    for c in range(cells):
        paid = np.where(costs.gaps[:, c, None], 0, prices)
        best[:, :, c + 1] = _reached(costs, best, c) + paid
    return _reached(costs, best, cells)


def _reached(costs: _Costs, best: np.ndarray, cell: int) -> np.ndarray:
    """By a last stretch that ends before a cell."""
    upto = costs.between[:, None, : cell + 1, cell] + best[:, :, : cell + 1]
    return upto.min(axis=2)


def _closed(lines: Lines, norm: str) -> tuple[np.ndarray, np.ndarray]:
    """a (B, W) and parts (W,): of the best 1, 2, ... stretches of parts."""
    count, total = lines.bends.shape
    step = lines.lengths / total
    worth = np.full((count, total + 1, total + 1), -np.inf)  # of parts i up to j
    for i in range(total):
        worth[:, i, i] = 0
        least = np.minimum.accumulate(lines.bends[:, i:], axis=1)
        length = step[:, None] * np.arange(1, total - i + 1)
        if norm == "l1":
            worth[:, i, i + 1 :] = np.cbrt(least * length**3 / 32)
        else:
            worth[:, i, i + 1 :] = (least**2 * length**5 / 720) ** 0.2
    power = 3 if norm == "l1" else 5
    best, found = np.zeros((count, total + 1)), []
    for _ in range(MOST_STRETCHES):
        ends = (best[:, :, None] + worth).max(axis=1)
        best = np.maximum.accumulate(ends, axis=1)
        found.append(best[:, -1] ** power)
    return np.stack(found, axis=1), np.arange(1, MOST_STRETCHES + 1)
