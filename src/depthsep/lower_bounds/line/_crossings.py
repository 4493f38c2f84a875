"""Crossing numbers: a continuous network crosses a level at most once on each piece."""

from dataclasses import dataclass, replace
from typing import ClassVar

from flint import fmpq

from depthsep.analysis import most_crossings
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
from depthsep.exact import least
from depthsep.lower_bounds._pieces import from_pieces
from depthsep.problems import ANY_RELU, Problem, Units
from depthsep.targets import Sawtooth


def crossing_pieces(folds: int, accuracy: fmpq, norm: str) -> int | Inapplicable:
    r"""Pieces of a continuous g close to $D^k$, by crossings of the level 1/2.

    linf below 1/2: g is above 1/2 at the tops and below at the bottoms, so it crosses
    2^k times, and on one closed piece at most once: N >= 2^k.

    l1: the classes of D^k against 1/2 have s = 2^k + 1 runs, those of g at most N + 1;
    on at least (s + 1)/2 - (N + 1) runs they disagree throughout. A run inside costs
    2^-k / 4, the two at the ends half of that, so N >= 2^k (1/2 - 4 E) - 1. The source
    has "s/2" for (s + 1)/2.
    """
    teeth = fmpq(1 << folds)
    if norm == "linf":
        if accuracy >= fmpq(1, 2):
            return Inapplicable(
                "the constant 1/2 already meets the accuracy", off_topic=True
            )
        return 1 << folds
    if norm == "l1":
        needed = int((teeth * (fmpq(1, 2) - 4 * accuracy)).ceil()) - 1
        return (
            needed
            if needed > 1
            else Inapplicable("this bound gives nothing at this accuracy")
        )
    return Inapplicable("this bound covers only l1 and linf", off_topic=True)


def _evaluate(widths: tuple[int, ...], t: int, degree: int) -> Value:
    value = most_crossings(widths, pieces=t, degree=degree)
    return Value(value, Rigour.EXACT, log2(value))


@dataclass(frozen=True)
class CrossingNumber(AbstractLowerBound):
    """Sawtooths by counting crossings of 1/2, for continuous networks."""

    statement: ClassVar[Statement] = Statement(
        "crossings",
        "Upper bound on the crossing number of a network of "
        "(t, a)-piecewise-polynomial units: the number of maximal intervals on each "
        "of which the output is everywhere at least 1/2 or everywhere below 1/2",
        (
            "the network has one input, or is restricted to a line",
            (
                "each unit has t >= 1 pieces, which are polynomials of "
                "degree at most a, with a >= 1"
            ),
            "if a = 1, the units are continuous",
        ),
        Source("telgarsky2016", "Lemma 3.2, corrected"),
        (
            Parameter(
                "widths", "integers", "m_1, m_2, ..., the widths of the hidden layers"
            ),
            Parameter("t", "integer", "the number t of pieces of a unit", "2"),
            Parameter("degree", "integer", "a, the largest degree of the pieces", "1"),
        ),
        _evaluate,
        (
            (
                "A break point of a unit in layer i has up to a^(i-1) preimages in "
                "each piece, as the pieces have degree a^(i-1); the printed "
                "derivation leaves this factor out and holds for a = 1 only."
            ),
            (
                "The number of times that a function crosses a level is one less than "
                "its number of maximal intervals on which it is at least that level, "
                "or below it. Where the source says 'more than half of the regions', "
                "it should say 'almost half of the regions, or more'."
            ),
        ),
        tex=(
            r"p_i = p_{i-1} \left( 1 + m_i (t - 1) \, a^{i-1} \right), "
            r"\quad p_0 = 1, \quad \operatorname{Cr} \le p_L (1 + a^L); "
            r"\quad \operatorname{Cr} \le p_L + 1 \text{ for } a = 1 "
            r"\text{ and continuous units}; \quad p_i "
            r"\text{ bounds the number of pieces after layer } i"
        ),
        proof=proved("crossings"),
    )

    scope = Scope("this bound covers only sawtooths", Sawtooth)

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        target = problem.target_as(Sawtooth)
        pieces = crossing_pieces(target.folds, problem.accuracy, problem.norm)
        if isinstance(pieces, Inapplicable):
            return pieces
        units = problem.networks.units
        if units.pieces is not None and units.degree > 1:
            return self._of_polynomials(pieces, depth, units.pieces, units)
        return from_pieces(pieces, depth, Rigour.EXACT, self.statement)

    def _of_polynomials(
        self, crossed: int, depth: int, pieces: int, units: Units
    ) -> Lower:
        """The least width, and the units of a layer and one in each other layer."""

        def reaches(width: int) -> bool:
            widths = [width] * (depth - 1)
            most = most_crossings(widths, pieces=pieces, degree=units.degree)
            return most >= crossed

        width = least(reaches, -1, crossed)
        return Lower(
            width=width,
            units=width + depth - 2,
            rigour=Rigour.EXACT,
            statement=self.statement,
            networks=replace(ANY_RELU, units=units),
        )

    def examples(self) -> list[Problem]:
        return [Problem("sawtooth:8", norm=n, accuracy="0.01") for n in ("linf", "l1")]
