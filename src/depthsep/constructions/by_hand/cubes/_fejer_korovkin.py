"""Means with the Fejer-Korovkin kernel, as sums of ridge cosines.

Means of the function, reflected evenly, are cosine polynomials; products of cosines
are sums of ridge cosines cos(pi k.x).
"""

from collections.abc import Callable
from itertools import product as cartesian
from math import pi

import numpy as np
from flint import arb, ctx, fmpq

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.constructions.by_hand._parameters import DIM, LIPSCHITZ
from depthsep.evidence import (
    Enclosure,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    proved,
)
from depthsep.exact import ball_upper, rational

PRECISION = 128
MAX_SAMPLES = 1 << 22
Values = Callable[[np.ndarray], np.ndarray]


def fejer_korovkin_bound(degree: int, dim: int, lipschitz: object) -> Enclosure:
    """The sup error of the mean: rho sqrt(d) sin(pi / (2 n + 4)), rho to l2.

    Source:
        t^2 <= pi^2 sin^2(t / 2) in the second moment of the Fejer-Korovkin kernel.
    """
    rho = rational(lipschitz, name="rho")
    if degree < 1 or dim < 1 or rho < 0:
        raise HypothesisError(
            f"degree = {degree}, dim = {dim}, lipschitz = {rho}: give "
            "degree >= 1, dim >= 1 and lipschitz >= 0"
        )
    with ctx.workprec(PRECISION):
        angle = arb(fmpq(1, 2 * degree + 4)).sin_pi()
        ball = arb(rho) * arb(dim).sqrt() * angle
        return Enclosure(-ball_upper(-ball), ball_upper(ball), Rigour.ENCLOSED)


def kernel_coefficients(degree: int) -> np.ndarray:
    """rho_0 = 1, rho_1 = cos(pi/(n+2)), ..., rho_n of the Fejer-Korovkin kernel."""
    n, k = degree, np.arange(degree + 1)
    angle = pi / (n + 2)
    upper = (n - k + 3) * np.sin((k + 1) * angle)
    lower = (n - k + 1) * np.sin((k - 1) * angle)
    return (upper - lower) / (2 * (n + 2) * np.sin(angle))


def cosine_coefficients(values: Values, dim: int, degree: int) -> np.ndarray:
    """c_k, 0 <= k_i <= n, of the mean sum_k c_k prod_i cos(pi k_i x_i).

    From values at x = j / M, j = 0..M, 2 M >= n + 2 (trapezoidal weights): equispaced
    sums reproduce all moments of degree < 2 M, so the kernel's bound holds as it is.
    """
    m = degree + 2
    if (m + 1) ** dim > MAX_SAMPLES:
        raise TooLargeError(
            f"{m + 1}^{dim} values of the function are needed; at most {MAX_SAMPLES} "
            "are computed. Choose a smaller degree or allow a larger error"
        )
    nodes = np.arange(m + 1) / m
    grid = np.stack(np.meshgrid(*[nodes] * dim, indexing="ij"), axis=-1)
    table = np.asarray(values(grid.reshape(-1, dim))).reshape((m + 1,) * dim)
    weights = np.full(m + 1, 1.0 / m)
    weights[[0, -1]] /= 2
    k = np.arange(degree + 1)
    basis = np.cos(pi * np.outer(k, nodes)) * weights
    basis *= (np.where(k > 0, 2.0, 1.0) * kernel_coefficients(degree))[:, None]
    for axis in range(dim):
        table = np.moveaxis(np.tensordot(basis, table, axes=(1, axis)), 0, axis)
    return table


def ridge_cosines(coefficients: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """(directions (K, d), weights (K,)) with mean = sum_k weight cos(pi direction . x).

    prod cos a_i is the mean of cos(a_1 +- a_2 +- ...), so at most 2^{d-1} (n+1)^d.
    """
    dim, found = coefficients.ndim, {}
    for k in cartesian(*map(range, coefficients.shape)):
        used = [i for i in range(dim) if k[i]]
        share = float(coefficients[k]) / 2 ** max(0, len(used) - 1)
        for signs in cartesian((1, -1), repeat=max(0, len(used) - 1)):
            direction = [0] * dim
            for i, sign in zip(used, (1, *signs), strict=False):
                direction[i] = sign * k[i]
            key = tuple(direction)
            found[key] = found.get(key, 0.0) + share
    kept = {w: c for w, c in found.items() if c != 0.0}
    return np.array(list(kept)).reshape(-1, dim), np.array(list(kept.values()))


def _mean(dim: int, degree: int, lipschitz: fmpq) -> Value:
    return Value(fejer_korovkin_bound(degree, dim, lipschitz), Rigour.ENCLOSED)


COSINES = Statement(
    "telgarsky-2.5",
    "Bound on the sup error of the Fejer-Korovkin mean of degree n, a "
    "sum of ridge cosines cos(pi k . x)",
    ("f is rho-Lipschitz on [0, 1]^d with respect to l2",),
    Source("telgarsky2023", "Theorem 2.5"),
    (DIM, Parameter("degree", "integer", "n, the degree", most=10**9), LIPSCHITZ),
    _mean,
    errata=(
        (
            "the printed proof rests on something that it does not prove, that "
            "networks approximate every continuous function of one variable; in this "
            "library the errors of the means and of the cosines have explicit bounds"
        ),
    ),
    sample="dim=3 degree=8 lipschitz=1",
    tex=r"\rho \sqrt{d} \, \sin \left( \frac{\pi}{2 n + 4} \right)",
    proof=proved("explicit-networks"),
)
