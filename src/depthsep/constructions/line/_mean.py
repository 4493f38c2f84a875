"""The mean: what every network can compute, and enough at rough accuracies."""

from dataclasses import dataclass
from functools import lru_cache
from math import frexp
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
    proved,
)
from depthsep.exact import dyadic_near, exact_column, nearest_float, rational
from depthsep.networks import Affine, Network
from depthsep.problems import Problem
from depthsep.targets import Sawtooth

SAMPLES, FEWEST = 4096, 256
BITS = 20  # of a constant, relative to how far the values lie from it


def _evaluate(folds: int, p: int) -> Value:
    Sawtooth(folds)
    return Value(fmpq(1, (p + 1) << p), Rigour.EXACT)


@dataclass(frozen=True)
class Mean(AbstractConstruction):
    """A constant, by dead units: 1/2 for sawtooths, 0 for parities.

    For other targets the middle of sampled values (linf), their median (l1) or their
    mean (l2), which the examiner measures. A network of depth L + 1 has at least one
    unit in each hidden layer here; the width that is needed is 0.
    """

    statement: ClassVar[Statement] = Statement(
        "mean",
        "The p-th power of the L_p error of the constant 1/2 as an "
        "approximation of a sawtooth",
        (
            (
                "for the first two formulas, the target is the sawtooth D^k on [0, 1] "
                "under the uniform law, for any k >= 1"
            ),
        ),
        Source("depthsep", "constant approximation"),
        (
            Parameter(
                "folds", "integer", "k, the number of compositions of the tent map D"
            ),
            Parameter("p", "integer", "the p of the L_p norm", "1", most=10_000),
        ),
        _evaluate,
        sample="folds=5 p=2",
        tex=(
            r"\left\lVert D^k - \tfrac{1}{2} \right\rVert_p^p = "
            r"\frac{1}{(p + 1) \, 2^p}, \quad \left\lVert D^k - "
            r"\tfrac{1}{2} \right\rVert_\infty = \frac{1}{2}; \quad "
            r"\text{for parities, } \left\lVert x_1 \cdots x_d - 0 "
            r"\right\rVert_p = 1; \quad "
            r"\text{for other targets, a constant from sampled values, whose error is "
            r"then examined}"
        ),
        proof=proved("explicit-networks"),
    )

    scope = Scope(
        "this construction builds networks only for constants",
        least_depth=2,
        weighs=True,
    )

    def claim(self, problem: Problem, depth: int) -> Upper | Inapplicable:
        weighed = problem.is_weighted
        constant = None if weighed else problem.target.known_constant(problem.norm)
        rigour = Rigour.SAMPLED if constant is None else Rigour.EXACT
        level, error = constant or _sampled_constant(problem)
        if error > problem.accuracy:
            return Inapplicable(
                "no constant was found whose error is within the accuracy",
                off_topic=True,
            )
        inputs, layers = problem.target.in_dim, depth - 1
        return Upper(
            widths=(1,) * layers,
            error=error,
            rigour=rigour,
            statement=self.statement,
            make=lambda: _constant_network(inputs, layers, level),
            in_dim=inputs,
        )

    def examples(self) -> list[Problem]:
        rough = [Problem(f"sawtooth:{k}", accuracy="1/2") for k in (1, 9)]
        return [*rough, Problem("parity:5", norm="l1", accuracy=1)]


@lru_cache(maxsize=64)
def _sampled_constant(problem: Problem) -> tuple[fmpq, fmpq]:
    """About the best constant for a problem, and about its error."""
    count = max(FEWEST, min(SAMPLES, 10**6 // problem.law.in_dim))
    values = problem.target.floats(_points(problem, count))
    if not np.isfinite(values).all():
        return fmpq(0), problem.accuracy + 1
    if problem.norm == "linf":
        level = (values.max() + values.min()) / 2
    else:
        level = np.median(values) if problem.norm == "l1" else values.mean()
    off = np.abs(values - level)
    error = {"linf": off.max(), "l1": off.mean(), "l2": (off**2).mean() ** 0.5}
    spread = float(off.max())
    bits = max(0, BITS - frexp(spread)[1])
    exact = dyadic_near(float(level), bits) if spread else level
    return rational(exact), rational(float(error[problem.norm]))


def _points(problem: Problem, count: int) -> np.ndarray:
    """Samples of the law; of an interval a grid; of a box the corners too."""
    if problem.law.setting == "box" and problem.norm == "linf":
        box = problem.law.box
        ends = np.array([list(map(nearest_float, v)) for v in (box.starts, box.stops)])
        bits = (
            np.arange(min(2**box.in_dim, count))[:, None] >> np.arange(box.in_dim) & 1
        )
        corners = ends[bits, np.arange(box.in_dim)]
        return np.vstack([corners, problem.law.sample(count, seed=0)])
    if problem.law.setting != "line" or problem.is_weighted:
        return problem.law.sample(count, seed=0)
    on = problem.law.interval
    return np.linspace(nearest_float(on.start), nearest_float(on.stop), count)


def _constant_network(inputs: int, layers: int, level: fmpq) -> Network:
    shapes = [(1, inputs)] + [(1, 1)] * layers
    dead = [Affine(np.zeros(shape), np.zeros(1)) for shape in shapes[:-1]]
    return Network([*dead, Affine(np.zeros(shapes[-1]), exact_column([level]))])
