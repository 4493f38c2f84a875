r"""Formulas of an inner product on spheres: by a polynomial that is proved to be near.

|f - p| <= delta in the sup norm; p = sum_n beta_n N(d, n) P_n exactly, from its
Chebyshev coefficients and x P_n = ((n + d - 2) P_{n+1} + n P_{n-1}) / (2 n + d - 2).
What forbids r units for p at accuracy E + delta forbids them for f at accuracy E.
"""

from functools import lru_cache

from flint import fmpq

from depthsep.approximation import chebyshev_form
from depthsep.laws import Segment
from depthsep.special import harmonic_dimension
from depthsep.targets import InnerProduct

SHARES = (fmpq(1, 1000), fmpq(1, 30), fmpq(1, 4))


def legendre_coefficients(dim: int, chebyshev: tuple[fmpq, ...]) -> list[fmpq]:
    """c_0, c_1, ... with sum_k chebyshev[k] T_k = sum_n c_n P_n in dimension d."""
    count = len(chebyshev)
    before, now = [fmpq(1)], [fmpq(0), fmpq(1)]
    whole = [fmpq(0)] * max(count, 2)
    for c in chebyshev:
        for n, value in enumerate(before):
            whole[n] += c * value
        following = [2 * v for v in _times_x(dim, now)]
        for n, value in enumerate(before):
            following[n] -= value
        before, now = now, following
    return whole[:count]


def _times_x(dim: int, series: list[fmpq]) -> list[fmpq]:
    """x sum c_n P_n."""
    out = [fmpq(0)] * (len(series) + 1)
    for n, c in enumerate(series):
        if n == 0:
            out[1] += c
            continue
        out[n + 1] += c * fmpq(n + dim - 2, 2 * n + dim - 2)
        out[n - 1] += c * fmpq(n, 2 * n + dim - 2)
    return out


@lru_cache(maxsize=32)
def polynomial_rank(target: InnerProduct, accuracy: fmpq) -> tuple[int, int] | None:
    """The width by the rank bound, and the degree it comes from; the best share.

    None where no polynomial of degree 128 is within a quarter of the accuracy.
    """
    best = None
    for share in SHARES:
        form = chebyshev_form(target.profile, Segment(-1, 1), accuracy * share)
        if form is None:
            continue
        series = legendre_coefficients(target.dim, form.coefficients)
        found = _rank(target.dim, series, accuracy + form.error)
        if best is None or found[0] > best[0]:
            best = found
    return best


def _rank(dim: int, series: list[fmpq], error: fmpq) -> tuple[int, int]:
    """max over n >= 1 of (sum_{i >= n} u_i - E^2) / sum_{i >= n} u_i / N_i.

    u_i = c_i^2 / N_i: E P_i^2 = 1 / N_i.
    """
    mass = shared = fmpq(0)
    best, degree = fmpq(0), 0
    for n in range(len(series) - 1, 0, -1):
        size = harmonic_dimension(dim, n)
        mass += series[n] ** 2 / size
        shared += series[n] ** 2 / size**2
        if mass > error**2 and (mass - error**2) / shared > best:
            best, degree = (mass - error**2) / shared, n
    return int(best.ceil()), degree
