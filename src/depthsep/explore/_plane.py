"""A certified network on a box: its regions on a plane, its values along a line."""

from collections.abc import Iterator, Sequence
from functools import lru_cache

import numpy as np
from flint import fmpq

from depthsep._errors import HypothesisError
from depthsep.analysis.regions import Polygon, Subdivision, subdivide
from depthsep.exact import nearest_float, rational
from depthsep.explore._line import rounded
from depthsep.explore._state import State
from depthsep.networks import Network, restrict
from depthsep.problems import Problem
from depthsep.separation import Built, build

MOST_UNITS = 120  # of a network whose regions are drawn
MOST_REGIONS = 6000
LINE_POINTS = 401


def regions(state: State) -> Iterator[dict[str, object]]:
    """The activation regions over (x1, x2), the others held at the slice.

    With two inputs the slice is the line x2 = const, along which values are given.

    Raises:
        HypothesisError: a target that does not live on a box, or a large network.
    """
    problem = state.problem()
    if problem.law.setting != "box" or problem.target.in_dim < 2:
        raise HypothesisError(
            "regions are drawn only for functions of several variables "
            "on a box; for example, give product as the target"
        )
    built = _built(problem, state.depth)
    network, sides = built.network, problem.law.box.sides
    if network.units > MOST_UNITS:
        raise HypothesisError(
            f"the network has {network.units} units, and regions are drawn for at "
            f"most {MOST_UNITS}; allow a larger error or choose another depth"
        )
    ends = [(side.start, side.stop) for side in sides]
    share = rational(state.at)
    held = [a + (b - a) * share for a, b in ends]
    flat = network
    if len(ends) > 2:
        zeros = [[int(i == k) for i in range(len(ends))] for k in (0, 1)]
        flat = restrict(network, [0, 0, *held[2:]], *zeros)
    (a, b), (c, d) = ends[0], ends[1]
    cells = subdivide(flat, Polygon([(a, c), (b, c), (b, d), (a, d)]))
    yield {
        "widths": list(network.widths),
        "count": len(cells),
        "affine": int(cells.affine_regions),
        "source": str(built.upper.source),
        "box": [nearest_float(v) for v in (a, b, c, d)],
        "at": nearest_float(held[2] if len(ends) > 2 else held[1]),
        "held": "x3" if len(ends) > 2 else "x2",
        "regions": _drawn(cells),
    } | _along(problem, network, ends, held)


@lru_cache(maxsize=1)
def _built(problem: Problem, depth: int) -> Built:
    """The network of a row, which all its slices share."""
    return build(problem, depth=depth, seconds=20)


def _drawn(cells: Subdivision) -> list[dict[str, object]]:
    """Corners and the number of units that are on, of the first regions."""
    none = np.zeros(len(cells), dtype=int)
    on = sum((p.sum(axis=1) for p in cells.complex.patterns), none)[:MOST_REGIONS]
    return [
        {"corners": rounded(points), "on": int(count)}
        for points, count in zip(cells.near_corners()[: len(on)], on, strict=True)
    ]


def _along(
    problem: Problem,
    network: Network,
    ends: Sequence[tuple[fmpq, fmpq]],
    held: Sequence[fmpq],
) -> dict[str, object]:
    """Target and network on the line on which x1 moves and the others are held."""
    start, stop = (nearest_float(v) for v in ends[0])
    x = np.linspace(start, stop, LINE_POINTS)
    points = np.tile([nearest_float(v) for v in held], (LINE_POINTS, 1))
    points[:, 0] = x
    return {
        "x": rounded(x),
        "target": rounded(problem.target.floats(points)),
        "network": rounded(network.floats(points)[:, 0]),
    }
