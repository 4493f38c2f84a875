"""Eigenvalues of kernels of inner products on a sphere, degree by degree."""

import numpy as np

from depthsep._inputs import whole
from depthsep.near_init.kernels._kernel import TangentKernel
from depthsep.special import legendre_floats

NODES_A_DEGREE, LEAST_NODES = 8, 2000


def spectrum(kernel: TangentKernel, dim: int, degree: int) -> np.ndarray:
    """lambda_0, ..., lambda_n of a kernel on unit vectors in R^d, float64, (n + 1,).

    lambda_n = E k(<x, e>) P_n(<x, e>) over uniform x, by Gauss sums in the angle; it is
    the eigenvalue on the harmonics of degree n, N(d, n) of them, and
    sum_n N(d, n) lambda_n = k(1). Rounding leaves about 1e-16 k(1).

    Args:
        dim: d, 2 or more.
        degree: n, up to 500.

    Raises:
        HypothesisError: a dimension or degree out of range.

    Source:
        The formula of Funk and Hecke. For ReLU the decay n^-d does not depend on the
        depth (Bietti and Bach 2020); even or odd degrees may be missing at depth 2.
    """
    d = whole(dim, "dim", least=2, most=1000)
    top = whole(degree, "degree", most=500)
    nodes, weights = np.polynomial.legendre.leggauss(
        max(LEAST_NODES, NODES_A_DEGREE * top)
    )
    angles = np.pi / 2 * (1 + nodes)
    weights = weights * np.sin(angles) ** (d - 2)
    weights /= weights.sum()
    points = np.stack([np.cos(angles), np.sin(angles)], axis=1)
    values = weights * kernel(points, np.array([[1.0, 0.0]]))[:, 0]
    return legendre_floats(d, top, np.cos(angles)) @ values
