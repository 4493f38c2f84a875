"""A table of triangles in the numbers of a format: one bound for all it is off by."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from itertools import pairwise, product

from flint import fmpq

from depthsep._deadline import seconds_left
from depthsep._errors import HypothesisError
from depthsep.analysis import simplex_errors
from depthsep.exact import Fixed, Floating, Format, decimal, rational
from depthsep.export._coded import DIGITS
from depthsep.surfaces import TriangleTable, errors_of_grid

Plane = tuple[fmpq, fmpq, fmpq]
Corner = tuple[fmpq, fmpq]
SECONDS = 120.0
WRONG_SIDE = 16
"""Units of u a b by which V may be computed wrongly, near a diagonal.

A width, a distance and their product are each rounded: 3.1 u for each of two products
of at most a b, u for their sum, and 3.1 u for a b: less than 12 u a b.
"""


@dataclass(frozen=True, eq=False)
class CodedTriangles:
    """What code computes, for all numbers of the format in the box.

    `level + (across * dx + up * dy)` with dx = x - X[i], dy = y - Y[j], each operation
    rounded to nearest, or fused.

    Attributes:
        table: whose knots and values are numbers of the format.
        format: of the inputs, of the result and of all numbers in between.
        planes: of every cell the lower and the upper one.
        error: of the copy, of its numbers and of all operations together: proved.
    """

    table: TriangleTable
    format: Floating
    planes: tuple[tuple[Plane, Plane], ...]
    error: fmpq


def rounded_triangles(table: TriangleTable, form: Floating) -> TriangleTable:
    """Knots and values as numbers of a format, the errors derived again.

    Raises:
        HypothesisError: knots fall together, or values are too large.
    """
    x, y = (_rounded_knots(knots, form) for knots in (table.x, table.y))
    values = tuple(tuple(map(form.rounded, row)) for row in table.values)
    if 4 * max(abs(v) for row in values for v in row) > form.largest:
        raise HypothesisError(
            f"a value of the table is too large for {form.name}; rescale the function"
        )
    errors = errors_of_grid(table.target, (x, y), values, table.rising, table.accuracy)
    worst = max(errors, key=lambda e: e.upper)
    return replace(table, x=x, y=y, values=values, errors=errors, error=worst)


def _rounded_knots(knots: tuple[fmpq, ...], form: Floating) -> tuple[fmpq, ...]:
    inner = map(form.rounded, knots[1:-1])
    found = (form.above(knots[0]), *inner, form.below(knots[-1]))
    if any(a >= b for a, b in pairwise(found)):
        raise HypothesisError(
            f"knots coincide in {form.name}; choose a finer format or fewer pieces"
        )
    return found


def coded_triangles(table: TriangleTable, form: Format) -> CodedTriangles:
    """The planes rounded to a format, and what that costs: proved.

    Raises:
        HypothesisError: fixed point, or numbers that the format does not have.
    """
    if isinstance(form, Fixed):
        raise HypothesisError(
            "tables of two inputs are not written in fixed point; give "
            "double or float32"
        )
    near = rounded_triangles(table, form)
    planes = tuple(
        (_rounded(low, form), _rounded(high, form)) for low, high in near.planes
    )
    _check_range(near, planes, form)
    worst, rounding = _of_planes(near, planes), fmpq(0)
    for (a, b), pair, is_rising in _cells(near, planes):
        operations = max(_of_operations(plane, a, b, form) for plane in pair)
        rounding = max(rounding, operations + _across(pair, a, b, is_rising, form))
    bound = decimal(worst + rounding, DIGITS, upward=True)
    error = rational(bound)
    return CodedTriangles(near, form, planes, error)


def _check_range(
    table: TriangleTable, planes: tuple[tuple[Plane, Plane], ...], form: Floating
) -> None:
    """No product and no sum overflows."""
    most = fmpq(0)
    for (a, b), pair, _ in _cells(table, planes):
        rises = (abs(level) + abs(p) * a + abs(q) * b for level, p, q in pair)
        most = max(most, a * b, *rises)
    far = max(abs(v) for knots in (table.x, table.y) for v in (knots[0], knots[-1]))
    if 4 * max(most, far) > form.largest:
        raise HypothesisError(
            f"a number in the code is too large for {form.name}; "
            "rescale the inputs or the function"
        )


def _rounded(plane: Plane, form: Floating) -> Plane:
    level, across, up = map(form.rounded, plane)
    return level, across, up


def _cells(
    table: TriangleTable, planes: tuple[tuple[Plane, Plane], ...]
) -> Iterator[tuple[Corner, tuple[Plane, Plane], bool]]:
    """Of every cell its two sides, its planes, and how it is cut."""
    widths, heights = ([b - a for a, b in pairwise(v)] for v in (table.x, table.y))
    rising = [up for row in table.rising for up in row]
    return zip(product(widths, heights), planes, rising, strict=True)


def _of_planes(table: TriangleTable, planes: tuple[tuple[Plane, Plane], ...]) -> fmpq:
    """How far the rounded planes are from the target, each on its own triangle."""
    places, values = list[Corner](), list[fmpq]()
    grid = list(product(table.x, table.y))
    flat = [plane for pair in planes for plane in pair]
    rows = len(table.y) - 1
    for number, (corners, plane) in enumerate(zip(table.triangles, flat, strict=True)):
        i, j = divmod(number // 2, rows)
        for x, y in (grid[k] for k in corners):
            places.append((x, y))
            values.append(_at(plane, x - table.x[i], y - table.y[j]))
    errors = simplex_errors(
        table.target.as_formula(),
        places,
        values,
        [range(k, k + 3) for k in range(0, len(places), 3)],
        enough=table.error.upper,
        seconds=min(SECONDS, seconds_left()),
    )
    if errors is None:
        raise HypothesisError(
            "the error of the code could not be bounded in time; give more --seconds"
        )
    return max(error.upper for error in errors)


def _at(plane: Plane, right: fmpq, up: fmpq) -> fmpq:
    return plane[0] + plane[1] * right + plane[2] * up


def _of_operations(plane: Plane, a: fmpq, b: fmpq, form: Floating) -> fmpq:
    """Of two differences, two products and two sums: |fl(v) - v| <= u |v| + tiny."""
    u, tiny = form.unit, form.tiny
    products = [abs(s) * side for s, side in zip(plane[1:], (a, b), strict=True)]
    off = sum(((2 * u + u * u) * p + tiny for p in products), fmpq(0))
    rise = sum(products, fmpq(0)) + off
    off += rise * u + tiny
    return off + (abs(plane[0]) + rise * (1 + u) + tiny) * u + tiny


def _across(
    pair: tuple[Plane, Plane], a: fmpq, b: fmpq, is_rising: bool, form: Floating
) -> fmpq:
    """Where the wrong plane is taken, by how much it is off the right one.

    That happens where V = dy a - dx b (or dx b + dy a - a b) is within a few roundings
    of 0; a step of |V| / b along x, or of |V| / a along y, leads to the diagonal within
    the cell.
    """
    (p0, p1, p2), (q0, q1, q2) = pair
    apart = (p0 - q0, p1 - q1, p2 - q2)
    ends = [(0, 0), (a, b)] if is_rising else [(a, 0), (0, b)]
    on_diagonal = max(abs(_at(apart, fmpq(x), fmpq(y))) for x, y in ends)
    v = WRONG_SIDE * form.unit * a * b + 4 * form.tiny
    return on_diagonal + max(abs(apart[1]) * v / b, abs(apart[2]) * v / a)
