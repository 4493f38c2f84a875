"""A table in the numbers of a format: one bound for all that it is off by."""

from dataclasses import dataclass
from itertools import pairwise

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.evidence import Rigour
from depthsep.exact import Fixed, Floating, Format, decimal, rational
from depthsep.tables import Errors, Piece, PieceTable

DIGITS = 12  # of a bound, rounded up


@dataclass(frozen=True)
class Row:
    """From `start` on: level + slope (x - start); numbers of the format, exactly."""

    start: fmpq
    level: fmpq
    slope: fmpq


@dataclass(frozen=True, eq=False)
class CodedTable:
    """What code computes, for every number of the format in the interval.

    `level + slope * (x - start)`, in this order, each operation rounded to nearest (or
    multiplied and added at once); in fixed point the product is rounded once, half up.

    Attributes:
        table: of which it is a copy.
        format: of x, of the result and of all numbers in between.
        rows: from left to right.
        stop: the end of the last one.
        shift: in fixed point, how many bits slopes have behind the point.
        error: of the copy, of its numbers and of all operations together: proved.
    """

    table: PieceTable
    format: Format
    rows: tuple[Row, ...]
    stop: fmpq
    shift: int
    error: fmpq

    @property
    def ends(self) -> list[fmpq]:
        """Starts of the rows, and the last stop."""
        return [*(row.start for row in self.rows), self.stop]

    def address_bits(self, form: Fixed) -> int | None:
        """k where rows are 2^k units apart: x - start, shifted by it, is the row."""
        starts = [start for start, _, _ in self.whole_rows(form)]
        steps = {b - a for a, b in pairwise(starts)}
        step = steps.pop() if len(steps) == 1 else 0
        is_power = step > 0 and step & (step - 1) == 0
        last = int(self.stop / form.unit) - starts[-1]
        return step.bit_length() - 1 if is_power and last <= step else None

    def whole_rows(self, form: Fixed) -> list[tuple[int, int, int]]:
        """Start, level and slope of every row, in units of fixed point."""
        return [
            (
                int(row.start / form.unit),
                int(row.level / form.unit),
                int(row.slope * (1 << self.shift)),
            )
            for row in self.rows
        ]


def coded(table: PieceTable, form: Format) -> CodedTable:
    """The table's numbers rounded to a format, and what that costs: proved.

    Raises:
        HypothesisError: a table in l1 or l2 or of relative errors, numbers beyond the
            format, or knots that fall together in it.
    """
    if table.norm != "linf" or table.room.relative:
        raise HypothesisError(
            "code is written for absolute linf errors only; tables "
            "with relative or mean errors can be written as data or "
            "models: csv, pgf, lp, pyomo, gurobi, jump"
        )
    if isinstance(form, Floating):
        return _in_floating(table, form)
    return _in_fixed(table, form)


def _in_floating(table: PieceTable, form: Floating) -> CodedTable:
    rows = [
        Row(form.rounded(p.start), form.rounded(p.left), form.rounded(p.slope))
        for p in table.pieces
    ]
    first, stop = form.above(table.room.on.start), form.below(table.room.on.stop)
    rows[0] = _moved(rows[0], first, form)
    rounding = fmpq(0)
    _check_range(rows, stop, form)
    for row, end in zip(rows, [*(r.start for r in rows[1:]), stop], strict=True):
        rounding = max(rounding, _of_operations(row, end - row.start, form))
    return _measured(table, form, rows, stop, 0, rounding)


def _check_range(rows: list[Row], stop: fmpq, form: Floating) -> None:
    """No number and no sum overflows."""
    span = stop - rows[0].start
    for row in rows:
        most = abs(row.level) + abs(row.slope) * span + abs(row.start) + abs(row.slope)
        if 2 * most > form.largest:
            raise HypothesisError(
                "a value, a slope or a knot of the table is too large for "
                f"{form.name}; rescale the function"
            )


def _moved(row: Row, start: fmpq, form: Floating) -> Row:
    """The first row from the first number of the format that lies in the interval."""
    return Row(
        start, form.rounded(row.level + row.slope * (start - row.start)), row.slope
    )


def _of_operations(row: Row, length: fmpq, form: Floating) -> fmpq:
    """Of x - start, of the product, and of the sum: |fl(v) - v| <= u |v| + tiny."""
    u, tiny = form.unit, form.tiny
    step, rise = length * u, abs(row.slope) * length * (1 + u)
    product = abs(row.slope) * step + rise * u + tiny
    return product + (abs(row.level) + rise + product) * u + tiny


def _in_fixed(table: PieceTable, form: Fixed) -> CodedTable:
    inner = [form.whole(p.start) * form.unit for p in table.pieces[1:]]
    starts = [form.whole(form.above(table.room.on.start)) * form.unit, *inner]
    # the end itself may be one beyond the largest number: it is then no input
    last = form.below(table.room.on.stop)
    stop = min(last, (form.most + 1) * form.unit)
    steepest = max(abs(p.slope) for p in table.pieces)
    shift = _shift(steepest, form.slope_bits)
    unit = fmpq(1, 1 << shift)
    rows = []
    for start, piece in zip(starts, table.pieces, strict=True):
        level = form.whole(piece.at(start)) * form.unit
        slope = (piece.slope / unit + fmpq(1, 2)).floor() * unit
        rows.append(Row(start, level, slope))
    found = _measured(table, form, rows, stop, shift, form.unit / 2)
    for row, end in zip(rows, found.ends[1:], strict=True):
        form.whole(row.level + row.slope * (end - row.start))
    return found


def _shift(steepest: fmpq, bits: int) -> int:
    """The most bits behind the point with which slopes have at most so many."""
    shift = 0
    while shift < bits and steepest * (2 << shift) < (1 << bits):
        shift += 1
    if steepest * (1 << shift) >= (1 << bits):
        raise HypothesisError(
            "a slope of the table is too large for this fixed-point "
            "format; rescale the function, or give double or float32"
        )
    return shift


def _measured(
    table: PieceTable,
    form: Format,
    rows: list[Row],
    stop: fmpq,
    shift: int,
    rounding: fmpq,
) -> CodedTable:
    """The rounded lines against the target, on both sides of it; and operations."""
    ends = [*(row.start for row in rows), stop]
    if any(a >= b for a, b in pairwise(ends)):
        raise HypothesisError(
            f"knots coincide when rounded to {form.name}; choose a "
            "finer format or fewer pieces"
        )
    errors = Errors(table.room.target, "both", relative=False)
    worst = fmpq(0)
    for row, end in zip(rows, ends[1:], strict=True):
        rise = row.slope * (end - row.start)
        line = Piece(row.start, end, row.level, row.level + rise)
        off = errors.of(line, max(table.accuracy - rounding, table.accuracy / 2))
        assert off.rigour in (Rigour.EXACT, Rigour.ENCLOSED)
        worst = max(worst, off.upper)
    near = decimal(worst + rounding, DIGITS, upward=True)
    error = rational(near)
    return CodedTable(table, form, tuple(rows), stop, shift, error)
