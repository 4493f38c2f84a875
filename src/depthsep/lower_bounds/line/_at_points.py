"""How many pieces points ask for: runs of them, one line each."""

from dataclasses import dataclass
from typing import ClassVar

from depthsep._errors import HypothesisError, TooLargeError
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
from depthsep.lower_bounds._once import once_for_all_networks
from depthsep.lower_bounds._pieces import RELU_SETTING, from_pieces, width_value
from depthsep.problems import Problem
from depthsep.tables import runs_of_points
from depthsep.targets import PointSet


@once_for_all_networks
def runs_needed(problem: Problem) -> int:
    """Pieces of every function within the accuracy at the points; it may jump."""
    points = problem.target_as(PointSet)
    return runs_of_points(points, problem.norm, problem.accuracy)


def _evaluate(runs: int, layers: int) -> Value:
    return width_value(runs, layers, Rigour.EXACT)


@dataclass(frozen=True)
class RunsOfPoints(AbstractLowerBound):
    """The pieces of a network cut the points into runs, each near one line."""

    statement: ClassVar[Statement] = Statement(
        "runs-of-points",
        "Width needed to approximate given points",
        (
            RELU_SETTING,
            "the error is measured at the points only; E is the allowed error",
        ),
        Source("depthsep", "Theorem A with runs of points"),
        (Parameter("runs", "integer", "R, the number of runs"), LAYERS),
        _evaluate,
        sample="runs=40 layers=1",
        tex=(
            r"\prod_{i=1}^{L} (m_i + 1) \ge R, \quad R "
            r"\text{ is the least number of runs of consecutive points for which one "
            r"line for each run gives an error of at most } "
            "E"
        ),
        proof=proved("runs-of-points"),
    )

    scope = Scope("this bound covers only sets of points", PointSet)

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        try:
            runs = runs_needed(problem)
        except (HypothesisError, TooLargeError) as refusal:
            return Inapplicable(str(refusal))
        if runs == 1:
            return Inapplicable("one line may be within the accuracy at all points")
        rigour = Rigour.EXACT if problem.norm == "linf" else Rigour.ENCLOSED
        return from_pieces(runs, depth, rigour, self.statement, may_jump=True)

    def examples(self) -> list[Problem]:
        points = "points:0,0;1,1;2,0;3,1;4,0;5,1"
        return [Problem(points, norm=n, accuracy="1/20") for n in ("linf", "l1", "l2")]
