"""Homogeneous polynomials as sums of powers of linear forms, in rationals."""

from collections.abc import Sequence
from math import factorial, prod

from flint import fmpq, fmpq_mat

from depthsep.targets.box._polynomial import Exponents, Polynomial, Terms

Direction = tuple[int, ...]


def homogeneous_part(polynomial: Polynomial, degree: int) -> dict[Exponents, fmpq]:
    """The terms of one degree."""
    return {e: c for e, c in polynomial.terms.items() if sum(e) == degree}


def power_coefficients(
    directions: Sequence[Direction],
    part: Terms,
    degree: int,
    near: Sequence[fmpq] | None = None,
) -> list[fmpq] | None:
    """a with sum_j a_j (w_j . x)^degree == part, exactly; None if there is none.

    Where several exist: the one nearest to `near`, or one with many zeros.
    """
    rows = power_equations(directions, part, degree)
    if not rows:
        return [fmpq(0)] * len(directions)
    reduced, rank = fmpq_mat(rows).rref()
    table = reduced.table()
    pivots = [next(j for j, v in enumerate(row) if v != 0) for row in table[:rank]]
    if len(directions) in pivots:
        return None
    if near is not None and rank < len(directions):
        return _nearest([row for row in table[:rank]], list(near))
    solution = [fmpq(0)] * len(directions)
    for row, pivot in zip(table, pivots, strict=False):
        solution[pivot] = row[-1]
    return solution


def power_equations(
    directions: Sequence[Direction], part: Terms, degree: int
) -> list[list[fmpq]]:
    """One row for each monomial: its coefficients in the powers, and in the part."""
    columns = [power_of_form(w, degree) for w in directions]
    monomials = sorted(set(part).union(*columns))
    zero = fmpq(0)
    return [
        [*(fmpq(column.get(e, 0)) for column in columns), part.get(e, zero)]
        for e in monomials
    ]


def power_of_form(direction: Direction, degree: int) -> dict[Exponents, int]:
    """(w . x)^degree by exponents, with multinomial coefficients."""
    out: dict[Exponents, int] = {}
    support = [i for i, w in enumerate(direction) if w]

    def walk(at: int, left: int, exponents: list[int]) -> None:
        if at == len(support) - 1:
            chosen = [*exponents, left]
            full = [0] * len(direction)
            for i, e in zip(support, chosen, strict=True):
                full[i] = e
            ways = factorial(degree) // prod(factorial(e) for e in chosen)
            powers = prod(
                direction[i] ** e for i, e in zip(support, chosen, strict=True)
            )
            out[tuple(full)] = ways * powers
            return
        for e in range(left + 1):
            walk(at + 1, left - e, [*exponents, e])

    walk(0, degree, [])
    return out


def _nearest(rows: list[list[fmpq]], near: list[fmpq]) -> list[fmpq]:
    """The solution of independent equations rows nearest to a point."""
    count = len(near)
    a = fmpq_mat([row[:count] for row in rows])
    b = fmpq_mat([[row[-1]] for row in rows])
    point = fmpq_mat([[v] for v in near])
    step = a.transpose() * (a * a.transpose()).solve(b - a * point)
    return [fmpq(v) for v in (point + step).entries()]
