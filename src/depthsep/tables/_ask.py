"""The fewest straight pieces of a function: what is asked, in plain arguments."""

from importlib import import_module

from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.exact import Fixed, rational
from depthsep.laws import Segment, Uniform
from depthsep.tables._jumps import parts_beside_jumps, table_beside_jumps
from depthsep.tables._means import mean_table_of, mean_table_within
from depthsep.tables._pieces import MOST_PIECES, table_of, table_within
from depthsep.tables._room import Room
from depthsep.tables._table import PieceTable
from depthsep.tables.plans import (
    AbstractPlan,
    DyadicCells,
    EqualCells,
    FixedCells,
    FixedPoint,
    FreeKnots,
    GridKnots,
    OnCurve,
    PowerSlopes,
)
from depthsep.targets import (
    AbstractLineTarget,
    AbstractTarget,
    PointSet,
    target_from_text,
)

POWERS = ("slopes", "cells")


def pieces(
    target: AbstractTarget | str,
    on: Segment | tuple[object, object] | None = None,
    *,
    accuracy: object = None,
    count: int | None = None,
    norm: str = "linf",
    side: str = "both",
    relative: bool = False,
    jumps: bool = False,
    interpolate: bool = False,
    knots_on: object = None,
    uniform: bool = False,
    power_of_two: str | None = None,
    fixed: tuple[int, int] | None = None,
) -> PieceTable:
    """The fewest straight pieces within an error of a function, proved to be fewest.

    Args:
        target: a function of one variable, or its text: a formula such as
            ``"sigmoid(x)"``, ``"square"``, ``"data:curve.csv"`` (the broken line
            through points), ``"points:curve.csv"`` (errors count at the points alone),
            ``"band:curve.csv"`` (rows x, lo, hi; an accuracy of 0 if none).
        on: the interval; the target's own if none.
        accuracy: the largest error that is allowed; or ...
        count: ... so many pieces, with the least error.
        norm: linf; l1 (the mean error) and l2 (the root mean square) are for continuous
            tables with free knots, and at points, which may have weights, for those
            that jump, too.
        side: "above" for tables that are never below the target, "below", or "both".
        relative: count the error as a share of the target's size.
        jumps: pieces need not meet.
        interpolate: values at knots are the target's, to a thousandth of the error.
        knots_on: knots are multiples of this step, beside both ends.
        uniform: pieces of equal length.
        power_of_two: "slopes": 0, 2^k or -2^k, each piece with its own level; "cells":
            halves of halves of the interval, with `uniform` 2^k equal ones.
        fixed: bits of fixed point, and how many of them are behind the point: knots,
            levels and slopes fit into it, and half a unit is left for rounding; with
            `uniform` cells have 2^k units, so that bits of x say which one it is.

    Returns:
        The table: pieces with short numbers, the enclosed error of each, and a number
        of pieces that every such table has at least.

    Raises:
        HypothesisError: options that exclude each other, a target of several variables
            or one that jumps or is not finite, a relative error of a function with
            zeros.
        TooLargeError: more than 20,000 pieces.
    """
    function = line_or_points(target)
    where = _interval(function, on)
    form = None if fixed is None else Fixed(*fixed)
    if form is not None:  # inputs are numbers of the format
        where = Segment(form.above(where.start), form.below(where.stop))
    plan, kind = plan_of(
        jumps=jumps,
        interpolate=interpolate,
        knots_on=knots_on,
        uniform=uniform,
        power_of_two=power_of_two,
        fixed=form,
    )
    room = Room(function, where, side, relative)
    if accuracy is None and count is None and isinstance(function, PointSet):
        accuracy = 0 if function.is_band else None
    if (accuracy is None) == (count is None):
        raise HypothesisError("give either an accuracy or a number of pieces")
    if norm == "linf" and isinstance(function, PointSet) and function.is_weighted:
        raise HypothesisError(
            "the points have weights, which apply to mean errors only; "
            "give --norm l1 or l2, or a file without weights"
        )
    if norm != "linf":
        return _in_the_mean(room, plan, norm, accuracy, count)
    if accuracy is not None:
        error = rational(accuracy, name="the accuracy")
        if plan == FreeKnots(jumps=True) and isinstance(function, AbstractLineTarget):
            parts = parts_beside_jumps(function, where)
            if parts != [(function, where)]:
                return table_beside_jumps(parts, room, kind, error)
        return table_within(room, plan, kind, error)
    assert count is not None
    return table_of(room, plan, kind, count)


def _in_the_mean(
    room: Room, plan: AbstractPlan, norm: str, accuracy: object, count: int | None
) -> PieceTable:
    if norm not in ("l1", "l2"):
        raise HypothesisError(f"unknown norm {norm!r}; use linf, l1 or l2")
    target = room.target
    absolute = room.side == "both" and not room.relative
    if not isinstance(plan, FreeKnots) or not absolute:
        raise HypothesisError(
            f"--norm {norm} is only for tables with free knots and for absolute "
            "errors on both sides; leave out the options that say otherwise"
        )
    error = None if count is not None else rational(accuracy, name="the accuracy")
    if isinstance(target, PointSet):  # loaded when it is asked for
        fits = import_module("depthsep.tables.fits")
        return fits.point_table(target, norm, plan.jumps, error, count)
    if plan.jumps:
        raise HypothesisError(
            f"with --norm {norm}, tables of functions are always "
            "continuous; leave out --jumps"
        )
    if error is None:
        assert count is not None
        return mean_table_of(target, room.on, norm, count)
    return mean_table_within(target, room.on, norm, error)


def runs_of_points(points: PointSet, norm: str, error: fmpq) -> int:
    """Runs of points, one line each, that every function within an error has at least.

    Any function whose pieces are affine cuts the points into runs; it may jump, and be
    as steep as it likes between points.
    """
    if norm == "linf":
        room = Room(points, points.whole).finer()
        return FreeKnots(jumps=True).needed(room, error, MOST_PIECES)
    fits = import_module("depthsep.tables.fits")  # loaded when it is asked for
    return fits.runs_needed(points, norm, error)


def line_or_points(target: AbstractTarget | str) -> AbstractLineTarget | PointSet:
    """A target of one variable, or points."""
    if isinstance(target, str):
        target = target_from_text(target)
    if not isinstance(target, AbstractLineTarget | PointSet):
        raise HypothesisError(
            f"the number of variables of {target} is {target.in_dim}; tables of "
            "pieces are only for functions of one variable on an interval, and tables "
            "of triangles only for functions of two variables on a box"
        )
    return target


def _interval(
    target: AbstractLineTarget | PointSet, on: Segment | tuple[object, object] | None
) -> Segment:
    if isinstance(target, PointSet):
        if on is not None:
            raise HypothesisError(
                "a table for points covers all of them; leave out the interval"
            )
        return target.whole
    found = on if isinstance(on, Segment) else None if on is None else Segment(*on)
    if found is None:
        found = target.default_law().interval
    target.check_law(Uniform(found.start, found.stop))
    target.check_defined([found])
    return found


def plan_of(
    *,
    jumps: bool,
    interpolate: bool,
    knots_on: object,
    uniform: bool,
    power_of_two: str | None,
    fixed: Fixed | None,
) -> tuple[AbstractPlan, str]:
    """The kind of tables that options mean, and its name in words.

    Raises:
        HypothesisError: options that exclude each other.
    """
    if power_of_two not in (None, *POWERS):
        raise HypothesisError(
            f"--power-of-two is {power_of_two!r}; give --power-of-two "
            "slopes or --power-of-two cells"
        )
    chosen = [
        name
        for name, is_given in (
            ("--interpolate", interpolate),
            ("--knots-on", knots_on is not None),
            ("--uniform", uniform and power_of_two != "cells" and fixed is None),
            ("--power-of-two", power_of_two is not None),
            ("--arithmetic fixed", fixed is not None),
        )
        if is_given
    ]
    if len(chosen) > 1:
        raise HypothesisError(f"give {chosen[0]} or {chosen[1]}, not both")
    if interpolate and jumps:
        raise HypothesisError(
            "--interpolate and --jumps exclude each other, as tables that "
            "interpolate are continuous; leave out --jumps"
        )
    what = "table with jumps" if jumps else "continuous table"
    if fixed is not None and uniform:
        cells = FixedCells(fixed.unit, fixed.slope_bits)
        return cells, (
            "table with jumps and with cells of one length (2^k times the smallest "
            "step of the fixed-point format, k a whole number)"
        )
    if fixed is not None:
        return FixedPoint(fixed.unit, fixed.slope_bits), "table with jumps"
    if interpolate:
        return OnCurve(), "table with knots on the curve"
    if knots_on is not None:
        step = rational(knots_on, name="the step of knots")
        return GridKnots(step, jumps), f"{what} with knots at multiples of {step}"
    if power_of_two == "slopes":
        return PowerSlopes(), "table with slopes 0, 2^k and -2^k (k any integer)"
    if uniform:
        cells = EqualCells(jumps, power_of_two == "cells")
        number = " (their number is a power of two)" if cells.power_of_two else ""
        return cells, f"{what} of equal cells{number}"
    if power_of_two == "cells":
        return DyadicCells(
            jumps
        ), f"{what} with cells made by repeated halving of the interval"
    return FreeKnots(jumps), what
