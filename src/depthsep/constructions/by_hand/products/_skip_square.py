"""x^2 on [0, 1] by folds, their sum read off all layers by skip connections."""

from collections.abc import Sequence
from dataclasses import dataclass

from flint import fmpq

from depthsep._errors import HypothesisError, TooLargeError
from depthsep.claims import Scope
from depthsep.constructions.by_hand._made import AbstractMade, Made
from depthsep.constructions.by_hand._parameters import LEVELS
from depthsep.evidence import Rigour, Source, Statement, Value, proved
from depthsep.networks import Affine, SkipNetwork
from depthsep.problems import Problem
from depthsep.targets import AbstractLineTarget, ExactForm

MAX_LEVELS = 200
MOST_LEVELS = 16  # of networks that are examined: 2^16 pieces


def square_with_skips(levels: int) -> SkipNetwork:
    r"""h_i(x) = x - sum_{k=1}^i D^k(x) / 4^k: 2 i units in i hidden layers.

    It interpolates x^2 at the multiples of 2^-i on [0, 1], within 4^(-i-1) there.
    D(z) = 2 relu(z) - 4 relu(z - 1/2); layer k holds the two units of D after D^(k-1),
    and the read-out reads all.

    Raises:
        HypothesisError: levels not from 1 to 200.

    Source:
        Telgarsky (2023), Theorem 4.2, in its form with skip connections.
    """
    if not 1 <= levels <= MAX_LEVELS:
        raise HypothesisError(
            f"`levels` is {levels}; give a number from 1 to {MAX_LEVELS}"
        )
    half = fmpq(1, 2)
    tooth, layers = [fmpq(1)], []
    for k in range(levels):
        row = [fmpq(0)] * (2 * k + 1 - len(tooth)) + tooth
        layers.append(Affine([row, row], [0, -half]))
        tooth = [fmpq(2), fmpq(-4)]
    read = [fmpq(1)]
    for k in range(1, levels + 1):
        read += [-2 / fmpq(4) ** k, 4 / fmpq(4) ** k]
    return SkipNetwork(1, [*layers, Affine([read], [0])])


def _skip_square(levels: int) -> Value:
    return Value(2 * levels, Rigour.EXACT)


SKIP_SQUARE = Statement(
    "square-skips",
    "Number of units that is enough to interpolate x^2 at the "
    "multiples of 2^-i with skip connections",
    (
        "x lies in [0, 1]",
        "the output layer reads all hidden layers; the error is 4^(-i-1) in linf",
    ),
    Source("telgarsky2023", "Theorem 4.2, with skip connections"),
    (LEVELS,),
    _skip_square,
    sample="levels=10",
    tex=r"2 i",
    proof=proved("explicit-networks"),
)


@dataclass(frozen=True)
class SquareWithSkips(AbstractMade):
    """h_i with the fewest levels; values pass on by more units where skips are not."""

    statement = SKIP_SQUARE
    scope = Scope(
        "this construction builds networks only for x^2 on an interval in [0, 1]",
        AbstractLineTarget,
    )

    def made(self, problem: Problem) -> Made:
        target, on = problem.target_as(AbstractLineTarget), problem.law.interval
        if target.exact_form() != ExactForm(fmpq(1), fmpq(0), fmpq(0)):
            raise HypothesisError("the target is not x^2")
        if on.start < 0 or on.stop > 1:
            raise HypothesisError(f"{on} is not in [0, 1]")
        levels = 1
        while fmpq(1, 4 ** (levels + 1)) > problem.accuracy:
            levels += 1
        if levels > MOST_LEVELS:
            raise TooLargeError(
                f"2^{levels} pieces are too many to examine (at most "
                f"2^{MOST_LEVELS}); allow a larger error, or leave out --by"
            )
        return Made(square_with_skips(levels).layered(), fmpq(1, 4 ** (levels + 1)))

    def examples(self) -> Sequence[Problem]:
        return [Problem("square", accuracy="1/1000")]
