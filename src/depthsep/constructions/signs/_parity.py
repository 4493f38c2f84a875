"""Parity of any number of signs."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import prod
from typing import ClassVar

import numpy as np
from flint import fmpq

from depthsep.claims import AbstractConstruction, Scope, Upper
from depthsep.constructions.line._folds import balanced_bases, fold_coefficients
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
from depthsep.networks import Affine, Network
from depthsep.problems import Problem
from depthsep.targets import Parity


def _evaluate(inputs: int, layers: int) -> Value:
    width = max(balanced_bases(Parity(inputs).inputs, layers))
    return Value(width, Rigour.EXACT, log2(width))


@dataclass(frozen=True)
class ParityByFolds(AbstractConstruction):
    """prod x_i = (-1)^d (1 - 2 (p mod 2)), p the number of +1: fold p, error 0.

    Telgarsky (2023), section 4.1 prints prod x_i = D^(L-1) of the mean, which takes
    values 0, 1/2 and 1; the statement here holds for every d >= 1.
    """

    statement: ClassVar[Statement] = Statement(
        "parity-folds",
        "Width that is enough for L hidden layers to compute the "
        "parity of d signs exactly",
        (
            "the inputs are -1 or 1",
            "d >= 1",
            (
                "hidden layer j folds an interval into b_j pieces; b_1, "
                "..., b_L are whole numbers to choose"
            ),
        ),
        Source("telgarsky2023", "section 4.1, parity (corrected)"),
        (
            Parameter("inputs", "integer", "d, the number of inputs"),
            LAYERS,
        ),
        _evaluate,
        (
            (
                "The source prints D^(L-1) of a mean of the inputs, D being the tent "
                "map; its values are 0, 1/2 and 1, not -1 and 1. The correct formula "
                "is prod x_i = (-1)^d (1 - 2 D^L(p / 2^L)) for 1 <= d <= 2^L, where p "
                "is the number of inputs that are 1."
            ),
        ),
        sample="inputs=64 layers=2",
        tex=r"\text{widths } b_1, \ldots, b_L \text{ with } b_1 b_2 \cdots b_L \ge d",
        proof=proved("explicit-networks"),
    )

    scope = Scope(
        "this construction builds networks only for parities", Parity, least_depth=2
    )

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        target = problem.target_as(Parity)
        bases = balanced_bases(target.inputs, depth - 1)
        return Upper(
            widths=bases,
            error=fmpq(0),
            rigour=Rigour.EXACT,
            statement=self.statement,
            make=lambda: parity_network(target.inputs, bases),
            in_dim=target.inputs,
        )

    def examples(self) -> list[Problem]:
        return [Problem(f"parity:{d}", accuracy="1/10") for d in (1, 2, 5, 8, 13)]


def parity_network(inputs: int, bases: Sequence[int]) -> Network:
    """The product of `inputs` signs by folding their sum; prod(bases) >= inputs.

    All weights are integers or halves. Layer j folds [0, q_{j-1}] onto [0, q_j], where
    q_j is the product of the bases still to come.
    """
    rest = prod(bases)
    layers, incoming, offset = [], np.full(inputs, 0.5), inputs / 2
    for base in bases:
        rest //= base
        weight = np.tile(incoming, (base, 1))
        bias = offset - rest * np.arange(base, dtype=np.float64)
        layers.append(Affine(weight, bias))
        incoming, offset = fold_coefficients(base), 0.0
    sign = (-1.0) ** inputs
    layers.append(Affine(-2 * sign * incoming[None, :], np.array([sign])))
    return Network(layers)
