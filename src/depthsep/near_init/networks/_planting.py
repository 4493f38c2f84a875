r"""Planting: a given network hidden in a random one, close to its start.

g(x) = sum_i alpha_i relu(beta_i . x), |beta_i| = 1. Rows with direction within tau of
beta_i and whose sign is that of alpha_i are lengthened: their directions stay, so
F(x; V) = F_0(x; V) for every x, and F(x; V) - F(x; V_0) is c_0 g(x) up to
sqrt(m) |alpha|_1 on the unit ball, c_0 = sqrt(m) / tau.
"""

from dataclasses import dataclass

import numpy as np

from depthsep._errors import HypothesisError
from depthsep._inputs import floats
from depthsep.exact import nearest_float, rational
from depthsep.near_init._inputs import points
from depthsep.near_init.bounds._caps import rows_per_unit


@dataclass(frozen=True, eq=False)
class Planting:
    """A planted network: what moved, how far, and what was predicted.

    Attributes:
        start, planted: V_0 and V, shape (m, d).
        signs: a, shape (m,).
        rows: the rows used for every unit of g.
        scale: c_0 = sqrt(m) / tau; F(x; V) - F(x; V_0) is about c_0 g(x).
        noise_free_error: sqrt(m) |alpha|_1, a bound on |F(V) - F(V_0) - c_0 g| for
            |x| <= 1 that needs no probability.
        longest_move, predicted_longest: max_j |v_j - v_0j|.
        frobenius, predicted_frobenius: |V - V_0|_F.
    """

    start: np.ndarray
    planted: np.ndarray
    signs: np.ndarray
    rows: tuple[np.ndarray, ...]
    scale: float
    noise_free_error: float
    predicted_longest: float
    predicted_frobenius: float

    @property
    def longest_move(self) -> float:
        """max_j |v_j - v_0j|, measured."""
        return float(np.linalg.norm(self.planted - self.start, axis=1).max())

    @property
    def frobenius(self) -> float:
        """|V - V_0|_F, measured."""
        return float(np.linalg.norm(self.planted - self.start))


def plant(
    alpha: np.ndarray,
    beta: np.ndarray,
    signs: np.ndarray,
    start: np.ndarray,
    tau: object,
    *,
    every_member: bool = False,
) -> Planting:
    """Hide sum_i alpha_i relu(beta_i . x) in the random network (signs, start).

    Args:
        alpha: (k,), not 0.
        beta: (k, d), unit vectors.
        signs: (m,) or (1, m), +-1 exactly.
        start: V_0, (m, d).
        tau: 0 < tau <= 1 and 2 tau < every |beta_i - beta_l|.
        every_member: use all rows of a cap with weight c_0 |alpha_i| / |S_i|, which
            moves less far; else the first n = floor(m tau_d) of each.

    Raises:
        HypothesisError: a hypothesis fails, or a cap holds too few rows.

    Source:
        Telgarsky (2023), Theorem 3.10, corrected: the printed scale and distances
        (2^(d+1) / tau^(d-1)) are not those of its construction, and false for every V.
    """
    alpha, beta = floats(alpha, "alpha", ndim=1), points(beta, "beta")
    signs, start = floats(signs, "signs").ravel(), points(start, "the rows")
    exact = rational(tau, name="tau")
    level = nearest_float(exact)
    _check(alpha, beta, signs, start, level)
    width, dim = start.shape
    n = rows_per_unit(width, dim, exact)
    lengths = np.linalg.norm(start, axis=1)
    if not lengths.all():
        raise HypothesisError(
            "a row of the start is 0 and has no direction; draw another start"
        )
    if n < 1:
        raise HypothesisError(
            f"with {width} rows, {n} are left for each planted unit at "
            f"tau = {level}; widen the layer"
        )
    directions = start / lengths[:, None]
    rows = _rows(alpha, beta, signs, directions, level, None if every_member else n, n)
    scale, planted = width**0.5 / level, start.copy()
    moves = scale * np.abs(alpha) / [len(r) for r in rows]
    for found, move in zip(rows, moves, strict=True):
        planted[found] += move * directions[found]
    return Planting(
        start,
        planted,
        signs,
        rows,
        scale,
        float(width**0.5 * np.abs(alpha).sum()),
        float(moves.max()),
        float(np.sqrt((moves * scale * np.abs(alpha)).sum())),
    )


def _rows(
    alpha: np.ndarray,
    beta: np.ndarray,
    signs: np.ndarray,
    directions: np.ndarray,
    tau: float,
    used: int | None,
    needed: int,
) -> tuple[np.ndarray, ...]:
    """For every unit the first `used` rows of its cap and sign, all of them if None."""
    rows = []
    for i, (height, centre) in enumerate(zip(alpha, beta, strict=True)):
        near = np.linalg.norm(directions - centre, axis=1) <= tau
        found = np.flatnonzero(near & (signs == np.sign(height)))
        if len(found) < needed:
            raise HypothesisError(
                f"unit {i} (counted from 0) needs rows with the sign of "
                "its alpha and a direction within tau of its beta; the "
                f"number of such rows is {len(found)}, but it must be "
                f"at least {needed}; try another seed or a wider layer"
            )
        rows.append(found[:used])
    return tuple(rows)


def _check(
    alpha: np.ndarray,
    beta: np.ndarray,
    signs: np.ndarray,
    start: np.ndarray,
    tau: float,
) -> None:
    if not len(alpha):
        raise HypothesisError("alpha is empty; give at least one unit")
    if beta.shape != (len(alpha), start.shape[1]):
        raise HypothesisError(
            f"alpha, beta and the rows have shapes {alpha.shape}, {beta.shape} and "
            f"{start.shape}; give (k,), (k, d) and (m, d)"
        )
    if len(signs) != len(start) or not np.isin(signs, (-1, 1)).all():
        raise HypothesisError(
            "the second layer must have one weight, +1 or -1, for every row"
        )
    if not alpha.all():
        raise HypothesisError("an alpha is 0, which has no sign; leave that unit out")
    if np.abs(np.linalg.norm(beta, axis=1) - 1).max() > 1e-9:
        raise HypothesisError(
            "every beta must have length 1; put the length into alpha"
        )
    apart = np.linalg.norm(beta[:, None] - beta[None], axis=2)
    apart[np.diag_indices(len(beta))] = np.inf
    if not 0 < tau <= 1 or not 2 * tau < apart.min():
        raise HypothesisError(
            f"tau is {tau}; it needs 0 < tau <= 1 and 2 tau < {apart.min():.6g}, "
            "the least distance between two betas"
        )
