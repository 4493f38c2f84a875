"""Best values at given knots, in the l2 and (by reweighting) the l1 norm."""

import numpy as np

ROUNDS = 25
LIGHTEST = 1e-100  # where a density may be small


def lengths_around(x: np.ndarray) -> np.ndarray:
    """How much of a line lies nearest to each of some points."""
    gaps = np.diff(x)
    return np.concatenate([gaps[:1], gaps[1:] + gaps[:-1], gaps[-1:]]) / 2


def best_values(
    x: np.ndarray,
    y: np.ndarray,
    weights: np.ndarray,
    knots: np.ndarray,
    norm: str,
    lightest: float = 1.0,
) -> np.ndarray:
    """Values of the continuous piecewise-affine fit to weighted samples at the knots.

    l2: weighted least squares in the hat basis, a tridiagonal system. l1: the same with
    weights 1/|residual|, repeated.

    Args:
        lightest: knots without samples have a little weight, by this share of what
            others have at most.
    """
    cell = np.clip(np.searchsorted(knots, x, side="right") - 1, 0, len(knots) - 2)
    share = (x - knots[cell]) / (knots[cell + 1] - knots[cell])
    values = _fit(cell, share, y, weights, len(knots), lightest)
    if norm == "l2":
        return values
    for _ in range(ROUNDS):
        residual = np.abs((1 - share) * values[cell] + share * values[cell + 1] - y)
        floor = 1e-3 * residual.mean() + 1e-300
        now = weights / np.maximum(residual, floor)
        values = _fit(cell, share, y, now, len(knots), lightest)
    return values


def _fit(
    cell: np.ndarray,
    share: np.ndarray,
    y: np.ndarray,
    weights: np.ndarray,
    n: int,
    lightest: float,
) -> np.ndarray:
    left, right = 1 - share, share
    diagonal = np.bincount(cell, weights * left * left, n) + np.bincount(
        cell + 1, weights * right * right, n
    )
    off = np.bincount(cell, weights * left * right, n)[:-1]
    rhs = np.bincount(cell, weights * left * y, n) + np.bincount(
        cell + 1, weights * right * y, n
    )
    spare = np.maximum(diagonal, np.max(diagonal) * lightest)
    return _tridiagonal(diagonal + 1e-14 * spare, off, rhs)


def _tridiagonal(d: np.ndarray, e: np.ndarray, b: np.ndarray) -> np.ndarray:
    """Solve the symmetric positive definite system with diagonal d, off-diagonal e."""
    from scipy.linalg import solveh_banded  # a quarter of a second to load

    return solveh_banded(np.vstack([np.append(0.0, e), d]), b)
