"""Formulas followed by Taylor polynomials on adaptive cells, with a proved error."""

from dataclasses import dataclass

from flint import arb, ctx, fmpq, fmpq_poly

from depthsep._errors import TooLargeError
from depthsep.exact import ball_upper, dyadic_near, midpoint
from depthsep.laws import Segment
from depthsep.targets import Expression, interval_ball

ORDER = 24
MAX_CELLS = 4096
GUARD = 128  # bits beyond those of the error
SPARE = 8  # bits of a coefficient beyond what the error asks for


@dataclass(frozen=True)
class TaylorCell:
    """start <= x <= stop, and a polynomial in x, constant first."""

    start: fmpq
    stop: fmpq
    coefficients: tuple[fmpq, ...]


def taylor_cells(
    formula: Expression, on: Segment, error: fmpq, *, max_cells: int = MAX_CELLS
) -> list[TaylorCell]:
    """Cells from left to right, on each of which a polynomial is within the error.

    A cell without a Taylor series that is near enough is halved; where the formula
    varies by less than the error, a constant will do.

    Raises:
        TooLargeError: more than `max_cells` cells.
    """
    todo, found = [(on.start, on.stop)], []
    with ctx.workprec(GUARD + _bits(error)):
        while todo:
            a, b = todo.pop()
            cell = _cell(formula, a, b, error)
            if cell is not None:
                found.append(cell)
                continue
            todo += [((a + b) / 2, b), (a, (a + b) / 2)]
            if len(found) + len(todo) > max_cells:
                raise TooLargeError(
                    f"to approximate {formula} within {float(arb(error)):.3g} by "
                    "Taylor polynomials, the interval would have to be cut into more "
                    f"than {max_cells} parts; allow a larger error"
                )
    return found


def _bits(error: fmpq) -> int:
    return max(0, int(error.q).bit_length() - int(error.p).bit_length()) + 1


def _cell(formula: Expression, a: fmpq, b: fmpq, error: fmpq) -> TaylorCell | None:
    _middle, half, around = (a + b) / 2, (b - a) / 2, interval_ball(a, b)
    value = formula.jet(around).value
    if value.is_finite() and ball_upper(value.rad()) <= error / 2:
        constant = dyadic_near(midpoint(value), _bits(error) + SPARE)
        if ball_upper(abs(value - constant)) <= error:
            return TaylorCell(a, b, (constant,))
    rest = formula.taylor(around, ORDER + 1)
    if rest is None:
        return None
    for order in range(1, ORDER + 1):
        if abs(rest[order]) * half**order <= error / 2:
            return _polynomial(formula, a, b, order, error)
    return None


def _polynomial(
    formula: Expression, a: fmpq, b: fmpq, order: int, error: fmpq
) -> TaylorCell | None:
    """The Taylor polynomial about the middle, with short coefficients."""
    middle, half = (a + b) / 2, (b - a) / 2
    exact = formula.taylor(arb(middle), order)
    if exact is None:
        return None
    off, kept = arb(0), []
    for k, c in enumerate(exact):
        bits = _bits(error / max(half, fmpq(1)) ** k) + SPARE
        kept.append(dyadic_near(midpoint(c), bits))
        off += abs(c - kept[-1]) * half**k
    if not off <= error / 2:
        return None
    moved = fmpq_poly(kept)(fmpq_poly([-middle, 1]))
    return TaylorCell(a, b, tuple(moved.coeffs()) or (fmpq(0),))
