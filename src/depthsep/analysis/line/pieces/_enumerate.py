"""Enumerate a network along a line: knots and values, in float64 or exactly.

The state is a table of homogeneous rows ``[q, t, z_1, ..., z_m]`` (see `_ramps`): the
point t/q and the preactivations z_i/q of the next hidden layer there. Between
consecutive rows all z_i are affine, so a unit changes sign at most once, where the
positive combination |z1| row0 + |z0| row1 vanishes; the unit's entry there is 0 by
construction. A row with q = 0 is the end of a ray and needs no other treatment.
"""

from dataclasses import dataclass

import numpy as np
from flint import fmpq

from depthsep._deadline import check_time
from depthsep._errors import HypothesisError, TooLargeError
from depthsep.analysis.line.pieces._sums_of_ramps import Rows, affine_rows, sum_of_ramps
from depthsep.analysis.line.pieces._threshold import one_layer_of_steps, threshold_rows
from depthsep.exact import PiecewiseAffine, magnitude, narrow, rational, wide
from depthsep.networks import (
    RELU,
    THRESHOLD,
    Affine,
    Network,
    SkipNetwork,
    as_relu,
    layered,
    restrict,
    single_output,
)

MAX_PIECES = 1 << 22
MAX_ENTRIES = 1 << 26
MAX_EXACT_ENTRIES = 1 << 22
MAX_EXACT_CROSSINGS = 1 << 24  # entries of rows that are made and merged at once
MAX_BITS = 1 << 18
Ends = tuple[fmpq | None, fmpq | None]


def on_interval(
    network: Network | SkipNetwork,
    start: object = None,
    stop: object = None,
    *,
    exact: bool = True,
    output: int = 0,
    max_pieces: int = MAX_PIECES,
) -> PiecewiseAffine:
    """The network as a piecewise-affine function of its one input.

    Args:
        network: one input; ReLU, leaky ReLU, |z| or threshold units.
        start: of the interval; None means that it begins at minus infinity.
        stop: likewise, at infinity.
        exact: rational arithmetic (rigour `exact`); else float64 (`sampled`).
        output: which output to follow.
        max_pieces: give up beyond so many pieces.

    Returns:
        The function, simplified: knots only where something happens, and the ends.
        In exact mode units that vanish together on one knot are merged exactly.

    Raises:
        HypothesisError: more than one input, or a reversed interval.
        TooLargeError: more than `max_pieces` pieces on the way.
    """
    network = layered(network)
    if network.in_dim != 1:
        raise HypothesisError(
            f"the network has {network.in_dim} inputs; restrict it to a line first"
        )
    ends = _ends(start, stop)
    chosen = as_relu(single_output(network, output))
    start, stop = ends
    steps = [a is THRESHOLD for a in chosen.activations] == [True]
    if exact and steps and start is not None and stop is not None:
        if chosen.units > max_pieces:
            raise TooLargeError(
                f"the network has {chosen.units} threshold units, too many to enumerate"
            )
        return one_layer_of_steps(chosen, start, stop).simplified()
    rows, jumps = _enumerate(chosen, ends, exact, max_pieces)
    return _function(rows, jumps, ends).simplified()


def on_line(
    network: Network,
    first: object,
    second: object,
    *,
    whole: bool = False,
    exact: bool = True,
    output: int = 0,
) -> PiecewiseAffine:
    """The network on the segment from `first` (t = 0) to `second` (t = 1) in R^d.

    `whole` follows the line through both points over all of R instead.
    """
    a = [rational(x, name="a coordinate") for x in first]  # type: ignore[union-attr]
    b = [rational(x, name="a coordinate") for x in second]  # type: ignore[union-attr]
    if len(a) != len(b) or all(x == y for x, y in zip(a, b, strict=True)):
        raise HypothesisError(
            "a line needs two different points with equally many coordinates"
        )
    direction = [y - x for x, y in zip(a, b, strict=True)]
    ends = (None, None) if whole else (0, 1)
    restricted = restrict(network, a, direction)
    return on_interval(restricted, *ends, exact=exact, output=output)


def sign_changes(
    network: Network, start: object, stop: object
) -> list[tuple[fmpq, fmpq]]:
    """Both ends and, between them, where some unit changes its sign: exact.

    Returns:
        The places, in order, each with the output there.

    Raises:
        HypothesisError, TooLargeError: as `on_interval`.
    """
    rows, _ = _enumerate(as_relu(network), _ends(start, stop), True, MAX_PIECES)
    return sorted(
        {fmpq(int(t), int(q)): fmpq(int(y), int(q)) for q, t, y in rows}.items()
    )


def _ends(start: object, stop: object) -> Ends:
    a = None if start is None else rational(start, name="the start")
    b = None if stop is None else rational(stop, name="the stop")
    if a is not None and b is not None and a >= b:
        raise HypothesisError(
            f"the interval [{a}, {b}] is empty or a single point; give start < stop"
        )
    return a, b


@dataclass(frozen=True)
class _Table:
    """Rows, and for each gap between consecutive rows whether it is a jump."""

    rows: Rows
    jumps: np.ndarray


def _enumerate(
    network: Network, ends: Ends, exact: bool, max_pieces: int
) -> tuple[Rows, np.ndarray]:
    layers = [_numbers(layer, exact) for layer in network.layers]
    w, b, s = layers[0]
    if len(layers) > 1 and network.activations[0] is RELU:
        w2, b2, s2 = layers[1]
        if len(b) * len(b2) > (MAX_EXACT_ENTRIES if exact else MAX_ENTRIES):
            raise TooLargeError(
                f"layers of {len(b)} and {len(b2)} units are too large "
                "for the pieces to be enumerated"
            )
        # relu(w t + b) with integers over s, then the next map over s2: over s * s2
        constants = b2 * s if s < 1 << 31 else b2.astype(object) * s
        rows = _scale_points(sum_of_ramps(w[:, 0], b, w2, constants, ends), s * s2)
        rest = list(zip(network.activations[1:], layers[2:], strict=True))
    else:
        rows = affine_rows(_starting_rows(ends, exact), w, b, s)
        rest = list(zip(network.activations, layers[1:], strict=True))
    table = _Table(_normalised(rows), np.zeros(len(rows) - 1, dtype=bool))
    for activation, (w, b, s) in rest:
        check_time()
        _check_size(table.rows, len(b))
        table = _with_sign_changes(table, max_pieces)
        if activation is THRESHOLD:
            table = _Table(*threshold_rows(table.rows, table.jumps))
        elif activation is RELU:
            table.rows[:, 2:] = np.maximum(table.rows[:, 2:], 0)
        else:
            raise HypothesisError(f"{activation.name} units are not piecewise affine")
        table = _Table(_normalised(affine_rows(table.rows, w, b, s)), table.jumps)
    return table.rows, table.jumps


def _check_size(rows: Rows, units: int) -> None:
    """The table of pieces times units has to fit into memory, its numbers too."""
    if rows.dtype == object and magnitude(rows).bit_length() > MAX_BITS:
        raise TooLargeError(
            f"an exact number has more than {MAX_BITS} bits, so the "
            "pieces cannot be enumerated"
        )
    entries = len(rows) * max(rows.shape[1], units)
    if entries > (MAX_EXACT_ENTRIES if rows.dtype == object else MAX_ENTRIES):
        raise TooLargeError(
            f"{len(rows) - 1} pieces in layers of up to "
            f"{max(rows.shape[1] - 2, units)} units are too many to enumerate"
        )


def _numbers(layer: Affine, exact: bool) -> tuple[np.ndarray, np.ndarray, int]:
    return layer.integers if exact else (*layer.as_floats, 1)


def _scale_points(rows: Rows, factor: int) -> Rows:
    if rows.dtype == np.float64 or factor == 1:
        return rows
    points, by = wide(rows[:, :2], np.array([factor], dtype=object), terms=1)
    return np.concatenate([points * by, rows[:, 2:].astype(object)], axis=1)


def _starting_rows(ends: Ends, exact: bool) -> Rows:
    """Rows for the identity t -> t: the ends, and 0 between two infinite ends."""
    rows = []
    for end, direction in zip(ends, (-1, 1), strict=True):
        if end is None:
            rows.append([0, direction, direction])
        else:
            rows.append([int(end.q), int(end.p), int(end.p)])
    if ends == (None, None):
        rows.insert(1, [1, 0, 0])
    if exact:
        return narrow(np.array(rows, dtype=object))
    table = np.array([[float(x) for x in row] for row in rows])
    return _normalised(table)


def _normalised(rows: Rows) -> Rows:
    """Exact rows without common factors; float rows with q = 1 (or 0 on a ray)."""
    if rows.dtype == np.float64:
        q = rows[:, :1]
        if not bool(np.all((q == 1) | (q == 0))):
            rows = rows / np.where(q > 0, q, 1.0)
        return rows
    common = np.gcd.reduce(rows, axis=1)
    if bool(np.any(common > 1)):
        rows = rows // np.maximum(common, 1)[:, None]
    return narrow(rows)


def _with_sign_changes(table: _Table, max_pieces: int) -> _Table:
    """Insert a row wherever a unit changes sign strictly inside a gap."""
    rows, z = table.rows, table.rows[:, 2:]
    below, above = z < 0, z > 0
    opposite = (below[:-1] & above[1:]) | (above[:-1] & below[1:])
    if table.jumps.any():
        opposite &= ~table.jumps[:, None]
    gap, unit = np.nonzero(opposite)
    if len(rows) + len(gap) - 1 > max_pieces:
        raise TooLargeError(
            f"there may be more than {max_pieces} pieces, too many to enumerate"
        )
    if rows.dtype == np.float64:
        gap, unit = _snapped(rows, gap, unit)
    if not len(gap):
        return table
    made = (len(rows) + len(gap)) * rows.shape[1]
    if made > (MAX_EXACT_CROSSINGS if rows.dtype == object else MAX_ENTRIES):
        raise TooLargeError(
            f"units of one layer, of width {rows.shape[1] - 2}, change "
            f"sign {len(gap)} times, too often to enumerate the pieces"
        )
    new = _crossing_rows(rows, gap, unit)
    if not bool(np.all(gap[1:] != gap[:-1])):
        order = _order_in_gaps(gap, new)
        gap, new = gap[order], new[order]
        first = _first_of_equals(gap, new)
        gap, new = gap[first], new[first]
    if new.dtype != rows.dtype:
        rows, new = rows.astype(object), new.astype(object)
    return _Table(
        np.insert(rows, gap + 1, new, axis=0),
        np.insert(table.jumps, gap, False)
        if table.jumps.any()
        else np.zeros(len(rows) + len(new) - 1, dtype=bool),
    )


def _crossing_rows(rows: Rows, gap: np.ndarray, unit: np.ndarray) -> Rows:
    before, after = np.abs(rows[gap, 2 + unit]), np.abs(rows[gap + 1, 2 + unit])
    left, right = rows[gap], rows[gap + 1]
    if rows.dtype == np.float64:
        finite = (left[:, 0] > 0) & (right[:, 0] > 0)
        total = np.where(finite, before + after, 1.0)
        share = (before / total)[:, None]
        new = left + share * (right - left)
        if not finite.all():
            ray = after[:, None] * left + before[:, None] * right
            new = np.where(finite[:, None], new, ray)
    else:
        common = np.gcd(before, after)
        b, a = (before // common)[:, None], (after // common)[:, None]
        both, ends = wide(
            np.concatenate([b, a]), np.concatenate([left, right]), terms=2
        )
        n = len(b)
        new = both[n:] * ends[:n] + both[:n] * ends[n:]
    new[np.arange(len(new)), 2 + unit] = 0
    return _normalised(new)


def _snapped(
    rows: Rows, gap: np.ndarray, unit: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Float64 only: a zero within rounding error of a knot is a zero at that knot.

    On a ray a zero that is too far out comes from a slope that is 0 but for rounding.
    """
    before, after = np.abs(rows[gap, 2 + unit]), np.abs(rows[gap + 1, 2 + unit])
    place = np.maximum(np.abs(rows[gap, 1]), np.abs(rows[gap + 1, 1]))
    length = np.abs(rows[gap + 1, 1] - rows[gap, 1])
    finite = (rows[gap, 0] > 0) & (rows[gap + 1, 0] > 0)
    tiny = np.where(finite, 2.0**-50 * place / np.maximum(length, 1e-300), 0.0)
    share = before / (before + after)
    left_ray, right_ray = rows[gap, 0] == 0, rows[gap + 1, 0] == 0
    far = 2.0**44 * place
    at_left = (share <= tiny) | (left_ray & (after >= far * before))
    at_right = (share >= 1 - tiny) | (right_ray & (before >= far * after))
    rows[gap[at_left], 2 + unit[at_left]] = 0.0
    rows[gap[at_right] + 1, 2 + unit[at_right]] = 0.0
    inside = ~(at_left | at_right)
    return gap[inside], unit[inside]


def _order_in_gaps(gap: np.ndarray, new: Rows) -> np.ndarray:
    """Sort new rows by gap, and inside a gap by place; exactly for exact rows."""
    if new.dtype == np.float64:
        return np.lexsort((new[:, 1], gap))
    places = [fmpq(int(t), int(q)) for q, t in new[:, :2].tolist()]
    order = sorted(range(len(gap)), key=lambda i: (int(gap[i]), places[i]))
    return np.array(order)


def _first_of_equals(gap: np.ndarray, new: Rows) -> np.ndarray:
    """Keep one row of each place; a unit that is 0 in any of them is 0 there."""
    same = (gap[1:] == gap[:-1]) & np.all(new[1:, :2] == new[:-1, :2], axis=1)
    first = np.ones(len(gap), dtype=bool)
    first[1:] = ~same
    if new.dtype == np.float64 and same.any():
        group = np.cumsum(first) - 1
        vanishing = np.zeros((group[-1] + 1, new.shape[1]), dtype=bool)
        np.logical_or.at(vanishing, group, new == 0.0)
        vanishing[:, :2] = False
        new[first] = np.where(vanishing, 0.0, new[first])
    return first


def _function(rows: Rows, jumps: np.ndarray, ends: Ends) -> PiecewiseAffine:
    left = None if ends[0] is not None else _slope(rows[0])
    right = None if ends[1] is not None else _slope(rows[-1])
    inner = rows[int(ends[0] is None) : len(rows) - int(ends[1] is None)]
    # of a jump at an end of the interval, the limit from outside does not belong to it
    if ends[0] is not None and jumps[:2].sum() == 2:
        inner = inner[1:]
    if ends[1] is not None and jumps[-2:].sum() == 2:
        inner = inner[:-1]
    if rows.dtype == np.float64:
        return PiecewiseAffine(inner[:, 1].copy(), inner[:, 2].copy(), left, right)
    table = inner.tolist()
    knots, values = np.empty(len(table), object), np.empty(len(table), object)
    knots[:] = [fmpq(t, q) for q, t, _ in table]
    values[:] = [fmpq(z, q) for q, _, z in table]
    return PiecewiseAffine(knots, values, left, right)


def _slope(row: np.ndarray) -> fmpq | float:
    if row.dtype == np.float64:
        return float(row[2] / row[1])
    return fmpq(int(row[2]), int(row[1]))
