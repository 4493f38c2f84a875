r"""ReLU networks F(x; V) = sum_j a_j relu(v_j . x) near V_0: exact worst cases.

NumPy throughout, float64: signs at kinks are decided by the products as computed.
The derivative of relu at 0 is 0 (the element of least norm), so a row with v . x = 0
counts as off.
"""

from dataclasses import dataclass

import numpy as np

from depthsep._errors import HypothesisError
from depthsep._inputs import real


def network_value(a: np.ndarray, v: np.ndarray, x: np.ndarray) -> np.ndarray:
    """F(x; V) of points (n, d), shape (n,); a (m,) or (1, m), v (m, d)."""
    return np.maximum(np.asarray(x) @ np.asarray(v).T, 0) @ np.ravel(a)


def linearised_value(
    a: np.ndarray, w: np.ndarray, v: np.ndarray, x: np.ndarray
) -> np.ndarray:
    """The linearisation at W, evaluated at V: sum_j a_j 1[w_j . x > 0] v_j . x."""
    x, w, v = (np.asarray(p) for p in (x, w, v))
    return np.where(x @ w.T > 0, x @ v.T, 0) @ np.ravel(a)


@dataclass(frozen=True, eq=False)
class Adversary:
    """Parameters within B of V_0 whose linearisation is badly off at x.

    Attributes:
        linearised_at, evaluated_at: W and V, both at Frobenius distance at most B.
        error: |F(x; V) - linearisation at W|, measured.
        constant: error / (m^(1/3) B^(4/3) |x|); for a = 1 it tends to 2.0785.
        rows: how many rows change sides.
    """

    linearised_at: np.ndarray
    evaluated_at: np.ndarray
    error: float
    constant: float
    rows: int


def adversary(
    a: np.ndarray, start: np.ndarray, x: np.ndarray, distance: float
) -> Adversary:
    """Rows nearest to the kink cross it in W, and V pushes them away from it.

    Rows of one sign of a with the smallest |v_0j . x| are moved across zero in W, as
    many as B affords; V moves the same rows outwards by B / sqrt(n) each. The error
    grows like c m^(1/3) B^(4/3): c = 2.0785 if all a = 1, c 2^(-1/3) = 1.65 for random
    signs, so the factor m^(1/3) of Proposition 3.7 cannot be dropped.
    """
    direction, size = _unit(x)
    a, distance = np.ravel(a), _distance(distance)
    z = start @ direction
    best: Adversary | None = None
    for sign in (1.0, -1.0):
        order = np.flatnonzero(np.sign(a) == sign)
        order = order[np.argsort(np.abs(z[order]))]
        reach = np.sqrt(np.cumsum(z[order] ** 2)) * (1 + 1e-9)
        rows = order[reach < distance]
        if not len(rows):
            continue
        side = np.where(z[rows] > 0, 1.0, -1.0)
        w, v = start.copy(), start.copy()
        w[rows] -= np.outer(z[rows] * (1 + 1e-9) + 1e-300 * side, direction)
        push = distance / len(rows) ** 0.5
        v[rows] += np.outer(side * push, direction)
        found = _judged(a, w, v, x, distance, len(rows), size)
        best = found if best is None or found.error > best.error else best
    if best is None:
        raise HypothesisError(
            "no row of the weights can cross the kink within the distance "
            f"{distance}; give a larger distance"
        )
    return best


def adversary_from_start(
    a: np.ndarray, start: np.ndarray, x: np.ndarray, distance: float
) -> Adversary:
    """The worst V within B for F_0, the linearisation at V_0 itself: exact.

    Rows J that cross gain sum_J (displacement - |z_j|), z = V_0 x / |x|, in one sign of
    a; by Cauchy-Schwarz at most B sqrt(|J|) - sum_J |z_j|, attained by equal
    displacements. So the worst error is |x| max over n of B sqrt(n) - (the n smallest
    |z|), whatever V: it is about 0.552 m^(1/3) B^(4/3) |x| for a = 1, and with random
    signs about 0.438 in place of 0.552.
    """
    direction, size = _unit(x)
    a, distance = np.ravel(a), _distance(distance)
    z = start @ direction
    rows = _worst_rows(a, z, distance)[1]
    v = start.copy()
    if len(rows):
        side = np.where(z[rows] > 0, 1.0, -1.0)
        v[rows] -= np.outer(side * distance / len(rows) ** 0.5, direction)
    return _judged(a, start, v, x, distance, len(rows), size)


def largest_error_from_start(
    a: np.ndarray, start: np.ndarray, points: np.ndarray, distance: float
) -> float:
    """max over the points (k, d) of what `adversary_from_start` attains at each."""
    a, sizes = np.ravel(a), np.linalg.norm(points, axis=1)
    gains = [
        size * _worst_rows(a, start @ (x / size), distance)[0]
        for x, size in zip(points, sizes, strict=True)
        if size > 0
    ]
    return max(gains, default=0.0)


def _worst_rows(
    a: np.ndarray, z: np.ndarray, distance: float
) -> tuple[float, np.ndarray]:
    """The largest gain at a unit vector, and the rows that cross for it."""
    gain, rows = 0.0, np.array([], dtype=int)
    for sign in (1.0, -1.0):
        order = np.flatnonzero(np.sign(a) == sign)
        if not len(order):
            continue
        order = order[np.argsort(np.abs(z[order]))]
        weights = np.abs(a[order])
        if np.ptp(weights) > 0:
            raise HypothesisError(
                "the exact worst case needs output weights a_j that have the same "
                "absolute value wherever they have the same sign"
            )
        count = np.arange(1, len(order) + 1)
        gains = weights[0] * (distance * np.sqrt(count) - np.cumsum(np.abs(z[order])))
        if gains.max() > gain:
            gain, rows = float(gains.max()), order[: int(gains.argmax()) + 1]
    return gain, rows


def _judged(
    a: np.ndarray,
    w: np.ndarray,
    v: np.ndarray,
    x: np.ndarray,
    distance: float,
    rows: int,
    size: float,
) -> Adversary:
    point = x[None, :]
    off = network_value(a, v, point) - linearised_value(a, w, v, point)
    scale = len(a) ** (1 / 3) * distance ** (4 / 3) * size
    return Adversary(w, v, abs(float(off[0])), abs(float(off[0])) / scale, rows)


def _distance(distance: float) -> float:
    found = real(distance, "distance")
    if not found > 0:
        raise HypothesisError(f"`distance` is {distance}; give a positive number")
    return found


def _unit(x: np.ndarray) -> tuple[np.ndarray, float]:
    size = float(np.linalg.norm(x))
    if not 0 < size < np.inf:
        raise HypothesisError(
            "x must be finite and not zero (at x = 0 the network "
            "equals its linearisation)"
        )
    return x / size, size
