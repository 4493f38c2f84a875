"""Chebyshev forms of formulas, with a certified truncation error."""

from dataclasses import dataclass

import numpy as np
from flint import fmpq, fmpq_poly, fmpz_poly

from depthsep._errors import HypothesisError
from depthsep.approximation.distance._distance_to_formula import distance_to_target
from depthsep.approximation.distance._minus_polynomial import MinusPolynomial
from depthsep.exact import PiecewiseAffine, dyadic_near, nearest_float
from depthsep.laws import Segment
from depthsep.targets import AbstractLineTarget

MAX_DEGREE = 128
BITS = 64
MAX_CELLS = 20_000


@dataclass(frozen=True)
class ChebyshevForm:
    """sum_k coefficients[k] T_k(v), v in [-1, 1] the scaled variable of an interval.

    `error` bounds its distance from the target in the sup norm.
    """

    coefficients: tuple[fmpq, ...]
    error: fmpq

    @property
    def degree(self) -> int:
        """The largest k with a coefficient."""
        return len(self.coefficients) - 1


def chebyshev_form(
    target: AbstractLineTarget, on: Segment, error: fmpq
) -> ChebyshevForm | None:
    """A Chebyshev form within `error` of the formula, of small degree; None if none.

    The coefficients are found in float64 by interpolation; that they are good enough is
    then proved in balls, as the sup norm of target minus polynomial.
    """
    kept = chebyshev_series(target, on, error)
    if kept is None:
        return None
    try:
        proved = _sup_error(target, kept, on, error)
    except HypothesisError:
        return None
    return ChebyshevForm(kept, proved) if proved <= error else None


def chebyshev_series(
    target: AbstractLineTarget, on: Segment, error: fmpq
) -> tuple[fmpq, ...] | None:
    """The coefficients of such a form as float64 finds them; nothing is proved yet."""
    a, b = (nearest_float(x) for x in (on.start, on.stop))
    nodes = np.polynomial.chebyshev.chebpts1(MAX_DEGREE + 1)
    samples = target.floats((a + b) / 2 + (b - a) / 2 * nodes)
    if not np.isfinite(samples).all():
        return None
    vandermonde = np.polynomial.chebyshev.chebvander(nodes, MAX_DEGREE)
    series = 2 / len(nodes) * (vandermonde.T @ samples)
    series[0] /= 2
    tails = np.append(np.cumsum(np.abs(series[::-1]))[::-1], 0.0)
    small = np.flatnonzero(tails <= 0.9 * nearest_float(error))
    if not len(small) or small[0] > MAX_DEGREE:
        return None
    degree = max(1, int(small[0]) - 1)
    return tuple(dyadic_near(float(c), BITS) for c in series[: degree + 1])


def _sup_error(
    target: AbstractLineTarget, coefficients: tuple[fmpq, ...], on: Segment, error: fmpq
) -> fmpq:
    difference = MinusPolynomial(target, tuple(monomials(coefficients, on)))
    zero = PiecewiseAffine.through([on.start, on.stop], [0, 0])
    found = distance_to_target(
        zero,
        difference,
        "linf",
        on,
        relative=0.05,
        negligible=error / 64,
        max_cells=MAX_CELLS,
    )
    return found.upper


def monomials(coefficients: tuple[fmpq, ...], on: Segment) -> list[fmpq]:
    """Coefficients of the form in powers of x, constant first."""
    terms = (
        c * fmpq_poly(fmpz_poly.chebyshev_t(k)) for k, c in enumerate(coefficients)
    )
    form = sum(terms, fmpq_poly())
    half, middle = on.length / 2, (on.start + on.stop) / 2
    scaled = fmpq_poly([-middle / half, 1 / half])
    return form(scaled).coeffs() or [fmpq(0)]
