"""The fewest continuous pieces for any function in the sup norm, certified."""

from dataclasses import dataclass
from functools import lru_cache
from typing import ClassVar

from flint import fmpq

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.approximation import fewest_pieces, linearise
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
from depthsep.laws import Segment
from depthsep.lower_bounds._pieces import RELU_SETTING, from_pieces, width_value
from depthsep.lower_bounds.line._curvature import curvature_pieces
from depthsep.problems import Problem
from depthsep.targets import AbstractLineTarget

TUNNEL = "Theorem A with a count of the fewest pieces"
PIECES_IN_LINF = Scope(
    "this bound covers only functions on an interval, in linf",
    AbstractLineTarget,
    norms=("linf",),
)
KNOTS = 40_000
MOST_PIECES = 4000


@lru_cache(maxsize=64)
def optimum_pieces(problem: Problem) -> int | Inapplicable:
    """A proved lower bound on the pieces of any approximant in linf.

    The target is replaced by an interpolant with a proved error d, as small as the
    number of knots allows; whoever is within E of the target is within E + d of the
    interpolant, for which the fewest pieces are counted in rationals. Pieces may jump
    if the units that the problem is about do.
    """
    rough = curvature_pieces(problem)
    if rough > MOST_PIECES:
        return Inapplicable(
            f"more than {MOST_PIECES} pieces are needed; the curvature "
            "bound is used instead"
        )
    continuous = problem.networks.units.continuous
    return pieces_on(problem, problem.interval, continuous=continuous)


def pieces_on(problem: Problem, on: Segment, *, continuous: bool) -> int | Inapplicable:
    """The same on a part of the interval; pieces may jump unless `continuous`."""
    try:
        line = linearise(problem.line_target, on, _slack(problem))
    except (TooLargeError, HypothesisError) as refusal:
        return Inapplicable(str(refusal))
    error = problem.accuracy + line.error
    return fewest_pieces(line.function, error, continuous=continuous, rounding=1)


def _slack(problem: Problem) -> fmpq:
    """How near an interpolant of the target has to be to count its pieces.

    A chord is off by 2 E / k^2 when k of them replace one optimal piece.
    """
    chords = max(6, min(64, KNOTS // (curvature_pieces(problem) + 1)))
    return problem.accuracy * 2 / chords**2


def _evaluate(pieces: int, layers: int) -> Value:
    return width_value(pieces, layers, Rigour.EXACT)


@dataclass(frozen=True)
class BestPieces(AbstractLowerBound):
    """The certified optimum over continuous functions with N pieces, then Theorem A."""

    statement: ClassVar[Statement] = Statement(
        "theorem-a",
        "Least width of a ReLU network with N affine pieces on a line",
        (
            RELU_SETTING,
            (
                "the network has one input, or is restricted to a line in "
                "the input space"
            ),
        ),
        Source("depthsep", "Theorem A"),
        (
            Parameter("pieces", "integer", "N, the number of affine pieces"),
            LAYERS,
        ),
        _evaluate,
        (
            (
                "Telgarsky (2023), Definition 4.8 partitions R into sets; "
                "if the sets are not intervals, Lemma 4.11 is false."
            ),
            (
                "Telgarsky (2023), Lemma 4.9 has the bound 2^L m_1 ... m_L; the "
                "product (m_1 + 1) ... (m_L + 1) of this theorem is never larger."
            ),
        ),
        sample="pieces=1000 layers=2",
        tex=r"N \le \prod_{i=1}^{L} (m_i + 1), \quad \text{so} \quad \max_i "
        r"m_i \ge N^{1/L} - 1",
        proof=proved("theorem-a"),
    )

    scope = PIECES_IN_LINF

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        if problem.exact_form is not None:
            return Inapplicable(
                "an exact bound is used for this target", off_topic=True
            )
        pieces = optimum_pieces(problem)
        if isinstance(pieces, Inapplicable):
            return pieces
        jumps, proved_by = not problem.networks.units.continuous, self.statement
        rigour = Rigour.ENCLOSED
        return from_pieces(pieces, depth, rigour, proved_by, TUNNEL, may_jump=jumps)

    def examples(self) -> list[Problem]:
        return [
            Problem("expr:sin(20*x)", accuracy="1e-2"),
            Problem("expr:abs(x-1/3)+sqrt(x)", accuracy=fmpq(1, 50)),
        ]
