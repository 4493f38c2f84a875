"""The mean: what every network can compute, and enough at rough accuracies."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from flint import fmpq

from depthsep.claims import AbstractConstruction, Scope, Upper
from depthsep.evidence import (
    Inapplicable,
    Parameter,
    Rigour,
    Source,
    Statement,
    Value,
)
from depthsep.networks import Affine, Network
from depthsep.problems import Problem
from depthsep.targets import Sawtooth


def _evaluate(folds: int, p: int) -> Value:
    Sawtooth(folds)
    return Value(fmpq(1, (p + 1) << p), Rigour.EXACT)


@dataclass(frozen=True)
class Mean(AbstractConstruction):
    """The constant 1/2 for sawtooths and 0 for parities, by dead units.

    A network of depth L + 1 has at least one unit in each hidden layer here; the width
    that is needed is 0.
    """

    statement: ClassVar[Statement] = Statement(
        "mean",
        "Error of the mean 1/2 against a sawtooth, to the power p",
        ("D^k on [0, 1], uniform law, any k >= 1",),
        "||D^k - 1/2||_p^p = 1/((p + 1) 2^p); linf: 1/2. Parity against 0: 1",
        Source("depthsep", "the mean as an approximation"),
        (
            Parameter("folds", "integer", "k"),
            Parameter("p", "integer", "of the L_p norm", "1", most=10_000),
        ),
        _evaluate,
    )

    scope = Scope("serves sawtooths and parities only", least_depth=2)

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        constant = problem.target.known_constant(problem.norm)
        if constant is None:
            return self.scope.elsewhere
        level, error = constant
        if error > problem.accuracy:
            return Inapplicable("the accuracy is finer than the mean", off_topic=True)
        inputs, layers = problem.target.in_dim, depth - 1
        return Upper(
            widths=(1,) * layers,
            error=error,
            rigour=Rigour.EXACT,
            statement=self.statement,
            make=lambda: _constant_network(inputs, layers, level),
            in_dim=inputs,
        )

    def examples(self) -> list[Problem]:
        rough = [Problem(f"sawtooth:{k}", accuracy="1/2") for k in (1, 9)]
        return [*rough, Problem("parity:5", norm="l1", accuracy=1)]


def _constant_network(inputs: int, layers: int, level: fmpq) -> Network:
    shapes = [(1, inputs)] + [(1, 1)] * layers
    dead = [Affine(np.zeros(shape), np.zeros(1)) for shape in shapes[:-1]]
    value = np.array([int(level.p) / int(level.q)])
    return Network([*dead, Affine(np.zeros(shapes[-1]), value)])
