"""The fewest triangles of a grid, and how few no triangulation can have."""

from contextlib import suppress
from dataclasses import replace
from itertools import pairwise

import numpy as np
from flint import fmpq

from depthsep._deadline import seconds_left
from depthsep._errors import HypothesisError, TooLargeError
from depthsep._plural import plural
from depthsep.analysis import simplex_errors
from depthsep.approximation import pieces_needed
from depthsep.evidence import Enclosure
from depthsep.exact import (
    decimal,
    halved,
    nearest_float,
    plain,
    rational,
    shortest_between,
)
from depthsep.laws import Box, ProductLaw, Segment, Uniform
from depthsep.lower_bounds import best_line, triangles_needed
from depthsep.surfaces._grid import MOST_CELLS, Draft, Grids
from depthsep.surfaces._table import TriangleTable, triangles_of_grid
from depthsep.targets import AbstractBoxTarget, AbstractTarget, target_from_text

MARGINS = (0.005, 0.02, 0.06, 0.15, 0.4)  # of the error, left for what samples miss
SHORT = fmpq(1, 1000)  # of the error: by so much values are rounded
PLACE = fmpq(1, 200)  # of a cell: by so much knots are
SECONDS = 120.0
HALVINGS = 14


def triangles(
    target: AbstractTarget | str,
    on: Box | Segment | tuple[object, object] | None = None,
    *,
    accuracy: object = None,
    count: int | None = None,
    uniform: bool = False,
) -> TriangleTable:
    """A grid of triangles within an error of a function of two variables: a table.

    Args:
        target: a function of x1 and x2, or its text, such as ``"x1*x2"``.
        on: its box, such as ``((0, 1), (0, 2))``, or one interval for both; the
            target's own if none.
        accuracy: the largest error that is allowed, in linf; or ...
        count: ... at most so many triangles, with the least error.
        uniform: cells of equal size; else they are closer where the target bends more.

    Returns:
        The table, with short numbers, the enclosed error of each triangle, and a number
        that every triangulation has at least (Theorem W).

    Raises:
        HypothesisError: a target of another number of variables, an error that is not
            positive, no table that is proved to be near enough.
        TooLargeError: more than 5,000 cells.
    """
    if isinstance(target, str):
        target = target_from_text(target)
    if (accuracy is None) == (count is None):
        raise HypothesisError("give either an accuracy or a number of triangles")
    surface, box = surface_on(target, _box_of(on))
    if count is not None:
        return _of_count(surface, box, count, uniform)
    return _within(surface, box, rational(accuracy, name="the accuracy"), uniform)


def _box_of(on: Box | Segment | tuple[object, object] | None) -> Box | None:
    """A box, one interval for both inputs, or two ends of each."""
    if on is None or isinstance(on, Box):
        return on
    if isinstance(on, Segment):
        return Box([on, on])
    pair = on if isinstance(on, tuple) and isinstance(on[0], tuple) else (on, on)
    sides = [side for side in pair if isinstance(side, tuple) and len(side) == 2]
    if len(sides) != 2:
        raise HypothesisError(
            f"`on` is {on!r}; give two ends, such as (0, 1), or two ends for each input"
        )
    return Box([Segment(*side) for side in sides])


def surface_on(
    target: AbstractTarget, box: Box | None
) -> tuple[AbstractBoxTarget, Box]:
    """A target of two variables, and its box.

    Raises:
        HypothesisError: of another number, or it is not defined there.
    """
    if not isinstance(target, AbstractBoxTarget) or target.in_dim != 2:
        raise HypothesisError(
            f"{target} has {plural(target.in_dim, 'variable')}; tables "
            "of triangles need a function of two variables on a box"
        )
    box = target.default_law().box if box is None else box
    law = ProductLaw([Uniform(side.start, side.stop) for side in box.sides])
    target.check_law(law)
    target.check_range(law, fmpq(1))
    target.check_defined(box.sides)
    return target, box


def _within(
    target: AbstractBoxTarget, box: Box, accuracy: fmpq, uniform: bool
) -> TriangleTable:
    if accuracy <= 0:
        raise HypothesisError(f"the accuracy is {accuracy}; it must be positive")
    best: fmpq | None = None
    for margin in MARGINS:
        draft = _fewest(target, box, nearest_float(accuracy) * (1 - margin), uniform)
        if draft is None:
            break
        found = _proved(target, box, draft, accuracy)
        if found.error.upper <= accuracy:
            return replace(found, needed=_needed(target, box, accuracy))
        best = found.error.upper
    if best is not None:
        off = plain(decimal(best, 4, upward=True))
        raise HypothesisError(
            "the error of the best table found is only proved to be at "
            f"most {off}; give a larger error"
        )
    raise TooLargeError(
        f"no grid of up to {MOST_CELLS} cells with an error of at most {accuracy} was "
        "found; give a larger error, or a target that does not jump"
    )


def _of_count(
    target: AbstractBoxTarget, box: Box, count: int, uniform: bool
) -> TriangleTable:
    if type(count) is not int or not 2 <= count <= 2 * MOST_CELLS:
        raise HypothesisError(
            f"the number of triangles is {count}; give 2 to {2 * MOST_CELLS}"
        )
    low, draft = 0.0, _grids(target, box, uniform).draft(1, 1)
    high = draft.off
    for _ in range(HALVINGS):
        middle = (low + high) / 2
        found = _fewest(target, box, middle, uniform)
        if found is not None and 2 * found.cells <= count:
            high, draft = middle, found
        else:
            low = middle
    allowed = rational(max(draft.off, 1e-300)) * (1 + 4 * SHORT)
    table = _proved(target, box, draft, allowed)
    reached = table.error.upper
    least, _ = halved(
        lambda e: _needed(target, box, e) > count, fmpq(0), reached, HALVINGS
    )
    return replace(
        table,
        needed=_needed(target, box, reached),
        asked=count,
        least_error=least,
        accuracy=reached,
    )


def _grids(target: AbstractBoxTarget, box: Box, uniform: bool) -> Grids:
    ends = [(nearest_float(s.start), nearest_float(s.stop)) for s in box.sides]
    return Grids(target.floats, ends[0], ends[1], uniform)


def _fewest(
    target: AbstractBoxTarget, box: Box, error: float, uniform: bool
) -> Draft | None:
    """Of equal cells, and, unless these are asked for, of cells that follow bends."""
    kinds = (True,) if uniform else (True, False)
    drafts = [_grids(target, box, kind).fewest(error) for kind in kinds]
    found = [draft for draft in drafts if draft is not None]
    return min(found, key=lambda draft: draft.cells, default=None)


def _needed(target: AbstractBoxTarget, box: Box, accuracy: fmpq) -> int:
    """By areas, and by a line, which meets every triangle once."""
    found = triangles_needed(target.as_formula(), box, accuracy)
    best = best_line(target, box)
    line = target.on_line(best.start, best.stop)
    with suppress(TooLargeError):  # a bound that takes too long is left out
        found = max(found, pieces_needed(line, Segment(0, 1), accuracy).lower)
    return found


def _proved(
    target: AbstractBoxTarget, box: Box, draft: Draft, accuracy: fmpq
) -> TriangleTable:
    """With short numbers; the errors derived from these and the target alone."""
    x, y = (
        _short_knots(knots.tolist(), side)
        for knots, side in zip((draft.x, draft.y), box.sides, strict=True)
    )
    moved = [[nearest_float(v) for v in knots] for knots in (x, y)]
    draft = _grids(target, box, True).on(*map(np.array, moved))
    room = accuracy * SHORT
    values = tuple(
        tuple(shortest_between(v - room, v + room) for v in map(rational, row))
        for row in draft.values.tolist()
    )
    rising = tuple(tuple(row) for row in draft.rising.tolist())
    errors = errors_of_grid(target, (x, y), values, rising, accuracy)
    worst = max(errors, key=lambda e: e.upper)
    return TriangleTable(target, box, x, y, values, rising, errors, 0, accuracy, worst)


def errors_of_grid(
    target: AbstractBoxTarget,
    knots: tuple[tuple[fmpq, ...], tuple[fmpq, ...]],
    values: tuple[tuple[fmpq, ...], ...],
    rising: tuple[tuple[bool, ...], ...],
    accuracy: fmpq,
) -> tuple[Enclosure, ...]:
    """Of every triangle, enclosed; they are split until the accuracy is decided.

    Raises:
        HypothesisError: no bound was found in time.
    """
    errors = simplex_errors(
        target.as_formula(),
        [(a, b) for a in knots[0] for b in knots[1]],
        [v for row in values for v in row],
        triangles_of_grid(rising),
        enough=accuracy,
        seconds=min(SECONDS, seconds_left()),
    )
    if errors is None:
        raise HypothesisError(
            "the triangles were not examined in time; give a larger error, or more "
            "--seconds"
        )
    return tuple(errors)


def _short_knots(knots: list[float], side: Segment) -> tuple[fmpq, ...]:
    inner = []
    places = [rational(v) for v in knots]
    for before, x, after in zip(places, places[1:], places[2:], strict=False):
        room = min(x - before, after - x) * PLACE
        inner.append(shortest_between(x - room, x + room))
    found = (side.start, *inner, side.stop)
    assert all(a < b for a, b in pairwise(found)), "knots are cells apart"
    return found
