r"""Least l1 and l2 errors over all functions with N affine pieces, enclosed.

Let $t_1 \le \dots \le t_{N-1}$ be the knots of an approximant, which may jump at them,
and C(s, t) the cost of one piece on [s, t] (`_interval_costs`). The least error is the
least $F = \sum_m C(t_{m-1}, t_m)$. Floats polish good knots; their error, measured
exactly, is the upper bound. For the lower bound the knots are sought in cells, by
dynamic programmes. Pairs of cells in which no optimum within the upper bound can have
consecutive knots are dropped, the other cells halved, and so on.

*By inclusion.* C is monotone: a piece with knots in the cells [a, b] and [a', b'] costs
C(b, a') at least.

*By chords.* Let f be affine on each cell [a, b], of length h. Two knots inside one cell
may move apart to its ends, as the piece between them stays free and its neighbours
shrink: so let each open cell have one knot t at most. As functions of t, both C(s, t)
and C(t, e) have second derivatives of at most some K (below), and thus lie above their
chords over [a, b] less $Kh^2/8$; and the sum of two chords is least at a or b. Moving
one knot after another shows that F is no less than the least sum over knots at ends of
cells when each piece pays $C - Kh^2/8$ for both of its ends. Let p be the best line on
a piece of length l, and d at least |f' - p'| at its ends.

* l1: K = d. For fixed p, $\partial_t \int_s^t|f-p| = |f-p|$ changes at most at the rate
  |f' - p'|; an infimum over such p inherits this bound.
* l2: $K = d^2 l/8$. With the residual r = f - p at t, $\partial_t C = r^2$ by the
  envelope theorem; p(t) gains $4r/l$ as t moves, so that
  $\partial_t^2 C = 2r(f' - p' - 4r/l) \le (f' - p')^2l/8$.

If f is continuous along the piece, p' lies between the slopes of f, and d is their
oscillation. In l2, p' is an average of f'; in l1, if f - p were monotone, then turning
p towards f about the middle of the piece would lower the error.

If f jumps there, $|p'| \le 3/(2l)$ as $|f| \le 1/2$, and d = |f'| + 3/(2l). In l2,
$p' = 12 \int f (t-m)/l^3$ about the middle m. In l1, the sign of f - p is orthogonal to
t - m for the middle m of the strip $|p| \le 1/2$, of width w, say; with x before and y
after the strip this gives $x^2 + y^2 + (x+y)w \le w^2/2$, so that
$l = x + y + w \le \sqrt2 w \le \sqrt2/|p'|$. Pieces too short for that count as free.
"""

from dataclasses import dataclass, replace
from functools import cached_property
from itertools import pairwise, product

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.approximation.best._interval_costs import (
    BITS,
    Intervals,
    UnitTarget,
    absolute_costs,
    fitted,
    objects,
    square_costs,
)
from depthsep.approximation.distance._distance import Cell, distance, from_square
from depthsep.approximation.distance._distance import cells as affine_cells
from depthsep.evidence import Enclosure, Rigour
from depthsep.exact import PiecewiseAffine, rationals, sqrt_upper
from depthsep.laws import Segment

CELLS = 1024
_NEVER = 1 << 59
_CLOSE = 1 << (BITS - 30)
_COARSE = 64
_ROUNDS = 40
_POLISHES = 9
_WORTHWHILE = 1 - fmpq(1, 1 << 30)


def bracket_with_jumps(
    f: PiecewiseAffine, pieces: int, norm: str, *, cells: int = CELLS
) -> Enclosure:
    """See `best_error_bracket`.

    Where the best knots are isolated, the ends are about 1e-9 of the oscillation of f
    apart (their squares, for l2). The lower one comes from a programme over cells.
    """
    problem = _checked(f, pieces, norm, cells)
    if len(problem.lines) <= pieces:
        nothing = Enclosure(fmpq(0), fmpq(0), Rigour.EXACT)
        return from_square(fmpq(0), Rigour.EXACT) if norm == "l2" else nothing
    lower, upper = _search(problem, cells)
    if norm == "l1":
        return Enclosure(lower, upper, Rigour.ENCLOSED)
    lowest = lower / sqrt_upper(lower) if lower > 0 else lower
    return Enclosure(lowest, sqrt_upper(upper), Rigour.ENCLOSED)


def _checked(f: PiecewiseAffine, pieces: int, norm: str, cells: int) -> "_Problem":
    if norm not in ("l1", "l2"):
        raise HypothesisError(
            f"the norm is {norm!r}; use l1 or l2 (for linf, call best_error)"
        )
    if pieces < 1:
        raise HypothesisError(f"{pieces} pieces were asked for; give 1 or more")
    if f.left_slope is not None or f.right_slope is not None:
        raise HypothesisError("the domain of f is unbounded; restrict f to an interval")
    problem = _Problem(f.to_exact(), pieces, norm)
    if problem.f.knots[0] == problem.f.knots[-1]:
        raise HypothesisError(
            f"the domain of f is the single point {problem.f.knots[0]}; it "
            "must be an interval"
        )
    if cells < len(problem.lines):
        raise HypothesisError(
            f"`cells` is {cells}, less than the number of pieces of the function, "
            f"{len(problem.lines)}; give at least as many cells as pieces"
        )
    return problem


@dataclass(frozen=True)
class _Problem:
    """What is approximated; knots are integers, in units of the `target`."""

    f: PiecewiseAffine
    pieces: int
    norm: str

    @cached_property
    def on(self) -> Segment:
        return Segment(self.f.knots[0], self.f.knots[-1])

    @cached_property
    def lines(self) -> list[Cell]:
        """The longest intervals on which f is affine but for single points."""
        merged: list[Cell] = []
        for cell in affine_cells(self.f, self.on.start, self.on.stop):
            last = merged[-1] if merged else cell
            if merged and (last.slope, last.level) == (cell.slope, cell.level):
                merged[-1] = replace(last, stop=cell.stop)
            else:
                merged.append(cell)
        return merged

    @cached_property
    def range(self) -> tuple[fmpq, fmpq]:
        """The essential minimum and maximum of f."""
        ends = [c.slope * x + c.level for c in self.lines for x in (c.start, c.stop)]
        return min(ends), max(ends)

    @cached_property
    def target(self) -> UnitTarget:
        low, high = self.range
        return UnitTarget.of(self.lines, (low + high) / 2, high - low)

    @cached_property
    def unit_error(self) -> fmpq:
        """What an error of 1 on the unit square is for f."""
        low, high = self.range
        return (high - low) ** (1 if self.norm == "l1" else 2)

    def lower_costs(self, start: np.ndarray, stop: np.ndarray) -> np.ndarray:
        """What one piece costs at least, in units of 2**-BITS; start < stop."""
        if self.norm == "l2":
            return square_costs(self.target, start, stop)
        return absolute_costs(Intervals(self.target, start, stop))

    def guessed_costs(self, start: np.ndarray, stop: np.ndarray) -> np.ndarray:
        """What one piece costs, in floats; infinite if reversed."""
        costs = np.where(start == stop, 0.0, np.inf)
        proper = np.flatnonzero(start < stop)
        if len(proper):
            on = Intervals(self.target, start[proper], stop[proper])
            costs[proper] = fitted(on, self.norm, 2).errors(self.norm)
        return costs

    def approximant(self, knots: np.ndarray) -> PiecewiseAffine:
        """Nearly best lines between the knots, joined by jumps."""
        ends = np.concatenate([objects([0]), knots, objects([self.target.unit])])
        fit = fitted(Intervals(self.target, ends[:-1], ends[1:]), self.norm, 16)
        a, b = fit.line
        left, right = self._unscaled(a - b), self._unscaled(a + b)
        x = [self.on.start + self.on.length * fmpq(t, self.target.unit) for t in ends]
        at, values = [x[0]], [left[0]]
        for k in range(1, len(left)):
            # a jump: the point itself belongs to the piece on the left
            at += [x[k]] * 3
            values += [right[k - 1], right[k - 1], left[k]]
        return PiecewiseAffine.through([*at, x[-1]], [*values, right[-1]])

    def _unscaled(self, values: np.ndarray) -> list[fmpq]:
        low, high = self.range
        return [(low + high) / 2 + (high - low) * v for v in rationals(values)]

    def error(self, knots: np.ndarray) -> fmpq:
        """The exact error of such an approximant; squared for l2."""
        found = distance(self.f, self.approximant(knots), self.norm, self.on)
        return found.upper if found.square is None else found.square


def _search(problem: _Problem, budget: int) -> tuple[fmpq, fmpq]:
    """Bounds on the least error (squared for l2)."""
    cells, lower, best = _Cells.coarse(problem, budget), 0, problem.unit_error
    for _ in range(_ROUNDS):
        grid = _Grid.of(problem, cells)
        programs = grid.by_inclusion(), grid.by_chords()
        lower = max(lower, *(program.lower for program in programs))
        between_points = grid.between_points()
        if _real(between_points.lower, problem) < best * _WORTHWHILE:
            best = min(best, _least_error(problem, grid.points[between_points.path]))
        limit = int((best / problem.unit_error * (1 << BITS)).ceil())
        assert lower <= limit, (lower, limit)
        if limit - lower <= _CLOSE:
            break
        reach = [program.reach(cells.joined, limit) for program in programs]
        cells = cells.restricted(np.logical_and.reduce(reach))
        if 2 * len(cells.left) > budget:
            break
        cells = cells.halved()
    return _real(lower, problem), best


def _real(cost: int, problem: _Problem) -> fmpq:
    return problem.unit_error * fmpq(cost, 1 << BITS)


def _least_error(problem: _Problem, path: np.ndarray) -> fmpq:
    """The exact error with these knots, as they are or polished in floats."""
    unit = problem.target.unit
    knots, step = np.unique(objects([t for t in path if 0 < t < unit])), unit >> 8
    errors = [problem.error(knots)]
    for _ in range(_POLISHES):
        knots, step = _polished(problem, knots, step), step >> 2
    return min(*errors, problem.error(knots))


def _polished(problem: _Problem, knots: np.ndarray, step: int) -> np.ndarray:
    """The best knots among those at most three steps away, in floats."""
    unit, offsets = problem.target.unit, step * np.arange(-3, 4).astype(object)
    choices = [objects([0]), *(np.clip(k + offsets, 0, unit) for k in knots)]
    choices.append(objects([unit]))
    pairs = list(pairwise(choices))
    start = np.concatenate([np.repeat(a, len(b)) for a, b in pairs])
    stop = np.concatenate([np.tile(b, len(a)) for a, b in pairs])
    costs, total, picks = problem.guessed_costs(start, stop), np.zeros(1), []
    for a, b in pairs:
        block, costs = np.split(costs, [len(a) * len(b)])
        block = total[:, None] + block.reshape(len(a), len(b))
        picks.append(block.argmin(axis=0))
        total = block.min(axis=0)
    index, found = 0, []
    for pick, choice in zip(picks[:0:-1], choices[-2:0:-1], strict=True):
        index = pick[index]
        found.append(choice[index])
    return np.unique(objects([t for t in found if 0 < t < unit]))


@dataclass(frozen=True)
class _Cells:
    """Cells [left, right] in order, the first and the last of them the domain's ends.

    `joined[c, d]`: an optimum may have consecutive knots in cells c and d.
    """

    left: np.ndarray
    right: np.ndarray
    joined: np.ndarray

    @staticmethod
    def coarse(problem: _Problem, budget: int) -> "_Cells":
        """The gaps of f, each cut into 2**k equal cells."""
        unit, knots = problem.target.unit, problem.target.knots
        wanted = (min(budget, max(_COARSE, 2 * len(knots))) - len(knots)) // 2
        ends = [0]
        for a, b in pairwise(knots):
            count = 1
            while (b - a) * wanted > count * unit:
                count *= 2
            ends += [a + (b - a) * k // count for k in range(1, count + 1)]
        left, right = objects([0, *ends[:-1], unit]), objects([0, *ends[1:], unit])
        return _Cells(left, right, np.triu(np.ones((len(left),) * 2, dtype=bool)))

    def restricted(self, joined: np.ndarray) -> "_Cells":
        """Without the cells that nothing leads to, or from."""
        keep: np.ndarray = np.logical_and(joined.any(axis=0), joined.any(axis=1))
        keep[[0, -1]] = True
        return _Cells(self.left[keep], self.right[keep], joined[np.ix_(keep, keep)])

    def halved(self) -> "_Cells":
        """Every cell cut at its middle."""
        count = np.where(self.left == self.right, 1, 2)
        left, right, middle = (
            np.repeat(x, count)
            for x in (self.left, self.right, (self.left + self.right) // 2)
        )
        first = np.cumsum(count) - count
        left[(first + 1)[count == 2]] = middle[first[count == 2]]
        right[first[count == 2]] = middle[first[count == 2]]
        joined = np.repeat(np.repeat(self.joined, count, axis=0), count, axis=1)
        return _Cells(left, right, np.triu(joined))


@dataclass(frozen=True)
class _Program:
    """The least sum of `pieces` costs on a path from the first to the last state.

    `left` and `right` are the states at the ends of each cell.
    """

    costs: np.ndarray
    pieces: int
    left: np.ndarray
    right: np.ndarray

    @cached_property
    def forward(self) -> list[np.ndarray]:
        """The least sums from the first state, of 0, 1, ... costs."""
        return _sums(self.costs, 0, self.pieces)

    @cached_property
    def lower(self) -> int:
        """The least sum: a lower bound on the error."""
        return int(self.forward[-1][-1])

    @cached_property
    def path(self) -> np.ndarray:
        """The states on the path with the least sum."""
        path = [len(self.costs) - 1]
        for sums in self.forward[-2::-1]:
            path.append(int((sums + self.costs[:, path[-1]]).argmin()))
        return np.array(path[::-1])

    def reach(self, joined: np.ndarray, limit: int) -> np.ndarray:
        """Those of the joined cells that some path within `limit` joins."""
        backward = _sums(self.costs.T, -1, self.pieces)[-2::-1]
        through = np.full_like(self.costs, _NEVER)
        for before, after in zip(self.forward, backward, strict=False):
            np.minimum(through, before[:, None] + after, out=through)
        good = through + self.costs <= limit
        ends = self.left, self.right
        parts = [good[np.ix_(c, d)] for c, d in product(ends, repeat=2)]
        return joined & np.logical_or.reduce(parts)


def _sums(costs: np.ndarray, start: int, count: int) -> list[np.ndarray]:
    sums = np.full(len(costs), _NEVER)
    sums[start] = 0
    found = [sums]
    for _ in range(count):
        sums = (sums[:, None] + costs).min(axis=0)
        # negative sums prove nothing; a floor keeps them from overflowing
        found.append(sums := np.clip(sums, -_NEVER, _NEVER))
    return found


@dataclass(frozen=True)
class _Grid:
    """The ends of cells, and lower costs between those that may be consecutive knots.

    `left` and `right` number the ends of each cell among the `points`.
    """

    problem: _Problem
    cells: _Cells
    points: np.ndarray
    left: np.ndarray
    right: np.ndarray
    costs: np.ndarray

    @staticmethod
    def of(problem: _Problem, cells: _Cells) -> "_Grid":
        points = np.unique(np.concatenate([cells.left, cells.right]))
        left, right = (np.searchsorted(points, x) for x in (cells.left, cells.right))
        needed = np.zeros((len(points),) * 2, dtype=bool)
        c, d = np.nonzero(cells.joined)
        for a, b in product((left, right), repeat=2):
            needed[a[c], b[d]] = True
        i, j = np.nonzero(np.triu(needed, 1))
        costs = np.where(np.eye(len(points), dtype=bool), 0, _NEVER)
        costs[i, j] = problem.lower_costs(points[i], points[j])
        return _Grid(problem, cells, points, left, right, costs)

    def between_points(self) -> "_Program":
        """States are points, the only knots allowed: no bound, but good knots."""
        return _Program(self.costs, self.problem.pieces, self.left, self.right)

    def by_inclusion(self) -> "_Program":
        """States are cells; a piece pays for what lies between its two."""
        apart = self.right[:, None] < self.left
        costs = np.where(apart, self.costs[self.right[:, None], self.left], 0)
        costs = np.where(self.cells.joined, costs, _NEVER)
        states = np.arange(len(costs))
        return _Program(costs, self.problem.pieces, states, states)

    def by_chords(self) -> "_Program":
        """States are points; a piece pays for what lies between, less its drop."""
        i, j = np.nonzero(self.costs < _NEVER)
        drops, free = self._drops(i, j)
        paid = self.costs[i, j] - np.minimum(drops, 1 << BITS).astype(np.int64)
        costs = self.costs.copy()
        costs[i, j] = np.where(free, np.minimum(paid, 0), paid)
        return _Program(costs, self.problem.pieces, self.left, self.right)

    def _drops(self, i: np.ndarray, j: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """K h^2/8 for both ends of the pieces from i to j, rounded up; which are free.

        Before its ends have moved, a piece may have been longer or shorter by `play`.
        """
        target, (h, low, high) = self.problem.target, self._beside()
        length, play, unit = self.points[j] - self.points[i], 2 * h.max(), target.unit
        slopes, over = target.steepness
        broken = target.leaps[high[j]] > target.leaps[low[i]]
        steepest = np.maximum.reduce([abs(slopes[k]) for k in (low, high)])
        tilt = 3 * unit * over // (2 * np.maximum(length - play, play + 1)) + 1
        bent = np.maximum(steepest[i], steepest[j]) + tilt
        spread, free = target.spreads[low[i], high[j]], broken & (length <= 2 * play)
        # not all pieces that end in the cells beside i and j need contain the jump
        d = np.where(broken, np.where(free, np.maximum(bent, spread), bent), spread)
        top, bottom = ((h * h)[i] + (h * h)[j]) * d, 8 * unit**2 * over
        if self.problem.norm == "l2":
            top, bottom = top * d * (length + play), bottom * 8 * unit * over
        return -(-top * (1 << BITS) // bottom), free

    def _beside(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """For each point the widest cell that ends there, and the gaps of those cells.

        Their first and their last gap; the domain's ends count as cells.
        """
        h, low = objects([0] * len(self.points)), np.full(len(self.points), 1 << 62)
        high, gap = np.zeros_like(low), self.problem.target.gap(self.cells.left)
        for end in (self.left, self.right):
            np.maximum.at(h, end, self.cells.right - self.cells.left)
            np.minimum.at(low, end, gap)
            np.maximum.at(high, end, gap)
        return h, low, high
