r"""The best sum of separable functions along given directions, beside what none beats.

In degree n a function of <v, x> and <v', x'> meets alpha_n h_n in a multiple of
T = L_n(<v, x>) L_n(<v', x'>) only, <h_n, T> = P_n(<v, v'>) / sqrt(N_n), and two such
have the inner product P_n(<v_j, v_k>) P_n(<v_j', v_k'>): least squares, degree by
degree.
"""

from dataclasses import dataclass

import numpy as np

from depthsep._errors import HypothesisError, TooLargeError
from depthsep._inputs import floats
from depthsep.exact import ball_upper, nearest_float
from depthsep.lower_bounds.symmetric.zonal._zonal_expansion import ZonalExpansion
from depthsep.special import harmonic_dimension, legendre_floats

MOST_ENTRIES = 1 << 24  # Legendre values of all degrees held at once
CUT = 1e-10  # singular values below this share of the largest are 0


@dataclass(frozen=True)
class SeparableFit:
    """L2 errors over two independent uniform points of a sphere.

    Attributes:
        error: of the best sum for these directions, in float64; the degrees that were
            not expanded, and the error of the expansion, are left out.
        by_degree: its part in degree 0, 1, ..., (n + 1,); the squares add up.
        least: no sum of so many separable functions, whatever the directions, has a
            smaller error; proved, then rounded to float64.
    """

    error: float
    by_degree: np.ndarray
    least: float


def separable_fit(
    expansion: ZonalExpansion, first: object, second: object = None
) -> SeparableFit:
    """The best sum of psi_j(<v_j, x>, <v_j', x'>), one for each pair of directions.

    Args:
        expansion: of f(<x, x'>), by `zonal_expansion`.
        first: v_1, ..., v_r, (r, d), of any length but 0.
        second: v_1', ..., v_r', likewise; the same directions if not given.

    Raises:
        HypothesisError: shapes that do not fit, a direction of length 0.
        TooLargeError: over 2^24 inner products, all degrees together.

    Source:
        Kocak (2019) on Daniely (2017), separable functions; `least` is `rank-residual`.
    """
    left = _directions(first, expansion.dim)
    right = left if second is None else _directions(second, expansion.dim)
    if len(left) != len(right):
        raise HypothesisError(
            f"the numbers of directions differ: {len(left)} for x and "
            f"{len(right)} for x'; give as many for x as for x'"
        )
    top = len(expansion.coefficients) - 1
    if (top + 1) * len(left) ** 2 > MOST_ENTRIES:
        raise TooLargeError(
            f"{len(left)} directions and degrees up to {top} need more "
            f"than {MOST_ENTRIES} inner products; give fewer directions"
        )
    alpha = np.array([float(a.mid()) for a in expansion.coefficients])
    own = legendre_floats(expansion.dim, top, (left * right).sum(axis=1))
    inner = [legendre_floats(expansion.dim, top, v @ v.T) for v in (left, right)]
    rest = np.abs(alpha)
    rest[0] = 0.0  # constants are separable
    for n in np.flatnonzero(rest):
        size = float(harmonic_dimension(expansion.dim, int(n)))
        met = own[n] / np.sqrt(size)
        share = met @ _solved(inner[0][n] * inner[1][n], met)
        rest[n] *= max(0.0, 1.0 - share) ** 0.5
    least = -ball_upper(-expansion.residual(len(left)))
    return SeparableFit(float(np.linalg.norm(rest)), rest, nearest_float(least))


def _solved(gram: np.ndarray, met: np.ndarray) -> np.ndarray:
    return np.linalg.lstsq(gram, met, rcond=CUT)[0]


def _directions(given: object, dim: int) -> np.ndarray:
    rows = floats(given, "directions", ndim=2)
    sizes = np.linalg.norm(rows, axis=1, keepdims=True)
    if rows.shape[1] != dim or not len(rows) or not (sizes > 0).all():
        raise HypothesisError(
            f"the directions have the shape {rows.shape}; give an array "
            f"with {dim} columns, at least one row and no row of zeros"
        )
    return np.clip(rows / sizes, -1, 1)
