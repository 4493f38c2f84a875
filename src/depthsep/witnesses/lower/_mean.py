"""Potentials that prove how many pieces l1 and l2 ask for: Theorem P, checkable.

With knots x_0 < ... < x_n and an interpolant h of f, a piece of g that begins in the
cell after x_i and ends in the cell after x_j contains [x_(i+1), x_j], where the best
line costs C(i + 1, j). If phi_j - phi_i <= C(i + 1, j) + price for all i < j, then N
pieces cost phi_n - phi_0 - N price at least. The shortest path gives such phi. Floats
propose; whoever checks computes the costs again, in integers.
"""

import math
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from flint import fmpq

from depthsep._errors import TooLargeError
from depthsep._progress import followed
from depthsep.approximation import GridFunction, grading, grid_function
from depthsep.exact import nearest_float
from depthsep.problems import Problem

MOST_PAIRS = 400_000  # that whoever checks has to compute
FIRST_CELLS = 400  # of a first grid
LONGEST = 3  # times a piece of mean length: pieces in the band
LEAST_CELLS, MOST_CELLS = 12, 160  # of one piece
MARGIN = 1e-7  # of a cost, more than the rounding of the floats
STEP = 1.04  # of prices that are tried


@dataclass(frozen=True)
class Potentials:
    """What a proof in the mean consists of.

    Attributes:
        knots: whole numbers, multiples of 4, from 0 on; the last is the length.
        bits: values of the interpolant are in units of 2**-bits.
        potentials: of the knots, in units of the costs; `price` of a piece likewise.
        pieces: that any approximant needs.
    """

    knots: list[int]
    bits: int
    potentials: list[int]
    price: int
    pieces: int


def potentials(problem: Problem) -> Potentials:
    """Potentials that prove about as many pieces as Theorem P does.

    Raises:
        TooLargeError: there are too many pieces.
        HypothesisError: the target jumps or is not finite.
    """
    rough = _proved(problem, 4, FIRST_CELLS)
    for _ in range(2):  # the grid is made for the number that the one before found
        pieces = max(rough.pieces, 2)
        cells = min(MOST_CELLS, int((MOST_PAIRS / (1.7 * pieces)) ** 0.5))
        if cells < LEAST_CELLS:
            raise TooLargeError(
                f"about {pieces} pieces are needed, too many to be counted exactly"
            )
        finer = _proved(problem, pieces, cells * pieces)
        rough = max(rough, finer, key=lambda found: found.pieces)
    return rough


def _proved(problem: Problem, pieces: int, cells: int) -> Potentials:
    """Potentials on a grid, with pieces of all lengths that may be cheap."""
    on, target, norm = problem.interval, problem.line_target, problem.norm
    graded = grading(target, on, problem.accuracy, norm)
    grid = grid_function(target, on, problem.accuracy, norm, graded, cells)
    longest = LONGEST
    while True:
        found = _within(problem, grid, pieces, longest)
        if found is not None:
            return found
        longest *= 2


def _within(
    problem: Problem, grid: GridFunction, pieces: int, longest: int
) -> Potentials | None:
    """The same, for pieces up to a multiple of the mean length; None if too short."""
    costs = _Costs(grid, 1 if problem.norm == "l1" else 2, pieces, longest)
    size = nearest_float(problem.accuracy / grid.height)
    allowed = (size + nearest_float(grid.distance / grid.height) * 1.001) ** costs.power
    band = costs.band / allowed  # the error allowed is 1
    price = 2 * costs.power / pieces
    path = _path(band, price)
    for step in (STEP**8, STEP**-8, STEP**3, STEP**-3, STEP, 1 / STEP):
        while True:
            found = _path(band, price * step)
            if _bound(found, price * step) <= _bound(path, price):
                break
            path, price = found, price * step
    if not _are_followed(path, band):
        return None
    best = _bound(path, price)
    bits = max(8, int(-np.floor(np.log2(nearest_float(grid.height)))))
    ratio = nearest_float(grid.height * fmpq(2) ** bits)
    common = math.gcd(*(int(k) for k in grid.knots))
    knots = [4 * int(k) // common for k in grid.knots]
    unit = allowed * ratio**costs.power * knots[-1]
    return Potentials(
        knots,
        bits,
        [int(v * unit * (1 - MARGIN)) for v in path],
        int(price * unit) + 1,
        max(1, int(np.ceil(best * (1 - 4 * MARGIN)))),
    )


def _bound(path: np.ndarray, price: float) -> float:
    return float((path[-1] - 1) / price)


def _are_followed(path: np.ndarray, band: np.ndarray) -> bool:
    """Whether from every knot some piece in the band costs the potentials' rise.

    Longer pieces cost what that piece does and what follows it.
    """
    n, width = band.shape
    stop = np.arange(1, n + 1)[:, None] + np.arange(width)
    rise = path[np.minimum(stop, n)] - path[:n, None]
    enough = (band * (1 - MARGIN) >= rise) & (rise > 0)
    return bool((enough.any(axis=1) | (stop[:, -1] >= n)).all())


def _path(band: np.ndarray, price: float) -> np.ndarray:
    """The shortest path from the first knot to every knot: the potentials.

    Args:
        band: (n, K), at [i, k] the cost C(i + 1, i + 1 + k).
    """
    n, width = band.shape
    ahead = np.full(n + width + 1, np.inf)
    ahead[0] = 0.0
    for i in range(n):
        here = ahead[i] + price + band[i]
        np.minimum(ahead[i + 1 : i + 1 + width], here, out=ahead[i + 1 : i + 1 + width])
    return ahead[: n + 1]


@dataclass(frozen=True)
class _Costs:
    """Lower bounds of what lines cost, in floats, for pieces of moderate length.

    Values are in the grid's `height`, places in lengths of the interval.
    """

    grid: GridFunction
    power: int
    pieces: int
    longest: int

    @cached_property
    def band(self) -> np.ndarray:
        """(n, K): at [i, k] the cost between the knots i + 1 and i + 1 + k."""
        n = len(self.grid.gaps)
        width = min(n, self.longest * -(-n // self.pieces) + 8)
        out = np.full((n, width), np.inf)
        starts = np.arange(1, n + 1)
        step = max(1, (1 << 18) // width)
        for first in followed(range(0, n, step), n // step + 1, "costs of pieces"):
            rows = starts[first : first + step]
            out[first : first + step] = self._rows(rows, width)
        return out

    def _rows(self, rows: np.ndarray, width: int) -> np.ndarray:
        n, x, h = len(self.grid.gaps), self.grid.places, self._heights
        index = np.minimum(rows[:, None] + np.arange(width), n)
        past = rows[:, None] + np.arange(width) > n
        first = np.minimum(rows, n - 1)
        slope = (h[first + 1] - h[first]) / (x[first + 1] - x[first])
        t = x[index] - x[rows][:, None]
        v = h[index] - h[rows][:, None] - slope[:, None] * t
        gap, (a, b), (s, r) = np.diff(t), (v[:, :-1], v[:, 1:]), (t[:, :-1], t[:, 1:])
        m0 = _sums((a + b) * gap / 2)
        with np.errstate(divide="ignore", invalid="ignore"):
            if self.power == 2:
                m1 = _sums((a * (2 * s + r) + b * (s + 2 * r)) * gap / 6)
                m2 = _sums((a * a + a * b + b * b) * gap / 3)
                turn = m1 - t / 2 * m0
                cost = m2 - m0**2 / t - 12 * turn**2 / t**3
            else:
                inner = self._until(rows, t, v, m0, 0.75) - self._until(
                    rows, t, v, m0, 0.25
                )
                cost = np.abs(m0 - 2 * inner)
        cost = np.where(t > 0, np.nan_to_num(np.maximum(cost, 0.0)), 0.0)
        # a longer piece costs no less
        return np.where(past, np.inf, np.maximum.accumulate(cost, axis=1))

    def _until(
        self, rows: np.ndarray, t: np.ndarray, v: np.ndarray, m0: np.ndarray, q: float
    ) -> np.ndarray:
        """The integral up to the share q of each piece."""
        x = self.grid.places
        cell = np.searchsorted(x, x[rows][:, None] + q * t, "right") - 1
        cell = np.clip(cell - rows[:, None], 0, max(t.shape[1] - 2, 0))
        line = np.arange(len(rows))[:, None]
        start, stop = t[line, cell], t[line, cell + 1]
        past, gap = q * t - start, stop - start
        rise = v[line, cell + 1] - v[line, cell]
        bend = np.where(gap > 0, rise * past**2 / np.where(gap > 0, 2 * gap, 1), 0)
        return m0[line, cell] + v[line, cell] * past + bend

    @cached_property
    def _heights(self) -> np.ndarray:
        return (self.grid.values - self.grid.values[0]).astype(float)


def _sums(parts: np.ndarray) -> np.ndarray:
    start = np.zeros((len(parts), 1))
    return np.concatenate([start, np.cumsum(parts, axis=1)], axis=1)
