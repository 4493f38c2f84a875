"""What pieces leave on the parallel lines through a box: proofs in l1 and l2."""

from flint import fmpq

from depthsep.evidence import Inapplicable
from depthsep.exact import least_above
from depthsep.lower_bounds import (
    MOST_DIM_OF_LINES,
    cells_of_lines,
    likely_directions,
)
from depthsep.problems import Problem
from depthsep.targets import AbstractBoxTarget
from depthsep.witnesses._checker import checker_module
from depthsep.witnesses._numbers import fraction
from depthsep.witnesses._proof import Entry

MOST_PIECES = 1 << 40
MOST_BUNDLES, PARTS = 300, 8  # of lines, and parts of each


def lines_in_box(problem: Problem) -> tuple[str, Entry] | Inapplicable:
    """The direction in which most pieces are needed, as the checker counts them."""
    target, box = problem.target_as(AbstractBoxTarget), problem.law.box
    if box.in_dim > MOST_DIM_OF_LINES:
        return Inapplicable(
            f"lines are followed in up to {MOST_DIM_OF_LINES} variables"
        )
    found = [
        (_pieces(problem, steps), steps) for steps in likely_directions(target, box)
    ]
    pieces, steps = max(found)
    if pieces < 2:
        return Inapplicable("no direction was found that asks for two pieces")
    return "lines", {
        "direction": list(steps),
        "cells": cells_of_lines(steps, MOST_BUNDLES),
        "parts": PARTS,
        "pieces": pieces,
    }


def _pieces(problem: Problem, steps: tuple[int, ...]) -> int:
    """The fewest that may leave no more than the accuracy."""
    checker = checker_module()
    read = checker.Problem(problem.to_json())
    cells = cells_of_lines(steps, MOST_BUNDLES)
    bundles = list(checker.bundles_of(read, steps, cells, PARTS))
    allowed: fmpq = problem.accuracy**read.power

    def is_enough(pieces: int) -> bool:
        left = checker.left_on(bundles, pieces, read.power)
        return pieces >= MOST_PIECES or left <= fraction(allowed)

    return least_above(is_enough, 0)
