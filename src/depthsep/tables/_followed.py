"""Broken lines around a target: what a tunnel is made of."""

from collections.abc import Callable
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
from flint import fmpq

from depthsep.approximation import linearise
from depthsep.exact import nearest_float, rational, rationals
from depthsep.laws import Segment
from depthsep.targets import AbstractLineTarget, Curve, PointSet, Sawtooth

DENSE = 3000  # points of a curve, up to which all of them are followed
HULL_ROUNDS = 40
MANY = 12_000  # points of hulls, beyond which chords are followed
CHORDS = 16  # times as many blocks then
BLOCKS = 128  # of the others; of each block those stay that a line can touch
FAR = 1 << 10  # slopes between points go up to its square, times height over gap
MOST_TEETH = 20_000
Values = list[fmpq]


@dataclass(frozen=True, eq=False)
class Walls:
    """Two broken lines with common knots."""

    x: Values
    low: Values
    high: Values


@dataclass(frozen=True, eq=False)
class Followed:
    """A target between broken lines.

    Attributes:
        outside: low <= f <= high.
        inside: low >= f, from which floors are hung, and high <= f.
    """

    outside: Walls
    inside: Walls


def followed(
    target: AbstractLineTarget | PointSet, on: Segment, share: fmpq, closer: int = 1
) -> Followed:
    """To so small an error; a long curve by the hulls of its parts.

    Args:
        closer: times as many parts.
    """
    if isinstance(target, PointSet):
        return _by_gates(target, on, BLOCKS * closer, DENSE * closer)
    if isinstance(target, Curve) and len(target.x) > DENSE * closer:
        return _by_hulls(target, on, BLOCKS * closer)
    if isinstance(target, Sawtooth) and (exact := target.piecewise(MOST_TEETH)):
        x, values = exact.knots.tolist(), exact.values.tolist()
        return Followed(Walls(x, values, values), Walls(x, values, values))
    line = linearise(target, on, share)
    x, values, off = line.function.knots.tolist(), line.function.values, line.error
    below, above = (values - off).tolist(), (values + off).tolist()
    return Followed(Walls(x, below, above), Walls(x, above, below))


def joined(parts: list[Followed]) -> Followed:
    """Of parts side by side; where two meet, the walls that keep both sides."""
    if len(parts) == 1:
        return parts[0]
    return Followed(
        _side_by_side([part.outside for part in parts], min, max),
        _side_by_side([part.inside for part in parts], max, min),
    )


def _side_by_side(
    parts: list[Walls],
    lower: Callable[[fmpq, fmpq], fmpq],
    upper: Callable[[fmpq, fmpq], fmpq],
) -> Walls:
    first, *others = parts
    x, low, high = list(first.x), list(first.low), list(first.high)
    for part in others:
        low[-1], high[-1] = lower(low[-1], part.low[0]), upper(high[-1], part.high[0])
        x += part.x[1:]
        low += part.low[1:]
        high += part.high[1:]
    return Walls(x, low, high)


def _by_gates(points: PointSet, on: Segment, blocks: int, dense: int) -> Followed:
    """Gates at the points, and between them room for every slope that is not absurd.

    Of many points those stay, outside, that hulls of blocks have; inside, walls are
    straight between them.
    """
    start, stop = nearest_float(on.start), nearest_float(on.stop)
    inside = (points.x >= start) & (points.x <= stop)
    x, top, bottom = (v[inside] for v in (points.x, points.top, points.bottom))
    if len(x) <= dense:
        gates = _gates(x, top, bottom, np.arange(len(x)))
        return Followed(gates, gates)
    ends = np.unique(np.linspace(0, len(x) - 1, blocks + 1).astype(int))
    tiny = 8 * np.finfo(float).eps * max(np.abs(top).max(), np.abs(bottom).max())
    high, low = _hull_points(x, top, ends), _hull_points(x, -bottom, ends)
    if len(high) + len(low) > MANY:  # they lie on smooth curves
        return _by_few_gates(x, top, bottom, CHORDS * blocks)
    kept = np.unique(
        np.concatenate([k + step for k in (high, low) for step in (-1, 0, 1)])
    )
    kept = kept[(kept >= 0) & (kept < len(x))]
    outside = _gates(x, top, bottom, kept)
    walls = (high, top[high] + tiny), (low, bottom[low] - tiny)
    return Followed(outside, _joined(x, *walls))


def _by_few_gates(
    x: np.ndarray, top: np.ndarray, bottom: np.ndarray, blocks: int
) -> Followed:
    """Gates at the ends of blocks; inside, chords moved by what lies beyond them."""
    ends = np.unique(np.linspace(0, len(x) - 1, blocks + 1).astype(int))
    walls = []
    for sign, values in ((1, top), (-1, bottom)):
        off = sign * (values - np.interp(x, x[ends], values[ends]))
        tiny = 1e-14 * np.abs(values).max()
        most = np.maximum(np.maximum.reduceat(off, ends[:-1]), 0) * (1 + 1e-9) + tiny
        moved = np.maximum(np.append(most, 0), np.append(0, most))
        walls.append(_exact(values[ends] + sign * moved))
    inside = Walls(_exact(x[ends]), *walls)
    return Followed(_gates(x, top, bottom, ends), inside)


def _gates(
    x: np.ndarray, top: np.ndarray, bottom: np.ndarray, kept: np.ndarray
) -> Walls:
    """A window at every point that is kept, and walls far away between them.

    How steep and how far these are is measured by all points, kept or not.
    """
    span = max(
        float(np.ptp(top)), float(np.ptp(bottom)), float(np.abs(top - bottom).max())
    )
    far = rational(max(span, 1e-300)) * FAR
    places, tops, bottoms = (_exact(values[kept]) for values in (x, top, bottom))
    after, before = _exact(x[kept[:-1] + 1]), _exact(x[kept[1:] - 1])
    knots, low, high = [places[0]], [tops[0]], [bottoms[0]]
    for k, (a, b) in enumerate(pairwise(places)):
        knots += [a + (after[k] - a) / FAR, b - (b - before[k]) / FAR, b]
        low += [tops[k] - far, tops[k + 1] - far, tops[k + 1]]
        high += [bottoms[k] + far, bottoms[k + 1] + far, bottoms[k + 1]]
    return Walls(knots, low, high)


def _by_hulls(curve: Curve, on: Segment, blocks: int) -> Followed:
    """Of every block the points of its upper and lower hull, and their neighbours.

    A line above the hull points of a block is above all of it. Outside, the wall sags
    between the neighbours of hull points, as far as the points there do.
    """
    x, y = curve.part(on)
    ends = np.unique(np.linspace(0, len(x) - 1, blocks + 1).astype(int))
    tiny = 8 * np.finfo(float).eps * np.abs(y).max()
    walls, hulls = [], [_hull_points(x, sign * y, ends) for sign in (1, -1)]
    if sum(map(len, hulls)) > MANY:  # a smooth curve has no other points
        return _by_chords(curve, on, CHORDS * blocks)
    for sign, tops in zip((1, -1), hulls, strict=True):
        touching, sagging = _sagging(x, sign * y, tops)
        walls.append((touching, sign * sagging, tops, sign * (sign * y[tops] + tiny)))
    (i, low, j, above), (k, high, m, below) = walls
    outside = _to_the_ends(_joined(x, (i, low), (k, high)), curve, on, fmpq(0))
    inside = _joined(x, (j, above), (m, below))
    room = rational(float(2 * tiny))
    return Followed(outside, _to_the_ends(inside, curve, on, room))


def _by_chords(curve: Curve, on: Segment, blocks: int) -> Followed:
    """Chords of blocks, moved by what the points in them are off."""
    x, y = curve.part(on)
    ends = np.unique(np.linspace(0, len(x) - 1, blocks + 1).astype(int))
    chord = np.interp(x, x[ends], y[ends])
    tiny = 1e-14 * np.abs(y).max()
    moved = []
    for off in (chord - y, y - chord):
        most = np.maximum(np.maximum.reduceat(off, ends[:-1]), 0) * (1 + 1e-9) + tiny
        moved.append(np.maximum(np.append(most, 0), np.append(0, most)))
    down, up = moved
    knots, values = _exact(x[ends]), y[ends]
    lower, upper = _exact(values - down), _exact(values + up)
    room = rational(float(tiny))
    outside = _to_the_ends(Walls(knots, lower, upper), curve, on, fmpq(0))
    inside = _to_the_ends(Walls(knots, upper, lower), curve, on, room)
    return Followed(outside, inside)


def _to_the_ends(walls: Walls, curve: Curve, on: Segment, room: fmpq) -> Walls:
    """From the interval's own ends, of which the knots have the nearest floats.

    Between an end and the next knot both walls keep their side if they do at the end.
    """
    for k, end in ((0, on.start), (-1, on.stop)):
        value = curve.at(end)
        side = 1 if room else -1  # inside, the lower wall is above the curve
        walls.x[k] = end
        walls.low[k] = (max if room else min)(walls.low[k], value + side * room)
        walls.high[k] = (min if room else max)(walls.high[k], value - side * room)
    return walls


def _hull_points(x: np.ndarray, y: np.ndarray, ends: np.ndarray) -> np.ndarray:
    """Indices of the upper hull of every block between two ends.

    A point below the chord of its neighbours is no corner: all such go at once. After
    some rounds corners that are left over stay: the line is above all points anyway.
    """
    fixed = np.zeros(len(x), dtype=bool)
    fixed[ends] = True
    kept = np.arange(len(x))
    for _ in range(HULL_ROUNDS):
        a, b, c = kept[:-2], kept[1:-1], kept[2:]
        cross = (y[b] - y[a]) * (x[c] - x[a]) - (y[c] - y[a]) * (x[b] - x[a])
        gone = (cross <= 0) & ~fixed[b]
        if not gone.any():
            break
        kept = kept[np.concatenate([[True], ~gone, [True]])]
    return kept


def _sagging(
    x: np.ndarray, y: np.ndarray, tops: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """Indices and values of a broken line below all points, which touches the tops."""
    places, values = [tops[:1]], [y[tops[:1]]]
    for a, b in zip(tops[:-1].tolist(), tops[1:].tolist(), strict=True):
        inner = np.unique([a + 1, b - 1]) if b - a > 1 else np.array([], dtype=int)
        if b - a > 3:
            u, v = a + 1, b - 1
            share = (x[u : v + 1] - x[u]) / (x[v] - x[u])
            chord = y[u] + (y[v] - y[u]) * share
            sag = float((chord - y[u : v + 1]).max()) * (1 + 1e-9)
            values.append(y[inner] - max(sag, 0.0) - 1e-15 * np.abs(y[inner]))
        else:
            values.append(y[inner])
        places += [inner, np.array([b])]
        values.append(y[b : b + 1])
    return np.concatenate(places), np.concatenate(values)


def _joined(
    x: np.ndarray,
    low: tuple[np.ndarray, np.ndarray],
    high: tuple[np.ndarray, np.ndarray],
) -> Walls:
    """On the knots of both, exactly."""
    places = np.union1d(low[0], high[0])
    knots = _exact(x[places])
    walls = []
    for index, values in (low, high):
        own = dict(zip(index.tolist(), _exact(values), strict=True))
        walls.append(_filled(knots, [own.get(k) for k in places.tolist()]))
    return Walls(knots, *walls)


def _filled(knots: Values, values: list[fmpq | None]) -> Values:
    """Straight between those that are known; both ends are."""
    found: Values = []
    known = [k for k, v in enumerate(values) if v is not None]
    for a, b in pairwise(known):
        left, right = values[a], values[b]
        assert left is not None and right is not None
        slope = (right - left) / (knots[b] - knots[a])
        found += [left + slope * (t - knots[a]) for t in knots[a:b]]
    last = values[known[-1]]
    assert last is not None
    return [*found, last]


def _exact(values: np.ndarray) -> Values:
    return rationals(values).tolist()
