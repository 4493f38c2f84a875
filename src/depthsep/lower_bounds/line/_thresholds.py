"""Thresholds without skip connections: the first layer decides how many values."""

from dataclasses import dataclass
from typing import ClassVar

from flint import fmpq

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.approximation import linearise
from depthsep.claims import AbstractLowerBound, Lower, Scope
from depthsep.evidence import (
    LAYERS,
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    log2,
    proved,
)
from depthsep.exact import PiecewiseAffine
from depthsep.laws import Segment
from depthsep.problems import NetworkClass, Problem, units_from_text
from depthsep.targets import AbstractLineTarget

CLOSE = fmpq(1, 1000)  # of the accuracy: how near the interpolant is
STEPS = NetworkClass(units=units_from_text("threshold"), skips=False)


def fewest_constants(f: PiecewiseAffine, room: fmpq) -> int:
    """The fewest intervals on each of which f varies by no more than the room.

    Each is as long as it can be, from the left.
    """
    values = [fmpq(v) for v in f.values]
    count, low, high = 1, values[0], values[0]
    for value in values[1:]:
        # f goes on to this value; a new interval begins whenever it has moved enough
        over = max(high - value, value - low, fmpq(0))
        more = max(0, int((over / room).ceil()) - 1)
        if more and value > high:
            low, high = low + more * room, value
        elif more:
            low, high = value, high - more * room
        count, low, high = count + more, min(low, value), max(high, value)
    return count


def _evaluate(pieces: int, layers: int) -> Value:
    if layers < 1:
        raise HypothesisError("give one hidden layer or more")
    return Value(pieces - 1, Rigour.EXACT, log2(pieces - 1))


@dataclass(frozen=True)
class ConstantPieces(AbstractLowerBound):
    """A network of thresholds is constant on each cell of its first layer."""

    statement: ClassVar[Statement] = Statement(
        "constant-pieces",
        "Least width of a network of threshold units without skip "
        "connections that has N constant pieces",
        (
            (
                "the network has one input, m_1 units in its first hidden "
                "layer, any weights and no skip connections"
            ),
            (
                "N is the least number of constant pieces that are within the "
                "accuracy of f; the bound is the same at every depth"
            ),
        ),
        Source("depthsep", "Theorem U for threshold units"),
        (Parameter("pieces", "integer", "N, the number of constant pieces"), LAYERS),
        _evaluate,
        sample="pieces=1000 layers=2",
        tex=r"m_1 \ge N - 1",
        proof=proved("units"),
    )

    scope = Scope(
        "this bound covers only threshold units, on an interval and in linf",
        AbstractLineTarget,
        norms=("linf",),
    )

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        asked = problem.networks
        if not STEPS.includes(asked):
            words = (
                "this bound covers only networks of threshold units "
                "without skip connections"
            )
            return Inapplicable(words, off_topic=True)
        on, error = problem.interval, problem.accuracy
        try:
            line = linearise(problem.line_target, on, error * CLOSE)
        except (TooLargeError, HypothesisError) as refusal:
            return Inapplicable(str(refusal))
        steps = fewest_constants(line.function, 2 * (error + line.error)) - 1
        return Lower(
            width=steps,
            units=steps + depth - 2 if steps else 0,
            rigour=Rigour.ENCLOSED,
            statement=self.statement,
            networks=STEPS,
        )

    def examples(self) -> list[Problem]:
        return [
            Problem("square", accuracy="1/100", networks=STEPS),
            Problem("expr:sin(20*x)", Segment(0, 1), accuracy="1/10", networks=STEPS),
        ]
