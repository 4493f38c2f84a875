"""Cells on which a convex function bends alike, so that folds can refine them all."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

ROUNDS = 30
PLAIN_SAMPLES, PLAIN_HALVINGS = 129, 40
SAMPLES = 4097
SETTLED = 1e-6  # moves, in cells: rounding of f'' h^2 allows no less
Values = Callable[[np.ndarray], np.ndarray]


@dataclass(frozen=True, eq=False)
class Cells:
    """Knots z_0 < ... < z_n with f'' h^2 close to S on every cell.

    At a knot k inside a group of `group` cells,
    s_k - s_(k-1) = (S / 2) (1 / h_k + 1 / h_(k+1)), s_k the slopes of the chords.

    Attributes:
        values: of f at the knots.
        bend: S.
        group: cells between coarse knots.
        plain: cells before all others that no fold refines, each between coarse knots.
    """

    knots: np.ndarray
    values: np.ndarray
    bend: float
    group: int
    plain: int = 0

    @property
    def ends(self) -> np.ndarray:
        """The numbers of the coarse knots."""
        last = len(self.knots) - 1
        grouped = np.arange(self.plain, last, self.group)
        return np.concatenate([np.arange(self.plain), grouped, [last]])

    @property
    def zigzag(self) -> np.ndarray:
        """0, 1, 0, ... at the knots; 0 on plain cells."""
        refined = np.arange(len(self.knots) - self.plain) % 2.0
        return np.concatenate([np.zeros(self.plain), refined])


def glued_cells(
    f: Values, start: float, stop: float, n: int, group: int
) -> Cells | None:
    """n cells that fill the interval, by Newton's method; None if it does not settle.

    Args:
        f: a convex function.
    """
    z = _of_equal_mass(f, start, stop, n)
    if n == 1 or z is None:
        return None
    bend = float(np.mean(_bends(f, z)))
    for _ in range(ROUNDS):
        off = _off(f, z, bend, group)
        step = _newton_step(f, z, bend, group, off)
        if step is None:
            return None
        gaps, moves = np.diff(z), np.diff(np.concatenate([[0.0], step[:-1], [0.0]]))
        share = min(1.0, 0.5 / max(1e-300, float(np.max(-moves / gaps))))
        z[1:-1] += share * step[:-1]
        bend += share * float(step[-1])
        if not (np.all(np.diff(z) > 0) and bend > 0):
            return None
        if share == 1.0 and np.all(np.abs(moves) <= SETTLED * gaps):
            return Cells(z, f(z), bend, group)
    return None


def after_plain_cells(
    f: Values, start: float, stop: float, n: int, group: int, plain: int, error: float
) -> Cells | None:
    """As many plain cells first whose chords are off by this error, then n others."""
    knots = [start]
    for _ in range(plain):
        knots.append(_plain_cell(f, knots[-1], stop, error))
    if knots[-1] >= stop:
        return None
    cells = glued_cells(f, knots[-1], stop, n, group)
    if cells is None:
        return None
    z = np.concatenate([knots[:-1], cells.knots])
    return Cells(z, f(z), cells.bend, group, plain)


def _plain_cell(f: Values, left: float, stop: float, error: float) -> float:
    """The right end of a cell whose chord is above f by this error at most."""
    tau = np.linspace(0, 1, PLAIN_SAMPLES) ** 2  # more where f may be singular

    def is_short(right: float) -> bool:
        values = f(left + tau * (right - left))
        chord = values[0] + tau * (values[-1] - values[0])
        return bool(np.max(chord - values) <= error)

    low, high = left, stop
    for _ in range(PLAIN_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if is_short(middle) else (low, middle)
    return low


def _of_equal_mass(f: Values, start: float, stop: float, n: int) -> np.ndarray | None:
    """Knots with equal integrals of sqrt(f'')."""
    x = np.linspace(start, stop, SAMPLES)
    second = np.maximum(np.diff(f(x), 2), 0.0)
    density = np.sqrt(np.concatenate([second[:1], second, second[-1:]]))
    if not np.isfinite(density).all() or density.max() == 0:
        return None
    mass = np.concatenate([[0.0], np.cumsum(density[1:] + density[:-1] + 1e-12)])
    return np.interp(np.linspace(0, mass[-1], n + 1), mass, x)


def _bends(f: Values, z: np.ndarray) -> np.ndarray:
    """f'' h^2 on each cell, from the ends and the middle."""
    ends, middles = f(z), f((z[1:] + z[:-1]) / 2)
    return 4 * (ends[1:] + ends[:-1] - 2 * middles)


def _off(f: Values, z: np.ndarray, bend: float, group: int) -> np.ndarray:
    """By how much the equations fail: of the first cell, then of each inner knot."""
    h, bends = np.diff(z), _bends(f, z)
    slopes = np.diff(f(z)) / h
    inner = np.diff(slopes) * 2 / (1 / h[1:] + 1 / h[:-1])
    coarse = np.arange(1, len(h)) % group == 0
    return np.concatenate([bends[:1], np.where(coarse, bends[1:], inner)]) - bend


def _newton_step(
    f: Values, z: np.ndarray, bend: float, group: int, off: np.ndarray
) -> np.ndarray | None:
    """Moves of the inner knots, then of the bend; the Jacobian by differences."""
    from scipy.sparse import coo_matrix
    from scipy.sparse.linalg import splu

    n = len(off)  # n - 1 inner knots and the bend
    small = 1e-6 * np.minimum(np.diff(z)[1:], np.diff(z)[:-1])
    rows, columns, entries = [], [], []
    for colour in range(3):
        moved = np.arange(1, n) % 3 == colour
        shifted = z.copy()
        shifted[1:-1] += np.where(moved, small, 0.0)
        change = _off(f, shifted, bend, group) - off
        for knot in np.flatnonzero(moved) + 1:
            # equation k (of knot k) depends on the knots k - 1, k and k + 1
            reach = np.arange(max(0, knot - 1), min(n, knot + 2))
            rows.append(reach)
            columns.append(np.full(len(reach), knot - 1))
            entries.append(change[reach] / small[knot - 1])
    rows.append(np.arange(n))
    columns.append(np.full(n, n - 1))
    entries.append(np.full(n, -1.0))
    parts = (np.concatenate(part) for part in (entries, rows, columns))
    values, i, j = parts
    try:
        return splu(coo_matrix((values, (i, j)), shape=(n, n)).tocsc()).solve(-off)
    except RuntimeError:
        return None
