"""The integral of a formula in x, enclosed: Taylor series on cells."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from flint import arb, fmpq

from depthsep._errors import UndecidedError
from depthsep.formulas._series import taylor_series

if TYPE_CHECKING:
    import sympy

ORDER = 16
NEAR = 2.0**-60  # of the size: the error of all cells together
MOST_CELLS, SMALLEST = 20_000, fmpq(1, 2**130)


def integral_of(
    expression: "sympy.Expr",
    values: Callable[[arb], arb],
    start: fmpq,
    stop: fmpq,
    size: float,
) -> arb:
    """Over [start, stop], at flint's current precision.

    Args:
        values: encloses the formula over a ball.
        size: about what the integral is; parts are enclosed to 2^-60 of it.

    Raises:
        UndecidedError: it takes too many cells, as for a formula that is not bounded.
    """
    total, cells = arb(0), 0
    todo, length = [(start, stop)], stop - start
    while todo:
        a, b = todo.pop()
        part, share = _over(expression, values, a, b), (b - a) / length
        cells += 1
        if part.is_finite() and part.rad() <= NEAR * size * arb(share):
            total += part
            continue
        if cells > MOST_CELLS or share < SMALLEST:
            where = float(arb(a).mid())
            raise UndecidedError(
                "an integral could not be bounded near x = "
                f"{where:.6g}; the function may be unbounded there"
            )
        todo += [((a + b) / 2, b), (a, (a + b) / 2)]
    return total


def _over(
    expression: "sympy.Expr", values: Callable[[arb], arb], a: fmpq, b: fmpq
) -> arb:
    """Over one cell: by its Taylor polynomial, else by the range of the values."""
    half, around = arb((b - a) / 2), arb(a).union(arb(b))
    rest = taylor_series(expression, around, ORDER + 1)
    middle = taylor_series(expression, arb((a + b) / 2), ORDER)
    if rest is None or middle is None:
        return values(around) * 2 * half
    even = (2 * middle[k] * half ** (k + 1) / (k + 1) for k in range(0, ORDER, 2))
    top = rest[ORDER].abs_upper() * 2 * half ** (ORDER + 1) / (ORDER + 1)
    return sum(even, arb(0)) + arb(0, 1) * top
