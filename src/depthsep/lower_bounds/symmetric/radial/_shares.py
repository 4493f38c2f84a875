r"""How much of a radial polynomial m ridge functions leave, degree by degree.

In degree 2 l the functions orthogonal to all of lower degree hold one radial element,
of norm 1, and one ridge function for each direction. Under both laws what m of these
leave is at least a share that depends on m, d and l alone: Theorem R.
"""

from functools import lru_cache
from math import comb

from flint import fmpq

from depthsep.special import harmonic_dimension


def ball_share(dim: int, degree: int, m: int) -> fmpq:
    """max(0, 1 - m / D_l), D_l = C(l + d - 1, d - 1) homogeneous polynomials."""
    return max(fmpq(0), 1 - fmpq(m, comb(degree + dim - 1, dim - 1)))


def gauss_share(dim: int, degree: int, m: int) -> fmpq:
    """1 - the sum of the m largest of the squared singular values."""
    left, share = m, fmpq(1)
    for size, count in singular_values(dim, degree):
        taken = min(left, count)
        share -= taken * size
        left -= taken
        if left == 0:
            break
    return max(share, fmpq(0))


@lru_cache(maxsize=4096)
def singular_values(dim: int, degree: int) -> tuple[tuple[fmpq, int], ...]:
    r"""Squares, largest first, with multiplicities; they sum to 1.

    mu_k = 2^(k+j) l!/j! prod_(i<j) (2 l + d - 2 - 2 i), k = l - 2 j, N(d, k) times: of
    p -> p(D) |x|^(2 l) on the homogeneous polynomials of degree l.
    """
    factorial = _factorials(degree)
    found, product = [], 1
    for j in range(degree // 2 + 1):
        k = degree - 2 * j
        mu = 2 ** (k + j) * (factorial[degree] // factorial[j]) * product
        found.append((mu * mu, harmonic_dimension(dim, k)))
        product *= 2 * degree + dim - 2 - 2 * j
    whole = sum(square * count for square, count in found)
    ordered = sorted(found, reverse=True)
    return tuple((fmpq(square, whole), count) for square, count in ordered)


def _factorials(n: int) -> list[int]:
    found = [1]
    for k in range(1, n + 1):
        found.append(found[-1] * k)
    return found
