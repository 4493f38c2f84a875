"""Functions on a box in l1 and l2: what pieces leave on all lines of one direction."""

from dataclasses import dataclass, replace
from functools import lru_cache
from typing import ClassVar

import numpy as np

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
from depthsep.exact import least_above, nearest_float
from depthsep.laws import Box
from depthsep.lower_bounds._pieces import RELU_SETTING, from_pieces, width_value
from depthsep.lower_bounds.box.lines._bundles import (
    MOST_DIM_OF_LINES,
    Direction,
    bundles_of,
    likely_directions,
)
from depthsep.lower_bounds.box.lines._left import LeftOnLines, Lines, left_on_lines
from depthsep.problems import Problem
from depthsep.targets import AbstractBoxTarget

MOST_PIECES = 1 << 40
COARSE, FINE = (300, 8), (96, 32)  # bundles of a direction, about; parts of a line
FINE_DIRECTIONS = 2
UPWARDS, DOWNWARDS, ANY = "upwards", "downwards", "any"


@lru_cache(maxsize=128)
def _left(
    target: AbstractBoxTarget,
    box: Box,
    norm: str,
    direction: Direction,
    bend: str,
    way: tuple[int, int],
) -> LeftOnLines:
    """Where f bends upwards, downwards or either way; for a way to cut lines."""
    found = bundles_of(target, box, direction, *way)
    up, down = np.maximum(found.low, 0), np.maximum(-found.high, 0)
    if bend == ANY and not (up.any() and down.any()):  # they are those of one way
        bend = UPWARDS if up.any() else DOWNWARDS
        return _left(target, box, norm, direction, bend, way)
    bends = {UPWARDS: up, DOWNWARDS: down, ANY: np.maximum(up, down)}[bend]
    return left_on_lines(Lines(found.shares, found.lengths, bends), norm)


def cuts_on_lines(problem: Problem, bend: str) -> tuple[int, Direction]:
    """Cuts that some line needs, and the direction of the lines that need most.

    The directions that need most where lines are cut coarsely are cut finely, too.
    """
    target, box = problem.target_as(AbstractBoxTarget), problem.law.box
    power = 1 if problem.norm == "l1" else 2
    allowed = np.nextafter(nearest_float(problem.accuracy**power), np.inf)

    def needed(direction: Direction, way: tuple[int, int]) -> int:
        left = _left(target, box, problem.norm, direction, bend, way)
        return least_above(lambda n: n >= MOST_PIECES or left.after(n) <= allowed, -1)

    ways = likely_directions(target, box)
    coarse = sorted(((needed(v, COARSE), v) for v in ways), reverse=True)
    fine = [(needed(v, FINE), v) for _, v in coarse[:FINE_DIRECTIONS]]
    return max(coarse[0], *fine)


def _evaluate(pieces: int, layers: int) -> Value:
    return width_value(pieces, layers, Rigour.EXACT)


@dataclass(frozen=True)
class OnAllLines(AbstractLowerBound):
    """Fubini: the error on the box is the mean of what is left on parallel lines."""

    statement: ClassVar[Statement] = Statement(
        "all-lines",
        "Width needed to approximate a function on a box in l1 or l2",
        (
            RELU_SETTING,
            (
                "parallel lines fill the box; the line at y, with f'' taken along it, "
                "is cut into k_y parts of lengths l_j on which ball arithmetic proves "
                "|f''| >= mu_j; A(y) = (sum_j (mu_j l_j^3 / 32)^(1/3))^3 and B(y) = "
                "(sum_j (mu_j^2 l_j^5 / 720)^(1/5))^5; vol is the volume of the box, "
                "and E the allowed error"
            ),
        ),
        Source("depthsep", "Theorem F with Theorem A"),
        (
            Parameter(
                "pieces", "integer", "p, the largest number of affine pieces on a line"
            ),
            LAYERS,
        ),
        _evaluate,
        sample="pieces=1000 layers=2",
        tex=(
            r"E \, \text{vol} "
            r"\ge \int \frac{A(y)}{(p + k_y - 1)^2} \, dy \text{ in } \ell_1, "
            r"\quad E^2 \, \text{vol} "
            r"\ge \int \frac{B(y)}{(p + k_y - 1)^4} \, dy \text{ in } \ell_2, "
            r"\quad \prod_{i=1}^{L} (m_i + 1) \ge p"
        ),
        proof=proved("all-lines"),
    )

    scope = Scope(
        "this bound covers only functions on a box, in l1 and l2",
        AbstractBoxTarget,
        norms=("l1", "l2"),
    )

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        if problem.law.in_dim > MOST_DIM_OF_LINES:
            return Inapplicable(
                "this bound covers only functions of up to "
                f"{MOST_DIM_OF_LINES} variables"
            )
        cuts, direction = cuts_on_lines(problem, ANY)
        signed = [cuts_on_lines(problem, bend) for bend in (UPWARDS, DOWNWARDS)]
        both = sum(n for n, _ in signed) if depth == 2 else 0
        if max(cuts, both) == 0:
            return Inapplicable(
                "no direction was found along which two pieces are needed"
            )
        words = ", ".join(map(str, direction))
        detail = (
            f"Theorem A on the lines in the direction ({words}), whose "
            "entries are in units of the sides of the box"
        )
        found = from_pieces(cuts + 1, depth, Rigour.ENCLOSED, self.statement, detail)
        if both <= found.width:
            return found
        ways = " and ".join(f"({', '.join(map(str, v))})" for n, v in signed if n)
        detail = (
            f"Signed kinks on the lines along {ways}, whose entries are in "
            "units of the sides of the box"
        )
        return replace(
            found,
            width=both,
            units=both,
            pieces=None,
            detail=detail,
            counts_cells=False,
        )

    def examples(self) -> list[Problem]:
        return [
            Problem(target, norm=norm, accuracy="1e-3")
            for target in ("product", "expr:exp(-x1**2-x2**2)")
            for norm in ("l1", "l2")
        ]
