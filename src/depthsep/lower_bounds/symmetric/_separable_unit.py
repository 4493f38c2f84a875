r"""One unit on two points of a sphere, expanded in products of zonal harmonics.

sigma(<w, x> + <w', x'> + b) = sum_ij beta_ij L_i(<v, x>) L_j(<v', x'>), v = w / |w|,
L_n = sqrt(N) P_n: an orthonormal basis of the functions of <v, x> and <v', x'>.
"""

from dataclasses import dataclass

import numpy as np

from depthsep._errors import HypothesisError
from depthsep._inputs import floats, whole
from depthsep.networks import RELU, Activation
from depthsep.special import harmonic_dimension, legendre_floats

NODES = 400
MAX_DEGREE = 100


@dataclass(frozen=True)
class SeparableUnit:
    """Its norm and its coefficients, in float64: for looking, not for proofs.

    Attributes:
        norm: in L2 of two independent uniform points.
        coefficients: beta_ij, (n + 1, n + 1).
        error: how far half as many nodes move a coefficient, or the norm, at most.
    """

    norm: float
    coefficients: np.ndarray
    error: float


def separable_unit(
    weights: object,
    bias: float = 0.0,
    *,
    activation: Activation = RELU,
    degree: int = 10,
    nodes: int = NODES,
) -> SeparableUnit:
    """The expansion of sigma(<w, x> + <w', x'> + b) up to a degree, by Gauss sums.

    Args:
        weights: w and w' one after the other, 2 d numbers, d >= 2.
        nodes: of the Gauss-Jacobi rule in each of the two inner products; kinks make
            the error fall like its square.

    Source:
        Kocak (2019) on Daniely (2017), separable functions: only beta_nn meets h_n, by
        <h_n, L_i L_j> = P_n(<v, v'>) / sqrt(N_n) for n = i = j and 0 else.
    """
    w = floats(weights, "weights", ndim=1)
    top, count = whole(degree, "degree"), whole(nodes, "nodes", least=4)
    if len(w) % 2 or len(w) < 4 or top > MAX_DEGREE:
        raise HypothesisError(
            f"the number of weights is {len(w)} and the degree is {top}; give 2 d "
            f"weights with d >= 2, and a degree up to {MAX_DEGREE}"
        )
    dim = len(w) // 2
    sizes = float(np.linalg.norm(w[:dim])), float(np.linalg.norm(w[dim:]))
    fine, coarse = (
        _expanded(dim, sizes, bias, activation, top, n) for n in (count, count // 2)
    )
    moved = max(abs(fine[0] - coarse[0]), float(np.abs(fine[1] - coarse[1]).max()))
    return SeparableUnit(fine[0], fine[1], moved)


def _expanded(
    dim: int,
    sizes: tuple[float, float],
    bias: float,
    activation: Activation,
    top: int,
    count: int,
) -> tuple[float, np.ndarray]:
    from scipy.special import roots_jacobi

    power = (dim - 3) / 2
    x, weight = roots_jacobi(count, power, power)
    weight = weight / weight.sum()
    values = activation.floats(sizes[0] * x[:, None] + sizes[1] * x + bias)
    basis = _basis(dim, top, x) * weight
    norm = float(weight @ values**2 @ weight) ** 0.5
    return norm, basis @ values @ basis.T


def _basis(dim: int, top: int, x: np.ndarray) -> np.ndarray:
    """L_0, ..., L_n at points, (n + 1, ...)."""
    dims = [float(harmonic_dimension(dim, n)) for n in range(top + 1)]
    return legendre_floats(dim, top, x) * np.sqrt(dims).reshape(-1, *[1] * x.ndim)
