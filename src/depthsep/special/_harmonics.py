r"""Spherical harmonics in d dimensions: how many, and their zonal polynomials.

mu_d is the law of x_1 for x uniform on the sphere S^{d-1}, with density
c_d (1 - u^2)^((d - 3) / 2) on [-1, 1]. P_n is the d-dimensional Legendre polynomial,
P_n(1) = 1, orthogonal under mu_d with E P_n^2 = 1 / N(d, n).
"""

from math import comb

import numpy as np
from flint import arb

from depthsep._errors import HypothesisError


def harmonic_dimension(dim: int, degree: int) -> int:
    """N(d, n), the dimension of the spherical harmonics of degree n in R^d, d >= 2.

    C(d + n - 1, d - 1) - C(d + n - 3, d - 1); 1 for n = 0, d for n = 1, 2 n + 1 in
    three dimensions.
    """
    _check(dim, degree)
    lower = comb(dim + degree - 3, dim - 1) if degree > 1 else 0
    return comb(dim + degree - 1, dim - 1) - lower


def legendre(dim: int, degree: int, x: arb) -> arb:
    """P_n(x), |x| <= 1, by the recurrence, at flint's current precision.

    (n + d - 3) P_n = (2 n + d - 4) x P_{n-1} - (n - 1) P_{n-2}; stable forward, but
    balls widen with n: raise the precision for large degrees.
    """
    _check(dim, degree)
    before, now = arb(1), arb(x)
    if degree == 0:
        return before
    for n in range(2, degree + 1):
        following = (2 * n + dim - 4) * x * now - (n - 1) * before
        before, now = now, following / (n + dim - 3)
    return now


def legendre_floats(dim: int, degree: int, x: np.ndarray) -> np.ndarray:
    """P_0, ..., P_n at points, float64, (n + 1, ...): the same recurrence."""
    _check(dim, degree)
    rows = [np.ones_like(x), x]
    for n in range(2, degree + 1):
        following = (2 * n + dim - 4) * x * rows[-1] - (n - 1) * rows[-2]
        rows.append(following / (n + dim - 3))
    return np.array(rows[: degree + 1])


def sphere_density(dim: int) -> arb:
    """c_d = Gamma(d / 2) / (sqrt(pi) Gamma((d - 1) / 2)), d >= 2."""
    _check(dim, 0)
    half = arb(dim) / 2
    return (half.lgamma() - (half - arb(0.5)).lgamma()).exp() / arb.pi().sqrt()


def coordinate_density(dim: int, x: arb) -> arb:
    """The density of mu_d at x, -1 < x < 1, at flint's current precision.

    At least sqrt(d) / (2 e pi) for |x| <= 1 / sqrt(d).

    Raises:
        HypothesisError: |x| that may be 1 or more.
    """
    if not abs(x) < 1:
        raise HypothesisError(f"x = {x}: give a number above -1 and below 1")
    return sphere_density(dim) * (1 - x**2) ** (arb(dim - 3) / 2)


def coordinate_cdf(dim: int, x: arb) -> arb:
    """mu_d of [-1, x], -1 <= x <= 1: a regularised incomplete Beta function."""
    _check(dim, 0)
    half = arb(dim - 1) / 2
    return ((1 + arb(x)) / 2).beta_lower(half, half, 1)


def _check(dim: int, degree: int) -> None:
    if dim < 2 or degree < 0:
        raise HypothesisError(
            f"dimension d = {dim}, degree n = {degree}: give d >= 2 and n >= 0"
        )
