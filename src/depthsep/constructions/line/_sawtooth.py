"""Sawtooths, exactly, at every depth."""

from dataclasses import dataclass
from typing import ClassVar

from flint import fmpq

from depthsep.claims import AbstractConstruction, Scope, Upper
from depthsep.constructions.line._folds import fold_network
from depthsep.evidence import (
    LAYERS,
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
    log2,
)
from depthsep.problems import Problem
from depthsep.targets import Sawtooth


def _evaluate(folds: int, layers: int) -> Value:
    width = 1 << -(-Sawtooth(folds).folds // layers)
    return Value(width, Rigour.EXACT, log2(width))


@dataclass(frozen=True)
class SawtoothByFolds(AbstractConstruction):
    """D^k from L hidden layers of widths 2**k_i, with sum k_i = k: error 0."""

    statement: ClassVar[Statement] = Statement(
        "sawtooth-folds",
        "Width with which L hidden layers compute the sawtooth D^k exactly",
        ("k >= 1", "on [0, 1]"),
        "widths 2^(k_i) with k_1 + ... + k_L = k; the least width is 2^ceil(k/L)",
        Source("telgarsky2023", "Proposition 4.1, any bases"),
        (
            Parameter("folds", "integer", "k"),
            LAYERS,
        ),
        _evaluate,
        (
            "x in [0, 1] is missing from the printed hypothesis: D^2(5/4) = 0, the "
            "right side is 1.",
            "Adjacent affine maps are fused: k hidden layers for k folds of base "
            "2, where the notes count two layers a fold.",
        ),
    )

    scope = Scope("builds sawtooths only", Sawtooth, least_depth=2)

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        target = problem.target_as(Sawtooth)
        share, more = divmod(target.folds, depth - 1)
        folds = [share + 1] * more + [share] * (depth - 1 - more)
        bases = tuple(1 << k for k in folds)
        return Upper(
            widths=bases,
            error=fmpq(0),
            rigour=Rigour.EXACT,
            statement=self.statement,
            make=lambda: fold_network(bases),
        )

    def examples(self) -> list[Problem]:
        return [Problem(f"sawtooth:{k}", accuracy="0.05", norm="l1") for k in (1, 3, 8)]
