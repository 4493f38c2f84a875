"""Sawtooths: how many pieces any approximant needs in each norm."""

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
)
from depthsep.lower_bounds._pieces import from_pieces, width_value
from depthsep.problems import Problem
from depthsep.targets import Sawtooth

# The largest share of the norm of D^k - 1/2 that one piece can save, in units of one
# affine piece of D^k: proved by computation (see proofs/sawtooth_savings)
L1_SAVING = fmpq(9, 32)
L2_SAVING = fmpq(10814183281413, 10**14)

_PARAMETERS = (
    Parameter("folds", "integer", "k: the target is D^k, with 2^k pieces"),
    Parameter("accuracy", "rational", "the error allowed"),
    LAYERS,
)


def l1_pieces(folds: int, accuracy: fmpq) -> int:
    """Theorem B: pieces of any g, even discontinuous, with l1 error <= accuracy."""
    if accuracy >= fmpq(1, 4):
        return 1  # the constant 1/2
    return int(((fmpq(1, 4) - accuracy) / L1_SAVING * (1 << folds)).ceil())


def l2_pieces(folds: int, accuracy: fmpq) -> int:
    """The l2 companion of Theorem B."""
    if accuracy * accuracy >= fmpq(1, 12):
        return 1  # the constant 1/2
    return int(((fmpq(1, 12) - accuracy**2) / L2_SAVING * (1 << folds)).ceil())


def linf_pieces(folds: int, accuracy: fmpq) -> int:
    """The linf companion: below 1/2 even discontinuous g need 2^(k-1) + 1 pieces."""
    if accuracy >= fmpq(1, 2):
        return 1  # the constant 1/2
    return (1 << (folds - 1)) + 1


_COUNTS = {"l1": l1_pieces, "l2": l2_pieces, "linf": linf_pieces}


def _statement(norm: str, formula: str, source: Source, *errata: str) -> Statement:
    count = _COUNTS[norm]

    def evaluate(folds: int, accuracy: fmpq, layers: int) -> Value:
        pieces = count(Sawtooth(folds).folds, accuracy)
        return width_value(pieces, layers, Rigour.EXACT)

    return Statement(
        f"sawtooth-{norm}",
        f"Width of any ReLU network within an {norm} error of a sawtooth",
        ("D^k on [0, 1], uniform law", "any weights, any skip connections"),
        formula,
        source,
        _PARAMETERS,
        evaluate,
        errata,
    )


_FORMULAS = {
    "l1": "||D^k - g||_1 >= 1/4 - (9/32) N / 2^k for N pieces; prod (m_i + 1) >= N",
    "l2": "||D^k - g||_2^2 >= 1/12 - c N / 2^k, c = 0.10814183281413; then Theorem A",
    "linf": "||D^k - g||_inf >= 1/2 for N <= 2^(k-1) pieces; then Theorem A",
}
_ERRATUM = (
    "Telgarsky (2023), Theorem 4.4 gives 1/32 for k = L^2 + 2 only, and its counting "
    "step (2^k - 1 - 2N)/2 is not proved for discontinuous g; this bound is."
)
_STATEMENTS = {
    norm: _statement(
        norm,
        formula,
        Source("depthsep", f"Theorem B ({norm}) with Theorem A"),
        *([_ERRATUM] if norm == "l1" else []),
    )
    for norm, formula in _FORMULAS.items()
}


@dataclass(frozen=True)
class SawtoothL1(AbstractLowerBound):
    """Theorem B, then Theorem A."""

    statement: ClassVar[Statement] = _STATEMENTS["l1"]
    scope = Scope("bounds sawtooths in l1 only", Sawtooth, norms=("l1",))

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        return _proved(problem, depth)

    def examples(self) -> list[Problem]:
        return _examples("l1")


@dataclass(frozen=True)
class SawtoothL2(AbstractLowerBound):
    """The l2 companion of Theorem B, then Theorem A."""

    statement: ClassVar[Statement] = _STATEMENTS["l2"]
    scope = Scope("bounds sawtooths in l2 only", Sawtooth, norms=("l2",))

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        return _proved(problem, depth)

    def examples(self) -> list[Problem]:
        return _examples("l2")


@dataclass(frozen=True)
class SawtoothLinf(AbstractLowerBound):
    """The linf companion of Theorem B, then Theorem A."""

    statement: ClassVar[Statement] = _STATEMENTS["linf"]
    scope = Scope("bounds sawtooths in linf only", Sawtooth, norms=("linf",))

    def claim(self, problem: Problem, depth: int) -> Lower | Inapplicable:
        return _proved(problem, depth)

    def examples(self) -> list[Problem]:
        return _examples("linf")


def _proved(problem: Problem, depth: int) -> Lower | Inapplicable:
    folds, norm = problem.target_as(Sawtooth).folds, problem.norm
    pieces = _COUNTS[norm](folds, problem.accuracy)
    return from_pieces(pieces, depth, Rigour.EXACT, _STATEMENTS[norm])


def _examples(norm: str) -> list[Problem]:
    return [Problem(f"sawtooth:{k}", norm=norm, accuracy="0.05") for k in (1, 4, 40)]
