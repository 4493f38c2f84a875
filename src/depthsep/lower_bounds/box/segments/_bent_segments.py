"""Segments of a box on which a function is convex, or concave; as floats see it."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from itertools import product as cartesian

import numpy as np
from flint import fmpq

from depthsep.approximation import convex_runs
from depthsep.evidence import Inapplicable
from depthsep.exact import nearest_float
from depthsep.laws import Box, Segment
from depthsep.lower_bounds.line._best_pieces import pieces_on
from depthsep.lower_bounds.line._quadratic import pieces_for_quadratic
from depthsep.problems import Problem
from depthsep.targets import AbstractBoxTarget

STEPS = {2: (4, 8), 3: (2, 3), 4: (2, 2)}  # of a grid, by the number of variables
CUTS = 64  # parts of a segment, whose ends runs may have
MOST_SEGMENTS = 4000
FLAT = 1e-12  # second differences, beside the largest value
ROUNDED = 1e-9
SMALLEST = 1e-300  # a root of it is a float
MOST_PIECES = 10**9  # that are weighed on one segment
Point = tuple[fmpq, ...]


@dataclass(frozen=True, eq=False)
class BentSegments:
    """n segments between points of a grid, cut where the function turns.

    Attributes:
        grid: (n, 2, d) of the whole segments, in steps of the grid.
        parts: (n, 2) first and last of the CUTS parts that belong to the run.
        signs: (n,) 1 where the function is convex, -1 where it is concave.
        bends: (n,) integrals of the root of |f''| along them.
        steps: of the grid, across the box.
        known: how many there are, of which these are the most bent ones.
    """

    grid: np.ndarray
    parts: np.ndarray
    signs: np.ndarray
    bends: np.ndarray
    steps: int
    known: int

    def __len__(self) -> int:
        return len(self.signs)

    @property
    def ends(self) -> np.ndarray:
        """(n, 2, d) of the runs, in [0, 1]^d."""
        start, stop = self.grid[:, 0] / self.steps, self.grid[:, 1] / self.steps
        t = self.parts[:, :, None] / CUTS
        return start[:, None] + t * (stop - start)[:, None]

    def exact_ends(self, k: int) -> tuple[Point, Point]:
        """Of a run, in [0, 1]^d."""
        start, stop = self.grid[k].tolist()
        whole = self.steps * CUTS

        def at(part: int) -> Point:
            return tuple(
                fmpq(a * CUTS + part * (b - a), whole)
                for a, b in zip(start, stop, strict=True)
            )

        first, last = self.parts[k].tolist()
        return at(first), at(last)

    def pieces(self, accuracy: fmpq) -> np.ndarray:
        """(n,) about the fewest affine pieces within an accuracy, jumps allowed."""
        unit = 4 * max(nearest_float(accuracy), SMALLEST) ** 0.5
        return np.clip(np.ceil(self.bends / unit - ROUNDED), 1, MOST_PIECES)


@lru_cache(maxsize=16)
def bent_segments(target: AbstractBoxTarget, box: Box, steps: int) -> BentSegments:
    """All segments between two points of a grid; the most bent ones if too many.

    Args:
        steps: of the grid, across the box.
    """
    dim = box.in_dim
    points = np.array(list(cartesian(range(steps + 1), repeat=dim)))
    pairs = points[np.array(list(combinations(range(len(points)), 2)))]
    low = np.array([nearest_float(v) for v in box.starts])
    size = np.array([nearest_float(s.length) for s in box.sides])
    start, stop = low + size * pairs[:, 0] / steps, low + size * pairs[:, 1] / steps
    t = np.linspace(0, 1, CUTS + 1)[:, None, None]
    places = (start + t * (stop - start)).reshape(-1, dim)
    values = target.floats(places).reshape(CUTS + 1, -1)
    seconds = np.diff(values, 2, axis=0)
    seconds[~np.isfinite(seconds)] = 0
    seconds[np.abs(seconds) < FLAT * np.abs(values[np.isfinite(values)]).max()] = 0
    found = _runs(np.sign(seconds).astype(int).T, np.sqrt(np.abs(seconds)).T)
    rows, parts, signs, bends = found
    order = np.sort(np.argsort(-bends, kind="stable")[:MOST_SEGMENTS])
    return BentSegments(
        pairs[rows[order]],
        parts[order],
        signs[order],
        bends[order],
        steps,
        known=len(bends),
    )


def _runs(
    signs: np.ndarray, bends: np.ndarray
) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Rows, first and last parts, signs and sums of bends of runs of one sign.

    Second differences k of a row are about the parts k and k + 1.
    """
    edge = np.zeros((len(signs), 1), dtype=int)
    framed = np.hstack([edge, signs, edge])
    row, at = np.nonzero(np.diff(framed, axis=1))
    totals = np.hstack([edge, np.cumsum(bends, axis=1)])
    following = np.append(at[1:], 0)
    inside = np.append(row[1:] == row[:-1], False) & (framed[row, at + 1] != 0)
    row, first, last = row[inside], at[inside], following[inside]
    parts = np.stack([first, last + 1], axis=1)
    seconds = totals[row, last] - totals[row, first]
    # n parts have n - 1 second differences
    bends = seconds * (last - first + 1) / (last - first)
    return row, parts, framed[row, first + 1], bends


@dataclass(frozen=True)
class Run:
    """A segment of [0, 1]^d, and what a convex or concave part of it needs: proved.

    Attributes:
        ends: of the segment, which a hyperplane crosses if it crosses the part.
        sign: 1 where the target is convex on the part, -1 where it is concave.
        pieces: affine ones, with jumps, that an accuracy asks for on the part.
    """

    ends: tuple[Point, Point]
    sign: int
    pieces: int


def proved_run(problem: Problem, segments: BentSegments, k: int) -> Run | None:
    """What a segment needs; None if no part of it is proved to bend its way."""
    ends, sign = segments.exact_ends(k), int(segments.signs[k])
    sides = problem.law.box.sides
    start, stop = (
        tuple(s.start + s.length * x for s, x in zip(sides, end, strict=True))
        for end in ends
    )
    target = problem.target_as(AbstractBoxTarget).on_line(start, stop)
    one = Problem(target, Segment(0, 1), accuracy=problem.accuracy)
    runs = [r for r in convex_runs(target, Segment(0, 1)) if r.sign == sign]
    best = max(runs, key=lambda run: run.stop - run.start, default=None)
    if best is None:
        return None
    pieces = _pieces(one, Segment(best.start, best.stop))
    return Run(ends, sign, pieces) if isinstance(pieces, int) else None


def _pieces(one: Problem, on: Segment) -> int | Inapplicable:
    form = one.exact_form
    if form is None or form.amplitude != 0:
        return pieces_on(one, on, continuous=False)
    # jumps save no pieces of a quadratic: the best ones are equally long
    return pieces_for_quadratic(abs(form.alpha) * on.length**2, one.accuracy, "linf")
