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
from depthsep.lower_bounds._pieces import from_pieces, width_value
from depthsep.lower_bounds.box.lines._bundles import (
    MOST_DIM_OF_LINES,
    WAYS_TO_CUT,
    Direction,
    bundles_of,
    likely_directions,
)
from depthsep.lower_bounds.box.lines._left import LeftOnLines, Lines, left_on_lines
from depthsep.problems import Problem
from depthsep.targets import AbstractBoxTarget

MOST_PIECES = 1 << 40
FINE_DIRECTIONS = 2
UPWARDS, DOWNWARDS, ANY = "upwards", "downwards", "any"


@lru_cache(maxsize=128)
def _left(
    target: AbstractBoxTarget, box: Box, norm: str, direction: Direction, bend: str
) -> tuple[LeftOnLines, ...]:
    """Where f bends upwards, downwards or either way; for every way to cut lines.

    Lines along the directions that are likely best are cut finely, too.
    """
    is_likely = direction in likely_directions(target, box)[:FINE_DIRECTIONS]
    ways = WAYS_TO_CUT if is_likely else WAYS_TO_CUT[:1]
    found = [bundles_of(target, box, direction, *way) for way in ways]
    ups = [np.maximum(f.low, 0) for f in found]
    downs = [np.maximum(-f.high, 0) for f in found]
    up, down = (any(b.any() for b in bends) for bends in (ups, downs))
    if bend == ANY and not (up and down):  # they are those of one way
        return _left(target, box, norm, direction, UPWARDS if up else DOWNWARDS)
    both = [np.maximum(u, d) for u, d in zip(ups, downs, strict=True)]
    chosen = {UPWARDS: ups, DOWNWARDS: downs, ANY: both}[bend]
    return tuple(
        left_on_lines(Lines(f.shares, f.lengths, bends), norm)
        for f, bends in zip(found, chosen, strict=True)
    )


def cuts_on_lines(problem: Problem, bend: str) -> tuple[int, Direction]:
    """Cuts that some line needs, and the direction of the lines that need most."""
    target, box = problem.target_as(AbstractBoxTarget), problem.law.box
    power = 1 if problem.norm == "l1" else 2
    allowed = np.nextafter(nearest_float(problem.accuracy**power), np.inf)

    def needed(direction: Direction) -> int:
        ways = _left(target, box, problem.norm, direction, bend)

        def is_enough(cuts: int) -> bool:
            left = max(way.after(cuts) for way in ways)
            return cuts >= MOST_PIECES or left <= allowed

        return least_above(is_enough, -1)

    ways = likely_directions(target, box)
    return max((needed(direction), direction) for direction in ways)


def _evaluate(pieces: int, layers: int) -> Value:
    return width_value(pieces, layers, Rigour.EXACT)


@dataclass(frozen=True)
class OnAllLines(AbstractLowerBound):
    """Fubini: the error on the box is the mean of what is left on parallel lines."""

    statement: ClassVar[Statement] = Statement(
        "all-lines",
        "Width needed for a function on a box in l1 or l2",
        ("any weights, any skip connections", "|f''| along lines bounded in balls"),
        Source("depthsep", "Theorem F with Theorem A"),
        (Parameter("pieces", "integer", "p"), LAYERS),
        _evaluate,
        sample="pieces=1000 layers=2",
        tex=(
            r"E \, \text{vol} "
            r"\ge \int \frac{A(y)}{(p + k_y - 1)^2} \, dy \text{ in } \ell_1, "
            r"\quad E^2 \, \text{vol} "
            r"\ge \int \frac{B(y)}{(p + k_y - 1)^4} \, dy \text{ in } \ell_2, "
            r"\quad \prod_{i=1}^{L} (m_i + 1) \ge p; "
            r"\quad y \text{ the feet of parallel lines, } k_y \text{ parts each}"
        ),
        proof=proved("all-lines"),
    )

    scope = Scope(
        "bounds functions on a box in l1 and l2 only",
        AbstractBoxTarget,
        norms=("l1", "l2"),
    )

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        if problem.law.in_dim > MOST_DIM_OF_LINES:
            return Inapplicable(
                f"lines are followed in up to {MOST_DIM_OF_LINES} variables"
            )
        cuts, direction = cuts_on_lines(problem, ANY)
        signed = [cuts_on_lines(problem, bend) for bend in (UPWARDS, DOWNWARDS)]
        both = sum(n for n, _ in signed) if depth == 2 else 0
        if max(cuts, both) == 0:
            return Inapplicable("no direction was found that asks for two pieces")
        words = ", ".join(map(str, direction))
        detail = f"Theorem A on the lines along ({words}), in sides of the box"
        found = from_pieces(cuts + 1, depth, Rigour.ENCLOSED, self.statement, detail)
        if both <= found.width:
            return found
        ways = " and ".join(f"({', '.join(map(str, v))})" for n, v in signed if n)
        detail = f"kinks of both signs on the lines along {ways}"
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
