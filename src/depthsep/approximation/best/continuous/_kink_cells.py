r"""A lower bound for continuous g whose kinks lie in given cells, proved by duality.

Let knot k of g lie in [a_k, b_k], and let g = l_m on [b_m, a_{m+1}], the core of piece
m. If g bends up at knot k, l_k - l_{k-1} is <= 0 at a_k and >= 0 at b_k, and
g = max(l_{k-1}, l_k) in between; so there |f - g| is at least the positive part of
l - f for both lines (bends down: of f - l, and the other way round). The first half
of a cell is charged to l_{k-1}, the second to l_k. What is left is a convex problem in
the lines. For every function s on the cores and halves, s <= 0 on halves that bend up
and s >= 0 on those that bend down, and all multipliers u >= 0 of the inequalities,

    l2:  \int r^2 >= \int 2 s (f - l) - s^2,
    l1:  \int |r| >= \int s (f - l) if |s| <= 1,

and where the multipliers cancel what l adds, \int 2 s f - s^2 or \int s f is a lower
bound for every g. A solution in float64 gives s and u; an affine function added to s
on each core cancels the rest exactly (l1: then all is divided by 1 + its largest
value), and the bound is computed in rationals.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise

import numpy as np
from flint import fmpq

from depthsep.approximation.best.continuous._unit_function import UnitFunction
from depthsep.exact import nearest_float, rational

SAMPLES = 16  # of each core and half
NEAR = (-0.01, -0.001, 0.0, 0.001, 0.01)  # of a stretch, around crossings
ROUNDS = 6  # of finding the halves on which the lines are on the wrong side
RIDGE = 1e-11
HALF = fmpq(1, 2)


@dataclass(frozen=True)
class Stretch:
    """Where f is compared with one line: a core (side 0) or half of a cell.

    Attributes:
        side: -1 where only f < l counts, 1 where only f > l does.
    """

    piece: int
    start: fmpq
    stop: fmpq
    side: int = 0


@dataclass(frozen=True)
class KinkCells:
    """Cells of the knots in order, and how g bends there: up 1, down -1, unknown 0."""

    cells: tuple[tuple[fmpq, fmpq], ...]
    bends: tuple[int, ...]

    @property
    def pieces(self) -> int:
        """Affine pieces of g, at most."""
        return len(self.cells) + 1

    @cached_property
    def cores(self) -> list[Stretch]:
        """What surely belongs to each piece."""
        lefts = [fmpq(0), *(b for _, b in self.cells)]
        rights = [*(a for a, _ in self.cells), fmpq(1)]
        return [
            Stretch(m, left, right)
            for m, (left, right) in enumerate(zip(lefts, rights, strict=True))
            if left < right
        ]

    @cached_property
    def known(self) -> list[int]:
        """Knots that bend in a known way, between two pieces that have a core."""
        cored = {core.piece for core in self.cores}
        return [
            k
            for k, bend in enumerate(self.bends)
            if bend and k in cored and k + 1 in cored
        ]

    @cached_property
    def stretches(self) -> list[Stretch]:
        """The cores, then the halves of cells."""
        halves = []
        for k in self.known:
            (a, b), side = self.cells[k], -self.bends[k]
            if a < b:
                middle = (a + b) / 2
                halves.append(Stretch(k, a, middle, side))
                halves.append(Stretch(k + 1, middle, b, side))
        return [*self.cores, *halves]

    @cached_property
    def inequalities(self) -> list[tuple[int, int, fmpq]]:
        """(knot, sign, x) for each: sign * (l_right - l_left)(x) >= 0."""
        out = []
        for k in self.known:
            (a, b), bend = self.cells[k], self.bends[k]
            out += [(k, bend, b), (k, -bend, a)]
        return out


@dataclass(frozen=True, eq=False)
class _Samples:
    """The middles of short cells of all stretches, and what the lines are there."""

    edges: list[np.ndarray]  # of the cells of each stretch
    x: np.ndarray
    weight: np.ndarray
    side: np.ndarray
    lines: np.ndarray  # (points, 2 pieces): values of all lines are lines @ parameters
    gaps: np.ndarray  # (inequalities, 2 pieces)


def _edges(f: UnitFunction, stretch: Stretch) -> np.ndarray:
    """Evenly spread, and at the knots of f if these are few."""
    a, b = nearest_float(stretch.start), nearest_float(stretch.stop)
    even = np.linspace(a, b, SAMPLES + 1)
    knots = f.float_knots
    inner = knots[(knots > a) & (knots < b)]
    return np.union1d(even, inner) if len(inner) <= SAMPLES else even


def _samples(kinks: KinkCells, edges: list[np.ndarray]) -> _Samples:
    x, weight, side, rows = [], [], [], []
    for s, ends in zip(kinks.stretches, edges, strict=True):
        points = (ends[:-1] + ends[1:]) / 2
        x.append(points)
        weight.append(np.diff(ends))
        side.append(np.full(len(points), s.side))
        row = np.zeros((len(points), 2 * kinks.pieces))
        row[:, 2 * s.piece], row[:, 2 * s.piece + 1] = 1.0, points
        rows.append(row)
    gaps = np.zeros((len(kinks.inequalities), 2 * kinks.pieces))
    for row, (k, sign, place) in zip(gaps, kinks.inequalities, strict=True):
        at = sign * np.array([1.0, nearest_float(place)])
        row[2 * k : 2 * k + 2], row[2 * k + 2 : 2 * k + 4] = -at, at
    return _Samples(
        edges,
        np.concatenate(x),
        np.concatenate(weight),
        np.concatenate(side),
        np.concatenate(rows),
        gaps,
    )


@dataclass(frozen=True)
class NodeBound:
    """A proved lower bound (squared for l2), and the lines that float64 found."""

    lower: fmpq
    lines: np.ndarray  # (pieces, 2): value at 0 and slope


def node_bound(f: UnitFunction, kinks: KinkCells, norm: str) -> NodeBound:
    """For all continuous g with kinks in these cells that bend in these ways."""
    if not kinks.cores:
        return NodeBound(fmpq(0), np.zeros((kinks.pieces, 2)))
    points = _samples(kinks, [_edges(f, s) for s in kinks.stretches])
    if norm == "l2":
        lines, multipliers = _least_squares(f, points)
        parts = [_residual_part(f, s, lines[s.piece]) for s in kinks.stretches]
    else:
        lines, _, _ = _least_absolute(f, points)
        points = _samples(kinks, _refined(f, kinks, points, lines))
        lines, multipliers, signs = _least_absolute(f, points)
        parts = [
            _sign_part(*part)
            for part in zip(kinks.stretches, points.edges, signs, strict=True)
        ]
    exact = [max(fmpq(0), rational(float(u))) for u in multipliers]
    return NodeBound(_dual_value(f, kinks, parts, exact, norm), lines)


def _least_squares(f: UnitFunction, points: _Samples) -> tuple[np.ndarray, np.ndarray]:
    """Lines and multipliers: halves count where the line is on the wrong side."""
    from scipy.optimize import nnls

    values, root = f.floats(points.x), np.sqrt(points.weight)
    counted = points.side == 0
    lines, multipliers = np.zeros(points.lines.shape[1]), np.zeros(len(points.gaps))
    for _ in range(ROUNDS):
        a = points.lines * (root * counted)[:, None]
        hessian = a.T @ a + RIDGE * np.eye(a.shape[1])
        factor = np.linalg.cholesky(hessian)
        free = np.linalg.solve(hessian, a.T @ (root * counted * values))
        if len(points.gaps):
            m = np.linalg.solve(factor, points.gaps.T)
            multipliers, _ = nnls(m, -factor.T @ free)
        lines = free + np.linalg.solve(hessian, points.gaps.T @ multipliers)
        wrong = points.side * (values - points.lines @ lines) > 0
        now = (points.side == 0) | wrong
        if (now == counted).all():
            break
        counted = now
    # the multipliers are those of half the squares
    return lines.reshape(-1, 2), 2 * multipliers


def _refined(
    f: UnitFunction, kinks: KinkCells, points: _Samples, lines: np.ndarray
) -> list[np.ndarray]:
    """Edges where f crosses the lines, too, and narrow cells around them."""
    out = []
    for stretch, ends in zip(kinks.stretches, points.edges, strict=True):
        off = f.floats(ends) - lines[stretch.piece] @ [np.ones_like(ends), ends]
        k = np.flatnonzero(off[:-1] * off[1:] < 0)
        crossing = ends[k] + (ends[k + 1] - ends[k]) * off[k] / (off[k] - off[k + 1])
        near = [crossing + d * (ends[-1] - ends[0]) for d in NEAR]
        inside = np.clip(np.concatenate(near), ends[0], ends[-1])
        out.append(np.union1d(ends, inside))
    return out


def _least_absolute(
    f: UnitFunction, points: _Samples
) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
    """Lines, multipliers and signs s of the cells, by the dual linear programme."""
    from scipy.optimize import linprog

    n, pieces = len(points.x), points.lines.shape[1] // 2
    answer = linprog(
        np.concatenate(
            [-points.weight * f.floats(points.x), np.zeros(len(points.gaps))]
        ),
        A_eq=np.hstack([(points.lines * points.weight[:, None]).T, points.gaps.T]),
        b_eq=np.zeros(2 * pieces),
        bounds=[(-(s <= 0), +(s >= 0)) for s in points.side.tolist()]
        + [(0, None)] * len(points.gaps),
    )
    if answer.status != 0:
        signs, multipliers = np.zeros(n), np.zeros(len(points.gaps))
        lines = np.zeros((pieces, 2))
    else:
        low, high = -1.0 * (points.side <= 0), 1.0 * (points.side >= 0)
        signs = np.clip(answer.x[:n], low, high)
        multipliers = answer.x[n:]
        lines = -answer.eqlin.marginals.reshape(-1, 2)
    ends = np.cumsum([len(e) - 1 for e in points.edges])[:-1]
    return lines, multipliers, np.split(signs, ends)


@dataclass(frozen=True)
class _Part:
    """s on a stretch: affine from `low` to `high` on [start, stop] each."""

    stretch: Stretch
    pieces: list[tuple[fmpq, fmpq, fmpq, fmpq]]  # start, stop, low, high

    def moments(self) -> tuple[fmpq, fmpq]:
        """Integrals of s and t s."""
        zeroth = first = fmpq(0)
        for a, b, u, v in self.pieces:
            zeroth += (b - a) * (u + v) / 2
            first += (b - a) * (2 * a * u + a * v + b * u + 2 * b * v) / 6
        return zeroth, first


def _residual_part(f: UnitFunction, s: Stretch, line: np.ndarray) -> _Part:
    """f minus the line; on halves the part of it on the wrong side."""
    at_0, slope = (rational(float(v)) for v in line)
    pieces = []
    for c in f.on(s.start, s.stop):
        u, v = (c.slope * x + c.level - at_0 - slope * x for x in (c.start, c.stop))
        if s.side and u * v < 0:
            cut = c.start + (c.stop - c.start) * u / (u - v)
            ends = [(c.start, cut, u, fmpq(0)), (cut, c.stop, fmpq(0), v)]
        else:
            ends = [(c.start, c.stop, u, v)]
        pieces += [p for p in ends if not s.side or s.side * (p[2] + p[3]) > 0]
    return _Part(s, pieces)


def _sign_part(s: Stretch, edges: np.ndarray, signs: np.ndarray) -> _Part:
    """Constant on each cell; equal neighbours are joined."""
    ends = [s.start, *(rational(float(x)) for x in edges[1:-1]), s.stop]
    pieces: list[tuple[fmpq, fmpq, fmpq, fmpq]] = []
    for (a, b), sign in zip(pairwise(ends), signs.tolist(), strict=True):
        exact = rational(sign)
        if pieces and pieces[-1][2] == exact:
            pieces[-1] = (pieces[-1][0], b, exact, exact)
        else:
            pieces.append((a, b, exact, exact))
    return _Part(s, pieces)


def _dual_value(
    f: UnitFunction,
    kinks: KinkCells,
    parts: Sequence[_Part],
    multipliers: Sequence[fmpq],
    norm: str,
) -> fmpq:
    """The bound of s and the multipliers, after what is left over is cancelled."""
    factor = 2 if norm == "l2" else 1
    over = [[fmpq(0), fmpq(0)] for _ in range(kinks.pieces)]
    for part in parts:
        for power, moment in enumerate(part.moments()):
            over[part.stretch.piece][power] += factor * moment
    for u, (k, sign, x) in zip(multipliers, kinks.inequalities, strict=True):
        for piece, way in ((k, -1), (k + 1, 1)):
            over[piece][0] += way * sign * u
            over[piece][1] += way * sign * u * x
    total, largest = fmpq(0), fmpq(0)
    cancelled = []
    for part in parts:
        if part.stretch.side:
            cancelled.append(part)
            continue
        added = _cancelling(part.stretch, over[part.stretch.piece], factor)
        largest = max(largest, *(abs(_at(added, x)) for x in _ends(part.stretch)))
        cancelled.append(_added(f, part, added))
    for part in cancelled:
        total += _value(f, part, norm)
    return max(fmpq(0), total if norm == "l2" else total / (1 + largest))


def _ends(s: Stretch) -> tuple[fmpq, fmpq]:
    return s.start, s.stop


def _at(line: tuple[fmpq, fmpq], x: fmpq) -> fmpq:
    return line[0] + line[1] * x


def _cancelling(core: Stretch, over: Sequence[fmpq], factor: int) -> tuple[fmpq, fmpq]:
    """The affine function q on a core with factor * int q (1, t) = -over."""
    length, middle = core.stop - core.start, (core.start + core.stop) / 2
    mean = -over[0] / (factor * length)
    slope = -(over[1] - middle * over[0]) / factor * 12 / length**3
    return mean - slope * middle, slope


def _added(f: UnitFunction, part: _Part, line: tuple[fmpq, fmpq]) -> _Part:
    pieces = [(a, b, u + _at(line, a), v + _at(line, b)) for a, b, u, v in part.pieces]
    return _Part(part.stretch, pieces)


def _value(f: UnitFunction, part: _Part, norm: str) -> fmpq:
    """The integral of 2 s f - s^2, or of s f."""
    total = fmpq(0)
    for a, b, u, v in part.pieces:
        for c in f.on(a, b):
            s = [u + (v - u) * (x - a) / (b - a) for x in (c.start, c.stop)]
            g = [c.slope * x + c.level for x in (c.start, c.stop)]
            s.insert(1, (s[0] + s[1]) / 2)
            g.insert(1, (g[0] + g[1]) / 2)
            if norm == "l2":
                at = [p * (2 * q - p) for p, q in zip(s, g, strict=True)]
            else:
                at = [p * q for p, q in zip(s, g, strict=True)]
            total += (c.stop - c.start) * (at[0] + 4 * at[1] + at[2]) / 6
    return total
