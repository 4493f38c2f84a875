"""Convex cells that a function of two variables needs: Theorem W, tile by tile."""

from depthsep.evidence import Inapplicable
from depthsep.exact import text
from depthsep.lower_bounds import FEET_OF_PLANES, CellCount, cell_counts
from depthsep.problems import Problem
from depthsep.witnesses._proof import Entry


def cells_in_box(problem: Problem, layers: int) -> tuple[str, Entry] | Inapplicable:
    """The tiles that ask most of so many hidden layers."""
    dim = problem.law.in_dim
    if dim not in FEET_OF_PLANES:
        return Inapplicable(
            "the bound by affine cells on planes is only for up to "
            f"{max(FEET_OF_PLANES)} variables"
        )
    cuts = cell_counts(problem)
    if not cuts:
        return Inapplicable(
            "no part of the box was found on which the target is "
            "curved enough to need two affine cells"
        )
    best = max(cuts, key=lambda cut: cut.least_width(layers))
    return "cells", _entry(problem, best)


def _entry(problem: Problem, cut: CellCount) -> Entry:
    plane, part = cut.plane, cut.part
    assert plane is not None and part is not None
    in_cells = FEET_OF_PLANES[problem.law.in_dim]
    at_points = [text(x) for x in plane.feet]
    return {
        "axes": list(plane.axes),
        "grid": plane.cells,
        "rectangle": [[part.i0, part.i1], [part.j0, part.j1]],
        "tiles": [cut.columns, cut.rows],
        "feet": at_points if problem.norm == "linf" else in_cells,
    }
