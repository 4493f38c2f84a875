"""Functions of several variables: restricted to a line, any network stays one."""

from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product as cartesian
from typing import ClassVar

import numpy as np
from flint import fmpq

from depthsep.claims import AbstractLowerBound, Lower, Scope
from depthsep.evidence import (
    LAYERS,
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    proved,
)
from depthsep.exact import nearest_float
from depthsep.laws import Box, Segment
from depthsep.lower_bounds._pieces import RELU_SETTING, width_value
from depthsep.lower_bounds.line._best_pieces import BestPieces
from depthsep.lower_bounds.line._curvature import Curvature
from depthsep.lower_bounds.line._quadratic import QuadraticOptimum
from depthsep.problems import Problem
from depthsep.targets import (
    AbstractBoxTarget,
)

ON_LINES: tuple[AbstractLowerBound, ...] = (
    QuadraticOptimum(),
    BestPieces(),
    Curvature(),
)
RANDOM_LINES = 64
SAMPLES = 201
MAX_GRID_DIM = 6
SEED = 20260101

Point = tuple[fmpq, ...]


@dataclass(frozen=True)
class Line:
    """The segment from start (t = 0) to stop (t = 1), and how it was found."""

    start: Point
    stop: Point
    kind: str

    def __str__(self) -> str:
        a, b = (", ".join(map(str, p)) for p in (self.start, self.stop))
        return f"the {self.kind} segment from ({a}) to ({b})"


def _evaluate(pieces: int, layers: int) -> Value:
    return width_value(pieces, layers, Rigour.EXACT)


@dataclass(frozen=True)
class OnLines(AbstractLowerBound):
    """The best bound over restrictions of the target to segments of the box.

    A network of given widths, restricted to a line, is one of one input with those
    widths; its sup error there is at most that on the box. Segments tried:
    axis-parallel and diagonal ones through the grid of corners and middles, and random
    ones; the one with the largest integral of sqrt(|f''|) is used.
    """

    statement: ClassVar[Statement] = Statement(
        "restriction",
        "Width needed to approximate a function that needs at least N "
        "affine pieces on some line",
        (
            "the error is measured in linf on a box",
            RELU_SETTING,
        ),
        Source("depthsep", "Theorem A on a line"),
        (Parameter("pieces", "integer", "N, the number of affine pieces"), LAYERS),
        _evaluate,
        sample="pieces=1000 layers=2",
        tex=(
            r"\prod_{i=1}^{L} (m_i + 1) \ge N, \quad N "
            r"\text{ is the least number of affine pieces that are within the accuracy "
            r"of the function on the best segment found}"
        ),
        proof=proved("theorem-a"),
    )

    scope = Scope(
        "this bound covers only functions on a box, in linf",
        AbstractBoxTarget,
        norms=("linf",),
    )

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        target, box = problem.target_as(AbstractBoxTarget), problem.law.box
        line = best_line(target, box)
        one = Problem(
            target.on_line(line.start, line.stop),
            Segment(0, 1),
            accuracy=problem.accuracy,
            networks=problem.networks,
        )
        answers = [bound.prove(one, depth) for bound in ON_LINES]
        found = [a for a in answers if isinstance(a, Lower)]
        if not found:
            return Inapplicable(
                "no segment was found on which more than one piece is needed"
            )
        best = max(found, key=lambda b: (b.width, b.units))
        detail = f"Theorem A on {line}"
        return replace(best, statement=self.statement, detail=detail)

    def examples(self) -> list[Problem]:
        return [
            Problem("product", accuracy="1e-4"),
            Problem("poly:x1**3 - x1*x2**2", accuracy="1e-3"),
            Problem("expr:exp(-x1**2-x2**2)", accuracy="1e-3"),
        ]


@lru_cache(maxsize=64)
def best_line(target: AbstractBoxTarget, box: Box) -> Line:
    """The segment on which the function bends most, as float64 sees it."""
    return max(_lines(box), key=lambda line: _bend(target, line))


def _bend(target: AbstractBoxTarget, line: Line) -> float:
    r"""\int sqrt(|second difference|) along the segment."""
    a, b = (np.array([nearest_float(v) for v in p]) for p in (line.start, line.stop))
    t = np.linspace(0, 1, SAMPLES)[:, None]
    values = target.floats(a + t * (b - a))
    if not np.isfinite(values).all():
        return 0.0
    bend = np.sqrt(np.abs(np.diff(values, 2)))
    # few digits, so that equals stay in order
    return float(f"{bend.sum():.6g}")


def _lines(box: Box) -> list[Line]:
    """Simple segments first: of equals the first is chosen."""
    rng = np.random.default_rng(SEED)
    ends = rng.integers(0, 65, (RANDOM_LINES, 2, box.in_dim))
    random = [Line(_point(box, a), _point(box, b), "random") for a, b in ends]
    if box.in_dim > MAX_GRID_DIM:
        corners = rng.integers(0, 2, (RANDOM_LINES, box.in_dim)) * 64
        diagonals = [
            Line(_point(box, c), _point(box, 64 - c), "diagonal") for c in corners
        ]
        return [*diagonals, *random]
    return [*_grid_lines(box), *random]


def _grid_lines(box: Box) -> list[Line]:
    """Through corners and middles: along one axis, or several with the rest fixed."""
    out = []
    for steps in cartesian((-1, 0, 1), repeat=box.in_dim):
        moving = [s for s in steps if s]
        if not moving or moving[0] < 0:
            continue
        kind = "axis-parallel" if len(moving) == 1 else "diagonal"
        fixed = [(0, 32, 64) if s == 0 else (0 if s > 0 else 64,) for s in steps]
        for start in cartesian(*fixed):
            stop = [a + 64 * s for a, s in zip(start, steps, strict=True)]
            out.append(Line(_point(box, start), _point(box, stop), kind))
    return sorted(out, key=lambda line: line.kind)


def _point(box: Box, sixty_fourths: object) -> Point:
    return tuple(
        side.start + side.length * int(n) / 64
        for side, n in zip(box.sides, sixty_fourths, strict=True)  # type: ignore[arg-type]
    )
