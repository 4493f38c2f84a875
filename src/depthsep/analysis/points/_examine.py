"""Examine a network at points: exactly, piece by piece."""

from itertools import pairwise

from depthsep._errors import TooLargeError
from depthsep.analysis.line._examine import Effort, Examination
from depthsep.analysis.line.pieces._enumerate import on_interval
from depthsep.approximation import mean_at_points, pieces_at
from depthsep.evidence import Enclosure, Inapplicable, Rigour
from depthsep.exact import PiecewiseAffine
from depthsep.networks import Network
from depthsep.problems import Problem
from depthsep.targets import PointSet


def examine_points(
    network: Network, problem: Problem, effort: Effort
) -> Examination | Inapplicable:
    """The largest or the mean error at the points, from the network's pieces."""
    points = problem.target_as(PointSet)
    if not network.is_continuous:
        return Inapplicable(
            "networks with discontinuous units are not examined at points"
        )
    on = points.whole
    try:
        f = on_interval(network, on.start, on.stop, max_pieces=effort.max_pieces)
    except TooLargeError as refusal:
        return Inapplicable(str(refusal))
    error = _largest(points, f) if problem.norm == "linf" else _mean(points, f, problem)
    return Examination(error, f.pieces, "points")


def _largest(points: PointSet, f: PiecewiseAffine) -> Enclosure:
    ends = pairwise(zip(f.knots.tolist(), f.values.tolist(), strict=True))
    worst = max(points.line_error(a, b, v, w) for (a, v), (b, w) in ends)
    return Enclosure(worst, worst, Rigour.EXACT)


def _mean(points: PointSet, f: PiecewiseAffine, problem: Problem) -> Enclosure:
    knots, values = f.knots.tolist(), f.values.tolist()
    lines = [
        (a, v, (w - v) / (b - a))
        for (a, v), (b, w) in pairwise(zip(knots, values, strict=True))
    ]
    number = pieces_at(points.rows[:, 0], knots[1:-1])
    return mean_at_points(points.rows, number, lines, problem.norm)
