"""Parity at depth 2: hyperplanes must cut almost every square of the cube."""

from dataclasses import dataclass
from typing import ClassVar

from flint import fmpq, fmpz

from depthsep._errors import HypothesisError
from depthsep.claims import AbstractLowerBound, Lower, Scope
from depthsep.evidence import (
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    log2,
    proved,
)
from depthsep.laws import SignCube
from depthsep.problems import Problem
from depthsep.targets import Parity


def parity_width(inputs: int, accuracy: fmpq, norm: str) -> int:
    r"""Units of one hidden layer (any kinked units) within `accuracy` < 1 of parity.

    On a square (2-face) of the cube that no unit's hyperplane separates, the network is
    affine, so its alternating sum is 0 where parity has 4: mean error at least 1 on the
    four corners. A hyperplane separates at most ceil(d/2) C(d, ceil(d/2)) edges of the
    cube (O'Neil 1971); each lies in d - 1 squares, and a square whose corners are
    not all on one (closed) side has two edges from one side to the other. There are
    d (d-1) 2^(d-3) squares, and a share of at most E (l1), E^2 (l2) or none (linf) may
    stay uncut.
    """
    if not 0 < accuracy < 1:
        raise HypothesisError(
            f"the accuracy is {accuracy}; the bound needs 0 < accuracy < 1"
        )
    if inputs < 2:
        return 0
    uncut = {"linf": fmpq(0), "l1": accuracy, "l2": accuracy**2}[norm]
    half = (inputs + 1) // 2
    squares = fmpq(fmpz(inputs * (inputs - 1)) << inputs, 8)
    cut_by_one = fmpq(half * fmpz.bin_uiui(inputs, half) * (inputs - 1), 2)
    return max(1, int(((1 - uncut) * squares / cut_by_one).ceil()))


def _evaluate(inputs: int, accuracy: fmpq) -> Value:
    width = parity_width(inputs, accuracy, "linf")
    return Value(width, Rigour.EXACT, log2(width))


@dataclass(frozen=True)
class ParitySquares(AbstractLowerBound):
    """Counting cut squares, at depth 2."""

    statement: ClassVar[Statement] = Statement(
        "parity-squares",
        "Width that one hidden layer needs for the parity of d signs",
        (
            "the signs are independent and uniform",
            "the accuracy is below 1",
            (
                "the network has one hidden layer of m units that are affine on each "
                "side of a hyperplane, such as ReLUs and thresholds"
            ),
        ),
        Source("depthsep", "counting cut squares (after O'Neil 1971)"),
        (
            Parameter("inputs", "integer", "d, the number of inputs"),
            Parameter("accuracy", "rational", "E, the allowed error in linf", "1/2"),
        ),
        _evaluate,
        sample="inputs=30 accuracy=1/10",
        tex=(
            r"m \ge \frac{(1 - u) \, d \, 2^{d-2}}"
            r"{\lceil d/2 \rceil \binom{d}{\lceil d/2 \rceil}}, "
            r"\quad u = 0 \text{ in } \ell_\infty, \; E \text{ in } \ell_1, "
            r"\; E^2 \text{ in } \ell_2"
        ),
        proof=proved("parity"),
    )

    scope = Scope("this bound covers only parities", Parity, SignCube)

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        target = problem.target_as(Parity)
        if problem.accuracy >= 1 or depth > 2:
            return Inapplicable(
                "this bound needs depth 2 and an accuracy below 1", off_topic=True
            )
        width = parity_width(target.inputs, problem.accuracy, problem.norm)
        return Lower(
            width=width, units=width, rigour=Rigour.EXACT, statement=self.statement
        )

    def examples(self) -> list[Problem]:
        return [Problem(f"parity:{d}", norm=n) for d in (2, 9) for n in ("linf", "l1")]


def _evaluate_affine(inputs: int) -> Value:
    return Value(1 if inputs > 1 else 0, Rigour.EXACT)


@dataclass(frozen=True)
class ParityIsNotAffine(AbstractLowerBound):
    """Some hidden layer needs a unit, unless the mean 0 or one sign is enough.

    Without units a network with skip connections is affine, so its alternating sum
    over a square is 0 where parity has 4.
    """

    statement: ClassVar[Statement] = Statement(
        "parity-not-affine",
        "Width needed at any depth for the parity of d signs",
        ("the accuracy is below 1", "d >= 2"),
        Source("depthsep", "parity is not affine"),
        (Parameter("inputs", "integer", "d, the number of inputs"),),
        _evaluate_affine,
        sample="inputs=9",
        tex=(
            r"\frac{1}{4} \sum_{x \in Q} "
            r"\left\lvert x_1 \cdots x_d - g(x) \right\rvert \ge 1 \text{ for } g "
            r"\text{ affine and every square } Q \text{ of the cube}"
        ),
        proof=proved("parity"),
    )

    scope = Scope("this bound covers only parities", Parity, SignCube)

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        target = problem.target_as(Parity)
        width = 1 if target.inputs > 1 and problem.accuracy < 1 else 0
        return Lower(
            width=width, units=width, rigour=Rigour.EXACT, statement=self.statement
        )

    def examples(self) -> list[Problem]:
        return [Problem(f"parity:{d}") for d in (2, 9)]
