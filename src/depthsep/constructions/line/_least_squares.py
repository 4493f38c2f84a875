"""Best values at given knots, in the l2 and (by reweighting) the l1 norm."""

import numpy as np

ROUNDS = 25
LIGHTEST = 1e-100


def best_values(
    x: np.ndarray,
    y: np.ndarray,
    knots: np.ndarray,
    norm: str,
    density: np.ndarray | float = 1.0,
) -> np.ndarray:
    """Values of the continuous piecewise-affine fit to samples (x, y) at the knots.

    l2: weighted least squares in the hat basis, a tridiagonal system. l1: the same with
    weights 1/|residual|, repeated. Both under a density, if one is given.
    """
    gaps = np.diff(x)
    weights = np.concatenate([gaps[:1], gaps[1:] + gaps[:-1], gaps[-1:]]) / 2 * density
    cell = np.clip(np.searchsorted(knots, x, side="right") - 1, 0, len(knots) - 2)
    share = (x - knots[cell]) / (knots[cell + 1] - knots[cell])
    values = _fit(cell, share, y, weights, len(knots))
    if norm == "l2":
        return values
    for _ in range(ROUNDS):
        residual = np.abs((1 - share) * values[cell] + share * values[cell + 1] - y)
        floor = 1e-3 * residual.mean() + 1e-300
        values = _fit(cell, share, y, weights / np.maximum(residual, floor), len(knots))
    return values


def _fit(
    cell: np.ndarray, share: np.ndarray, y: np.ndarray, weights: np.ndarray, n: int
) -> np.ndarray:
    left, right = 1 - share, share
    diagonal = np.bincount(cell, weights * left * left, n) + np.bincount(
        cell + 1, weights * right * right, n
    )
    off = np.bincount(cell, weights * left * right, n)[:-1]
    rhs = np.bincount(cell, weights * left * y, n) + np.bincount(
        cell + 1, weights * right * y, n
    )
    # knots without samples: a little of what their neighbours have
    spare = np.maximum(diagonal, np.max(diagonal) * LIGHTEST)
    return _tridiagonal(diagonal + 1e-14 * spare, off, rhs)


def _tridiagonal(d: np.ndarray, e: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Solve the symmetric positive definite system with diagonal d, off-diagonal e."""
    from scipy.linalg import solveh_banded  # a quarter of a second to load

    return solveh_banded(np.vstack([np.append(0.0, e), d]), b)
