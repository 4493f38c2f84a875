"""Sawtooths at every depth: exactly, or all teeth but the last few."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import ClassVar

import numpy as np
from flint import fmpq

from depthsep.claims import MAX_WEIGHTS, AbstractConstruction, Scope, Upper
from depthsep.constructions.line._folds import balanced_bases
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
from depthsep.exact import exact_column, sqrt_upper
from depthsep.networks import Affine, Network
from depthsep.problems import Problem
from depthsep.targets import Sawtooth

# beyond, the examiner needs long unless all pieces are there and bases powers of two
MOST_FOLDS_OF_ANY_BASE = 13


def _evaluate(folds: int, layers: int) -> Value:
    width = balanced_bases(1 << Sawtooth(folds).folds, layers)[0]
    return Value(width, Rigour.EXACT, log2(width))


@dataclass(frozen=True)
class SawtoothByFolds(AbstractConstruction):
    """The first teeth of D^k by L folds of any bases, then the constant 1/2.

    M affine pieces of D^k, M - 1/2 an integer, then 1/2: the error is
    (1 - M / 2^k) / 4 in l1, the square of (1 - M / 2^k) / 12 in l2. No continuous
    function of M + 3/2 pieces is nearer. All pieces, and error 0, in linf.
    """

    statement: ClassVar[Statement] = Statement(
        "sawtooth-folds",
        "Width that is enough for L hidden layers to compute the sawtooth D^k exactly",
        (
            "k >= 1",
            "x lies in [0, 1]",
            (
                "hidden layer j folds an interval into b_j pieces; b_1, "
                "..., b_L are whole numbers to choose"
            ),
        ),
        Source(
            "telgarsky2023", "Proposition 4.1, with folds into any number of pieces"
        ),
        (
            Parameter(
                "folds", "integer", "k, the number of compositions of the tent map D"
            ),
            LAYERS,
        ),
        _evaluate,
        (
            (
                "The printed hypothesis leaves out that x lies in [0, 1]; without it, "
                "D^2(5/4) = 0 but the right side of the printed identity is 1."
            ),
            (
                "This construction merges adjacent affine maps, so "
                "that k folds, each into two pieces, take k hidden "
                "layers; the source counts two layers per fold."
            ),
            (
                "The source states its result for folds into two pieces; if the input "
                "is rescaled, folds into any number of pieces work."
            ),
        ),
        sample="folds=12 layers=3",
        tex=(
            r"\text{widths } b_1, \ldots, b_L \text{ with } b_1 b_2 "
            r"\cdots b_L \ge 2^k; \quad b_1 b_2 \cdots b_L \ge M "
            r"\text{ for the first } M \text{ affine pieces}"
        ),
        proof=proved("explicit-networks"),
    )

    scope = Scope(
        "this construction builds networks only for sawtooths", Sawtooth, least_depth=2
    )

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        folds = problem.target_as(Sawtooth).folds
        teeth, bases = _teeth_and_bases(
            folds, teeth_needed(folds, problem.norm, problem.accuracy), depth - 1
        )
        missing = 1 - teeth / (1 << folds)
        error = sqrt_upper(missing / 12) if problem.norm == "l2" else missing / 4
        return Upper(
            widths=(int((teeth / prod(bases[1:])).ceil()), *bases[1:]),
            error=min(error, problem.accuracy),  # the root is rounded up
            rigour=Rigour.EXACT,
            statement=self.statement,
            make=lambda: teeth_network(folds, bases, teeth),
        )

    def examples(self) -> list[Problem]:
        return [
            Problem(f"sawtooth:{k}", accuracy="0.05", norm=norm)
            for k in (1, 3, 8)
            for norm in ("l1", "l2", "linf")
        ]


def teeth_needed(folds: int, norm: str, accuracy: fmpq) -> fmpq:
    """Affine pieces M of D^k to follow: M - 1/2 an integer, or all of them."""
    whole = fmpq(1 << folds)
    if norm == "linf":
        return whole
    share = 1 - (4 * accuracy if norm == "l1" else 12 * accuracy**2)
    teeth = (share * whole - fmpq(1, 2)).ceil() + fmpq(1, 2)
    return min(max(teeth, fmpq(1, 2)), whole)


def _teeth_and_bases(
    folds: int, teeth: fmpq, layers: int
) -> tuple[fmpq, tuple[int, ...]]:
    """For the least width, then the fewest units, that the examiner can follow."""
    bases = balanced_bases(int(teeth.ceil()), layers)
    if folds > MOST_FOLDS_OF_ANY_BASE and bases[0] ** 2 < MAX_WEIGHTS:
        teeth = fmpq(1 << folds)
        bases = _powers_of_two(teeth, layers, folds)
    choices = [
        bases,
        *(_powers_of_two(teeth, layers, inner) for inner in range(folds + 1)),
    ]
    return teeth, min(choices, key=lambda bases: (max(bases), sum(bases)))


def _powers_of_two(teeth: fmpq, layers: int, inner: int) -> tuple[int, ...]:
    """2^inner pieces in each fold of the first layer, shared by the other layers."""
    share, more = divmod(inner, max(1, layers - 1))
    folds = [share + (i < more) for i in range(layers - 1)]
    first = int((teeth / (1 << sum(folds))).ceil())
    return (first, *(1 << k for k in folds))


def teeth_network(folds: int, bases: Sequence[int], teeth: fmpq) -> Network:
    """D^k on its first `teeth` pieces, then constant: prod(bases) >= teeth.

    With t = 2^k x, hidden layer j holds the distance of t to the multiples of
    2 b_(j+1) ... b_L. The units relu(t_i - t) of the first layer are 0 beyond the last
    tooth. All weights are exact in float64 for up to 2^52 pieces.
    """
    step = prod(bases[1:])
    folds_at = range(int((teeth / step).ceil()) - 1, 0, -1)
    places = [teeth, *(fmpq(i * step) for i in folds_at)]
    unit = _unit(step)
    speed = exact_column([-fmpq(1 << folds) / unit] * len(places))
    layers = [Affine(speed[:, None], exact_column([p / unit for p in places]))]
    rising = len(places) % 2 == 1
    left = teeth - (len(places) - 1) * step
    constant = left if rising else step - left
    signs = [(-1) ** (i + rising) for i in range(len(places))]
    row = [fmpq(signs[0]), *(fmpq(2 * sign) for sign in signs[1:])]
    for base in bases[1:]:
        step, before = step // base, unit
        unit = _unit(step)
        weight = np.tile(exact_column([w * before / unit for w in row]), (base, 1))
        biases = [(constant - i * step) / unit for i in range(base)]
        layers.append(Affine(weight, exact_column(biases)))
        row = [fmpq(1), *(fmpq(2 * (-1) ** i) for i in range(1, base))]
        constant = fmpq(0)
    last = exact_column([w * unit for w in row])
    layers.append(Affine(last[None, :], exact_column([constant])))
    return Network(layers)


def _unit(step: int) -> fmpq:
    """A power of two near the step, in which layers count: weights stay small."""
    return fmpq(1 << (step.bit_length() - 1))
