"""The linear programme of a minimax step, by a primal-dual interior-point method.

A general solver takes some ten times as long at these sizes, as measured in
benchmarks/test_narrow.py: the matrix is dense, the box and the two signs of every row
need no rows of their own, and three digits are enough for a step that is tried anyway.
"""

from dataclasses import dataclass

import numpy as np

ITERATIONS = 40
GAP = 1e-3  # between the two sides, of the largest residual
SHARE = 0.99  # of the way to the nearest bound


@dataclass(frozen=True, eq=False)
class _Rows:
    """G (d, t) for the rows A d - t, -A d - t, d, -d."""

    a: np.ndarray

    def times(self, step: np.ndarray) -> np.ndarray:
        d, t = step[:-1], step[-1]
        read = self.a @ d
        return np.concatenate([read - t, -read - t, d, -d])

    def transposed(self, rows: np.ndarray) -> np.ndarray:
        m, n = self.a.shape
        up, down = rows[:m], rows[m : 2 * m]
        d = self.a.T @ (up - down) + rows[2 * m : 2 * m + n] - rows[2 * m + n :]
        return np.append(d, -up.sum() - down.sum())

    def normal(self, pulls: np.ndarray) -> np.ndarray:
        """G' diag(pulls) G."""
        m, n = self.a.shape
        up, down = pulls[:m], pulls[m : 2 * m]
        matrix = np.empty((n + 1, n + 1))
        matrix[:n, :n] = self.a.T @ (self.a * (up + down)[:, None])
        matrix[np.arange(n), np.arange(n)] += pulls[2 * m : 2 * m + n]
        matrix[np.arange(n), np.arange(n)] += pulls[2 * m + n :]
        matrix[:n, n] = matrix[n, :n] = self.a.T @ (down - up)
        matrix[n, n] = up.sum() + down.sum()
        return matrix


class _Newton:
    """Steps towards given products of slacks and multipliers, of one factorisation."""

    def __init__(
        self, rows: _Rows, off: np.ndarray, slack: np.ndarray, dual: np.ndarray
    ) -> None:
        from scipy.linalg import cho_factor

        self.rows, self.off, self.slack, self.dual = rows, off, slack, dual
        self.factor = cho_factor(rows.normal(dual / slack), check_finite=False)

    def step(self, excess: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Changes of (d, t), of the slacks and of the multipliers.

        Args:
            excess: by how much the products are to fall.
        """
        from scipy.linalg import cho_solve

        right = self.rows.transposed(excess / self.slack) - self.off
        step = cho_solve(self.factor, right, check_finite=False)
        less = self.rows.times(step)
        return step, -less, (self.dual * less - excess) / self.slack


def chebyshev_step(
    a: np.ndarray, r: np.ndarray, box: float
) -> tuple[np.ndarray, float] | None:
    """Nearly the d in the box with the least largest |r + a d|, and that value.

    Args:
        a: shape (rows, unknowns).
        r: shape (rows,).
        box: the bound of each |d_j|.

    Returns:
        None where rounding stops the method before it has come near.
    """
    rows = _Rows(a)
    largest = float(np.abs(r).max())
    if largest == 0:
        return None
    point = np.zeros(a.shape[1] + 1)
    point[-1] = 1.1 * largest
    # slacks, kept positive, and the multipliers of all rows
    slack = np.concatenate([point[-1] - r, point[-1] + r, np.full(2 * a.shape[1], box)])
    dual = largest / len(slack) / slack
    for _ in range(ITERATIONS):
        off = rows.transposed(dual)
        off[-1] += 1.0
        gap = float(slack @ dual)
        if gap < GAP * largest and np.abs(off).max() < GAP:
            break
        try:
            newton = _Newton(rows, off, slack, dual)
        except np.linalg.LinAlgError:  # by rounding, near the solution
            break
        _, change, pull = newton.step(slack * dual)
        near = (slack + _reach(slack, change) * change) @ (
            dual + _reach(dual, pull) * pull
        )
        centre = (near / gap) ** 3 * gap / len(slack)
        step, change, pull = newton.step(slack * dual + change * pull - centre)
        ahead, along = SHARE * _reach(slack, change), SHARE * _reach(dual, pull)
        if not np.isfinite(step).all():
            break
        point, slack = point + ahead * step, slack + ahead * change
        dual = dual + along * pull
    d = np.clip(point[:-1], -box, box)
    reached = float(np.abs(r + a @ d).max())
    return (d, reached) if reached < largest else None


def _reach(values: np.ndarray, change: np.ndarray) -> float:
    """The largest step, up to 1, at which no value is negative."""
    falling = change < 0
    if not falling.any():
        return 1.0
    return min(1.0, float((-values[falling] / change[falling]).min()))
