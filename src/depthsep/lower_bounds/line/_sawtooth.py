"""Sawtooths in the mean: how many pieces a continuous approximant needs."""

from dataclasses import dataclass
from typing import ClassVar

from flint import fmpq

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
from depthsep.lower_bounds._pieces import RELU_SETTING, from_pieces, width_value
from depthsep.problems import Problem
from depthsep.targets import Sawtooth

_PARAMETERS = (
    Parameter(
        "folds",
        "integer",
        "k, where the target is the sawtooth D^k, which has 2^k affine pieces",
    ),
    Parameter("accuracy", "rational", "E, the allowed error"),
    LAYERS,
)


def l1_pieces(folds: int, accuracy: fmpq) -> int:
    """Theorem B': pieces of any continuous g with l1 error <= accuracy."""
    return max(1, int(((1 - 4 * accuracy) * (1 << folds)).ceil()))


def l2_pieces(folds: int, accuracy: fmpq) -> int:
    """The l2 companion of Theorem B'."""
    return max(1, int(((1 - 12 * accuracy**2) * (1 << folds)).ceil()))


_COUNTS = {"l1": l1_pieces, "l2": l2_pieces}


def _statement(norm: str, tex: str, *errata: str) -> Statement:
    count = _COUNTS[norm]

    def evaluate(folds: int, accuracy: fmpq, layers: int) -> Value:
        pieces = count(Sawtooth(folds).folds, accuracy)
        return width_value(pieces, layers, Rigour.EXACT)

    return Statement(
        f"sawtooth-{norm}",
        f"Width that every ReLU network needs for an {norm} error of at "
        "most E on a sawtooth",
        (
            "the target is the sawtooth D^k on [0, 1], under the uniform law; g is the "
            "function of the network",
            RELU_SETTING,
        ),
        Source("depthsep", f"Theorem B' ({norm}) with Theorem A"),
        _PARAMETERS,
        evaluate,
        errata,
        tex=tex,
        proof=proved("sawtooth-continuous"),
    )


_STATEMENTS = {
    "l1": _statement(
        "l1",
        r"\left\lVert D^k - g \right\rVert_1 "
        r"\ge \frac{1}{4} \left( 1 - \frac{N}{2^k} \right) \text{ for } g "
        r"\text{ continuous with } N \text{ pieces}; "
        r"\quad \prod_{i=1}^{L} (m_i + 1) \ge N",
        "Telgarsky (2023), Theorem 4.4 gives the bound 1/32, and only for k = L^2 + 2.",
    ),
    "l2": _statement(
        "l2",
        r"\left\lVert D^k - g \right\rVert_2^2 "
        r"\ge \frac{1}{12} \left( 1 - \frac{N}{2^k} \right) \text{ for } g "
        r"\text{ continuous with } N \text{ pieces}; "
        r"\quad \prod_{i=1}^{L} (m_i + 1) \ge N",
    ),
}


@dataclass(frozen=True)
class SawtoothL1(AbstractLowerBound):
    """Theorem B', then Theorem A."""

    statement: ClassVar[Statement] = _STATEMENTS["l1"]
    scope = Scope("this bound covers only sawtooths, in l1", Sawtooth, norms=("l1",))

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        return _proved(problem, depth)

    def examples(self) -> list[Problem]:
        return _examples("l1")


@dataclass(frozen=True)
class SawtoothL2(AbstractLowerBound):
    """The l2 companion of Theorem B', then Theorem A."""

    statement: ClassVar[Statement] = _STATEMENTS["l2"]
    scope = Scope("this bound covers only sawtooths, in l2", Sawtooth, norms=("l2",))

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        return _proved(problem, depth)

    def examples(self) -> list[Problem]:
        return _examples("l2")


def _proved(problem: Problem, depth: int) -> Lower | Inapplicable:
    folds, norm = problem.target_as(Sawtooth).folds, problem.norm
    pieces = _COUNTS[norm](folds, problem.accuracy)
    return from_pieces(pieces, depth, Rigour.EXACT, _STATEMENTS[norm])


def _examples(norm: str) -> list[Problem]:
    return [Problem(f"sawtooth:{k}", norm=norm, accuracy="0.05") for k in (1, 4, 40)]
